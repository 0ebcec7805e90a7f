"""Why a position of Take Away or Striptease may be lost: some cards cannot all find another one to lie on.

Each card that is still to be played goes onto a card of a rank next to its own, and onto each card goes one at most.
So the cards of any set of ranks need as many cards of the ranks around it, on the foundations or still to come, or
empty foundations. What is left over of these is the *slack* of the set. A move takes one away from the slack of some
sets and adds to none, and where a slack is negative the game is lost. By Hall's theorem it is enough to look at sets
of ranks that follow one another at a distance of two; the longest of these are left out, for they seldom lack.

The slacks of all sets are one number, a byte each, with 128 in it for none. They are a sum over the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

_BITS: Final = 8


class Shares(NamedTuple):
    """What each card adds to the slacks.

    *none* are the slacks without any card. *on_top*, by rank: what a card adds that ends a foundation, an empty
    foundation having rank 0. *to_come*, by rank: what a card adds that is still to be played. *size* is how many
    bits the slacks take.
    """

    none: int
    on_top: tuple[int, ...]
    to_come: tuple[int, ...]
    size: int


@cache
def shares(neighbours: Sequence[frozenset[int]]) -> Shares:
    """Returns what cards add to the slacks; *neighbours* are the ranks next to each rank."""
    circle = [rank for rank, around in enumerate(neighbours) if around]
    chosen = {
        frozenset(circle[(first + 2 * i) % len(circle)] for i in range(count))
        for first in range(len(circle))
        for count in range(1, len(circle) // 2 + 1)
    }
    ones = [1 << number * _BITS for number in range(len(chosen))]
    on_top, to_come = [0] * len(neighbours), [0] * len(neighbours)
    for one, ranks in zip(ones, chosen, strict=True):
        around = frozenset[int]().union(*(neighbours[rank] for rank in ranks))
        for rank in circle:
            on_top[rank] += one * (rank in around)
            to_come[rank] += one * ((rank in around) - (rank in ranks))
    on_top[0] = sum(ones)
    return Shares(sum(ones) << _BITS - 1, tuple(on_top), tuple(to_come), len(ones) * _BITS)
