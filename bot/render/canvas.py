"""A canvas for charts: smooth lines and discs first, letters on top of them, then a small PNG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import cycle, pairwise
from math import hypot
from typing import TypeAlias

from PIL import Image, ImageDraw

from bot.render.brush import SUPERSAMPLE, Box, Colour, coverage, text_width, write

Point: TypeAlias = tuple[float, float]

COLOURS = 64
"""The palette of a chart's PNG. More of them are not seen; fewer spoil the smooth edges."""


@dataclass(slots=True)
class Canvas:
    """A picture in the making, in pixels from the upper left. What is written lies above what is drawn."""

    width: int
    height: int
    ground: Colour
    _large: Image.Image = field(init=False, repr=False)
    _draw: ImageDraw.ImageDraw = field(init=False, repr=False)
    _letters: list[tuple[str, Point, float, float, Colour]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size = (self.width * SUPERSAMPLE, self.height * SUPERSAMPLE)
        self._large = Image.new("RGB", size, self.ground)
        self._draw = ImageDraw.Draw(self._large)
        self._letters = []

    def line(
        self, points: Sequence[Point], colour: Colour, weight: float, *, dashes: Sequence[float] = ()
    ) -> None:
        """Draws a line *weight* px wide; *dashes* are the lengths of strokes and gaps in turn, in pixels."""
        width = round(weight * SUPERSAMPLE)
        for part in dashed(points, dashes) if dashes else [points]:
            self._draw.line(_enlarged(part), fill=colour, width=width)
            if len(part) > 2:
                for x, y in part[1:-1]:
                    self.disc((x, y), weight / 2, colour)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Draws a filled circle."""
        box = _around(centre, radius)
        self._draw.ellipse([edge * SUPERSAMPLE for edge in box], fill=colour)

    def box(self, box: Box, colour: Colour, *, radius: float = 0) -> None:
        """Draws a filled rectangle, with round corners if *radius* is given."""
        left, top, right, bottom = (edge * SUPERSAMPLE for edge in box)
        self._draw.rounded_rectangle((left, top, right - 1, bottom - 1), radius * SUPERSAMPLE, fill=colour)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Draws a filled polygon."""
        self._draw.polygon(_enlarged(points), fill=colour)

    def write(
        self, text: str, place: Point, height: float, colour: Colour, *, anchor: float = 0, weight: float = 0
    ) -> None:
        """Writes *text*, its top at *place*; *anchor* 0 puts its left end there, 0.5 its middle, 1 its right end.

        Strokes are *weight* px wide, a sixth of the height if not given.
        """
        stroke = weight or height / 6
        x = place[0] - anchor * text_width(text, height, stroke)
        self._letters.append((text, (x, place[1]), height, stroke, colour))

    def png(self) -> bytes:
        """Returns the picture as a PNG with a palette."""
        image = self._large.reduce(SUPERSAMPLE)
        for text, (x, y), height, weight, colour in self._letters:
            left, top = int(x), int(y)
            width = int(text_width(text, height, weight)) + 3
            shapes = write(text, (x - left, y - top), height, weight)
            mask = coverage(width, int(height) + 3, shapes)
            image.paste(colour, (left, top, left + mask.width, top + mask.height), mask)
        stream = BytesIO()
        image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(stream, "PNG")
        return stream.getvalue()


def dashed(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """Yields the strokes of a dashed line through *points*."""
    lengths = cycle(dashes)
    left, is_stroke = next(lengths), True
    part = [points[0]]
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        done = 0.0
        while length - done > left:
            done += left
            share = done / length
            turn = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            if is_stroke:
                yield [*part, turn]
            part, left, is_stroke = [turn], next(lengths), not is_stroke
        left -= length - done
        part.append(end)
    if is_stroke and len(part) > 1:
        yield part


def _enlarged(points: Iterable[Point]) -> list[Point]:
    """Returns *points* in supersampled pixels."""
    return [(x * SUPERSAMPLE, y * SUPERSAMPLE) for x, y in points]


def _around(centre: Point, radius: float) -> Box:
    """Returns the square around a circle."""
    return (centre[0] - radius, centre[1] - radius, centre[0] + radius, centre[1] + radius)
