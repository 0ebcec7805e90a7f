"""Cards and the deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.errors import CardError

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"


class Card(NamedTuple):
    """A card: *rank* from 1 (ace) to 13 (king), *suit* from 0 to 3 (clubs, diamonds, hearts, spades)."""

    rank: int
    suit: int

    def __str__(self) -> str:
        return _NAMES[self]


UNKNOWN: Final = Card(0, -1)
"""A card that cannot be seen. It prints as ``??``."""

DECK: Final = tuple(Card(rank, suit) for suit in range(4) for rank in range(1, 14))
"""The 52 cards in the order in which they are shuffled: clubs, diamonds, hearts, spades, each ace to king."""

_NAMES: Final = {UNKNOWN: "??"} | {card: RANKS[card.rank - 1] + SUITS[card.suit] for card in DECK}
_CARDS: Final = {name: card for card, name in _NAMES.items()}


def parse_card(text: str) -> Card:
    """Returns the card that *text* names, as in ``TH``; upper and lower case are alike.

    :raises CardError: if it names none.
    """
    card = _CARDS.get(text.upper()) if text.isascii() else None
    if card is None:
        raise CardError(f"{text!r} is not a card: write a rank and a suit, as in 'TH'")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Returns the cards that *text* names, separated by white space.

    :raises CardError: if a part of it names none.
    """
    return tuple(map(parse_card, text.split()))


def check_deck(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Returns *cards* if they are a whole deck in any order.

    :raises CardError: if not.
    """
    deck = tuple(cards)
    for card in DECK:
        if card not in deck:
            raise CardError(f"{card} is missing from the deck")
    if len(deck) != len(DECK):
        raise CardError(f"a deck has {len(DECK)} cards, not {len(deck)}")
    return deck
