"""The result of a race."""

from __future__ import annotations

from bot import text
from bot.services.races import RaceView
from bot.text import count, duration, harmless, say
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
                text.RESULT_LINE,
                medal=MEDALS.get(standing.place, f"**{standing.place}.**"),
                name=harmless(view.name(standing.entrant.player)),
                end=say(text.ENDS[done.reason], time=duration(done.time)),
                details=" · ".join(ledger(done)),
            )
        )
    deal = say(
        text.RESULT_DEAL,
        code=deal_code(record.rules.key, record.seed),
        salt=record.salt,
        hash=commitment(record.rules.key, record.seed, record.salt),
    )
    rematch = button(str(text.BUTTON_REMATCH), make_id(RACE, record.id, "rematch"), ButtonStyle.PRIMARY)
    parts: list[Inner] = [
        words(say(text.RESULT_TITLE, game=record.rules.name)),
        words("\n".join(lines)),
        words(f"{say(text.RESULT_RULE)}\n{deal}"),
        row(rematch),
    ]
    return Message.of(container(parts, ACCENT_WON))


def ledger(done: Result) -> list[str]:
    """Returns what is counted of an attempt: cards left and moves always, help and mistakes where there were any."""
    parts = [
        count(text.CARDS_LEFT_ONE, text.CARDS_LEFT, done.cards_left),
        count(text.MOVES_ONE, text.MOVES, done.moves),
    ]
    for one, many, n in (
        (text.MISTAKES_ONE, text.MISTAKES, done.mistakes),
        (text.UNDOS_ONE, text.UNDOS, done.undos),
        (text.HINTS_ONE, text.HINTS, done.hints),
    ):
        if n:
            parts.append(count(one, many, n))
    return parts
