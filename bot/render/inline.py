"""Cards in a line of text: as the app's emoji, or as characters where those are missing.

In code blocks a card is rank and suit letter, " 7h" and "10h": only plain ASCII lines up in every client's
fixed-width font, while suit symbols come two columns wide, coloured or not at all on some phones. In labels a
card is "10♥", the symbol followed by U+FE0E, which asks for text where a client would draw an emoji.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.render.art import BACK_KEY, MORE_KEY, RANK_LABELS, drawings, emoji_names, empty_key, face_key
from bot.render.palette import Colours
from engine.cards import SUITS, Card
from engine.state import Pile

SUIT_SYMBOLS = "♣♦♥♠"
TEXT_STYLE = "\ufe0e"
CARD_WIDTH = 3
"""Columns of a card in a code block."""

BACK_TEXT = "[]"
EMPTY_TEXT = "--"
MORE_TEXT = ".."


def card_label(card: Card) -> str:
    """Returns *card* for buttons and sentences, as in "10♥"; "?" if it is unknown."""
    return f"{RANK_LABELS[card.rank]}{SUIT_SYMBOLS[card.suit]}{TEXT_STYLE}" if card.rank else "?"


def card_code(card: Card) -> str:
    """Returns *card* for code blocks, CARD_WIDTH columns wide."""
    text = f"{RANK_LABELS[card.rank]}{SUITS[card.suit].lower()}" if card.rank else BACK_TEXT
    return text.rjust(CARD_WIDTH)


def pile_code(pile: Pile, *, most: int | None = None) -> str:
    """Returns *pile* for code blocks, bottom to top; *most* is the largest number of columns of cards."""
    cards = [None if position in pile.face_down else card for position, card in enumerate(pile.cards)]
    texts = [BACK_TEXT.rjust(CARD_WIDTH) if card is None else card_code(card) for card in cards]
    return " ".join(shorten(texts, most, MORE_TEXT.rjust(CARD_WIDTH))) or EMPTY_TEXT.rjust(CARD_WIDTH)


def emoji_text(key: str, ids: Mapping[str, str], fallback: str) -> str:
    """Returns the emoji with this *key* as Discord's markup, or *fallback* if *ids* does not have it."""
    identity = ids.get(key)
    return f"<:{emoji_names()[key]}:{identity}>" if identity else fallback


def has_all_emoji(ids: Mapping[str, str]) -> bool:
    """Tells whether *ids* has every emoji. Without that a board is better drawn as text altogether."""
    return drawings().keys() <= ids.keys()


def shorten(texts: list[str], most: int | None, more: str) -> list[str]:
    """Returns *texts*, or if there are more than *most*, the first one, *more* and the last ones."""
    if most is None or len(texts) <= most or most < 3:
        return texts
    return [texts[0], more, *texts[-(most - 2) :]]


@dataclass(frozen=True, slots=True)
class EmojiText:
    """Cards as emoji of one set.

    *ids* has the emoji's ids on Discord by their keys; what it lacks becomes text.
    """

    ids: Mapping[str, str] = field(hash=False)
    colours: Colours = Colours.TWO

    def card(self, card: Card) -> str:
        """Returns one card, its back if it is unknown."""
        if not card.rank:
            return self.back()
        return emoji_text(face_key(card, self.colours), self.ids, card_label(card))

    def back(self) -> str:
        """Returns the back of a card."""
        return emoji_text(BACK_KEY, self.ids, BACK_TEXT)

    def empty(self, suit: int | None = None) -> str:
        """Returns an empty place, one that waits for *suit* if it is given."""
        fallback = EMPTY_TEXT if suit is None else f"{EMPTY_TEXT}{SUIT_SYMBOLS[suit]}{TEXT_STYLE}"
        return emoji_text(empty_key(suit), self.ids, fallback)

    def pile(self, pile: Pile, *, most: int | None = None, suit: int | None = None) -> str:
        """Returns all cards of *pile*, bottom to top, or its empty place (for *suit*).

        *most* is the largest number of emoji, 3 at least: a longer pile shows its first and its last cards.
        """
        if not pile.cards:
            return self.empty(suit)
        texts = [
            self.back() if position in pile.face_down else self.card(card)
            for position, card in enumerate(pile.cards)
        ]
        return "".join(shorten(texts, most, emoji_text(MORE_KEY, self.ids, MORE_TEXT)))

    def mark(self, key: str, fallback: str) -> str:
        """Returns a mark, such as SELECTED_KEY of `art`."""
        return emoji_text(key, self.ids, fallback)
