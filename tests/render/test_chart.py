"""The charts: small, complete, readable; ticks are round."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from itertools import combinations
from math import hypot
from random import Random

import pytest
from PIL import Image

from bot.render.axes import (
    AREA,
    CHART_HEIGHT,
    CHART_WIDTH,
    LABEL_HEIGHT,
    LABEL_WEIGHT,
    Axes,
    Scale,
    Tick,
    clock,
    clock_ticks,
    number_ticks,
    round_step,
)
from bot.render.brush import text_width
from bot.render.canvas import Canvas, dashed
from bot.render.chart import Course, draw_race, line_colour, race_alt, spread
from bot.render.trends import (
    LINE,
    day_ticks,
    draw_histogram,
    draw_rating,
    histogram_alt,
    labelled,
    rating_alt,
)
from bot.render.words import ALT_LIMIT
from engine.attempt import EndReason

MOST_BYTES = 60 * 1024
MINUTE = 60_000


def race(entrants: int, seed: int) -> list[Course]:
    """Returns a race in which everybody plays cards at random times."""
    random = Random(seed)
    courses = []
    for number in range(1, entrants + 1):
        time, cards, points = 0, 52, [(0, 52)]
        end = random.choice([0, 0, random.randint(1, 40)])
        while cards > end:
            time += random.randint(300, 9000)
            cards -= random.randint(0, 1)
            points.append((time, cards))
        reason = random.choice(list(EndReason)[1:]) if cards else EndReason.WON
        courses.append(Course(number, f"Spieler 猫 {number}", tuple(points), reason))
    return courses


def size_of(png: bytes) -> tuple[int, int]:
    """Returns the size of a picture in pixels."""
    return Image.open(BytesIO(png)).size


@pytest.mark.parametrize("entrants", [1, 2, 9, 25])
def test_a_chart_of_a_race_is_small(entrants: int) -> None:
    png = draw_race(race(entrants, entrants))
    assert len(png) <= MOST_BYTES
    assert size_of(png) == (CHART_WIDTH, CHART_HEIGHT)


def test_the_longest_race_of_most_players_is_small() -> None:
    random = Random(1)
    courses = []
    for number in range(1, 26):
        times = sorted(random.randrange(120 * MINUTE) for _ in range(400))
        points = tuple((time, 52 - place * 52 // 400) for place, time in enumerate(times))
        courses.append(Course(number, "x", points, EndReason.TIME))
    assert len(draw_race(courses)) <= MOST_BYTES


def test_a_race_that_ends_as_it_begins_has_a_chart() -> None:
    forfeit = Course(1, "Ada", ((0, 52),), EndReason.FORFEIT)
    assert size_of(draw_race([forfeit])) == (CHART_WIDTH, CHART_HEIGHT)
    assert size_of(draw_race([])) == (CHART_WIDTH, CHART_HEIGHT)


def test_a_line_shows_its_colour() -> None:
    courses = race(3, 1)
    palette = Image.open(BytesIO(draw_race(courses))).getpalette() or []
    for course in courses:
        wanted = line_colour(course.number)
        found = zip(palette[::3], palette[1::3], palette[2::3], strict=True)
        assert min(sum(abs(a - b) for a, b in zip(colour, wanted, strict=True)) for colour in found) <= 24


def test_the_alternative_text_says_how_everybody_ended() -> None:
    courses = [
        Course(1, "Ada", ((0, 52), (185_000, 0)), EndReason.WON),
        Course(2, "Bo", ((0, 52), (250_999, 1)), EndReason.STUCK),
        Course(3, "Cy", ((0, 52), (900_000, 7)), EndReason.TIME),
        Course(4, "Di", ((0, 52), (4_000, 52)), EndReason.FORFEIT),
    ]
    assert race_alt(courses) == (
        "Cards left over time. 1 Ada: won at 3:05. 2 Bo: stuck at 4:10, 1 card left. "
        "3 Cy: out of time at 15:00, 7 cards left. 4 Di: gave up at 0:04, 52 cards left."
    )


def test_the_alternative_text_is_shortened_by_whole_players() -> None:
    courses = [Course(n, "n" * 80, ((0, 52), (9 * MINUTE, 12)), EndReason.STUCK) for n in range(1, 26)]
    text = race_alt(courses)
    assert len(text) <= ALT_LIMIT
    assert text.endswith(" more players.")
    assert len(race_alt(courses, limit=10)) <= 10


@pytest.mark.parametrize("radius", [15.0, 18.0])
def test_numbers_do_not_lie_on_one_another(radius: float) -> None:
    for seed in range(4):
        random = Random(seed)
        wanted = [(random.uniform(300, 320), random.uniform(380, 400)) for _ in range(25)]
        places = spread(wanted, radius)
        assert len(places) == 25
        for one, other in combinations(places, 2):
            assert hypot(one[0] - other[0], one[1] - other[1]) >= 2 * radius
        for x, y in places:
            assert radius <= x <= CHART_WIDTH - radius
            assert radius <= y <= CHART_HEIGHT - radius


def test_numbers_stay_where_they_belong_when_there_is_room() -> None:
    assert spread([(200, 200), (400, 300)], 15) == [(200, 200), (400, 300)]


def test_scales_and_axes() -> None:
    assert Scale(0, 10, 100, 200).at(5) == 150
    axes = Axes.within(
        (50, 20, 250, 120), (0, 10), (0, 50), [Tick(5, "5"), Tick(11, "11")], number_ticks(0, 50, 5)
    )
    assert axes.point(0, 0) == (50, 120)
    assert axes.point(10, 50) == (250, 20)
    assert [tick.label for tick in axes.x_ticks] == ["5"]


def test_ticks_are_round() -> None:
    assert round_step(52, 6) == 10
    assert round_step(4.9, 5) == 1
    assert [tick.label for tick in number_ticks(0, 52, 6)] == ["0", "10", "20", "30", "40", "50"]
    assert [tick.label for tick in number_ticks(930, 1490, 5)] == ["1000", "1200", "1400"]
    assert [tick.label for tick in clock_ticks(125_000, 6)] == ["0:00", "0:30", "1:00", "1:30", "2:00"]
    assert [tick.label for tick in clock_ticks(120 * MINUTE, 6)][-1] == "120:00"
    assert clock(725_999) == "12:05"


@pytest.mark.parametrize("high", [1, 999, 60_000, 7_200_000])
def test_there_are_never_too_many_times(high: int) -> None:
    assert 1 <= len(clock_ticks(high, 6)) <= 7


def test_dashes_keep_their_lengths() -> None:
    strokes = list(dashed([(0, 0), (10, 0), (10, 10)], (6, 2)))
    assert [stroke[0] for stroke in strokes] == [(0, 0), (8, 0), (10, 6)]
    assert strokes[1] == [(8, 0), (10, 0), (10, 4)]


def test_letters_lie_above_lines() -> None:
    canvas = Canvas(60, 40, (0, 0, 0))
    canvas.write("I", (30, 5), 30, (255, 255, 255), anchor=0.5, weight=8)
    canvas.line([(0, 20), (60, 20)], (255, 0, 0), 10)
    image = Image.open(BytesIO(canvas.png())).convert("RGB")
    assert image.getpixel((30, 20)) == (255, 255, 255)
    assert image.getpixel((10, 20)) == (255, 0, 0)


def test_a_rating_over_time() -> None:
    day = 86_400_000
    points = [(1_750_000_000_000 + place * day, 1000 + place * place) for place in range(30)]
    for some in (
        points,
        points[:1],
        [(points[0][0], 0), (points[0][0], 0)],
        [points[0], (points[0][0] * 2, 5)],
    ):
        png = draw_rating(some)
        assert len(png) <= MOST_BYTES
        assert size_of(png) == (CHART_WIDTH, CHART_HEIGHT)
    assert rating_alt(points) == "Rating over time: from 1000 to 1841, lowest 1000, highest 1841."


@pytest.mark.parametrize("minutes", [0, 30], ids=["one point", "two points"])
def test_a_rating_of_one_day_stands_above_that_day(minutes: int) -> None:
    first = int(datetime(2026, 11, 30, 14, tzinfo=UTC).timestamp() * 1000)
    last = first + minutes * 60_000
    assert day_ticks(first, last) == [Tick((first + last) / 2, "11-30")]
    overnight = day_ticks(first, first + 86_400_000)
    assert [tick.label for tick in overnight] == ["12-01"]


@pytest.mark.parametrize("minutes", [1, 90, 3000])
def test_a_rating_over_time_takes_the_width_of_the_picture(minutes: int) -> None:
    first = 1_750_000_000_000
    image = Image.open(BytesIO(draw_rating([(first, 1000), (first + minutes * 60_000, 1200)]))).convert("RGB")
    drawn = [
        x for x in range(image.width) if any(image.getpixel((x, y)) == LINE for y in range(image.height))
    ]
    assert drawn[-1] - drawn[0] > CHART_WIDTH * 0.7


def test_a_histogram_marks_the_reader() -> None:
    labels = [str(label) for label in range(0, 52, 4)]
    counts = [0, 3, 9, 14, 22, 31, 18, 9, 6, 2, 1, 0, 1]
    assert len(draw_histogram(counts, labels, own=5)) <= MOST_BYTES
    assert draw_histogram(counts, labels, own=5) != draw_histogram(counts, labels)
    assert size_of(draw_histogram([0] * 40, [str(n) for n in range(40)])) == (CHART_WIDTH, CHART_HEIGHT)
    assert histogram_alt([0, 2], ["0", "4"], own=1) == "Players by result: 4: 2. Yours: 4."


@pytest.mark.parametrize("label", ["8", "10-11", "12:30", "1:59:59"])
def test_labels_of_a_histogram_do_not_touch(label: str) -> None:
    for bars in range(1, 25):
        room = (AREA[2] - AREA[0]) / bars
        for own in range(bars):
            shown = labelled([label] * bars, own)
            assert own in shown
            assert shown.step * room > text_width(label, LABEL_HEIGHT, LABEL_WEIGHT)
