"""Take Away and Striptease: play the tableau off, card by card, onto sequences that go up and down at will.

Rules: PySolFC's documentation of the two games. Striptease lays the queens under the piles and leaves them
out of the sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, check_deck
from engine.games.takeaway_puzzle import TakeAwayPuzzle
from engine.moves import Move
from engine.rules import Rules
from engine.search import Meter, Solution, widen
from engine.state import Pile, State

QUEEN: Final = 12
TABLEAU: Final = ("t1", "t2", "t3", "t4")
FOUNDATIONS: Final = ("f1", "f2", "f3", "f4", "f5", "f6")

# Lists of legal moves are made at every press, so their parts are made once: for each pile the moves to each set of
# foundations. Such a set is a number with one bit a foundation.
_BITS: Final = (1, 2, 4, 8, 16, 32)
_MOVES: Final = tuple(
    tuple(
        tuple(Move(source, target) for target, bit in zip(FOUNDATIONS, _BITS, strict=True) if targets & bit)
        for targets in range(64)
    )
    for source in TABLEAU
)


def _neighbours(left_out: int) -> tuple[frozenset[int], ...]:
    circle = [rank for rank in range(1, 14) if rank != left_out]
    around = {rank: {circle[i - 1], circle[(i + 1) % len(circle)]} for i, rank in enumerate(circle)}
    return tuple(frozenset(around.get(rank, ())) for rank in range(14))


NEIGHBOURS: Final = tuple(_neighbours(left_out) for left_out in range(14))
"""For each rank that is left out (0 for none) and each rank: the ranks that lie next to it in the circle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAwayRules(Rules):
    """A game of the family. *foundations* is how many there are.

    *fixed* is the rank that lies at the bottom of the piles, never moves and is left out of the sequences,
    with a card face down upon each; 0 where there is none.
    """

    foundations: int = 6
    fixed: int = 0

    def deal(self, cards: Sequence[Card]) -> State:
        deck = check_deck(cards)
        bottom = [card for card in deck if card.rank == self.fixed]
        rows = bottom + [card for card in deck if card.rank != self.fixed]
        face_down = frozenset({1}) if bottom else frozenset[int]()
        tableau = tuple(Pile(tuple(rows[i::4]), face_down) for i in range(4))
        names = TABLEAU + FOUNDATIONS[: self.foundations]
        return State(names, tableau + (Pile(),) * self.foundations)

    def legal_moves(self, state: State) -> Sequence[Move]:
        neighbours = NEIGHBOURS[self.fixed]
        takers = [0] * 14  # for each rank: the set of foundations that show a neighbour of it
        empty = 0
        for pile, bit in zip(state.piles[4:], _BITS, strict=False):
            if pile.cards:
                for rank in neighbours[pile.cards[-1].rank]:
                    takers[rank] |= bit
            else:
                empty |= bit
        moves: list[Move] = []
        for pile, to_foundations in zip(state.piles, _MOVES, strict=False):
            card = pile.exposed
            if card is not None and card.rank != self.fixed:
                moves += to_foundations[empty | takers[card.rank]]
        return moves

    def _apply(self, state: State, move: Move) -> State:
        after = state.carry(move.source, move.target)
        tableau = after.piles[:4]
        if all(len(pile) == 2 and pile.face_down for pile in tableau):
            after = State(after.names, tuple(pile.turned_up() for pile in tableau) + after.piles[4:])
        return after

    def cards_left(self, state: State) -> int:
        return sum(map(len, state.piles[:4])) - (4 if self.fixed else 0)

    def safe_moves(self, state: State) -> Sequence[Move]:
        empty = sum(not pile.cards for pile in state.piles[4:])
        return self.legal_moves(state) if self.cards_left(state) <= empty else ()

    @property
    def guesses(self) -> int:
        """All face-down cards are turned up together, so that one guess is as good as any."""
        return 1

    def search(self, state: State, meter: Meter) -> Solution:
        return widen(TakeAwayPuzzle(state, self.fixed, NEIGHBOURS[self.fixed], meter), meter)

    def preferred_move(self, state: State, moves: Sequence[Move]) -> Move | None:
        fitting = [move for move in moves if state[move.target].cards]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
        return moves[0] if moves else None


_HOW_TO_PLAY: Final = (
    "Take the last card of any pile to a foundation.",
    "An empty foundation takes any card; after that each card must be one rank above or below the last, "
    "of any suit. You may change direction at every card.",
)
_TAKE_AWAY: Final = (
    *_HOW_TO_PLAY,
    "Ace and king are neighbours.",
    "No card goes from pile to pile or comes back from a foundation.",
    "The game is won when the piles are empty, and over when no card can go anywhere.",
)
_STRIPTEASE: Final = (
    *_HOW_TO_PLAY,
    "Ace and king are neighbours; so are jack and king, for the queens at the bottom never move.",
    "One card lies face down upon each queen. When nothing else is left in all four piles, these four are "
    "turned up together.",
    "The game is won when only the queens are left, and over when no card can go anywhere.",
)

TAKE_AWAY: Final = TakeAwayRules(
    key="take-away",
    name="Take Away",
    base="take-away",
    goal="Play all 52 cards to the six foundations, each card one rank above or below the last.",
    how_to_play=_TAKE_AWAY,
)
TAKE_AWAY_5: Final = TakeAwayRules(
    key="take-away-5",
    name="Take Away, five foundations",
    base="take-away",
    goal="Play all 52 cards to the five foundations, each card one rank above or below the last.",
    how_to_play=_TAKE_AWAY,
    foundations=5,
)
TAKE_AWAY_4: Final = TakeAwayRules(
    key="take-away-4",
    name="Take Away, four foundations",
    base="take-away",
    goal="Play all 52 cards to the four foundations, each card one rank above or below the last.",
    how_to_play=_TAKE_AWAY,
    foundations=4,
)
STRIPTEASE: Final = TakeAwayRules(
    key="striptease",
    name="Striptease",
    base="striptease",
    goal="Play everything but the queens to the six foundations, each card one rank above or below the last.",
    how_to_play=_STRIPTEASE,
    fixed=QUEEN,
)
STRIPTEASE_4: Final = TakeAwayRules(
    key="striptease-4",
    name="Striptease, four foundations",
    base="striptease",
    goal="Play everything but the queens to the four foundations, each card one rank above or below the last.",
    how_to_play=_STRIPTEASE,
    foundations=4,
    fixed=QUEEN,
)
