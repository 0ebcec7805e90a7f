"""How the rival chooses a button: by what stands on its board, as a person would."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from bot.playground.errors import Json
from bot.playground.models import Message
from bot.playground.reading import buttons, text_of

Strategy = Callable[[Message, Random], str | None]
"""Returns the custom id of the button to press on a board, None to wait."""

NOT_A_MOVE = re.compile(
    r"forfeit|give up|more|undo|hint|leave|ready|rules|replay|rematch|back|cancel|settings|type|view|join|start|open"
    r"|play|close|help|again",
    re.IGNORECASE,
)
"""Labels of buttons that are no moves."""

_STOCK = re.compile(r"deal|stock", re.IGNORECASE)
_RANK = r"(?:10|[2-9ATJQK])"
_CARD = re.compile(
    rf"<a?:(?:\w*?_)?({_RANK})_?([CDHS])(?:_\w*)?:\d+>"  # emoji, whatever stands around the card in their names
    rf"|(?<![\w<:])({_RANK})\s?([CDHScdhs♣♦♥♠])(?![\w:])"
)
_SUITS = str.maketrans("♣♦♥♠", "CDHS")
_FAN = 4
_MISTAKES = 0.06
"""How often the rival calls wrongly."""

_STOCK_PRESSES = 0.25
"""How often it deals from the stock while other moves are open."""


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


def moves_of(message: Message) -> list[Json]:
    """Returns the enabled buttons of a board that play something."""
    return [
        button
        for button in buttons(message)
        if not button.get("disabled") and not NOT_A_MOVE.search(_label(button))
    ]


def choose(message: Message, random: Random) -> str | None:
    """Returns the button of a passable player: the right call of a hand game mostly, else any move."""
    moves = moves_of(message)
    by_label: dict[str, str] = {_label(button): button["custom_id"] for button in moves}
    if {"Draw", "Discard 2"} <= by_label.keys():
        empty = re.search(r"stock\W*\b0\b", text_of(message), re.IGNORECASE) is not None
        call = right_call(fan_of(message), list(by_label), stock_is_empty=empty)
        if random.random() < _MISTAKES:
            call = random.choice(list(by_label))
        return by_label.get(call, by_label["Draw"])
    stock = [button for button in moves if _STOCK.search(_label(button))]
    others = [button for button in moves if button not in stock]
    deals = stock and (not others or random.random() < _STOCK_PRESSES)
    pool = stock if deals else others
    return str(random.choice(pool)["custom_id"]) if pool else None


def _label(button: Json) -> str:
    return button.get("label") or (button.get("emoji") or {}).get("name") or ""
