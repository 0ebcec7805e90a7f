"""The table in words: for players who listen to it, and as the alternative text of pictures.

Every sentence is a template that goes through *say*, which may translate it; plain English without it. The
exposed card comes first, since it is the one that can be played: "Pile 3: 9 of hearts on 10 of clubs".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum, auto

from bot.render.layout import FAN_LENGTH, Heaps, suit_of_pile
from bot.render.speech import Say, english, spelled
from engine.cards import Card
from engine.state import Pile, Role, State, role

ALT_LIMIT = 1024
"""Discord's limit for the alternative text of a picture, in characters."""

WASTE_DEPTH = 3
"""The cards of a waste that are named, as many as the picture shows."""

RANK_WORDS = ("", "ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


class Detail(Enum):
    """How much is said: every open card, the same with fewer words, or only the exposed ones."""

    FULL = auto()
    BRIEF = auto()
    EXPOSED = auto()


def card_words(card: Card, say: Say = english, *, detail: Detail = Detail.FULL) -> str:
    """Returns a card, as in "9 of hearts", or "9 hearts" in brief."""
    if not card.rank:
        return say("face down") if detail is Detail.BRIEF else say("a face-down card")
    template = say("{rank} {suit}") if detail is Detail.BRIEF else say("{rank} of {suit}")
    return template.format(rank=say(RANK_WORDS[card.rank]), suit=say(SUIT_WORDS[card.suit]))


def count_words(count: int, say: Say = english) -> str:
    """Returns a number of cards."""
    return say("{count} card", "{count} cards", count).format(count=count)


def pile_words(name: str, say: Say = english) -> str:
    """Returns what a pile is called, as in "Pile 3"."""
    kind, suit = role(name), suit_of_pile(name)
    if suit is not None:
        return say("Foundation of {suit}").format(suit=say(SUIT_WORDS[suit]))
    templates = {
        Role.STOCK: say("Stock"),
        Role.WASTE: say("Waste"),
        Role.HAND: say("Hand"),
        Role.DISCARD: say("Discard pile"),
        Role.TABLEAU: say("Pile"),
        Role.FOUNDATION: say("Foundation"),
    }
    return f"{templates[kind]} {name[1:].upper()}".rstrip()


def heap_words(say: Say = english) -> Heaps:
    """Returns what a picture of the table calls its heaps."""
    return Heaps(spelled(say, "STOCK"), spelled(say, "WASTE"), spelled(say, "DISCARD"), spelled(say, "HAND"))


def table_lines(
    state: State,
    *,
    selected: str | None = None,
    targets: Collection[str] = (),
    detail: Detail = Detail.FULL,
    say: Say = english,
) -> tuple[str, ...]:
    """Returns the table in words, one line a pile; all empty piles share the last line.

    Nothing in it depends on cards that lie face down.
    """
    marks = {name: say("can go here") for name in targets}
    if selected is not None:
        marks[selected] = say("chosen")

    def called(name: str) -> str:
        return f"{pile_words(name, say)} ({marks[name]})" if name in marks else pile_words(name, say)

    lines: list[str] = []
    empty: list[str] = []
    for name, pile in zip(state.names, state.observed().piles, strict=True):
        if not pile.cards:
            empty.append(called(name))
        elif role(name) is Role.HAND:
            lines.extend(_hand_lines(called(name), pile, detail, say))
        else:
            lines.append(_line(called(name), _content(name, pile, detail, say), say))
    if empty:
        lines.append(_line(say("Empty"), _listed(empty), say))
    return tuple(lines)


def alt_text(
    state: State,
    *,
    selected: str | None = None,
    targets: Collection[str] = (),
    limit: int = ALT_LIMIT,
    say: Say = english,
) -> str:
    """Returns the table in words for a picture of it, at most *limit* characters.

    If all open cards do not fit, they are named with fewer words; if that does not fit either, only the
    exposed ones are, with the number of cards under them.
    """
    for detail in Detail:
        text = ". ".join(table_lines(state, selected=selected, targets=targets, detail=detail, say=say)) + "."
        if len(text) <= limit:
            return text
    return cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Returns *text*, ended by an ellipsis after a whole word if it is longer than *limit* characters."""
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    return (kept.rpartition(" ")[0] or kept).rstrip(" ,.:;") + "…"


def _line(name: str, content: str, say: Say) -> str:
    """Returns what is said of one pile."""
    return say("{pile}: {cards}").format(pile=name, cards=content)


def _content(name: str, pile: Pile, detail: Detail, say: Say) -> str:
    """Returns what lies on a pile, the exposed card first."""
    kind, size = role(name), len(pile)
    if len(pile.face_down) == size:
        return say("{cards} face down").format(cards=count_words(size, say))
    depth = 1
    if detail is not Detail.EXPOSED:
        depth = min(size, {Role.WASTE: WASTE_DEPTH, Role.TABLEAU: size}.get(kind, 1))
    cards = _chain(reversed(pile.cards[-depth:]), detail, say)
    # a foundation for one suit tells by its upper card what lies below
    if depth == size or suit_of_pile(name) is not None:
        return cards
    return say("{cards}, {count} more below").format(cards=cards, count=size - depth)


def _hand_lines(name: str, pile: Pile, detail: Detail, say: Say) -> Iterable[str]:
    """Returns a hand: its fan and its older cards, each from the oldest card to the newest."""
    words = [card_words(card, say, detail=detail) for card in pile.cards]
    yield _line(name, count_words(len(words), say), say)
    yield _line(say("Fan, oldest card first"), _listed(words[-FAN_LENGTH:]), say)
    if len(words) > FAN_LENGTH and detail is not Detail.EXPOSED:
        yield _line(say("Older cards, oldest first"), _listed(words[:-FAN_LENGTH]), say)


def _chain(cards: Iterable[Card], detail: Detail, say: Say) -> str:
    """Returns cards that lie on one another, from the upper one down."""
    words = [card_words(card, say, detail=detail) for card in cards]
    if detail is Detail.BRIEF:
        return _listed(words)
    text = words[-1]
    for upper in reversed(words[:-1]):
        text = say("{upper} on {lower}").format(upper=upper, lower=text)
    return text


def _listed(words: Iterable[str]) -> str:
    """Returns *words* as a list."""
    return ", ".join(words)
