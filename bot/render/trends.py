"""The charts of a profile and of a daily: a rating over time, and how many players did how well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil

from bot.render.axes import (
    AREA,
    CHART_HEIGHT,
    CHART_WIDTH,
    GROUND,
    LABEL,
    LABEL_HEIGHT,
    LABEL_WEIGHT,
    Axes,
    Tick,
    number_ticks,
)
from bot.render.brush import Colour, text_width
from bot.render.canvas import Canvas
from bot.render.palette import FELT_LINE, SELECTED
from bot.render.speech import Say, english, spelled

LINE: Colour = SELECTED
BAR: Colour = FELT_LINE
DAY = 86_400_000
"""Milliseconds."""
APART = 14
"""The least distance of two labels, in pixels."""


def draw_rating(points: Sequence[tuple[int, int]], *, say: Say = english) -> bytes:
    """Returns a rating over time as a PNG; *points* are (ms since 1970, rating), in order, one at least."""
    first, last = points[0][0], points[-1][0]
    if last - first < DAY:
        margin = (last - first) // 20 or 1
        first, last = first - margin, last + margin
    ratings = [rating for _, rating in points]
    room = max(50, (max(ratings) - min(ratings)) // 8)
    low, high = max(0, min(ratings) - room), max(ratings) + room
    box = (AREA[0] + 24, *AREA[1:])
    axes = Axes.within(
        box, (first, last), (low, high), day_ticks(points[0][0], points[-1][0]), number_ticks(low, high, 5)
    )
    canvas = Canvas(CHART_WIDTH, CHART_HEIGHT, GROUND)
    axes.draw(canvas, y_title=spelled(say, "RATING"))
    places = [axes.point(time, rating) for time, rating in points]
    canvas.line(places, LINE, 4)
    for place in places if len(places) <= 40 else []:
        canvas.disc(place, 5, LINE)
    canvas.disc(places[-1], 9, LINE)
    canvas.disc(places[-1], 5, GROUND)
    return canvas.png()


def rating_alt(points: Sequence[tuple[int, int]], *, say: Say = english) -> str:
    """Returns the chart of a rating in words."""
    ratings = [rating for _, rating in points]
    template = say("Rating over time: from {first} to {last}, lowest {low}, highest {high}.")
    return template.format(first=ratings[0], last=ratings[-1], low=min(ratings), high=max(ratings))


def draw_histogram(
    counts: Sequence[int], labels: Sequence[str], *, own: int | None = None, say: Say = english
) -> bytes:
    """Returns bars as a PNG: *counts* of players under *labels*; the bar at index *own* is the reader's.

    It is marked by its colour and by a triangle. Labels are digits and capitals; where there is no room for all of
    them some are left out, evenly, never the reader's.
    """
    most = max(1, *counts)
    ticks = [Tick(place + 0.5, labels[place]) for place in labelled(labels, own or 0)]
    axes = Axes.within(AREA, (0, len(counts)), (0, most * 1.15), ticks, number_ticks(0, most, 4))
    canvas = Canvas(CHART_WIDTH, CHART_HEIGHT, GROUND)
    axes.draw(canvas, y_title=spelled(say, "PLAYERS"))
    for place, count in enumerate(counts):
        left, top = axes.point(place + 0.12, count)
        right, bottom = axes.point(place + 0.88, 0)
        if count:
            canvas.box((left, top, right, bottom), SELECTED if place == own else BAR)
        if place == own:
            middle = (left + right) / 2
            canvas.polygon([(middle - 11, top - 22), (middle + 11, top - 22), (middle, top - 5)], LABEL)
    return canvas.png()


def labelled(labels: Sequence[str], kept: int) -> range:
    """Returns the places of those of *labels* below a histogram that have room side by side, *kept* among them."""
    room = (AREA[2] - AREA[0]) / len(labels)
    widest = max(text_width(label, LABEL_HEIGHT, LABEL_WEIGHT) for label in labels)
    every = ceil((widest + APART) / room)
    return range(kept % every, len(labels), every)


def histogram_alt(
    counts: Sequence[int], labels: Sequence[str], *, own: int | None = None, say: Say = english
) -> str:
    """Returns a histogram in words: the bars that are not empty."""
    bars = ", ".join(
        say("{label}: {count}").format(label=label, count=count)
        for label, count in zip(labels, counts, strict=True)
        if count
    )
    text = say("Players by result: {bars}.").format(bars=bars)
    return text if own is None else text + " " + say("Yours: {label}.").format(label=labels[own])


def day_ticks(first: int, last: int) -> list[Tick]:
    """Returns at most six days between two moments in ms since 1970, as month and day, or month of a year.

    Each stands at its midnight; if there is none between the two, their day stands halfway.
    """
    if -(-first // DAY) > last // DAY:
        day = datetime.fromtimestamp(first / 1000, UTC)
        return [Tick((first + last) / 2, day.strftime("%m-%d"))]
    days = range(-(-first // DAY), last // DAY + 1)
    step = -(-len(days) // 6) or 1
    form = "%Y-%m" if len(days) > 300 else "%m-%d"
    return [
        Tick(day * DAY, datetime.fromtimestamp(day * DAY / 1000, UTC).strftime(form)) for day in days[::step]
    ]
