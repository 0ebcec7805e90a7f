"""The result of a race."""

from __future__ import annotations

from bot.services.races import RaceView
from bot.text import count, duration, harmless, say
from bot.text import lobby as lobby_text
from bot.text import result as result_text
from bot.views.board import ACCENT_WON
from bot.views.ids import RACE, make_id
from bot.views.payload import ButtonStyle, File, Inner, Message, button, container, gallery, row
from bot.views.payload import text as words
from engine import Result, Standing, commitment, deal_code

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
DETAILED = 12
"""Up to how many entrants each line tells everything; more of them are told in short, to fit into one message."""


def result(view: RaceView, chart: File | None = None) -> Message:
    """Returns the placements with all that is counted, and what anybody needs to check the deal."""
    record = view.record
    standings = [each for each in record.race.standings if each.entrant.result is not None]
    tell = _line if len(standings) <= DETAILED else _short_line
    lines = [tell(view, index, standing) for index, standing in enumerate(standings, start=1)]
    notes = [say(result_text.RESULT_RULE)]
    if record.outage:
        notes.append(say(lobby_text.OUTAGE, seconds=record.outage // 1000))
    notes.append(
        say(
            result_text.RESULT_DEAL,
            code=_code(deal_code(record.rules.key, record.seed)),
            salt=record.salt,
            hash=commitment(record.rules.key, record.seed, record.salt),
        )
    )
    parts: list[Inner] = [
        words(say(result_text.RESULT_TITLE, game=record.rules.name)),
        words("\n".join(lines)),
    ]
    if chart is not None:
        parts.append(gallery(f"attachment://{chart.name}", chart.description))
    parts += [
        words("\n".join(notes)),
        row(
            button(lobby_text.BUTTON_REMATCH, make_id(RACE, record.id, "rematch"), ButtonStyle.PRIMARY),
            button(lobby_text.BUTTON_AGAIN, make_id(RACE, record.id, "again")),
        ),
    ]
    return Message.of(container(parts, ACCENT_WON), files=[] if chart is None else [chart])


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


def _line(view: RaceView, number: int, standing: Standing) -> str:
    done = standing.entrant.result
    assert done is not None
    return say(
        result_text.RESULT_LINE,
        medal=_medal(standing.place),
        number=number,
        name=harmless(view.name(standing.entrant.player)),
        end=say(result_text.ENDS[done.reason], time=duration(done.time)),
        details=" · ".join(ledger(done)),
    )


def _short_line(view: RaceView, number: int, standing: Standing) -> str:
    done = standing.entrant.result
    assert done is not None
    return say(
        result_text.RESULT_SHORT_LINE,
        medal=_medal(standing.place),
        number=number,
        name=harmless(view.name(standing.entrant.player)),
        time=duration(done.time),
        end=say(result_text.SHORT_ENDS[done.reason]),
        cards=done.cards_left,
    )


def _medal(place: int) -> str:
    return MEDALS.get(place, f"**{place}.**")


def _code(text: str) -> str:
    """Returns *text* in a code span, whatever it holds."""
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"
