"""The card that a player shares of a daily: plain text for any chat, which spoils nothing but how it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.periods import date_of
from bot.services.daily_results import DailyView
from bot.store.dailies import PLAYED_OUT
from bot.text import count, duration, say
from bot.text import daily as daily_text
from bot.text import result as result_text
from bot.text.games import game_name
from engine import Result

SQUARES: Final = "⬛🟫🟥🟧🟨🟩"
"""The colours of progress, from none to all of it."""
WIDTH: Final = 10
"""How many squares a line has."""
LINES: Final = 2
"""How many lines of squares there are at most."""


def share_card(view: DailyView) -> str:
    """Returns the card of the player whose *view* it is and who is done: five lines at most, no card named."""
    assert view.own is not None
    assert view.own.result is not None
    lines = [
        say(
            daily_text.CARD_TITLE, game=game_name(view.daily.rules), date=date_of(view.daily.day).isoformat()
        ),
        _outcome(view.own.result),
        *squares([cards for _, cards in view.course]),
    ]
    if view.streak.days > 1 and view.streak.last_day == view.daily.day:  # on an older day it was another one
        lines.append(say(daily_text.CARD_STREAK, n=view.streak.days))
    return "\n".join(lines)


def squares(course: Sequence[int]) -> list[str]:
    """Returns how the cards went, move by move, in lines of squares; *course* has the cards left after each move."""
    if not course:
        return []
    dealt, count_of = max(course[0], 1), min(WIDTH * LINES, max(1, len(course) - 1))
    made = ""
    for square in range(1, count_of + 1):
        cards = course[round(square * (len(course) - 1) / count_of)]
        made += SQUARES[(dealt - cards) * (len(SQUARES) - 1) // dealt]
    return [made[start : start + WIDTH] for start in range(0, len(made), WIDTH)]


def _outcome(result: Result) -> str:
    if result.reason not in PLAYED_OUT:
        return say(daily_text.CARD_DNF, end=say(daily_text.ENDS[result.reason]))
    moves = count(daily_text.MOVES_ONE, daily_text.MOVES, result.moves)
    if result.mistakes:
        moves += " · " + count(daily_text.CARD_MISTAKES_ONE, daily_text.CARD_MISTAKES, result.mistakes)
    if result.is_won:
        return say(daily_text.CARD_WON, time=duration(result.time), moves=moves)
    return say(
        daily_text.CARD_LEFT,
        end=say(daily_text.ENDS[result.reason]),
        cards=count(result_text.CARDS_LEFT_ONE, result_text.CARDS_LEFT, result.cards_left),
        moves=moves,
    )
