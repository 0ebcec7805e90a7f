"""The picture of a race: how many cards each entrant had left at each moment.

Lines carry numbers, which the message's text repeats beside the names: names are of any script, and no font that
may be shipped has them all. Lines are told apart by number, by colour, and from the ninth on by their dashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from bot.render.axes import AREA, CHART_HEIGHT, CHART_WIDTH, GROUND, Axes, clock, clock_ticks, number_ticks
from bot.render.brush import Colour
from bot.render.canvas import Canvas, Point
from bot.render.speech import Say, english, spelled
from bot.render.words import ALT_LIMIT, count_words, cut
from engine.attempt import EndReason

LINE_COLOURS: tuple[Colour, ...] = (
    (255, 203, 64),
    (98, 200, 255),
    (255, 118, 104),
    (126, 226, 120),
    (204, 156, 255),
    (240, 240, 236),
    (255, 158, 44),
    (255, 146, 206),
)
LINE_DASHES: tuple[tuple[float, ...], ...] = ((), (14, 7), (4, 6), (18, 5, 4, 5))
MANY = 10
"""From so many entrants on lines and numbers are smaller."""

NAME_LENGTH = 32
"""The longest part of a name in the alternative text, in characters."""


@dataclass(frozen=True, slots=True)
class Course:
    """One entrant's race: *points* are (ms taken so far, penalties included; cards left), the last one the end.

    *number* is what the line carries. *name* appears in the alternative text alone.
    """

    number: int
    name: str
    points: tuple[tuple[int, int], ...]
    reason: EndReason


def draw_race(courses: Sequence[Course], *, say: Say = english) -> bytes:
    """Returns the chart of a race as a PNG, CHART_WIDTH x CHART_HEIGHT px.

    Each line ends in its number: on a full disc if the deal was won, in a ring if not, in a square if forfeited.
    """
    radius = 15.0 if len(courses) >= MANY else 18.0
    weight = 2.6 if len(courses) >= MANY else 4.0
    points = [point for course in courses for point in course.points]
    last = max((time for time, _ in points), default=0) or 1
    most = max((cards for _, cards in points), default=0) or 1
    axes = Axes.within(
        (AREA[0], AREA[1], CHART_WIDTH - 2 * radius - 18, AREA[3]),
        (0, last),
        (0, most),
        clock_ticks(last, 6),
        number_ticks(0, most, 6),
    )
    canvas = Canvas(CHART_WIDTH, CHART_HEIGHT, GROUND)
    axes.draw(canvas, y_title=spelled(say, "CARDS LEFT"))
    # the best entrant's line is drawn last and lies on top
    for course in reversed(courses):
        dashes = LINE_DASHES[(course.number - 1) // len(LINE_COLOURS) % len(LINE_DASHES)]
        canvas.line(list(_steps(axes, course)), line_colour(course.number), weight, dashes=dashes)
    ends = [axes.point(*course.points[-1]) for course in courses]
    places = spread([(x + radius + 1, y) for x, y in ends], radius)
    for course, end, place in zip(courses, ends, places, strict=True):
        canvas.line([end, place], line_colour(course.number), 1.6)
    for course, place in zip(courses, places, strict=True):
        _draw_badge(canvas, course, place, radius)
    return canvas.png()


def line_colour(number: int) -> Colour:
    """Returns the colour of the line that carries *number*."""
    return LINE_COLOURS[(number - 1) % len(LINE_COLOURS)]


def race_alt(courses: Sequence[Course], *, limit: int = ALT_LIMIT, say: Say = english) -> str:
    """Returns the chart of a race in words, at most *limit* characters: how each entrant ended."""
    head = say("Cards left over time.")
    ends = [_end_words(course, say) for course in courses]
    for shown in range(len(ends), 0, -1):
        rest = len(ends) - shown
        more = [say("{count} more player.", "{count} more players.", rest).format(count=rest)] if rest else []
        text = " ".join([head, *ends[:shown], *more])
        if len(text) <= limit:
            return text
    return cut(head, limit)


def spread(wanted: Sequence[Point], radius: float) -> list[Point]:
    """Returns a place for each of the discs that want to be at *wanted*, none on another, all in the picture.

    A disc that finds its place taken goes to the nearest free one, rather above than below.
    """
    places: list[Point] = []
    for x, y in wanted:
        free = (place for place in _nearby(x, y, radius) if _is_free(place, places, radius))
        places.append(next(free, _inside(x, y, radius)))
    return places


def _nearby(x: float, y: float, radius: float) -> Iterator[Point]:
    """Yields places within the picture in ever larger rings around a point."""
    yield _inside(x, y, radius)
    for ring in range(1, 80):
        distance = ring * radius / 2
        turns = 8 + 4 * ring
        for turn in range(turns):
            angle = pi / 2 + (turn + 1) // 2 * (-1) ** turn * 2 * pi / turns
            yield _inside(x + distance * cos(angle), y - distance * sin(angle), radius)


def _inside(x: float, y: float, radius: float) -> Point:
    """Returns the nearest place at which a disc lies within the picture, off its labels."""
    left, top, _, bottom = AREA
    return (
        min(max(x, left + radius), CHART_WIDTH - radius - 4),
        min(max(y, top + radius - 8), bottom - radius + 2),
    )


def _is_free(place: Point, taken: Iterable[Point], radius: float) -> bool:
    """Tells whether a disc at *place* touches none of the others."""
    return all(hypot(place[0] - x, place[1] - y) >= 2 * radius + 2 for x, y in taken)


def _steps(axes: Axes, course: Course) -> Iterator[Point]:
    """Yields the corners of a line that keeps its height until the next change."""
    height: int | None = None
    for time, cards in course.points:
        if height is not None and height != cards:
            yield axes.point(time, height)
        yield axes.point(time, cards)
        height = cards


def _draw_badge(canvas: Canvas, course: Course, centre: Point, radius: float) -> None:
    """Draws the number at the end of a line."""
    x, y = centre
    colour, text = line_colour(course.number), str(course.number)
    is_won = course.reason is EndReason.WON
    inner = radius - 3
    if course.reason is EndReason.FORFEIT:
        canvas.box((x - radius + 1, y - radius + 1, x + radius - 1, y + radius - 1), colour, radius=3)
        canvas.box((x - inner + 1, y - inner + 1, x + inner - 1, y + inner - 1), GROUND, radius=1)
    else:
        canvas.disc(centre, radius, colour)
        if not is_won:
            canvas.disc(centre, inner, GROUND)
    height = radius * (1.05 if len(text) == 1 else 0.9)
    ink = GROUND if is_won else colour
    canvas.write(text, (x, y - height / 2), height, ink, anchor=0.5, weight=height / 5.5)


def _end_words(course: Course, say: Say) -> str:
    """Returns how an entrant ended, as in "2 Ada: stuck at 4:10, 7 cards left."."""
    time, cards = course.points[-1]
    templates = {
        EndReason.WON: say("{number} {name}: won at {time}."),
        EndReason.STUCK: say("{number} {name}: stuck at {time}, {cards} left."),
        EndReason.DEAD: say("{number} {name}: stuck at {time}, {cards} left."),
        EndReason.TIME: say("{number} {name}: out of time at {time}, {cards} left."),
        EndReason.FORFEIT: say("{number} {name}: gave up at {time}, {cards} left."),
    }
    return templates[course.reason].format(
        number=course.number,
        name=cut(course.name, NAME_LENGTH),
        time=clock(time),
        cards=count_words(cards, say),
    )
