"""What follows a game that counts for nothing: whether its deal can be won, and the ways on."""

from __future__ import annotations

from bot.services.pool import is_certifiable
from bot.services.prover import Proof, Winnable
from bot.store.attempts import AttemptRecord, Purpose
from bot.text import daily as daily_text
from bot.text import practice as practice_text
from bot.text import say
from bot.views.ids import DAILY, PRACTICE, make_id
from bot.views.payload import Button, ButtonStyle, button
from engine import Rules


def certificate(rules: Rules, band: int | None) -> str | None:
    """Returns what is said of a deal before it is played, or None where the deal alone decides."""
    if not is_certifiable(rules):
        return None
    return say(practice_text.NOT_CERTIFIED if band is None else practice_text.CERTIFIED)


def verdict(proof: Proof) -> str:
    """Returns what is known of a deal, once it has been played."""
    match proof.winnable:
        case Winnable.YES if proof.band is not None:
            return say(practice_text.WINNABLE_BAND, band=say(daily_text.BANDS[proof.band]))
        case Winnable.YES:
            return say(practice_text.WINNABLE)
        case Winnable.NO:
            return say(practice_text.LOST)
        case Winnable.UNKNOWN:
            return say(practice_text.UNKNOWN)


def verdict_line(proof: Proof, code: str | None) -> str:
    """Returns the line of a board that is over: what is known of its deal, and its *code* unless that is secret."""
    if code is None:
        return say(practice_text.VERDICT, verdict=verdict(proof))
    return say(practice_text.VERDICT_DEAL, verdict=verdict(proof), code=code)


def ways_on(record: AttemptRecord) -> list[Button]:
    """Returns the buttons under an attempt that is over: none where the race tells what follows."""
    ways: list[Button] = []
    if record.day is not None:
        ways.append(
            button(
                say(daily_text.BUTTON_RESULTS),
                make_id(DAILY, record.day, record.attempt.rules.key, "show", 0),
                ButtonStyle.PRIMARY,
            )
        )
    if record.purpose is Purpose.DAILY and record.day is not None:
        again = make_id(DAILY, record.day, record.attempt.rules.key, "again")
        ways.append(button(say(daily_text.BUTTON_AGAIN), again))
    if record.purpose in (Purpose.PRACTICE, Purpose.ARCHIVE):
        ways += [
            restart_button(record),
            button(say(practice_text.BUTTON_NEW), make_id(PRACTICE, record.id, "new")),
        ]
    return ways


def restart_button(record: AttemptRecord) -> Button:
    """Returns the button that begins the deal of an attempt anew."""
    return button(say(practice_text.BUTTON_RESTART), make_id(PRACTICE, record.id, "again"))
