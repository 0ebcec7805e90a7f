"""The public message of a race at its largest, in every phase and for as many entrants as fit in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.services.races import RaceView, Runner
from bot.views.lobby import DETAILED, lobby, seat
from engine import Attempt, Phase
from engine.race import MAX_ENTRANTS
from tests.payloads import check
from tests.services.conftest import NOW
from tests.views.test_result_limits import view_of
from tests.views.test_standings_limits import NAME


def lobby_view(entrants: int, phase: Phase, *, done: bool) -> RaceView:
    """Returns a race with the longest names and the largest numbers, its entrants *done* or not."""
    view = view_of(entrants)
    attempt = replace(
        Attempt.begin(view.record.rules, "friday", start=NOW), moves=99_999, mistakes=9_999, undos=9_999
    )
    field = tuple(
        replace(each, ready=True, result=each.result if done else None) for each in view.record.race.entrants
    )
    record = view.record.with_race(replace(view.record.race, phase=phase, entrants=field))
    has_begun = phase in (Phase.RUNNING, Phase.FINISHED)
    runners = tuple(Runner(each, NAME, attempt if has_begun else None) for each in field)
    invited = (NAME,) * (MAX_ENTRANTS - entrants) if phase is Phase.OPEN else ()
    return RaceView(record, runners, invited)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("entrants", [1, DETAILED, DETAILED + 1, MAX_ENTRANTS])
def test_lobbies_and_seats_keep_to_the_limits(entrants: int, phase: Phase) -> None:
    for done in (False, True):
        view = lobby_view(entrants, phase, done=done)
        check(lobby(view))
        race = view.record.race
        if phase is Phase.OPEN:
            check(seat(view, race.host, first=True, removable=race.removable(race.host)))
        if phase is Phase.COUNTDOWN:
            check(seat(view, race.host, first=True))


@pytest.mark.parametrize("entrants", [2, DETAILED + 1])
def test_one_who_is_done_keeps_the_moves_and_mistakes(entrants: int) -> None:
    view = lobby_view(entrants, Phase.RUNNING, done=True)
    shown = str(lobby(view).components)
    for told in ("2:00:00.0 · 52 cards left", "99999 moves", "9999 mistakes"):
        assert shown.count(told) == entrants
