"""What a game is to everybody else: abstract rules, with defaults for what a plain game does not need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine.cards import Card
from engine.errors import IllegalMoveError
from engine.moves import Move
from engine.search import Meter, Solution, depth_first
from engine.state import State


class Outcome(Enum):
    """How a game ended."""

    WON = "won"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(ABC):
    """A game under one ruleset. A variant is a value of the same class with other parameters.

    *key* names it in commands and records, *name* to people; *base* is the key of the game of which it is a
    variant, its own if of none. *goal* is one line, *how_to_play* a few sentences for players. *version*
    grows when a correction changes what is legal, so that results under different rules never mix.
    """

    key: str
    name: str
    base: str
    goal: str
    how_to_play: tuple[str, ...]
    version: int = 1

    @abstractmethod
    def deal(self, cards: Sequence[Card]) -> State:
        """Returns the position at the start, dealt from *cards*, a whole deck in its shuffled order.

        :raises CardError: if they are not a whole deck.
        """

    @abstractmethod
    def legal_moves(self, state: State) -> Sequence[Move]:
        """Returns the moves that the rules allow, each once. They depend on ``state.observed()`` alone."""

    @abstractmethod
    def cards_left(self, state: State) -> int:
        """Returns how many cards are still to be played; none are when the game is won."""

    @abstractmethod
    def _apply(self, state: State, move: Move) -> State:
        """Returns the position after *move*, which is legal."""

    def apply(self, state: State, move: Move) -> State:
        """Returns the position after *move*.

        :raises IllegalMoveError: if the rules do not allow it.
        :raises HiddenCardError: if *state* is one that a player sees and the move would turn up a card.
        """
        if not self.is_legal(state, move):
            raise IllegalMoveError(f"{str(move)!r} is not legal here")
        return self._apply(state, move)

    def is_legal(self, state: State, move: Move) -> bool:
        """Tells whether the rules allow *move*."""
        return move in self.legal_moves(state)

    def outcome(self, state: State) -> Outcome | None:
        """Returns how the game ended, or None while a move is legal."""
        if self.cards_left(state) == 0:
            return Outcome.WON
        return None if self.legal_moves(state) else Outcome.STUCK

    @property
    def calls(self) -> tuple[Move, ...]:
        """The moves that the game offers at every turn, so that a player has to call the right one."""
        return ()

    def is_dead(self, state: State) -> bool:
        """Tells whether the game goes on but is lost beyond doubt. True is never wrong."""
        return False

    def safe_moves(self, state: State) -> Sequence[Move]:
        """Returns legal moves that cannot turn a game that can be won into one that is lost."""
        return ()

    def safe_line(self, state: State) -> tuple[tuple[Move, ...], State]:
        """Returns what one press may play at once, and where it leads: safe moves, and those that they open."""
        line: list[Move] = []
        while safe := self.safe_moves(state):
            line.append(safe[0])
            state = self._apply(state, safe[0])
        return tuple(line), state

    @property
    def guesses(self) -> int:
        """How many guesses at hidden cards a hint should rest on; 1 if the places of the cards do not matter."""
        return 10

    def search(self, state: State, meter: Meter) -> Solution:
        """Returns what a search of *state* finds, all cards being known and a move being legal."""
        return depth_first(self, state, meter)

    def suggest(self, state: State, meter: Meter) -> Solution:
        """Returns a solution whose first move can serve as a hint: one that gets the game on by itself."""
        return self.search(state, meter)

    def preferred_move(self, state: State, moves: Sequence[Move]) -> Move | None:
        """Returns that of *moves*, all the legal ones of a pile, which is meant if the player does not say where to.

        None leaves it to the player.
        """
        return moves[0] if len(moves) == 1 else None

    def reveals(self, before: State, after: State) -> bool:
        """Tells whether a player has seen a card in *after* that lay face down in *before*."""
        return after.hidden < before.hidden
