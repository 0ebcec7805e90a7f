"""When nothing in Links seems to be left but to shuffle cards from pile to pile: whether that leads anywhere."""

from __future__ import annotations

from collections import deque
from typing import Final

from engine.cards import Card
from engine.moves import Move
from engine.search import Solution, Verdict
from engine.state import State

BOUND: Final = 5000
"""How many arrangements of the tableau are looked at; of 235 dead positions none had more than 3,456."""

_TABLEAU: Final = ("t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8")
_Piles = tuple[tuple[Card, ...], ...]


def shuffle_on(state: State) -> Solution:
    """Returns whether tableau moves lead to where something else can be done, *state* having an empty stock.

    Something else is a card that goes to a foundation or the waste's top card that goes anywhere. The verdict is
    LOST if nothing of the sort can ever be done, else UNKNOWN with the fewest moves to it, or none if the bound
    was reached first.
    """
    waste = state["w"].exposed
    heights = [len(state[name]) for name in ("fc", "fd", "fh", "fs")]
    start = tuple(sorted(state[name].cards for name in _TABLEAU if state[name].cards))
    ranks = {pile[-1].rank for pile in start}
    if waste is None or waste.rank + 1 in ranks or heights[waste.suit] == waste.rank - 1:
        return Solution(Verdict.UNKNOWN)
    # The waste's card has to wait for an empty pile: moves from pile to pile leave the exposed ranks as they are.
    before: dict[_Piles, tuple[_Piles, Card, Card] | None] = {start: None}
    queue = deque([start])
    while queue and len(before) <= BOUND:
        piles = queue.popleft()
        if len(piles) < len(_TABLEAU) or any(heights[suit] == rank - 1 for *_, (rank, suit) in piles):
            return Solution(Verdict.UNKNOWN, _moves(state, before, piles), len(before))
        for i, pile in enumerate(piles):
            for j, other in enumerate(piles):
                if other[-1].rank == pile[-1].rank + 1:
                    changed = list(piles)
                    changed[i], changed[j] = pile[:-1], (*other, pile[-1])
                    after = tuple(sorted(filter(None, changed)))
                    if after not in before:
                        before[after] = (piles, pile[-1], other[-1])
                        queue.append(after)
    return Solution(Verdict.UNKNOWN if queue else Verdict.LOST, (), len(before))


def _moves(
    state: State, before: dict[_Piles, tuple[_Piles, Card, Card] | None], piles: _Piles
) -> tuple[Move, ...]:
    steps = []
    while (reached := before[piles]) is not None:
        piles, *step = reached
        steps.append(step)
    moves = []
    for card, onto in reversed(steps):
        at = {state[name].exposed: name for name in _TABLEAU}
        moves.append(Move(at[card], at[onto]))
        state = state.carry(at[card], at[onto])
    return tuple(moves)
