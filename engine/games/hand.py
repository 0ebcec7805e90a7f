"""One-Handed and Taking Silk: discard what lies between two matching cards of a fan of four.

Rules: Wikipedia's "One-Handed Solitaire" and the rule text of Taking Silk; they are the same game with
different sets of variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card, check_deck
from engine.games.hand_chart import Chart
from engine.moves import Move
from engine.rules import Rules
from engine.search import Meter, Solution, Verdict, depth_first
from engine.state import Pile, State

FAN: Final = 4
"""How many cards of the hand are fanned out."""

DRAW: Final = Move("s", "h")
DISCARD_TWO: Final = Move("h", "d", 2)
DISCARD_THREE: Final = Move("h", "d", 3)
DISCARD_FOUR: Final = Move("h", "d", 4)
RECYCLE: Final = Move("h", "h")

_GOAL: Final = "Discard all 52 cards: look at the first and the last card of the fan."


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRules(Rules):
    """A hand game. Its parameters each allow what the strict rules do not.

    *recycling*: with the stock empty the hand may go round once. *declining*: a card may be drawn though a
    discard is possible. *four_of_suit*: a fan of one suit may go as a whole. *last_three*: where the fan's
    third and fourth cards are of one rank, the last three may go for the middle two.
    """

    goal: str = _GOAL
    recycling: bool = False
    declining: bool = False
    four_of_suit: bool = False
    last_three: bool = False

    def deal(self, cards: Sequence[Card]) -> State:
        deck = check_deck(cards)
        piles = (Pile.hidden(deck[: FAN - 1 : -1]), Pile(deck[:FAN]), Pile())
        return State(("s", "h", "d"), piles)

    def legal_moves(self, state: State) -> Sequence[Move]:
        stock, hand, _ = state.piles
        moves = self._discards(hand.cards)
        if stock.cards:
            if not moves or self.declining:
                moves.append(DRAW)
        elif not moves and self.recycling and FAN <= len(hand) > state.recycled:
            moves.append(RECYCLE)
        return moves

    def _discards(self, hand: tuple[Card, ...]) -> list[Move]:
        if len(hand) < FAN:
            return []
        first, second, third, fourth = hand[-FAN:]
        if first.rank == fourth.rank:
            return [DISCARD_FOUR]
        if first.suit != fourth.suit:
            return []
        moves = [DISCARD_TWO]
        if self.four_of_suit and first.suit == second.suit == third.suit:
            moves.append(DISCARD_FOUR)
        if self.last_three and third.rank == fourth.rank:
            moves.append(DISCARD_THREE)
        return moves

    def _apply(self, state: State, move: Move) -> State:
        if move == DRAW:
            return state.carry("s", "h")
        hand = state["h"].cards
        if move == RECYCLE:
            turned = Pile(hand[1:] + hand[:1])
            return State(state.names, state.with_pile("h", turned).piles, state.recycled + 1)
        if move == DISCARD_TWO:
            *rest, second, third, fourth = hand
            state = state.with_pile("h", Pile((*rest, fourth, second, third)))
        after = state.carry("h", "d", move.count)
        return _refill(State(after.names, after.piles))

    def search(self, state: State, meter: Meter) -> Solution:
        if not self.declining or self.recycling or self.four_of_suit or self.last_three:
            return depth_first(self, state, meter)
        stock, hand, _ = state.piles
        chart = Chart(hand.cards + stock.cards[::-1], len(hand))
        meter.count(chart.facts)
        if not chart.is_won:
            return meter.solution(Verdict.LOST)
        moves: list[Move] = []
        for time in chart.discards():
            pushed = len(stock) + len(hand) - time
            while len(state["s"]) > pushed:
                moves.append(DRAW)
                state = self._apply(state, DRAW)
            moves += self._discards(state["h"].cards)
            state = self._apply(state, moves[-1])
        return meter.solution(Verdict.WON, moves)

    def suggest(self, state: State, meter: Meter) -> Solution:
        solution = self.search(state, meter)
        # Where nothing wins, a discard is still better than none, and discards come first.
        return solution if solution.moves else meter.solution(solution.verdict, self.legal_moves(state)[:1])

    def cards_left(self, state: State) -> int:
        stock, hand, _ = state.piles
        return len(stock) + len(hand)

    @property
    def calls(self) -> tuple[Move, ...]:
        calls = [DRAW, DISCARD_TWO, DISCARD_FOUR]
        if self.last_three:
            calls.append(DISCARD_THREE)
        if self.recycling:
            calls.append(RECYCLE)
        return tuple(calls)


def _refill(state: State) -> State:
    while state["s"].cards and len(state["h"]) < FAN:
        state = state.carry("s", "h")
    return state


_HOW_TO_PLAY: Final = (
    "The last four cards of your hand are the fan.",
    "If its first and fourth cards have the same rank, discard all four.",
    "If they have the same suit, discard the two cards between them.",
    "Otherwise draw a card to the right end of the hand.",
    "After a discard older cards of the hand come back into the fan; if they are too few, cards are drawn.",
)
_FORCED: Final = (
    "There is never a choice, so everybody ends alike: be quick, and make no wrong call, which costs 5 seconds.",
    "The game is won when hand and stock are empty, and over when nothing matches and the stock is empty.",
)
_RECYCLING: Final = (
    "With the stock empty and no match, recycle: the oldest card of the hand goes to its right end.",
    "You may go once round the hand like this; each discard lets you begin again.",
    *_FORCED,
)
_DECLINING: Final = (
    "You may also leave a discard alone and draw while the stock has cards: this makes it a game of skill.",
    "The game is won when hand and stock are empty.",
)
_FOUR_OF_SUIT: Final = (
    "If all four cards of the fan have the same suit, you may discard all four instead of the two.",
    "The game is won when hand and stock are empty.",
)
_LAST_THREE: Final = (
    "If the first and fourth have the same suit and the third and fourth the same rank, you may discard the "
    "last three instead of the two in the middle.",
    "The game is won when hand and stock are empty.",
)

ONE_HANDED: Final = HandRules(
    key="one-handed",
    name="One-Handed",
    base="one-handed",
    how_to_play=_HOW_TO_PLAY + _FORCED,
)
ONE_HANDED_RECYCLE: Final = HandRules(
    key="one-handed-recycle",
    name="One-Handed with recycling",
    base="one-handed",
    how_to_play=_HOW_TO_PLAY + _RECYCLING,
    recycling=True,
)
ONE_HANDED_FREE: Final = HandRules(
    key="one-handed-free",
    name="One-Handed, discards optional",
    base="one-handed",
    how_to_play=_HOW_TO_PLAY + _DECLINING,
    declining=True,
)
TAKING_SILK: Final = HandRules(
    key="taking-silk",
    name="Taking Silk",
    base="taking-silk",
    how_to_play=("One-Handed under its other name, with variants of its own.", *_HOW_TO_PLAY, *_FORCED),
)
TAKING_SILK_RECYCLE: Final = HandRules(
    key="taking-silk-recycle",
    name="Taking Silk with recycling",
    base="taking-silk",
    how_to_play=_HOW_TO_PLAY + _RECYCLING,
    recycling=True,
)
TAKING_SILK_FREE: Final = HandRules(
    key="taking-silk-free",
    name="Taking Silk, discards optional",
    base="taking-silk",
    how_to_play=_HOW_TO_PLAY + _DECLINING,
    declining=True,
)
TAKING_SILK_FOUR_SUIT: Final = HandRules(
    key="taking-silk-four-suit",
    name="Taking Silk, four of a suit",
    base="taking-silk",
    how_to_play=_HOW_TO_PLAY + _FOUR_OF_SUIT,
    four_of_suit=True,
)
TAKING_SILK_LAST_THREE: Final = HandRules(
    key="taking-silk-last-three",
    name="Taking Silk, last three",
    base="taking-silk",
    how_to_play=_HOW_TO_PLAY + _LAST_THREE,
    last_three=True,
)
