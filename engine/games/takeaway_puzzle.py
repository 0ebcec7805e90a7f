"""How Take Away and Striptease are searched.

A position is one number. Its low 16 bits hold how many cards the four piles still have, four bits each. The rest
counts the foundations by the rank of their last card, three bits each, the empty ones first: which foundation is
which makes no difference. A move is then a number to add and a test of some bits.

An empty foundation can do whatever another can, so a card that fits on a foundation need never begin a new one.
Positions that :mod:`engine.games.takeaway_bound` shows to be lost are left out at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, pairwise
from typing import Final

from engine.games.takeaway_bound import shares
from engine.moves import Move
from engine.search import ALL, Meter
from engine.state import State

_PILES: Final = range(4)
_DEPTHS: Final = 0xFFFF
_MORE_THAN_ONE: Final = 0xEEEE
_ONE: Final = tuple(1 << 16 + 3 * rank for rank in range(14))
_ANY: Final = tuple(7 * one for one in _ONE)
_EACH_RANK: Final = sum(_ONE[1:])

# What makes a position worse or better; found by trial on some hundreds of deals.
_EMPTY: Final = 32  # an empty foundation
_DISTINCT: Final = 3  # a rank that some foundation ends with
_TALLEST: Final = 5  # a card of the tallest pile
_BLOCKED: Final = (8, 4, 2)  # a pile's exposed card, and the two under it, that fit nowhere
_BLOCKED_HIDDEN: Final = 4  # a face-down card that would fit nowhere

_Step = tuple[int, int, int]  # bits of which one must be set, bits of which none may be, the number to add
_Need = tuple[int, int]  # bits of which one should be set, what it costs if none is


class _Sums(dict[int, int]):
    """Sums over the digits of numbers: *values* has for each digit, the last one first, what it stands for."""

    def __init__(self, bits: int, values: Sequence[Sequence[int]], of_none: int) -> None:
        super().__init__({0: of_none})
        self._bits = bits
        self._values = values

    def __missing__(self, number: int) -> int:
        place = (number.bit_length() - 1) // self._bits
        digit = number >> place * self._bits
        self[number] = found = self[number - (digit << place * self._bits)] + self._values[place][digit]
        return found


class TakeAwayPuzzle:
    """A position of Take Away or Striptease; *neighbours* are the ranks next to each rank."""

    widths: Final = (1, 4, 16, 64, 256, 1024, ALL)
    is_exact: Final = True

    def __init__(self, state: State, fixed: int, neighbours: Sequence[frozenset[int]], meter: Meter) -> None:
        self._meter = meter
        self._state = state
        tableau = state.piles[:4]
        ranks = [[card.rank for card in pile.cards if card.rank != fixed] for pile in tableau]
        tops = [pile.cards[-1].rank if pile.cards else 0 for pile in state.piles[4:]]
        self._ranks = ranks
        self._foundations = dict(zip(state.names[4:], tops, strict=True))
        self.start = sum(len(cards) << 4 * i for i, cards in enumerate(ranks)) + sum(
            _ONE[top] for top in tops
        )
        fits = [sum(_ANY[rank] for rank in around) for around in neighbours]
        is_covered = any(pile.face_down for pile in tableau)
        # By pile and number of cards in it: the steps of its exposed card, and what its next cards need. The
        # covered cards have no steps but in the last table, for when no pile has more than one card.
        self._last_steps = [_steps(i, cards, neighbours, fits) for i, cards in enumerate(ranks)]
        self._steps = [[(), (), *steps[2:]] if is_covered else steps for steps in self._last_steps]
        self._needs = [_needs(cards, neighbours, fits) for cards in ranks]
        self._hidden = tuple((fits[cards[0]], _BLOCKED_HIDDEN) for cards in ranks) if is_covered else ()
        self._wastes = [_ONE[rank] - _ONE[0] for rank in range(1, 14)]
        self._before: dict[int, int] = {}
        # The slacks of all cards and, above them, those of the cards that come before the covered ones.
        none, on_top, to_come, size = shares(neighbours)
        to_depth = [list(accumulate((to_come[rank] for rank in cards), initial=0)) for cards in ranks]
        if is_covered:
            none += none << size
            on_top = tuple(share + (share << size) for share in on_top)
            to_depth = [[0, *(share + (share - sums[1] << size) for share in sums[1:])] for sums in to_depth]
        self._no_slack = none
        self._slack_of_tops = _Sums(3, [[share * count for count in range(8)] for share in on_top], none)
        self._slack_of_depths = _Sums(4, to_depth, 0)

    def after(self, layer: Collection[int], sweep: int) -> Collection[int]:
        """Returns the positions of the next layer in that sweep."""
        self._meter.count(len(layer))
        groups: dict[int, list[int]] = {}
        for position in layer:
            groups.setdefault(position & _DEPTHS, []).append(position)
        after: dict[int, int] = {}
        for depths, group in groups.items():
            first, second, third, fourth = self._steps if depths & _MORE_THAN_ONE else self._last_steps
            steps = (
                first[depths & 15] + second[depths >> 4 & 15] + third[depths >> 8 & 15] + fourth[depths >> 12]
            )
            after.update(
                {
                    position + change: position
                    for bits, unless, change in steps
                    for position in group
                    if position & bits and not position & unless
                }
            )
        none, of_tops, of_depths = self._no_slack, self._slack_of_tops, self._slack_of_depths
        after = {
            position: before
            for position, before in after.items()
            if of_tops[position >> 16] + of_depths[position & _DEPTHS] & none == none
        }
        if self.widths[sweep] == ALL:
            self._leave_out(after)
        self._before.update(after)
        return after

    def _leave_out(self, after: dict[int, int]) -> None:
        """Takes out positions to which another is at least equal, with an empty foundation for one in use."""
        rich = [position for position in after if position & _ANY[0]]
        for waste in self._wastes:
            for position in rich:
                if position + waste in after:
                    del after[position + waste]

    def score(self, position: int) -> int:
        """Returns how little is to be hoped of *position*: the less, the better it is."""
        first, second, third, fourth = self._needs
        a, b, c, d = position & 15, position >> 4 & 15, position >> 8 & 15, position >> 12 & 15
        score = _TALLEST * max(a, b, c, d) - _EMPTY * (position >> 16 & 7)
        score -= _DISTINCT * ((position | position >> 1 | position >> 2) & _EACH_RANK).bit_count()
        for bits, cost in first[a] + second[b] + third[c] + fourth[d] + self._hidden:
            if not position & bits:
                score += cost
        return score

    def won(self, layer: Collection[int]) -> int | None:
        """Returns a won position of *layer*, or None."""
        position = next(iter(layer))
        return None if position & _DEPTHS else position

    def moves(self, position: int) -> tuple[Move, ...]:
        """Returns moves that lead from the start to *position*, to which some layer has led."""
        path = [position]
        while path[-1] != self.start:
            path.append(self._before[path[-1]])
        path.reverse()
        foundations = dict(self._foundations)
        moves = []
        for before, after in pairwise(path):
            pile = next(i for i in _PILES if (before ^ after) >> 4 * i & 15)
            rank = self._ranks[pile][(before >> 4 * pile & 15) - 1]
            gone = next(
                top for top in range(14) if before - (1 << 4 * pile) - _ONE[top] + _ONE[rank] == after
            )
            target = next(name for name, top in foundations.items() if top == gone)
            foundations[target] = rank
            moves.append(Move(self._state.names[pile], target))
        return tuple(moves)


def _steps(
    pile: int, ranks: Sequence[int], neighbours: Sequence[frozenset[int]], fits: Sequence[int]
) -> list[tuple[_Step, ...]]:
    steps: list[tuple[_Step, ...]] = [()]
    for rank in ranks:
        change = _ONE[rank] - (1 << 4 * pile)
        onto = [(_ANY[top], 0, change - _ONE[top]) for top in sorted(neighbours[rank])]
        steps.append((*onto, (_ANY[0], fits[rank], change - _ONE[0])))
    return steps


def _needs(
    ranks: Sequence[int], neighbours: Sequence[frozenset[int]], fits: Sequence[int]
) -> list[tuple[_Need, ...]]:
    """Returns for each number of cards what the next cards need; one that fits on a card above needs nothing."""
    needs = []
    for depth in range(len(ranks) + 1):
        coming = ranks[max(0, depth - len(_BLOCKED)) : depth][::-1]
        needs.append(
            tuple(
                (fits[rank], _BLOCKED[i])
                for i, rank in enumerate(coming)
                if not neighbours[rank].intersection(coming[:i])
            )
        )
    return needs
