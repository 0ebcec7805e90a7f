"""The result of a race."""

from __future__ import annotations

from bot.services.prover import Proof, Winnable
from bot.services.races import RaceView
from bot.services.standings import Verdict, placings
from bot.text import code, duration, say
from bot.text import lobby as lobby_text
from bot.text import result as result_text
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.board import ACCENT_WON, counts
from bot.views.ids import RACE, REPLAY, make_id
from bot.views.moderation import judgement_lines
from bot.views.payload import (
    ButtonStyle,
    File,
    Inner,
    Message,
    button,
    container,
    gallery,
    row,
    with_names_that_fit,
)
from bot.views.payload import text as words
from bot.views.practice import verdict_line
from engine import Entrant, Result, commitment, deal_code

DETAILED = 12
"""Up to how many entrants each line counts in words; of more of them in signs, to fit into one message."""


def result(
    view: RaceView, verdict: Verdict, chart: File | None = None, *, proof: Proof | None = None
) -> Message:
    """Returns the placements with all that is counted, and what anybody needs to check the deal.

    *proof* is what was found out about the deal after the race.
    """
    return with_names_that_fit(lambda most: _result(view, verdict, chart, proof, most))


def _result(view: RaceView, verdict: Verdict, chart: File | None, proof: Proof | None, most: int) -> Message:
    """Returns the result with names of at most *most* characters."""
    record = view.record
    placed = placings(record.race, verdict.disqualified)
    is_brief = len(placed) > DETAILED
    lines = [say(result_text.RESULT_VOIDED)] if verdict.is_voided else []
    for number, (place, entrant) in enumerate(placed, start=1):
        name = name_of(entrant.player, view.names, most)
        lines.append(_line(verdict, number, place, entrant, name, is_brief=is_brief))
    if is_brief:
        lines.append(say(result_text.RESULT_KEY))
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


def _line(
    verdict: Verdict, number: int, place: int | None, entrant: Entrant, name: str, *, is_brief: bool
) -> str:
    done = entrant.result
    assert done is not None
    if place is None:
        return say(result_text.RESULT_OUT, name=name, number=number)
    medal = f"**{place}.**" if done.is_forfeit else result_text.MEDALS.get(place, f"**{place}.**")
    if is_brief:
        line = say(
            result_text.RESULT_SHORT_LINE,
            medal=medal,
            number=number,
            name=name,
            end=say(result_text.SHORT_ENDS[done.reason]),
            time=duration(done.time),
            counts=_signs(done),
        )
    else:
        line = say(
            result_text.RESULT_LINE,
            medal=medal,
            number=number,
            name=name,
            end=say(result_text.ENDS[done.reason], time=duration(done.time)),
            details=counts(done),
        )
    return line + _rating(verdict, entrant.player, is_brief=is_brief)


def _signs(done: Result) -> str:
    """Returns what is counted of an attempt with a sign for each count, as :data:`RESULT_KEY` explains them."""
    signs = [(result_text.CARDS_LEFT_SIGN, done.cards_left), (result_text.MOVES_SIGN, done.moves)]
    help_and_mistakes = (
        (result_text.MISTAKES_SIGN, done.mistakes),
        (result_text.UNDOS_SIGN, done.undos),
        (result_text.HINTS_SIGN, done.hints),
    )
    signs += [(sign, n) for sign, n in help_and_mistakes if n]
    return " ".join(f"{sign}{n}" for sign, n in signs)


def _rating(verdict: Verdict, player: int, *, is_brief: bool) -> str:
    """Returns the rating of *player* after the race and how it changed, or nothing if the race is not rated."""
    rated = verdict.ratings.get(player)
    if rated is None:
        return ""
    gain = None if rated.gain is None else f"{rated.gain:+}".replace("-", "−")
    if is_brief:
        return f" {result_text.RATING_SIGN}{rated.rating}" + (f" ({gain})" if gain else "")
    if gain is None:
        return say(result_text.RATING_NEW, rating=rated.rating)
    return say(result_text.RATING_CHANGED, rating=rated.rating, gain=gain)
