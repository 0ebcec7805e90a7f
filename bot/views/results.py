"""The result of a race."""

from __future__ import annotations

from bot.services.races import RaceView
from bot.text import count, duration, harmless, say
from bot.text import lobby as lobby_text
from bot.text import result as result_text
from bot.views.board import ACCENT_WON
from bot.views.ids import RACE, make_id
from bot.views.payload import ButtonStyle, Inner, Message, button, container, row
from bot.views.payload import text as words
from engine import Result, commitment, deal_code

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def result(view: RaceView) -> Message:
    """Returns the placements with all that is counted, and what anybody needs to check the deal."""
    record = view.record
    lines = []
    for standing in record.race.standings:
        done = standing.entrant.result
        if done is None:
            continue
        lines.append(
            say(
                result_text.RESULT_LINE,
                medal=MEDALS.get(standing.place, f"**{standing.place}.**"),
                name=harmless(view.name(standing.entrant.player)),
                end=say(result_text.ENDS[done.reason], time=duration(done.time)),
                details=" · ".join(ledger(done)),
            )
        )
    deal = say(
        result_text.RESULT_DEAL,
        code=deal_code(record.rules.key, record.seed),
        salt=record.salt,
        hash=commitment(record.rules.key, record.seed, record.salt),
    )
    rematch = button(str(lobby_text.BUTTON_REMATCH), make_id(RACE, record.id, "rematch"), ButtonStyle.PRIMARY)
    parts: list[Inner] = [
        words(say(result_text.RESULT_TITLE, game=record.rules.name)),
        words("\n".join(lines)),
        words(f"{say(result_text.RESULT_RULE)}\n{deal}"),
        row(rematch),
    ]
    return Message.of(container(parts, ACCENT_WON))


def ledger(done: Result) -> list[str]:
    """Returns what is counted of an attempt: cards left and moves always, help and mistakes where there were any."""
    parts = [
        count(result_text.CARDS_LEFT_ONE, result_text.CARDS_LEFT, done.cards_left),
        count(result_text.MOVES_ONE, result_text.MOVES, done.moves),
    ]
    for one, many, n in (
        (result_text.MISTAKES_ONE, result_text.MISTAKES, done.mistakes),
        (result_text.UNDOS_ONE, result_text.UNDOS, done.undos),
        (result_text.HINTS_ONE, result_text.HINTS, done.hints),
    ):
        if n:
            parts.append(count(one, many, n))
    return parts
