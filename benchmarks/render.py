"""Pictures of the table: milliseconds and bytes a board, against Pillow encoding an empty picture of the size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import BytesIO
from random import Random

from PIL import Image

from benchmarks.figures import Figure, percentile, seconds
from bot.render.art import draw_emoji, drawings
from bot.render.chart import Course, draw_race
from bot.render.layout import WIDTH, lay_out
from bot.render.palette import Colours
from bot.render.table import COMPRESSION, draw_table
from engine import GAMES, Rules, State, shuffle
from engine.attempt import EndReason

DEALS = 12
MOST_MS = 30.0
MOST_KB = 60.0


def measure() -> Iterator[Figure]:
    """Yields the figures. Faces are drawn before the clock starts, as in a bot that has been running."""
    for rules in GAMES:
        if rules.key == rules.base:
            yield from _boards(rules)
    courses = _race(25)
    draw_race(courses)
    yield Figure("chart of a race of 25", 1000 * seconds(lambda: draw_race(courses)), "ms")
    yield Figure("chart of a race of 25, size", len(draw_race(courses)) / 1024, "KiB", most=MOST_KB)
    sizes = [len(one.png) / 1024 for one in map(draw_emoji, drawings())]
    drawings.cache_clear()
    draw_emoji.cache_clear()
    yield Figure("all emoji, once", 1000 * seconds(lambda: [*map(draw_emoji, drawings())], rounds=1), "ms")
    yield Figure("largest emoji", max(sizes), "KiB", most=256)


def main() -> None:
    """Prints the figures."""
    for figure in measure():
        print(figure)


def _boards(rules: Rules) -> Iterator[Figure]:
    """Yields the figures of a game's board."""
    states = _positions(rules)
    pngs = [draw_table(state, colours=colours) for state in states for colours in Colours]
    times = [1000 * seconds(partial(draw_table, state), rounds=1) for state in states]
    plain = sum(seconds(partial(_blank, state), rounds=1) for state in states)
    yield Figure(f"{rules.key}: a board, median", percentile(times, 50), "ms", most=MOST_MS)
    yield Figure(f"{rules.key}: a board, 99 %", percentile(times, 99), "ms", most=MOST_MS)
    yield Figure(f"{rules.key}: a board, ratio to an empty picture", sum(times) / plain / 1000, "times")
    yield Figure(f"{rules.key}: largest board", max(map(len, pngs)) / 1024, "KiB", most=MOST_KB)


def _blank(state: State) -> bytes:
    """Returns an empty picture as large as that of *state*."""
    stream = BytesIO()
    Image.new("P", (WIDTH, lay_out(state).height)).save(stream, "PNG", compress_level=COMPRESSION)
    return stream.getvalue()


def _positions(rules: Rules) -> list[State]:
    """Returns every third position of random games of at most 150 moves."""
    random, states = Random(1), []
    for seed in range(DEALS):
        state = rules.deal(shuffle(str(seed)))
        for ply in range(150):
            if ply % 3 == 0:
                states.append(state)
            moves = rules.legal_moves(state)
            if not moves:
                break
            state = rules.apply(state, random.choice(moves))
    return states


def _race(entrants: int) -> list[Course]:
    """Returns a race in which everybody plays a card in 4 s on average."""
    random, courses = Random(1), []
    for number in range(1, entrants + 1):
        time, points = 0, [(0, 52)]
        for cards in range(51, -1, -1):
            time += random.randint(500, 7500)
            points.append((time, cards))
        courses.append(Course(number, f"Player {number}", tuple(points), EndReason.WON))
    return courses


if __name__ == "__main__":
    main()
