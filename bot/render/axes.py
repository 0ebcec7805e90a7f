"""The frame of a chart: scales from values to pixels, round ticks, a grid and its labels. All charts share it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from bot.render.brush import Box, Colour
from bot.render.canvas import Canvas, Point

CHART_WIDTH, CHART_HEIGHT = 780, 440
"""Twice a phone's width; Discord shows this shape without shrinking it for its height."""

AREA: Box = (58, 42, CHART_WIDTH - 40, CHART_HEIGHT - 46)
"""What is left for a chart between its labels."""

GROUND: Colour = (20, 36, 33)
"""Of its own, so that a chart looks alike in Discord's dark and light themes."""

GRID: Colour = (56, 82, 74)
BASE_LINE: Colour = (120, 148, 138)
LABEL: Colour = (204, 220, 212)

LABEL_HEIGHT = 20
LABEL_WEIGHT = 2.8
TITLE_HEIGHT = 15

SECOND = 1000
TIME_STEPS = tuple(seconds * SECOND for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600))


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from *low* to *high* laid out from *start* to *end* px."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Returns the pixel of *value*."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Tick:
    """A value with its label."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Axes:
    """A horizontal and a vertical scale, and the ticks on them."""

    x: Scale
    y: Scale
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]

    @classmethod
    def within(
        cls,
        box: Box,
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        x_ticks: Iterable[Tick],
        y_ticks: Iterable[Tick],
    ) -> Axes:
        """Returns axes whose area is *box*: x grows to the right, y upwards."""
        left, top, right, bottom = box
        return cls(
            Scale(*x_range, left, right),
            Scale(*y_range, bottom, top),
            tuple(tick for tick in x_ticks if x_range[0] <= tick.value <= x_range[1]),
            tuple(tick for tick in y_ticks if y_range[0] <= tick.value <= y_range[1]),
        )

    def point(self, x: float, y: float) -> Point:
        """Returns the pixel of a pair of values."""
        return (self.x.at(x), self.y.at(y))

    def draw(self, canvas: Canvas, *, y_title: str = "") -> None:
        """Draws grid and labels; *y_title* is written above the vertical axis."""
        for tick in self.y_ticks:
            y = self.y.at(tick.value)
            canvas.line([(self.x.start, y), (self.x.end, y)], GRID, 1.5)
            place = (self.x.start - 10, y - LABEL_HEIGHT / 2)
            canvas.write(tick.label, place, LABEL_HEIGHT, LABEL, anchor=1, weight=LABEL_WEIGHT)
        for tick in self.x_ticks:
            x = self.x.at(tick.value)
            canvas.line([(x, self.y.start), (x, self.y.start + 7)], BASE_LINE, 2)
            place = (x, self.y.start + 13)
            canvas.write(tick.label, place, LABEL_HEIGHT, LABEL, anchor=0.5, weight=LABEL_WEIGHT)
        canvas.line([(self.x.start, self.y.start), (self.x.end, self.y.start)], BASE_LINE, 2)
        canvas.write(y_title, (12, 10), TITLE_HEIGHT, LABEL, weight=2.3)


def round_step(span: float, most: int) -> float:
    """Returns the smallest step of 1, 2 or 5 times a power of ten that divides *span* into at most *most* parts."""
    least = span / most
    power = 10.0 ** floor(log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def number_ticks(low: float, high: float, most: int) -> tuple[Tick, ...]:
    """Returns whole round numbers from *low* to *high*, about *most* of them."""
    step = max(1, round(round_step(high - low, most)))
    first = ceil(low / step)
    return tuple(Tick(place * step, str(place * step)) for place in range(first, floor(high / step) + 1))


def clock_ticks(high: float, most: int, steps: Sequence[int] = TIME_STEPS) -> tuple[Tick, ...]:
    """Returns round times from 0 to *high* ms, at most *most* + 1 of them."""
    step = next((step for step in steps if step * most >= high), steps[-1])
    return tuple(Tick(time, clock(time)) for time in range(0, floor(high) + 1, step))


def clock(time: int) -> str:
    """Returns a *time* in ms as minutes and seconds, as in "12:05"."""
    minutes, seconds = divmod(time // SECOND, 60)
    return f"{minutes}:{seconds:02}"
