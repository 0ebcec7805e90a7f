"""The methods by which games are searched.

There are two, and a game chooses one and lends it what is special to it: :func:`depth_first` tries everything
under the plain rules, where there is little to choose; :func:`widen` looks at one layer of positions after the
other and keeps the best of each, at first one, then more and more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from engine.moves import Move

if TYPE_CHECKING:
    from engine.rules import Rules
    from engine.state import State

Position = TypeVar("Position")

ALL: Final = 1 << 62
"""The width of a sweep that keeps all positions."""


class Verdict(Enum):
    """What is known of a position."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search found.

    *moves* lead to the win if the *verdict* is WON, else as far as the search came, which may be nowhere.
    *positions* is the effort: how many positions were looked at.
    """

    verdict: Verdict
    moves: tuple[Move, ...] = ()
    positions: int = 0


class Meter:
    """Counts the *positions* that a search looks at; *report* is told the number whenever it has grown."""

    def __init__(self, budget: int, report: Callable[[int], object] | None = None) -> None:
        self.positions = 0
        self._budget = budget
        self._report = report

    def count(self, positions: int = 1) -> None:
        """Counts that many more."""
        self.positions += positions
        if self._report is not None:
            self._report(self.positions)

    @property
    def is_spent(self) -> bool:
        """Whether the search has to stop."""
        return self.positions >= self._budget

    def solution(self, verdict: Verdict, moves: Sequence[Move] = ()) -> Solution:
        """Returns what was found with the effort so far."""
        return Solution(verdict, tuple(moves), self.positions)


class Puzzle(Protocol[Position]):
    """A position and all that :func:`widen` has to know of its game, in a form made for speed."""

    @property
    def start(self) -> Position:
        """The position to solve."""

    @property
    def widths(self) -> Sequence[int]:
        """How many positions of a layer are kept, sweep by sweep; the last may be ALL."""

    @property
    def is_exact(self) -> bool:
        """Whether a sweep that keeps all and finds nothing proves that nothing is there."""

    def after(self, layer: Collection[Position], sweep: int) -> Collection[Position]:
        """Returns the positions of the next layer in a sweep, counted from 0, and counts what it looks at."""

    def score(self, position: Position) -> int:
        """Returns how little is to be hoped of *position*, in the sweep under way: the less, the better it is."""

    def won(self, layer: Collection[Position]) -> Position | None:
        """Returns a won position of *layer*, or None."""

    def moves(self, position: Position) -> Sequence[Move]:
        """Returns moves that lead from the start to *position*, to which some layer has led."""


def widen(puzzle: Puzzle[Position], meter: Meter) -> Solution:
    """Returns what sweeps find that keep more and more."""
    furthest, depth_of_furthest = puzzle.start, 0
    for sweep, width in enumerate(puzzle.widths):
        layer: Collection[Position] = [puzzle.start]
        depth = 0
        is_cut = False
        while layer:
            if (won := puzzle.won(layer)) is not None:
                return meter.solution(Verdict.WON, puzzle.moves(won))
            if meter.is_spent:
                return meter.solution(Verdict.UNKNOWN, puzzle.moves(furthest))
            if depth >= depth_of_furthest:
                furthest, depth_of_furthest = next(iter(layer)), depth
            layer = puzzle.after(layer, sweep)
            depth += 1
            if len(layer) > width:
                is_cut = True
                layer = nsmallest(width, layer, key=puzzle.score)
        if puzzle.is_exact and not is_cut:
            return meter.solution(Verdict.LOST, puzzle.moves(furthest))
    return meter.solution(Verdict.UNKNOWN, puzzle.moves(furthest))


def depth_first(rules: Rules, state: State, meter: Meter) -> Solution:
    """Returns what an exhaustive search under the plain rules finds."""
    seen = {state}
    moves: list[Move] = []
    trail = [(state, iter(rules.legal_moves(state)))]
    while trail:
        here, untried = trail[-1]
        move = next(untried, None)
        if move is None:
            trail.pop()
            del moves[-1:]
            continue
        after = rules.apply(here, move)
        if after in seen:
            continue
        if meter.is_spent:
            return meter.solution(Verdict.UNKNOWN)
        meter.count()
        seen.add(after)
        moves.append(move)
        if rules.cards_left(after) == 0:
            return meter.solution(Verdict.WON, moves)
        trail.append((after, iter(rules.legal_moves(after))))
    return meter.solution(Verdict.LOST)
