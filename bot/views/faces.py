"""How cards are written in a message: as the bot's own emoji, or as characters where those are missing."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from bot.render.art import MORE_KEY, SELECTED_KEY, TARGET_KEY, emoji_names, empty_key, face_key
from bot.render.inline import MORE_TEXT, EmojiText, card_label, pile_code, shorten
from bot.views.payload import Emoji
from engine import DECK, SUITS, UNKNOWN, Card, Pile

LOOSE = 4
"""How many cards of a loose pile are shown."""


class Mark(Enum):
    """What a card or a place is marked with, by shape and never by colour alone; the value is a Unicode emoji."""

    SELECTED = "👉"
    TARGET = "🎯"
    HINT = "💡"


class Line(NamedTuple):
    """A pile as a line of text: its *label*, its cards, and the mark at its exposed card.

    *suit* is the one that the pile waits for, if it takes one suit alone. A *loose* pile is no run: of a long one
    the last cards tell enough.
    """

    label: str
    pile: Pile
    mark: Mark | None = None
    suit: int | None = None
    loose: bool = False


class Faces(Protocol):
    """A way to write cards."""

    @property
    def run(self) -> int:
        """How many cards fit into a line that ends with a button, on a phone."""

    def piles(self, lines: Sequence[Line]) -> list[str]:
        """Returns texts that show piles below one another, all their cards, the exposed one to the right."""

    def pile(self, line: Line) -> str:
        """Returns one pile in at most :attr:`run` cards, its first and its last ones."""

    def fan(self, cards: Sequence[Card]) -> str:
        """Returns *cards* beside one another, as large as can be."""

    def cards(self, cards: Sequence[Card]) -> str:
        """Returns *cards* beside one another."""

    def tops(self, lines: Sequence[Line]) -> str:
        """Returns the exposed cards of some piles beside one another."""

    def on_button(self, card: Card | None, suit: int | None = None) -> tuple[str, Emoji | None]:
        """Returns a card, or an empty place, as the label and the emoji of a button."""

    def mark(self, mark: Mark) -> Emoji:
        """Returns a mark as the emoji of a button."""


class CodeFaces:
    """Cards as rank and suit letter in code, readable in every client."""

    run = 5
    _WIDE = 7

    def piles(self, lines: Sequence[Line]) -> list[str]:
        """Returns a code block."""
        block: list[str] = []
        for line in lines:
            cards = line.pile.cards
            parts = _rows(len(cards), self._WIDE)
            for number, (start, end) in enumerate(parts):
                last = number == len(parts) - 1
                down = frozenset(place - start for place in line.pile.face_down if start <= place < end)
                label = line.label if number == 0 else ""
                mark = f" {line.mark.value}" if last and line.mark is not None else ""
                block.append(f"{label:2}{pile_code(Pile(cards[start:end], down))}{mark}")
        return ["```\n" + "\n".join(block) + "\n```"]

    def pile(self, line: Line) -> str:
        """Returns a code span."""
        mark = f"{line.mark.value} " if line.mark is not None else ""
        label = f"**{line.label}** " if line.label else ""
        pile = line.pile
        if line.loose and len(pile) > LOOSE:
            return f"{label}{mark}`{MORE_TEXT} {pile_code(Pile(pile.cards[-LOOSE:])).strip()}`"
        return f"{label}{mark}`{pile_code(pile, most=self.run).strip()}`"

    def fan(self, cards: Sequence[Card]) -> str:
        """Returns a code span in a heading."""
        return f"# {self.cards(cards)}"

    def cards(self, cards: Sequence[Card]) -> str:
        """Returns a code span."""
        return f"`{pile_code(Pile(tuple(cards))).strip()}`"

    def tops(self, lines: Sequence[Line]) -> str:
        """Returns a code span for each."""
        return " ".join(
            f"`{self._top(line)}`{'' if line.mark is None else line.mark.value}" for line in lines
        )

    def on_button(self, card: Card | None, suit: int | None = None) -> tuple[str, Emoji | None]:
        """Returns the card with its suit's symbol."""
        return ("–" if card is None else card_label(card)), None

    def mark(self, mark: Mark) -> Emoji:
        """Returns a Unicode emoji."""
        return {"name": mark.value}

    def _top(self, line: Line) -> str:
        """Returns the exposed card, or the suit for which an empty pile waits."""
        if not line.pile.cards and line.suit is not None:
            return f"-{SUITS[line.suit].lower()}"
        return pile_code(Pile(line.pile.cards[-1:])).strip()


