"""The result of a race."""

from __future__ import annotations

from bot.services.prover import Proof, Winnable
from bot.services.races import RaceView
from bot.services.standings import Verdict, placings
from bot.text import code, count, duration, say
from bot.text import lobby as lobby_text
from bot.text import result as result_text
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.board import ACCENT_WON
from bot.views.ids import RACE, REPLAY, make_id
from bot.views.moderation import judgement_lines
from bot.views.payload import ButtonStyle, File, Inner, Message, button, container, gallery, row
from bot.views.payload import text as words
from bot.views.practice import verdict_line
from engine import Entrant, Result, commitment, deal_code

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
DETAILED = 12
"""Up to how many entrants each line tells everything; more of them are told in short, to fit into one message."""


def result(
    view: RaceView, verdict: Verdict, chart: File | None = None, *, proof: Proof | None = None
) -> Message:
    """Returns the placements with all that is counted, and what anybody needs to check the deal.

    *proof* is what was found out about the deal after the race.
    """
    record = view.record
    placed = placings(record.race, verdict.disqualified)
    is_brief = len(placed) > DETAILED
    lines = [say(result_text.RESULT_VOIDED)] if verdict.is_voided else []
    for number, (place, entrant) in enumerate(placed, start=1):
        lines.append(_line(view, verdict, number, place, entrant, is_brief=is_brief))
    notes = [*judgement_lines(view.judgements, view.names), say(result_text.RESULT_RULE)]
    if record.outage:
        notes.append(say(lobby_text.OUTAGE, seconds=record.outage // 1000))
    if proof is None and record.band is not None:
        proof = Proof(Winnable.YES, record.band)
    if proof is not None:
        notes.append(verdict_line(proof, None))
    notes.append(
        say(
            result_text.RESULT_DEAL,
            code=code(deal_code(record.rules.key, record.seed)),
            salt=record.salt,
            hash=commitment(record.rules.key, record.seed, record.salt),
        )
    )
    parts: list[Inner] = [
        words(say(result_text.RESULT_TITLE, game=game_name(record.rules))),
        words("\n".join(lines)),
    ]
    if chart is not None:
        parts.append(gallery(f"attachment://{chart.name}", chart.description))
    parts += [
        words("\n".join(notes)),
        row(
            button(say(lobby_text.BUTTON_REMATCH), make_id(RACE, record.id, "rematch"), ButtonStyle.PRIMARY),
            button(say(result_text.BUTTON_REPLAY), make_id(REPLAY, "race", record.id)),
            button(say(lobby_text.BUTTON_AGAIN), make_id(RACE, record.id, "again")),
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


def _line(
    view: RaceView, verdict: Verdict, number: int, place: int | None, entrant: Entrant, *, is_brief: bool
) -> str:
    done, name = entrant.result, name_of(entrant.player, view.names)
    assert done is not None
    if place is None:
        return say(result_text.RESULT_OUT, name=name, number=number)
    if is_brief:
        line = say(
            result_text.RESULT_SHORT_LINE,
            medal=_medal(place),
            number=number,
            name=name,
            time=duration(done.time),
            end=say(result_text.SHORT_ENDS[done.reason]),
            cards=done.cards_left,
        )
    else:
        line = say(
            result_text.RESULT_LINE,
            medal=_medal(place),
            number=number,
            name=name,
            end=say(result_text.ENDS[done.reason], time=duration(done.time)),
            details=" · ".join(ledger(done)),
        )
    return line + _rating(verdict, entrant.player)


def _rating(verdict: Verdict, player: int) -> str:
    """Returns the rating of *player* after the race and how it changed, or nothing if the race is not rated."""
    rated = verdict.ratings.get(player)
    if rated is None:
        return ""
    if rated.gain is None:
        return say(result_text.RATING_NEW, rating=rated.rating)
    return say(result_text.RATING_CHANGED, rating=rated.rating, gain=f"{rated.gain:+}".replace("-", "−"))


def _medal(place: int) -> str:
    return MEDALS.get(place, f"**{place}.**")
