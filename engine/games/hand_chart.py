"""The exact solution of the hand games in which a discard may be declined.

The hand is a stack: cards are pushed on its end one by one, and discards take them off near its end. What can
happen above a card does not depend on what lies below it, but for the suit of the card itself, which may be the
first of a fan. So the ways to play can be tabulated like the parses of a sentence, in a chart: which stretches of
the deck can vanish, and which card can come to lie directly on which other. That takes about a thousand facts
where a search would visit a million positions.

Cards are numbered from 1 in the order in which they are pushed. A *time* is the number of cards pushed so far; a
*sight* is a card with a time at which it can be the last of the hand, written as card × row + time. Sets of times
and of sights are numbers with one bit a member. A *base* is the hand as it is at some time; all that matters of it
is the time and the suit of its last card (NONE if there is none).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cards import SUITS, Card

NONE: Final = len(SUITS)


class Chart:
    """All that can be done with *cards*, of which the first *pushed* lie in the hand already."""

    def __init__(self, cards: Sequence[Card], pushed: int) -> None:
        self.facts = 0
        self._size = len(cards)
        self._row = self._size + 1
        self._suits = [NONE, *(card.suit for card in cards)]
        self._ranks = [0, *(card.rank for card in cards)]
        # The sights at which a card of each suit or rank can end a fan: not before the present hand is complete.
        late = (1 << self._row) - (1 << pushed)
        sights = [late << card * self._row for card in range(self._row)]
        self._of_suit = [_all_of(suit, self._suits, sights) for suit in range(NONE)] + [0]
        self._of_rank = [_all_of(rank, self._ranks, sights) for rank in range(14)]
        # By time and suit of a base: the times at which the hand can be the base again, all that was pushed since
        # being gone; and the sights of the cards that can lie on it, with none, one and two cards between.
        self._again = self._table()
        self._above = self._table(), self._table(), self._table()
        for time in range(self._size, -1, -1):
            for suit in range(NONE + 1):
                self._fill(time, suit)

    def _table(self) -> list[list[int]]:
        return [[0] * (NONE + 1) for _ in range(self._row)]

    def _fill(self, time: int, suit: int) -> None:
        """Finds all that can follow on a base, all that can follow on later ones being known."""
        again = 1 << time
        next_to, one_between, two_between = self._above
        above = above_one = above_two = 0
        fresh = 1 << (time + 1) * self._row + time + 1 if time < self._size else 0
        while fresh:
            self.facts += 1
            sight = fresh & -fresh
            above |= sight
            card, seen = divmod(sight.bit_length() - 1, self._row)
            own = self._suits[card]
            above_one |= next_to[seen][own]
            above_two |= one_between[seen][own]
            # What comes on the card may vanish; or the card does, being the second of a fan that the base begins.
            fresh |= self._again[seen][own] << card * self._row
            fresh |= one_between[seen][own] & self._of_suit[suit]
            fresh &= ~above
            # Or it goes as the first of a fan of which all four go.
            for last in _members(two_between[seen][own] & self._of_rank[self._ranks[card]]):
                again |= self._again[last % self._row][suit]
        self._again[time][suit] = again
        next_to[time][suit], one_between[time][suit], two_between[time][suit] = above, above_one, above_two

    @property
    def is_won(self) -> bool:
        """Whether all cards can go."""
        return bool(self._again[0][NONE] >> self._size & 1)

    def discards(self) -> Iterator[int]:
        """Yields the times of the discards by which all cards go, in order, given that they can."""
        return self._return(0, NONE, self._size)

    def _return(self, time: int, suit: int, end: int) -> Iterator[int]:
        """Yields the discards by which the hand is the base again at the time *end*."""
        while time < end:
            first, last = next(
                (first, last)
                for first in _members(self._above[0][time][suit])
                for last in _members(
                    self._above[2][first % self._row][self._suit(first)] & self._rank_mates(first)
                )
                if self._again[last % self._row][suit] >> end & 1
            )
            yield from self._come(time, suit, first)
            yield from self._climb(first, last, 2)
            time = last % self._row
            yield time

    def _come(self, time: int, suit: int, sight: int) -> Iterator[int]:
        """Yields the discards by which *sight* comes about next to the base."""
        card, seen = divmod(sight, self._row)
        if card == seen == time + 1:
            return
        for before in _members(self._above[0][time][suit]):
            other, earlier = divmod(before, self._row)
            if earlier >= seen:
                continue
            if other == card and self._again[earlier][self._suits[card]] >> seen & 1:
                yield from self._come(time, suit, before)
                yield from self._return(earlier, self._suits[card], seen)
                return
            if self._above[1][earlier][self._suits[other]] & self._of_suit[suit] & 1 << sight:
                yield from self._come(time, suit, before)
                yield from self._climb(before, sight, 1)
                yield seen
                return

    def _climb(self, low: int, high: int, between: int) -> Iterator[int]:
        """Yields the discards from the sight *low* to the sight *high*, with some cards *between* them."""
        time, suit = low % self._row, self._suit(low)
        if between == 0:
            yield from self._come(time, suit, high)
            return
        above = self._above[between - 1]
        middle = next(
            sight
            for sight in _members(self._above[0][time][suit])
            if above[sight % self._row][self._suit(sight)] >> high & 1
        )
        yield from self._come(time, suit, middle)
        yield from self._climb(middle, high, between - 1)

    def _suit(self, sight: int) -> int:
        return self._suits[sight // self._row]

    def _rank_mates(self, sight: int) -> int:
        return self._of_rank[self._ranks[sight // self._row]]


def _all_of(value: int, values: Sequence[int], sights: Sequence[int]) -> int:
    return sum(sight for own, sight in zip(values, sights, strict=True) if own == value)


def _members(numbers: int) -> Iterator[int]:
    while numbers:
        least = numbers & -numbers
        yield least.bit_length() - 1
        numbers ^= least