class EmojiFaces:
    """Cards as the bot's own emoji."""

    run = 7

    def __init__(self, emoji: EmojiText) -> None:
        self._emoji = emoji
        self._cards = {card: emoji.card(card) for card in (*DECK, UNKNOWN)}
        self._buttons = {card: self._button(face_key(card, emoji.colours)) for card in DECK}
        self._more = emoji.mark(MORE_KEY, MORE_TEXT)
        self._marks = {
            Mark.SELECTED: emoji.mark(SELECTED_KEY, Mark.SELECTED.value),
            Mark.TARGET: emoji.mark(TARGET_KEY, Mark.TARGET.value),
            Mark.HINT: Mark.HINT.value,
        }

    def piles(self, lines: Sequence[Line]) -> list[str]:
        """Returns a text a pile. Thirteen cards go beside one another on a phone; more of them wrap."""
        return [f"**{line.label}** {''.join(self._marked(line, self._each(line)))}" for line in lines]

    def pile(self, line: Line) -> str:
        """Returns emoji without space between, in a small heading, where they are larger than in a text."""
        if line.loose:
            each = self._each(line, last=LOOSE)
            shown = each if len(line.pile) <= LOOSE else [self._more, *each]
        else:
            shown = shorten(self._each(line), self.run, self._more)
        label = f"{line.label} " if line.label else ""
        return f"### {label}{''.join(self._marked(line, shown))}"

    def fan(self, cards: Sequence[Card]) -> str:
        """Returns emoji in a large heading."""
        return f"# {self.cards(cards) or self._emoji.empty()}"

    def cards(self, cards: Sequence[Card]) -> str:
        """Returns emoji without space between."""
        return "".join([self._cards[card] for card in cards])

    def tops(self, lines: Sequence[Line]) -> str:
        """Returns emoji with a space between."""
        return " ".join(["".join(self._marked(line, self._each(line, last=1))) for line in lines])

    def on_button(self, card: Card | None, suit: int | None = None) -> tuple[str, Emoji | None]:
        """Returns an emoji without a label."""
        return "", self._button(empty_key(suit)) if card is None else self._buttons[card]

    def mark(self, mark: Mark) -> Emoji:
        """Returns one of the bot's own emoji, but for the light bulb."""
        if mark is Mark.HINT:
            return {"name": mark.value}
        return self._button(SELECTED_KEY if mark is Mark.SELECTED else TARGET_KEY)

    def _each(self, line: Line, *, last: int = 0) -> list[str]:
        """Returns the cards of *line*, or as many of the *last* ones."""
        cards, down = line.pile.cards, line.pile.face_down
        if not cards:
            return [self._emoji.empty(line.suit)]
        if not down:
            return [self._cards[card] for card in cards[-last:]]
        return [self._cards[UNKNOWN if place in down else card] for place, card in enumerate(cards)][-last:]

    def _marked(self, line: Line, cards: list[str]) -> list[str]:
        """Returns *cards* with the mark of *line* before the last one, or behind it if it is a target."""
        if line.mark is None:
            return cards
        mark = self._marks[line.mark]
        return [*cards, mark] if line.mark is Mark.TARGET else [*cards[:-1], mark, cards[-1]]

    def _button(self, key: str) -> Emoji:
        return {"id": self._emoji.ids[key], "name": emoji_names()[key]}


def _rows(length: int, wide: int) -> list[tuple[int, int]]:
    """Returns the ends of rows of at most *wide* cards, as even as can be, the longer ones first."""
    count = max(1, -(-length // wide))
    width = -(-length // count)
    return [(start, min(start + width, length)) for start in range(0, max(1, length), max(1, width))]
