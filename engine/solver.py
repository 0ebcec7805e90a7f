"""Solving: whether a position can be won with all its cards known, and how."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from engine.cards import UNKNOWN
from engine.errors import EngineError, HiddenCardError
from engine.rules import Outcome, Rules
from engine.search import Meter, Solution, Verdict
from engine.state import State

BUDGET: Final = 2_000_000
"""How many positions are looked at if the caller does not say. Nearly all deals need under a thousand."""


class Difficulty(Enum):
    """How hard a deal is, in three bands."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


_EASY: Final = 120
_MEDIUM: Final = 700


def solve(
    rules: Rules, state: State, *, budget: int = BUDGET, report: Callable[[int], object] | None = None
) -> Solution:
    """Returns whether *state* is won or lost with perfect play, knowing all cards, or that it is not known.

    The search stops when it has looked at *budget* positions, or a little later; *report* is told their number
    as it grows. The same arguments give the same solution. A win is played through the rules before it is
    returned.

    :raises HiddenCardError: if a card of the position is unknown.
    """
    if any(UNKNOWN in pile.cards for pile in state.piles):
        raise HiddenCardError("only a position of which all cards are known can be solved")
    match rules.outcome(state):
        case Outcome.WON:
            return Solution(Verdict.WON)
        case Outcome.STUCK:
            return Solution(Verdict.LOST)
    if rules.is_dead(state):
        return Solution(Verdict.LOST)
    solution = rules.search(state, Meter(budget, report))
    if solution.verdict is Verdict.WON:
        for move in solution.moves:
            state = rules.apply(state, move)
        if rules.outcome(state) is not Outcome.WON:
            raise EngineError("the search took a position for won that is not")
    return solution


def difficulty(solution: Solution) -> Difficulty | None:
    """Returns how hard the deal was to solve, None if it was not won.

    The measure is the solver's effort. Its first sweep, which keeps one position of each layer and stays under
    120, plays on without looking back; what the second finds, under 700, needs some care.
    """
    if solution.verdict is not Verdict.WON:
        return None
    if solution.positions <= _EASY:
        return Difficulty.EASY
    return Difficulty.MEDIUM if solution.positions <= _MEDIUM else Difficulty.HARD
