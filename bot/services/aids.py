"""What makes play easier: moves that play themselves, moves typed as text, hints; and where they are allowed."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import NoAidError
from bot.store.attempts import AttemptRecord
from engine import Attempt, Event, EventKind, IllegalMoveError, NotationError, parse_move

MOST_TYPED = 300
"""How many moves of one form are read at most: more than any game takes."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Moves that were typed: what is recorded of them, and the first one that was not possible, if any."""

    events: tuple[Event, ...]
    played: int
    refused: str | None = None


def may_help(record: AttemptRecord) -> bool:
    """Tells whether moves can be typed or play themselves: not where making the right call is the game."""
    return not record.attempt.rules.calls


def may_hint(record: AttemptRecord) -> bool:
    """Tells whether hints are given: not where making the right call is the game, nor where ratings are at stake."""
    return may_help(record) and not record.ranked


def check_help(record: AttemptRecord) -> None:
    """Does nothing where moves can be typed or play themselves.

    :raises NoAidError: elsewhere.
    """
    if not may_help(record):
        raise NoAidError


def check_hint(record: AttemptRecord) -> None:
    """Does nothing where hints are given.

    :raises NoAidError: elsewhere.
    """
    if not may_hint(record):
        raise NoAidError


def play_safe(attempt: Attempt, at: int) -> tuple[Event, ...]:
    """Returns what is recorded when all safe moves are played at once.

    :raises IllegalMoveError: if there are none.
    """
    moves, _ = attempt.rules.safe_line(attempt.state)
    if not moves:
        raise IllegalMoveError("there is no safe move here")
    return attempt.play_all(moves, at)


def play_typed(attempt: Attempt, text: str, at: int) -> Typed:
    """Returns what is recorded of the moves in *text*, up to the first one that is none or not possible."""
    events: list[Event] = []
    played = 0
    for word in text.replace(",", " ").replace(";", " ").split()[:MOST_TYPED]:
        try:
            step = attempt.play(parse_move(word), at)
        except (IllegalMoveError, NotationError):
            return Typed(tuple(events), played, word)
        events += step
        played += 1
        attempt = attempt.extend(step)
        if attempt.is_over:
            break
    return Typed(tuple(events), played)


def moves_in(events: tuple[Event, ...]) -> int:
    """Returns how many moves are among *events*."""
    return sum(event.kind is EventKind.MOVE for event in events)
