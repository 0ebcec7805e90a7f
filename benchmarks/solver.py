"""The solver and the hints: time a deal, length of what is found, positions per second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time

from benchmarks.figures import Figure, percentile
from engine import Rules, Verdict, find_game, hint, shuffle, solve

DEALS = 200
HINTED_GAMES = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """What the solver has to reach in the game *key*, in milliseconds of one core and in moves."""

    key: str
    median: float | None = None
    p95: float | None = None
    length: float | None = None


BARS = (
    Bar("take-away", median=15, p95=150),
    Bar("striptease", median=15, p95=150),
    Bar("links", median=50, p95=100, length=160),
    Bar("striptease-4", median=120),
    Bar("take-away-5"),
    Bar("take-away-4"),
    Bar("one-handed-free"),
    Bar("taking-silk-four-suit"),
    Bar("taking-silk-last-three"),
    Bar("one-handed"),
)


def measure() -> Iterator[Figure]:
    """Yields the figures."""
    for bar in BARS:
        yield from solved(bar)
    for key in ("take-away", "striptease", "links"):
        yield from hinted(find_game(key))


def solved(bar: Bar) -> Iterator[Figure]:
    """Yields what solving random deals of one game takes."""
    rules = find_game(bar.key)
    times, solutions = [], []
    for number in range(DEALS):
        state = rules.deal(shuffle(f"benchmark {number}"))
        start = process_time()
        solutions.append(solve(rules, state))
        times.append(1000 * (process_time() - start))
    verdicts = [solution.verdict for solution in solutions]
    lengths = [len(solution.moves) for solution in solutions if solution.verdict is Verdict.WON]
    positions = sum(solution.positions for solution in solutions)
    yield Figure(f"{bar.key}: deals that can be won", 100 * verdicts.count(Verdict.WON) / DEALS, "%")
    yield Figure(f"{bar.key}: undecided", verdicts.count(Verdict.UNKNOWN), "deals", most=0)
    yield Figure(f"{bar.key}: time, median", median(times), "ms", most=bar.median)
    yield Figure(f"{bar.key}: time, 95 % below", percentile(times, 95), "ms", most=bar.p95)
    yield Figure(f"{bar.key}: time, most", max(times), "ms")
    yield Figure(f"{bar.key}: positions", positions / sum(times) * 1000, "a second")
    if bar.length is not None:
        yield Figure(f"{bar.key}: length of a win, median", median(lengths), "moves", most=bar.length)


def hinted(rules: Rules) -> Iterator[Figure]:
    """Yields what hints take at each position of games that follow them half the time."""
    random, times = Random(1), []
    for number in range(HINTED_GAMES):
        state = rules.deal(shuffle(f"hints {number}"))
        for _ in range(300):
            start = process_time()
            move = hint(rules, state.observed())
            times.append(1000 * (process_time() - start))
            if move is None:
                break
            state = rules.apply(state, random.choice([move, random.choice(rules.legal_moves(state))]))
    yield Figure(f"{rules.key}: a hint, median", median(times), "ms")
    yield Figure(f"{rules.key}: a hint, most", max(times), "ms", most=200)
