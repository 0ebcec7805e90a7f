"""Where everything lies in a picture of the table: numbers only, no pixels.

A layout follows from the roles of a position's piles, never from the game. A hand is a large fan with its
older cards above; up to four tableau piles are lines, which leaves every card a strip wide enough for a large
rank over its suit; more of them are columns. All pictures are WIDTH px wide, twice a phone's 390, and as flat
as their cards allow, since Discord shrinks what is high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from bot.render.brush import can_spell, text_width
from engine.cards import SUITS
from engine.state import Pile, Role, State, role

WIDTH = 780
MARGIN = 14
CAPTION_HEIGHT = 17
CAPTION_WEIGHT = 3.0
CAPTION_ROOM = 26
"""Pixels from the top of a caption to the top of what it names."""


class Heaps(NamedTuple):
    """What a picture calls the piles that have no number, in capitals that the outlines have."""

    stock: str = "STOCK"
    waste: str = "WASTE"
    discard: str = "DISCARD"
    hand: str = "HAND"

    def of(self, kind: Role) -> str:
        """Returns what piles of a *kind* are called."""
        names = {
            Role.STOCK: self.stock,
            Role.WASTE: self.waste,
            Role.DISCARD: self.discard,
            Role.HAND: self.hand,
        }
        return names[kind]


HEAPS: Final = Heaps()
FAN_LENGTH = 4
MOST_LINES = 4
"""The largest number of tableau piles that are shown as lines."""


class Show(Enum):
    """How much of a card can be seen: all of it, its upper edge or its left edge."""

    WHOLE = auto()
    TOP = auto()
    LEFT = auto()


@dataclass(frozen=True, slots=True)
class CardSize:
    """The size of a card and of the strip that stays visible when another card lies on it, in pixels."""

    width: int
    height: int
    strip: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """The upper left corner of a card (the *index*-th of *pile*, None for the place of an empty pile)."""

    pile: str
    index: int | None
    x: int
    y: int
    size: CardSize
    show: Show = Show.WHOLE


@dataclass(frozen=True, slots=True)
class Caption:
    """A text on the felt."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything in a picture, in the order in which it is drawn."""

    height: int
    places: tuple[Place, ...]
    captions: tuple[Caption, ...]


FAN = CardSize(132, 168)
OLDER = CardSize(54, 74, strip=44)
SIDE = CardSize(78, 100)
LINE = CardSize(84, 96, strip=53)
OLDER_PER_ROW = 16


def lay_out(state: State, heaps: Heaps = HEAPS) -> Layout:
    """Returns the layout of *state*, whose *heaps* are called so."""
    roles = [role(name) for name in state.names]
    if Role.HAND in roles:
        return _hand(state, heaps)
    lay = _lines if roles.count(Role.TABLEAU) <= MOST_LINES else _columns
    return lay(state, heaps)


@lru_cache(maxsize=64)
def suit_of_pile(name: str) -> int | None:
    """Returns the suit that the pile called *name* is kept for ("fh": hearts), or None."""
    suit = SUITS.find(name[1:].upper())
    return suit if len(name) == 2 and suit >= 0 else None


def caption(name: str, heaps: Heaps = HEAPS) -> str:
    """Returns what is written at a pile: tableau piles are known by their number, as on their buttons."""
    kind = role(name)
    if kind is Role.TABLEAU:
        return name[1:].upper()
    if kind is Role.FOUNDATION:
        return "" if suit_of_pile(name) is not None else name.upper()
    return heaps.of(kind) + name[1:].upper()


def counted_caption(name: str, pile: Pile, heaps: Heaps = HEAPS) -> str:
    """Returns the caption of a heap with the number of its cards; a stock shows that on its back."""
    counted = role(name) in (Role.WASTE, Role.DISCARD, Role.HAND)
    called = caption(name, heaps)
    return f"{called} {len(pile)}" if counted else called


