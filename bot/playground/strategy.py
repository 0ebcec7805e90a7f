"""How the rival chooses a button: by what stands on its board, as a person would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from random import Random

from bot.playground.errors import Json
from bot.playground.limits import Kind, texts, walk
from bot.playground.models import Message
from bot.playground.reading import buttons, selects, text_of

Strategy = Callable[[Message, Random], str | None]
"""Returns the custom id of the button to press on a board, None to wait."""

NOT_A_MOVE = re.compile(
    r"forfeit|give up|more|undo|hint|leave|ready|rules|replay|rematch|back|cancel|settings|type|view|join|start|open"
    r"|play|close|help|again",
    re.IGNORECASE,
)
"""Labels of buttons that are no moves."""

_GIVE_UP = re.compile(r"^more|forfeit|give up", re.IGNORECASE)
_STOCK = re.compile(r"deal|stock", re.IGNORECASE)
_RANK = r"(?:10|[2-9ATJQK])"
_CARD = re.compile(
    rf"<a?:(?:\w*?_)?({_RANK})_?([CDHS])(?:_\w*)?:\d+>"  # emoji, whatever stands around the card in their names
    rf"|(?<![\w<:])({_RANK})\s?([CDHScdhs♣♦♥♠])(?![\w:])"
)
_SUITS = str.maketrans("♣♦♥♠", "CDHS")
_RANKS = "A23456789TJQK"
_FOUNDATION = re.compile(r"F\d|→")
_NAMED = re.compile(r"[#*\s]*(\w+)")
_EMOJI_NAME = re.compile(rf"(?:\w*?_)?({_RANK})_?([CDHS])(?:_\w*)?")
_FAN = 4
_PICKED = 3
"""The button style that marks the chosen card."""

_MISTAKES = 0.06
"""How often the rival calls wrongly."""

_PATIENCE = 25
"""Presses without a card gone or dealt after which it gives up."""


def cards_in(text: str) -> list[tuple[str, str]]:
    """Returns rank and suit of each card that *text* shows, be it as emoji or as characters."""
    found = []
    for match in _CARD.finditer(text):
        rank, suit = match[1] or match[3], match[2] or match[4]
        found.append((rank.replace("10", "T"), suit.translate(_SUITS).upper()))
    return found


def fan_of(message: Message) -> list[tuple[str, str]]:
    """Returns the cards of the fan: the last four of the last heading with cards, or else of the last line."""
    lines = [line for line in text_of(message).splitlines() if cards_in(line)]
    headings = [line for line in lines if line.startswith("#")]
    for line in (headings or lines)[-1:]:
        return cards_in(line)[-_FAN:]
    return []


def right_call(fan: Sequence[tuple[str, str]], calls: Sequence[str], *, stock_is_empty: bool) -> str:
    """Returns which of the *calls* ("Draw", "Discard 2", …) the fan asks for."""
    if len(fan) == _FAN:
        (first, first_suit), (third, _), (last, last_suit) = fan[0], fan[2], fan[3]
        if first == last and "Discard 4" in calls:
            return "Discard 4"
        if first_suit == last_suit:
            return "Discard 3" if third == last and "Discard 3" in calls else "Discard 2"
    return "Recycle" if stock_is_empty and "Recycle" in calls else "Draw"


def enabled(message: Message) -> dict[str, str]:
    """Returns the custom ids of the enabled buttons by their labels."""
    return {_label(b): str(b["custom_id"]) for b in buttons(message) if not b.get("disabled")}


class Passable:
    """A passable player: the right call of a hand game mostly; else a card that goes home, then any other.

    It remembers what it tried on which table, so that it does not carry cards to and fro for ever, and gives up
    when it gets nowhere, so that nobody has to wait for it until the time limit.
    """

    def __init__(self) -> None:
        self._tried: Counter[tuple[str, str]] = Counter()
        self._table: dict[int, tuple[str, int]] = {}
        """What was left when each board last changed for the better, and the presses since."""

    def __call__(self, message: Message, random: Random) -> str | None:
        """Returns the custom id of the button to press, None to leave the message alone."""
        offered = enabled(message)
        hosts = "Cancel the race" in offered
        if hosts and not any(selects(message)):  # nobody else is in it, and none would come
            return offered.get("Leave")
        if "Ready" in offered:
            return offered["Ready"]
        moves = [label for label in offered if not NOT_A_MOVE.search(label)]
        if {"Draw", "Discard 2"} <= set(moves):
            return offered[self._call(message, moves, random)]
        if self._is_stuck(message):
            away = [label for label in offered if _GIVE_UP.search(label)]
            return offered[away[0]] if away else None
        return offered[self._move(message, moves, random)] if moves else None

    def _call(self, message: Message, calls: Sequence[str], random: Random) -> str:
        empty = re.search(r"stock\W*\b0\b", text_of(message), re.IGNORECASE) is not None
        call = right_call(fan_of(message), calls, stock_is_empty=empty)
        return random.choice(calls) if random.random() < _MISTAKES or call not in calls else call

    def _move(self, message: Message, moves: Sequence[str], random: Random) -> str:
        lines = [line for line in text_of(message).splitlines() if not line.startswith("-#")]
        home = {card for line in lines if "oundation" in line for card in cards_in(line)}
        picked = {_label(b) for b in buttons(message) if b.get("style") == _PICKED}
        piles = piles_of(message)
        table = "\n".join(lines)
        deals = any(_STOCK.search(_label(button)) for button in buttons(message))

        def weight(label: str) -> tuple[int, float]:
            on_emoji = _EMOJI_NAME.fullmatch(label)
            pile = [(on_emoji[1], on_emoji[2])] if on_emoji else cards_in(label)
            pile = pile or piles.get(label.split()[0], [])
            kind = 3
            if label in picked or (not picked and (_FOUNDATION.match(label) or set(pile) & home)):
                kind = 6
            elif label == "Auto" or (deals and pile and _goes_home(pile[-1], home)):
                kind = 0
            elif _STOCK.search(label):
                kind = 2
            elif (len(pile) == 1 or "aste" in label) if deals else _fits(pile, home):
                kind = 1
            return kind + (min(3, self._tried[table, label]) if kind else 0), random.random()

        label = min(moves, key=weight)
        self._tried[table, label] += 1
        return label

    def _is_stuck(self, message: Message) -> bool:
        left = re.search(r"(\d+) cards? left", text_of(message))
        stock = re.search(
            r"(?:deal|stock)\D{0,3}(\d+)", " ".join(map(_label, buttons(message))), re.IGNORECASE
        )
        if left is None:
            return message.id in self._table and self._table[message.id][1] > _PATIENCE
        progress = f"{left[1]} {stock[1] if stock else ''}"
        before, presses = self._table.get(message.id, ("", 0))
        self._table[message.id] = (progress, presses + 1 if progress == before else 0)
        return presses > _PATIENCE


def piles_of(message: Message) -> dict[str, list[tuple[str, str]]]:
    """Returns the cards of each pile by the first word of its name: of the button beside it, or in bold."""
    piles: dict[str, list[tuple[str, str]]] = {}
    for line in text_of(message).splitlines():
        named = _NAMED.match(line)
        if named:
            piles[named[1]] = cards_in(line)
    for component in walk(message.components):
        if component["type"] == Kind.SECTION and component["accessory"]["type"] == Kind.BUTTON:
            name = _label(component["accessory"]).partition(" ")[0]
            piles[name] = [card for part in texts([component]) for card in cards_in(part)]
    return piles


def _goes_home(card: tuple[str, str], home: Collection[tuple[str, str]]) -> bool:
    rank, suit = card
    return card not in home if rank == "A" else (_RANKS[_RANKS.index(rank) - 1], suit) in home


def _fits(pile: Sequence[tuple[str, str]], home: Collection[tuple[str, str]]) -> bool:
    """Whether the exposed card is one above or below a foundation's top, suits aside (the queens may be out)."""
    if not pile:
        return False
    place = _RANKS.index(pile[-1][0])
    beside = {_RANKS[place - 1], _RANKS[(place + 1) % len(_RANKS)], {"J": "K", "K": "J"}.get(pile[-1][0], "")}
    return any(rank in beside for rank, _ in home)


def _label(button: Json) -> str:
    return button.get("label") or (button.get("emoji") or {}).get("name") or ""
