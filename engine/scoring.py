"""Points and ratings as numbers: arithmetic only.

What is exact is computed with fractions. What is kept is a whole number of units, of which :data:`UNITS` make one
per cent: a rounded half goes up. So equal results are equal for ever, and sums depend on no order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor
from typing import Final

from engine.attempt import EndReason, Result

UNITS: Final = 1_000_000
"""How many of the units in which match points are kept make one per cent."""
MIDDLE: Final = 50
"""The per cent that a player gets who is as good as the field."""
LEAST_DEALS: Final = 5
"""From how many dailies on a player has a mean."""
DRAWN_DEALS: Final = 5
"""How many dailies at :data:`MIDDLE` are added to a player's own, so that luck in a few of them weighs little."""


def shown_rating(mu: float, sigma: float) -> int:
    """Returns a rating as players see it: a hundred times what is all but certain, never below zero.

    *mu* is what the skill is believed to be, *sigma* how uncertain that is.
    """
    return floor(max(0.0, mu - 2 * sigma) * 100 + 0.5)


def match_points(merits: Sequence[tuple[int, ...]]) -> tuple[Fraction | None, ...]:
    """Returns the per cent of the others whom each of a field beat, a tie counting half.

    *merits* are the keys by which the field is ranked, the best ones least (see :func:`engine.race.merit`). A
    field of one gets none.
    """
    others = len(merits) - 1
    if others < 1:
        return (None,) * len(merits)
    ordered = sorted(merits)
    points = []
    for merit in merits:
        better, not_worse = bisect_left(ordered, merit), bisect_right(ordered, merit)
        beaten, tied = len(ordered) - not_worse, not_worse - better - 1
        points.append(Fraction(100 * (2 * beaten + tied), 2 * others))
    return tuple(points)


def daily_merit(result: Result) -> tuple[int, ...]:
    """Returns the key by which the results of a daily are ranked, best first; equal keys are equal places.

    Won before not won; then fewer cards left; then fewer moves, those that were taken back and wrong calls counted
    in; then less time. Who gave up or never came to an end is last, all of these being equal.
    """
    match result.reason:
        case EndReason.FORFEIT | EndReason.TIME:
            return (2,)
        case reason:
            lost = 0 if reason is EndReason.WON else 1
            return (lost, result.cards_left, result.moves + result.mistakes, result.time)


def places(merits: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Returns the place of each of a field: 1 more than the number of those who are better (1, 1, 3)."""
    ordered = sorted(merits)
    return tuple(bisect_left(ordered, merit) + 1 for merit in merits)


def in_units(points: Fraction) -> int:
    """Returns *points*, in per cent, in the whole units in which they are kept."""
    return floor(points * UNITS + Fraction(1, 2))


def season_mean(kept: Iterable[int]) -> int | None:
    """Returns the mean of match points that are *kept*, drawn towards 50 %, in their units rounded down.

    It is (their sum + 5 x 50 %) / (their number + 5), or None for fewer than five of them.
    """
    points = list(kept)
    return drawn_mean(sum(points), len(points))


def drawn_mean(total: int, deals: int) -> int | None:
    """Returns what :func:`season_mean` does, from the sum of the points and their number."""
    if deals < LEAST_DEALS:
        return None
    return (total + DRAWN_DEALS * MIDDLE * UNITS) // (deals + DRAWN_DEALS)
