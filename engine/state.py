"""Positions: piles of cards, what a player may see of them, and their text form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from engine.cards import UNKNOWN, Card, parse_card
from engine.errors import CardError, HiddenCardError, NotationError
from engine.moves import PILE_NAME


class Role(Enum):
    """What a pile is for. The value is the letter with which the names of such piles begin."""

    STOCK = "s"
    WASTE = "w"
    HAND = "h"
    DISCARD = "d"
    TABLEAU = "t"
    FOUNDATION = "f"


@lru_cache(maxsize=64)
def role(name: str) -> Role:
    """Returns the role of the pile called *name*: ``t3`` belongs to the tableau."""
    return Role(name[:1])


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards on one another, bottom to top. *face_down* holds the positions that lie face down."""

    cards: tuple[Card, ...] = ()
    face_down: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.cards)

    @classmethod
    def hidden(cls, cards: tuple[Card, ...]) -> Pile:
        """Returns a pile that lies face down, as a stock does."""
        return cls(cards, frozenset(range(len(cards))))

    @property
    def exposed(self) -> Card | None:
        """The uppermost card, or None where there is none or it lies face down."""
        cards = self.cards
        return cards[-1] if cards and (not self.face_down or len(cards) - 1 not in self.face_down) else None

    def turned_up(self) -> Pile:
        """Returns the pile with all its cards face up.

        :raises HiddenCardError: if one of them is unknown.
        """
        if UNKNOWN in self.cards:
            raise HiddenCardError("the card to turn up is not known")
        return Pile(self.cards)

    def observed(self) -> Pile:
        """Returns the pile as a player sees it: a card that lies face down is unknown."""
        if not self.face_down:
            return self
        if len(self.face_down) == len(self.cards):
            return Pile((UNKNOWN,) * len(self.cards), self.face_down)
        cards = tuple(UNKNOWN if i in self.face_down else card for i, card in enumerate(self.cards))
        return Pile(cards, self.face_down)

    def __str__(self) -> str:
        return "".join(
            str(card).lower() if position in self.face_down else str(card)
            for position, card in enumerate(self.cards)
        )


@dataclass(frozen=True, slots=True)
class State:
    """A position: *piles* under their *names*, in the game's order.

    *recycled* counts the cards that have gone round in the hand since the last discard.
    """

    names: tuple[str, ...]
    piles: tuple[Pile, ...]
    recycled: int = 0

    def __getitem__(self, name: str) -> Pile:
        """Returns the pile called *name*.

        :raises KeyError: if there is none.
        """
        try:
            return self.piles[self.names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def observed(self) -> State:
        """Returns the position as a player sees it: all that a picture or a hint may depend on."""
        return State(self.names, tuple([pile.observed() for pile in self.piles]), self.recycled)

    @property
    def hidden(self) -> int:
        """The number of cards that lie face down."""
        return sum([len(pile.face_down) for pile in self.piles])

    def carry(self, source: str, target: str, count: int = 1) -> State:
        """Returns the position after the last *count* cards of *source* have gone face up onto *target*.

        :raises HiddenCardError: if one of these cards is unknown.
        """
        piles = list(self.piles)
        start, end = self.names.index(source), self.names.index(target)
        pile = piles[start]
        rest, taken = pile.cards[:-count], pile.cards[-count:]
        if UNKNOWN in taken:
            raise HiddenCardError(f"the next card of {source!r} is not known")
        piles[start] = Pile(rest, pile.face_down.difference(range(len(rest), len(pile.cards))))
        piles[end] = Pile(piles[end].cards + taken, piles[end].face_down)
        return State(self.names, tuple(piles), self.recycled)

    def with_pile(self, name: str, pile: Pile) -> State:
        """Returns the position with *pile* as the one called *name*."""
        index = self.names.index(name)
        return State(self.names, (*self.piles[:index], pile, *self.piles[index + 1 :]), self.recycled)

    def __str__(self) -> str:
        parts = [f"{name}:{pile}" for name, pile in zip(self.names, self.piles, strict=True)]
        return " ".join([*parts, f"r:{self.recycled}"] if self.recycled else parts)


_PILE: Final = re.compile(f"(?P<name>{PILE_NAME}):(?P<cards>(?:..)*)", re.ASCII)
_RECYCLED: Final = re.compile("r:([0-9]{1,2})", re.ASCII)


def parse_state(text: str) -> State:
    """Returns the position that *text* describes, in the form in which positions print.

    :raises NotationError: if it describes none, or if a pile or a card comes twice.
    """
    parts = text.split()
    recycled = _RECYCLED.fullmatch(parts[-1]) if parts else None
    if recycled:
        parts.pop()
    piles: dict[str, Pile] = {}
    for part in parts:
        found = _PILE.fullmatch(part)
        if found is None:
            raise NotationError(f"{part!r} is not a pile: write its name and its cards, as in 't1:9HTC'")
        if found["name"] in piles:
            raise NotationError(f"the pile {found['name']!r} comes twice")
        piles[found["name"]] = _parse_pile(found["cards"])
    _check_once(tuple(piles.values()))
    return State(tuple(piles), tuple(piles.values()), int(recycled[1]) if recycled else 0)


def _parse_pile(text: str) -> Pile:
    names = [text[i : i + 2] for i in range(0, len(text), 2)]
    cards = tuple(map(parse_card, names))
    for name, card in zip(names, cards, strict=True):
        if name not in (str(card), str(card).lower()):
            raise CardError(f"{name!r} is neither face up, as 'TH' is, nor face down, as 'th' is")
    hidden = (card == UNKNOWN or name != str(card) for name, card in zip(names, cards, strict=True))
    return Pile(cards, frozenset(position for position, is_hidden in enumerate(hidden) if is_hidden))


def _check_once(piles: tuple[Pile, ...]) -> None:
    seen: set[Card] = set()
    for card in (card for pile in piles for card in pile.cards if card != UNKNOWN):
        if card in seen:
            raise CardError(f"the card {card} comes twice")
        seen.add(card)