def _named(state: State, *roles: Role) -> list[str]:
    """Returns the names of the piles that have one of *roles*."""
    return [name for name in state.names if role(name) in roles]


def _centred(text: str, left: float, width: float, y: int) -> Caption:
    """Returns a caption in the middle of a space *width* px wide."""
    return Caption(text, round(left + (width - text_width(text, CAPTION_HEIGHT, CAPTION_WEIGHT)) / 2), y)


def _top(name: str, pile: Pile, x: int, y: int, size: CardSize) -> Place:
    """Returns the place of the uppermost card of a pile, or of the pile itself if it is empty."""
    return Place(name, len(pile) - 1 if len(pile) else None, x, y, size)


def _hand(state: State, heaps: Heaps) -> Layout:
    """Returns a hand: rows of its older cards, under them the fan, beside it all other piles."""
    places: list[Place] = []
    captions: list[Caption] = []
    y = MARGIN
    for name in _named(state, Role.HAND):
        cards = state[name]
        captions.append(Caption(counted_caption(name, cards, heaps), MARGIN, y))
        y += CAPTION_ROOM
        older = max(0, len(cards) - FAN_LENGTH)
        for index in range(older):
            row, column = divmod(index, OLDER_PER_ROW)
            x = MARGIN + column * OLDER.strip
            places.append(Place(name, index, x, y + row * (OLDER.height + 8), OLDER, Show.LEFT))
        y += max(1, -(-older // OLDER_PER_ROW)) * (OLDER.height + 8) + 8
        for place in range(FAN_LENGTH):
            index = older + place
            x = MARGIN + place * (FAN.width + 8)
            places.append(Place(name, index if index < len(cards) else None, x, y, FAN))
    left = MARGIN + FAN_LENGTH * (FAN.width + 8) + 10
    room = (WIDTH - MARGIN - left) // 2
    top = y + (FAN.height - SIDE.height - 2 * CAPTION_ROOM) // 2
    others = [name for name in state.names if role(name) is not Role.HAND]
    for number, name in enumerate(others):
        row, column = divmod(number, 2)
        x, line = left + column * room, top + row * (SIDE.height + 2 * CAPTION_ROOM + 8)
        captions.append(_centred(caption(name, heaps), x, room, line))
        places.append(_top(name, state[name], round(x + (room - SIDE.width) / 2), line + CAPTION_ROOM, SIDE))
        if role(name) is not Role.STOCK:
            captions.append(_centred(str(len(state[name])), x, room, line + CAPTION_ROOM + SIDE.height + 9))
    bottom = max(place.y + place.size.height for place in places)
    return Layout(bottom + MARGIN, tuple(places), tuple(captions))


def _lines(state: State, heaps: Heaps) -> Layout:
    """Returns each tableau pile as a line, its exposed card to the right, and all other piles below."""
    places: list[Place] = []
    captions: list[Caption] = []
    left = MARGIN + 26
    tableau = _named(state, Role.TABLEAU)
    longest = max((len(state[name]) for name in tableau), default=0)
    room = (WIDTH - MARGIN - left - LINE.width) / max(1, longest - 1)
    size = CardSize(LINE.width, LINE.height, min(LINE.strip, int(room)))
    y = MARGIN
    for name in tableau:
        cards = state[name]
        captions.append(_centred(caption(name), MARGIN - 6, 26, y + (LINE.height - CAPTION_HEIGHT) // 2))
        places.extend(
            Place(name, index, left + index * size.strip, y, size, Show.LEFT)
            for index in range(len(cards) - 1)
        )
        places.append(_top(name, cards, left + max(0, len(cards) - 1) * size.strip, y, size))
        y += LINE.height + 8
    others = [name for name in state.names if role(name) is not Role.TABLEAU]
    if others:
        y += 6
        room = (WIDTH - 2 * MARGIN) / max(6, len(others))
        for number, name in enumerate(others):
            captions.append(
                _centred(counted_caption(name, state[name], heaps), MARGIN + number * room, room, y)
            )
            x = round(MARGIN + number * room + (room - LINE.width) / 2)
            places.append(_top(name, state[name], x, y + CAPTION_ROOM, LINE))
        y += CAPTION_ROOM + LINE.height + MARGIN
    return Layout(y, tuple(places), tuple(captions))


COLUMN_STRIPS = ((4, 44), (7, 42), (10, 38), (13, 34))
"""The strip of covered cards by the length of the longest column. A table is high enough for the length that
stands here, so that it seldom changes its height."""


def _columns(state: State, heaps: Heaps) -> Layout:
    """Returns the tableau piles as columns, above them all other piles, foundations to the right."""
    tableau = _named(state, Role.TABLEAU)
    room = (WIDTH - MARGIN) / len(tableau)
    width = min(100, int(room) - 9)
    height = round(width * 1.3)
    longest = max(len(state[name]) for name in tableau)
    enough = (step for step in COLUMN_STRIPS if step[0] >= longest)
    room_for, strip = next(enough, (longest, COLUMN_STRIPS[-1][1]))
    size = CardSize(width, height, strip)
    places, captions = _shelf(state, size, room, heaps)
    y = MARGIN + CAPTION_ROOM + height + 16
    for number, name in enumerate(tableau):
        x = round(MARGIN / 2 + number * room + (room - width) / 2)
        cards = state[name]
        captions.append(_centred(caption(name), x, width, y))
        top = y + CAPTION_ROOM
        places.extend(
            Place(name, index, x, top + index * size.strip, size, Show.TOP) for index in range(len(cards) - 1)
        )
        places.append(_top(name, cards, x, top + max(0, len(cards) - 1) * size.strip, size))
    bottom = y + CAPTION_ROOM + (room_for - 1) * strip + height
    return Layout(bottom + MARGIN, tuple(places), tuple(captions))


def _shelf(state: State, size: CardSize, room: float, heaps: Heaps) -> tuple[list[Place], list[Caption]]:
    """Returns the row above the columns; the last cards of a single waste are spread where there is room."""
    places: list[Place] = []
    captions: list[Caption] = []
    foundations = _named(state, Role.FOUNDATION)
    others = [name for name in state.names if role(name) not in (Role.FOUNDATION, Role.TABLEAU)]
    columns = len(_named(state, Role.TABLEAU))
    # piles that do not fit beside one another share the columns' room
    step = room * min(1, columns / max(1, len(foundations) + len(others)))
    size = CardSize(min(size.width, int(step) - 6), size.height, size.strip)
    y = MARGIN + CAPTION_ROOM

    def left_of(slot: float) -> int:
        return round(MARGIN / 2 + slot * step + (step - size.width) / 2)

    slots: list[tuple[str, float]] = [(name, slot) for slot, name in enumerate(others)]
    first = columns * room / step - len(foundations)
    slots += [(name, first + number) for number, name in enumerate(foundations)]
    spare = first - len(others)
    for name, slot in slots:
        cards = state[name]
        x = left_of(slot)
        captions.append(Caption(counted_caption(name, cards, heaps), x, MARGIN))
        shown = _spread(cards) if name == others[-1] and role(name) is Role.WASTE and spare >= 1 else 1
        spread = CardSize(size.width, size.height, size.width // 2)
        for back in range(shown - 1, 0, -1):
            places.append(Place(name, len(cards) - 1 - back, x, y, spread, Show.LEFT))
            x += spread.strip
        places.append(_top(name, cards, x, y, size))
    return places, [text for text in captions if text.text and can_spell(text.text)]


def _spread(cards: Pile) -> int:
    """Returns how many cards of a waste are shown side by side."""
    return max(1, min(3, len(cards)))


def mark_places(layout: Layout, piles: Sequence[str]) -> tuple[Place, ...]:
    """Returns the place of the exposed card (or of the empty pile) of each of *piles* that the layout has."""
    last = {place.pile: place for place in layout.places}
    return tuple(last[name] for name in piles if name in last)
