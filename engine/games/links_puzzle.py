"""How Links is searched.

A position is what lies on the table without the names of the piles. Cards are numbers, four times the rank plus the
suit. A layer of the search is a card dealt; between two deals only moves with a purpose are tried:

- a card goes to its foundation; one that is safe there goes at once;
- the waste's top card goes to a pile;
- a whole pile goes onto another, over empty piles if need be, so that a pile comes free;
- cards go elsewhere so that the one under them can go to its foundation.

The first two kinds, and the third with a pile of one card, bring the game on with every single move: the stock, the
waste, the number of piles in use or the number of cards in them gets less, in this order of weight, so that nothing
can come back. A hint needs such moves; a *stepwise* search tries no others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Final, NamedTuple

from engine.moves import Move
from engine.search import Meter
from engine.state import State

_TABLEAU: Final = ("t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8")
_FOUNDATIONS: Final = ("fc", "fd", "fh", "fs")

_Cards = tuple[int, ...]
_Position = tuple[int, _Cards, tuple[_Cards, ...], _Cards]
"""Cards dealt since the start, waste, tableau piles in the order of their cards, heights of the foundations."""

_Step = tuple[int, int]
"""A card and the card that it goes onto, or where else it goes."""

_Way = tuple[_Cards, list[_Cards], list[int], tuple[_Step, ...]]
"""What moves make of a position: waste, piles, which may be empty, heights; and the steps to it."""

_SPACE: Final = -1
_FOUNDATION: Final = -2
_DEAL: Final = (0, -3)


class _Sweep(NamedTuple):
    """A sweep that keeps *width* positions of a layer, and what makes a position worse in it.

    *in_waste* is what a card in the waste costs, *in_use* what a pile that is not empty costs.
    """

    width: int
    in_waste: int
    in_use: int


# Found by trial on some ten thousand deals. A sweep that keeps one position of a layer must not lose sight of the
# waste; where more are kept, those that hold on to their empty piles win in the end. The one deal in two thousand
# that is open after four sweeps gives in to another view of what is good sooner than to a wider sweep.
_SWEEPS: Final = (
    _Sweep(1, 8, 6),
    _Sweep(4, 6, 6),
    _Sweep(16, 5, 6),
    _Sweep(64, 4, 6),
    _Sweep(64, 8, 14),
    _Sweep(64, 8, 6),
    _Sweep(64, 4, 3),
    _Sweep(256, 6, 6),
    _Sweep(256, 8, 14),
    _Sweep(256, 4, 0),
    _Sweep(1024, 4, 6),
    _Sweep(1024, 8, 14),
)


class _Route(NamedTuple):
    """How a position was reached: from *before* by *steps*; *length* counts the steps from the start."""

    before: _Position | None
    steps: tuple[_Step, ...]
    length: int


class LinksPuzzle:
    """A position of Links; with *stepwise* each move of a solution brings the game on by itself."""

    widths: Final = tuple(sweep.width for sweep in _SWEEPS)
    is_exact: Final = False

    def __init__(self, state: State, meter: Meter, *, stepwise: bool = False) -> None:
        self._meter = meter
        self._state = state
        self._stepwise = stepwise
        self._sweep = _SWEEPS[0]
        self._stock = _numbers(state, "s")[::-1]
        self._routes: dict[_Position, _Route] = {}
        tableau = [pile for name in _TABLEAU if (pile := _numbers(state, name))]
        heights = [len(state[name]) for name in _FOUNDATIONS]
        self.start = self._reach(0, _numbers(state, "w"), tableau, heights, None, ())

    def after(self, layer: Collection[_Position], sweep: int) -> Collection[_Position]:
        """Returns the positions of the next layer in that sweep."""
        self._sweep = _SWEEPS[sweep]
        width = self._sweep.width
        dealt, *_ = next(iter(layer))
        if dealt == len(self._stock):
            return self._play_on(layer, width, 1)[len(layer) :]
        reached = self._play_on(layer, width, width.bit_length() + 1)
        best = nsmallest(width, reached, key=self.score)
        after: dict[_Position, None] = {}
        for before in best:
            _, waste, piles, heights = before
            waste = (*waste, self._stock[dealt])
            after[self._reach(dealt + 1, waste, list(piles), list(heights), before, (_DEAL,))] = None
        return after

    def _play_on(self, layer: Collection[_Position], width: int, rounds: int) -> list[_Position]:
        """Returns the positions of *layer* and after them the best that *rounds* of moves can make of them."""
        reached = dict.fromkeys(layer)
        newest = list(layer)
        for _ in range(rounds):
            self._meter.count(len(newest))
            found: dict[_Position, None] = {}
            for before in newest:
                for waste, piles, heights, steps in self._ways_on(before):
                    found[self._reach(before[0], waste, piles, heights, before, steps)] = None
            newest = [position for position in found if position not in reached]
            if len(newest) > width:
                newest = nsmallest(width, newest, key=self.score)
            reached.update(dict.fromkeys(newest))
        return list(reached)

    def _ways_on(self, position: _Position) -> Iterator[_Way]:
        """Yields what the purposeful moves make of *position*."""
        _, waste, piles, heights = position
        ends: dict[int, list[int]] = {}
        for i, pile in enumerate(piles):
            ends.setdefault(pile[-1] >> 2, []).append(i)
        spaces = len(_TABLEAU) - len(piles)
        if waste:
            card, rest = waste[-1], waste[:-1]
            if heights[card & 3] == (card >> 2) - 1:
                yield rest, list(piles), _raised(heights, card), ((card, _FOUNDATION),)
            for onto in ends.get((card >> 2) + 1, ()):
                yield (
                    rest,
                    _with(piles, onto, (*piles[onto], card)),
                    list(heights),
                    ((card, piles[onto][-1]),),
                )
            if spaces:
                yield rest, [*piles, (card,)], list(heights), ((card, _SPACE),)
        for i, pile in enumerate(piles):
            card = pile[-1]
            if heights[card & 3] == (card >> 2) - 1:
                yield waste, _with(piles, i, pile[:-1]), _raised(heights, card), ((card, _FOUNDATION),)
            if len(pile) <= (1 if self._stepwise else spaces + 1):
                for onto in ends.get((pile[0] >> 2) + 1, ()):
                    merged = _with(piles, onto, piles[onto] + pile)
                    yield waste, _with(merged, i, ()), list(heights), _carried(pile, piles[onto][-1])
        if not self._stepwise:
            yield from _ways_to_foundations(position, ends)

    def _reach(
        self,
        dealt: int,
        waste: _Cards,
        piles: list[_Cards],
        heights: list[int],
        before: _Position | None,
        steps: tuple[_Step, ...],
    ) -> _Position:
        """Plays the safe cards, notes how the position was reached, unless a shorter way is known, returns it."""
        while True:
            safe = min(heights) + 2
            if waste and waste[-1] >> 2 <= safe and heights[waste[-1] & 3] == (waste[-1] >> 2) - 1:
                card, waste = waste[-1], waste[:-1]
            else:
                for i, pile in enumerate(piles):
                    if pile and pile[-1] >> 2 <= safe and heights[pile[-1] & 3] == (pile[-1] >> 2) - 1:
                        card, piles[i] = pile[-1], pile[:-1]
                        break
                else:
                    break
            heights[card & 3] += 1
            steps += ((card, _FOUNDATION),)
        position = (dealt, waste, tuple(sorted(filter(None, piles))), tuple(heights))
        length = len(steps) + (self._routes[before].length if before else 0)
        known = self._routes.get(position)
        if known is None or length < known.length:
            self._routes[position] = _Route(before, steps, length)
        return position

    def score(self, position: _Position) -> int:
        """Returns how little is to be hoped of *position*: the less, the better it is."""
        _, waste, piles, heights = position
        spent = self._routes[position].length - sum(heights)
        return (
            self._sweep.in_waste * len(waste)
            + self._sweep.in_use * len(piles)
            + spent
            - len({pile[-1] >> 2 for pile in piles})
        )

    def won(self, layer: Collection[_Position]) -> _Position | None:
        """Returns a won position of *layer*, or None: with stock and waste empty all the rest goes."""
        dealt, *_ = next(iter(layer))
        if dealt < len(self._stock):
            return None
        won = [position for position in layer if not position[1]]
        return min(won, key=self._length, default=None)

    def _length(self, position: _Position) -> int:
        return self._routes[position].length - sum(position[3])

    def moves(self, position: _Position) -> tuple[Move, ...]:
        """Returns moves that lead from the start to *position*, to which some layer has led, and to the win."""
        steps: list[_Step] = []
        here: _Position | None = position
        while here is not None:
            here, made, _ = self._routes[here]
            steps[:0] = made
        dealt, waste, piles, _ = position
        if dealt == len(self._stock) and not waste:
            rest = sorted(card for pile in piles for card in pile)
            steps += [(card, _FOUNDATION) for card in rest]
        return tuple(_named(self._state, steps))


def _ways_to_foundations(position: _Position, ends: Mapping[int, Sequence[int]]) -> Iterator[_Way]:
    """Yields the ways in which cards can go off one that its foundation is waiting for.

    *ends* gives the piles by the rank of their last card.
    """
    _, waste, piles, heights = position
    spaces = len(_TABLEAU) - len(piles)
    for suit, height in enumerate(heights):
        card = height + 1 << 2 | suit
        for i, pile in enumerate(piles):
            under = (pile[0] >> 2) - (card >> 2)
            if not 0 <= under < len(pile) - 1 or pile[under] != card:
                continue
            upper = pile[under + 1 :]
            cleared, raised = _with(piles, i, pile[:under]), _raised(heights, card)
            freed = ((card, _FOUNDATION),)
            if len(upper) <= spaces + 1:
                for onto in ends.get(card >> 2, ()):
                    moved = _with(cleared, onto, piles[onto] + upper)
                    yield waste, moved, list(raised), _carried(upper, piles[onto][-1]) + freed
            if len(upper) <= spaces:
                yield waste, [*cleared, upper], list(raised), _carried(upper, _SPACE) + freed


def _numbers(state: State, name: str) -> _Cards:
    return tuple(card.rank << 2 | card.suit for card in state[name].cards)


def _with(piles: Collection[_Cards], index: int, pile: _Cards) -> list[_Cards]:
    changed = list(piles)
    changed[index] = pile
    return changed


def _raised(heights: _Cards, card: int) -> list[int]:
    raised = list(heights)
    raised[card & 3] += 1
    return raised


def _carried(pile: _Cards, onto: int) -> tuple[_Step, ...]:
    """Returns the steps that take a *pile* onto a card or to an empty pile, its upper cards over others."""
    bottom, *upper = pile
    out = [(card, _SPACE) for card in reversed(upper)]
    back = [(card, below) for below, card in zip(pile, upper, strict=False)]
    return (*out, (bottom, onto), *back)


def _named(state: State, steps: list[_Step]) -> Iterator[Move]:
    """Yields *steps* as moves between the piles of *state*."""
    piles: dict[str, list[int]] = {name: list(_numbers(state, name)) for name in state.names}
    for card, onto in steps:
        if (card, onto) == _DEAL:
            source, target = "s", "w"
        else:
            source = next(name for name in ("w", *_TABLEAU) if piles[name][-1:] == [card])
            target = _FOUNDATIONS[card & 3] if onto == _FOUNDATION else _place(piles, onto)
        piles[target].append(piles[source].pop())
        yield Move(source, target)


def _place(piles: Mapping[str, list[int]], onto: int) -> str:
    return next(name for name in _TABLEAU if piles[name][-1:] == ([] if onto == _SPACE else [onto]))
