"""Links: build four foundations from eight short piles and one pass through the stock.

Rules: the rule text of Links, read so that a card may be dealt at any time. A lone card does not go to an
empty pile, since nothing would change but the name of its pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, check_deck
from engine.games.links_puzzle import LinksPuzzle
from engine.moves import Move
from engine.rules import Rules
from engine.search import Meter, Solution, Verdict, widen
from engine.state import Pile, State

TABLEAU: Final = ("t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8")
FOUNDATIONS: Final = ("fc", "fd", "fh", "fs")
NAMES: Final = ("s", "w", *TABLEAU, *FOUNDATIONS)

DEAL: Final = Move("s", "w")

# Lists of legal moves are made at every press, so their parts are made once: for each source the moves to
# each set of tableau piles. A set of piles is a number with one bit a pile.
_SOURCES: Final = (*TABLEAU, "w")
_BITS: Final = (1, 2, 4, 8, 16, 32, 64, 128)
_TO_TABLEAU: Final = tuple(
    tuple(
        tuple(move for move, bit in zip(moves, _BITS, strict=True) if targets & bit) for targets in range(256)
    )
    for moves in ([Move(source, target) for target in TABLEAU] for source in _SOURCES)
)
_TO_FOUNDATION: Final = tuple(
    tuple(Move(source, foundation) for foundation in FOUNDATIONS) for source in _SOURCES
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksRules(Rules):
    """Links."""

    def deal(self, cards: Sequence[Card]) -> State:
        deck = check_deck(cards)
        tableau = tuple(Pile((card,)) for card in deck[:8])
        return State(NAMES, (Pile.hidden(deck[:7:-1]), Pile(), *tableau, *(Pile(),) * 4))

    def legal_moves(self, state: State) -> Sequence[Move]:
        stock, waste, *piles = state.piles
        tableau, foundations = piles[:8], piles[8:]
        takers = [0] * 14  # for each rank of a card: the set of piles that end one rank above it
        empty = 0
        for pile, bit in zip(tableau, _BITS, strict=True):
            if pile.cards:
                takers[pile.cards[-1].rank - 1] |= bit
            else:
                empty |= bit
        tableau.append(waste)
        moves = [DEAL] if stock.cards else []
        for pile, to_tableau, to_foundation in zip(tableau, _TO_TABLEAU, _TO_FOUNDATION, strict=True):
            cards = pile.cards
            if not cards:
                continue
            rank, suit = cards[-1]
            targets = takers[rank]
            if len(cards) > 1 or pile is waste:
                targets |= empty
            if targets:
                moves += to_tableau[targets]
            if len(foundations[suit].cards) == rank - 1:
                moves.append(to_foundation[suit])
        return moves

    def _apply(self, state: State, move: Move) -> State:
        return state.carry(move.source, move.target)

    def cards_left(self, state: State) -> int:
        return 52 - sum(map(len, state.piles[-4:]))

    def safe_moves(self, state: State) -> Sequence[Move]:
        """Returns the moves to foundations that cannot be wrong.

        A card at most two ranks above the lowest foundation is never needed in the tableau again: whatever
        could go onto it can go to its own foundation. With stock and waste empty the game is won, since each
        pile runs down to its lowest card and so the lowest card of all is always exposed.
        """
        stock, waste, *piles = state.piles
        heights = [len(pile.cards) for pile in piles[8:]]
        bound = min(heights) + 2 if stock.cards or waste.cards else 13
        moves: list[Move] = []
        for pile, to_foundation in zip((*piles[:8], waste), _TO_FOUNDATION, strict=True):
            if pile.cards:
                rank, suit = pile.cards[-1]
                if heights[suit] == rank - 1 and rank <= bound:
                    moves.append(to_foundation[suit])
        return moves

    def is_dead(self, state: State) -> bool:
        return not state["s"].cards and _way_on(state) is None

    def search(self, state: State, meter: Meter) -> Solution:
        return widen(LinksPuzzle(state, meter), meter)

    def suggest(self, state: State, meter: Meter) -> Solution:
        solution = widen(LinksPuzzle(state, meter, stepwise=True), meter)
        if solution.moves or state["s"].cards:
            return solution
        return meter.solution(Verdict.UNKNOWN, _way_on(state) or ())

    def preferred_move(self, state: State, moves: Sequence[Move]) -> Move | None:
        for move in moves:
            if move.target in FOUNDATIONS:
                return move
        built = [move for move in moves if state[move.target].cards]
        if built:
            return built[0] if len(built) == 1 else None
        return moves[0] if moves else None


def _way_on(state: State) -> list[Move] | None:
    """Returns the fewest tableau moves after which more than tableau moves is possible, None if there are none.

    *state* has an empty stock. Either a card has to be bared for its foundation, or a pile emptied for the
    waste's top card. Both mean to take cards from the end of a pile one by one, each onto a card one rank above
    it that lies exposed. Until a pile is empty such moves leave the ranks that lie exposed as they are, so that
    a card can be taken away whenever its rank's successor is among them, and never if it is not.
    """
    waste = state["w"].exposed
    tableau = {name: state[name].cards for name in TABLEAU}
    heights = [len(state[name]) for name in FOUNDATIONS]
    ranks = {cards[-1].rank for cards in tableau.values() if cards}
    if waste is None or waste.rank + 1 in ranks or heights[waste.suit] == waste.rank - 1:
        return []
    ways: list[tuple[int, str]] = []
    for name, cards in tableau.items():
        if not cards:
            return []
        end = cards[-1].rank
        goals = [card.rank for card in cards if heights[card.suit] == card.rank - 1]
        for goal in (*goals, cards[0].rank + 1):
            if ranks.issuperset(range(end + 1, goal + 1)):
                ways.append((goal - end, name))
    if not ways:
        return None
    count, source = min(ways)
    moves: list[Move] = []
    for _ in range(count):
        rank = state[source].cards[-1].rank + 1
        target = next(name for name in TABLEAU if state[name].cards[-1].rank == rank)
        moves.append(Move(source, target))
        state = state.carry(source, target)
    return moves


LINKS: Final = LinksRules(
    key="links",
    name="Links",
    base="links",
    goal="Build all four suits up from ace to king, with one pass through the stock.",
    how_to_play=(
        "Build each foundation up in its suit, from ace to king; a card there stays there.",
        "Build the piles down in rank, of any suit. An empty pile takes any card.",
        "Move one card at a time: the last card of a pile or the uppermost card of the waste.",
        "Deal the next card of the stock to the waste whenever you like. There is only one pass through it.",
        "The game is won when all 52 cards are on the foundations, and over when no card can go anywhere.",
    ),
)
