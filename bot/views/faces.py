"""How cards are written in a message: as the bot's own emoji, or as characters in code spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.render.inline import EmojiText, card_label, pile_code
from engine import Card, Pile


class Faces(Protocol):
    """A way to write cards."""

    def line(self, cards: Sequence[Card], *, most: int | None = None, suit: int | None = None) -> str:
        """Returns *cards* beside one another, the first and the last ones if there are more than *most*.

        Where there are none, an empty place, one that waits for *suit* if it is given.
        """

    def label(self, card: Card) -> str:
        """Returns *card* as it can stand on a button."""


class CodeFaces:
    """Cards as rank and suit letter in code spans, readable in every client."""

    def line(self, cards: Sequence[Card], *, most: int | None = None, suit: int | None = None) -> str:
        """Returns *cards* as one code span."""
        return f"`{pile_code(Pile(tuple(cards)), most=most).strip()}`"

    def label(self, card: Card) -> str:
        """Returns *card* with its suit's symbol."""
        return card_label(card)


class EmojiFaces:
    """Cards as the bot's own emoji."""

    def __init__(self, emoji: EmojiText) -> None:
        self._emoji = emoji

    def line(self, cards: Sequence[Card], *, most: int | None = None, suit: int | None = None) -> str:
        """Returns *cards* as emoji without space between."""
        return self._emoji.pile(Pile(tuple(cards)), most=most, suit=suit)

    def label(self, card: Card) -> str:
        """Returns *card* with its suit's symbol."""
        return card_label(card)
