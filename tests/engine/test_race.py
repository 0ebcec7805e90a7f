"""Races as values: what is allowed when, the start, and the ranking."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    AlreadyInRaceError,
    EndReason,
    Entrant,
    HostIsHereError,
    NotHostError,
    NotInRaceError,
    Phase,
    Race,
    RaceError,
    RaceFullError,
    RemovedFromRaceError,
    Result,
    WrongPhaseError,
)
from engine.race import ALLOWED, HOST_IDLE, LOBBY_IDLE, MAX_ENTRANTS, Action, merit, rank

HOST = 1


def lobby(*others: int, now: int = 0) -> Race:
    race = Race.open(HOST, 100 + HOST, now)
    for player in others:
        race = race.join(player, 100 + player, now)
    return race


def result(reason: EndReason, *, time: int = 0, cards: int = 0) -> Result:
    return Result(reason, time, cards, moves=0, mistakes=0, undos=0, hints=0)


def test_the_host_is_in_from_the_beginning() -> None:
    race = lobby(2)
    assert [entrant.player for entrant in race.entrants] == [HOST, 2]
    assert race.phase is Phase.OPEN


@pytest.mark.parametrize(("now", "start_at"), [(0, 5000), (1, 6000), (999, 6000), (1000, 6000), (1001, 7000)])
def test_the_countdown_runs_to_a_whole_second(now: int, start_at: int) -> None:
    assert lobby().start(HOST, now).start_at == start_at


def test_all_ready_start_the_race_but_one_alone_does_not() -> None:
    assert lobby().ready(HOST, 0).phase is Phase.OPEN
    race = lobby(2).ready(HOST, 0)
    assert race.phase is Phase.OPEN
    assert race.ready(HOST, 0, ready=False).ready(2, 0).phase is Phase.OPEN
    assert race.ready(2, 0).phase is Phase.COUNTDOWN


def test_only_an_idle_host_lets_others_start() -> None:
    race = lobby(2)
    with pytest.raises(HostIsHereError) as caught:
        race.start(2, HOST_IDLE - 1)
    assert caught.value.wait == 1
    assert race.start(2, HOST_IDLE).phase is Phase.COUNTDOWN
    with pytest.raises(HostIsHereError):
        race.ready(HOST, 5000).start(2, HOST_IDLE)


def test_the_last_one_not_ready_starts_the_race_by_going() -> None:
    race = lobby(2, 3).ready(HOST, 0).ready(2, 0)
    assert race.leave(3, 1).phase is Phase.COUNTDOWN
    assert race.remove(HOST, 3, 1).phase is Phase.COUNTDOWN
    assert lobby(2).ready(HOST, 0).leave(2, 1).phase is Phase.OPEN


def test_a_host_who_looks_is_not_idle() -> None:
    race = lobby(2).show(HOST, 1000)
    with pytest.raises(HostIsHereError):
        race.start(2, HOST_IDLE)
    assert lobby(2).show(9, 1000) == lobby(2)


def test_a_host_who_leaves_hands_over_and_the_last_one_cancels() -> None:
    race = lobby(2, 3).leave(HOST, 10)
    assert race.host == 2
    assert race.leave(2, 10).leave(3, 10).phase is Phase.CANCELLED


def test_a_removed_entrant_does_not_come_back() -> None:
    race = lobby(2).remove(HOST, 2, 0)
    assert race.find(2) is None
    with pytest.raises(RemovedFromRaceError):
        race.join(2, 5, 0)


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (AlreadyInRaceError, lambda race: race.join(2, 9, 0)),
        (NotInRaceError, lambda race: race.leave(9, 0)),
        (NotInRaceError, lambda race: race.ready(9, 0)),
        (NotInRaceError, lambda race: race.start(9, HOST_IDLE)),
        (NotInRaceError, lambda race: race.remove(HOST, 9, 0)),
        (NotHostError, lambda race: race.remove(2, HOST, 0)),
        (NotHostError, lambda race: race.cancel(2)),
        (WrongPhaseError, lambda race: race.begin()),
        (WrongPhaseError, lambda race: race.finish()),
    ],
)
def test_refusals(error: type[RaceError], action) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error):
        action(lobby(2))


def test_a_race_takes_no_more_than_its_places() -> None:
    race = lobby(*range(2, MAX_ENTRANTS + 1))
    with pytest.raises(RaceFullError):
        race.join(99, 99, 0)


def test_a_moderator_cancels_what_the_host_would() -> None:
    assert lobby().cancel(99, moderator=True).phase is Phase.CANCELLED


def test_a_silent_lobby_expires_and_nothing_else_does() -> None:
    assert lobby().expire(LOBBY_IDLE - 1).phase is Phase.OPEN
    assert lobby().expire(LOBBY_IDLE).phase is Phase.CANCELLED
    running = lobby().start(HOST, 0).begin()
    assert running.expire(10 * LOBBY_IDLE) == running


def test_all_forfeited_is_finished_and_not_cancelled() -> None:
    race = lobby(2).start(HOST, 0).begin()
    assert race.finish() == race
    forfeited = [replace(entrant, result=result(EndReason.FORFEIT)) for entrant in race.entrants]
    assert replace(race, entrants=(forfeited[0], race.entrants[1])).finish().phase is Phase.RUNNING
    race = replace(race, entrants=tuple(forfeited)).finish()
    assert race.phase is Phase.FINISHED
    assert [standing.place for standing in race.standings] == [1, 1]


def test_every_action_is_refused_wherever_the_table_does_not_allow_it() -> None:
    for phase in Phase:
        for action in Action:
            race = Race(HOST, (), phase=phase)
            if action in ALLOWED[phase]:
                race.check(action)
            else:
                with pytest.raises(WrongPhaseError):
                    race.check(action)


results = st.builds(
    result,
    st.sampled_from(EndReason),
    time=st.integers(0, 5),
    cards=st.integers(0, 3),
)


@given(st.lists(st.none() | results, max_size=10))
def test_places_count_who_is_better(all_results: list[Result | None]) -> None:
    standings = rank(Entrant(i, i, result=each) for i, each in enumerate(all_results))
    for standing in standings:
        own = merit(standing.entrant.result)
        assert standing.place == 1 + sum(merit(each) < own for each in all_results)
    assert [each.place for each in standings] == sorted(each.place for each in standings)


def test_the_printed_ranking() -> None:
    best_first = [
        result(EndReason.WON, time=10),
        result(EndReason.WON, time=11),
        result(EndReason.STUCK, cards=2, time=99),
        result(EndReason.TIME, cards=3, time=50),
        result(EndReason.DEAD, cards=3, time=60),
        result(EndReason.FORFEIT, cards=1, time=1),
    ]
    keys = [merit(each) for each in best_first]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert merit(best_first[-1]) == merit(result(EndReason.FORFEIT, cards=50, time=70))
    assert merit(result(EndReason.STUCK, cards=1, time=5)) == merit(result(EndReason.TIME, cards=1, time=5))
