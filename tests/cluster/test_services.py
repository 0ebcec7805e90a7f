"""One race whose presses arrive in two processes: the store's keys decide, whatever either has at hand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from bot.errors import BusyError, TimeOverError, UserError
from bot.services.attempts import Attempts, Played
from bot.services.pool import Pool
from bot.services.press import HandledError, Press
from bot.services.races import Races
from bot.snowflake import snowflake_at
from bot.store.database import Database, open_database
from engine import Attempt, EndReason, EngineError, Event, EventKind, Phase
from engine.race import GRACE

ROOT = Path(__file__).parents[2]
NOW = 1_796_000_000_000
MINUTE = 60_000
NUMBERS = count()


@dataclass
class Bot:
    """The services of one process."""

    db: Database
    attempts: Attempts
    races: Races


@pytest.fixture
async def bots(postgres_url: str) -> AsyncIterator[list[Bot]]:
    """Yields two processes on one database."""
    bots = []
    for _ in range(2):
        db = await open_database(postgres_url, ROOT / "migrations")
        attempts = Attempts(db)
        bots.append(Bot(db, attempts, Races(db, attempts, Pool(db))))
    yield bots
    for bot in bots:
        await bot.db.close()


def press(player: int, at: int = NOW) -> Press:
    """Returns a press of *player* unlike any other."""
    return Press(snowflake_at(at) + next(NUMBERS), player, f"P{player}")


def move(attempt: Attempt, at: int) -> tuple[Event, ...]:
    return attempt.play(attempt.rules.legal_moves(attempt.state)[0], at)


async def begun(bots: list[Bot], players: int = 2) -> tuple[int, list[int]]:
    """Returns a running race and the attempts of its entrants, each of whom has joined elsewhere."""
    race = (await bots[0].races.open(press(1), guild=1, channel=2, game="links", minutes=1)).id
    for player in range(2, players + 1):
        await bots[player % 2].races.join(press(player), race)
    await bots[1].races.start(press(1), race)
    record = await bots[0].races.begin(race)
    assert record.race.phase is Phase.RUNNING
    return race, [entrant.attempt for entrant in record.race.entrants]


async def test_all_who_join_at_once_in_two_processes_are_in(bots: list[Bot]) -> None:
    race = (await bots[0].races.open(press(1), guild=1, channel=2, game="links")).id
    await asyncio.gather(*(bots[player % 2].races.join(press(player), race) for player in range(2, 12)))
    record = await bots[0].races.find(race)
    assert {entrant.player for entrant in record.race.entrants} == set(range(1, 12))
    positions = await bots[0].db.read("SELECT position FROM entrant WHERE race = $1", race)
    assert len(set(positions)) == 11


async def test_nobody_is_in_two_races_of_a_server(bots: list[Bot]) -> None:
    outcomes = await asyncio.gather(
        *(bot.races.open(press(1), guild=1, channel=2, game="links") for bot in bots), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["BusyError", "RaceRecord"]
    assert BusyError in {type(outcome) for outcome in outcomes}


async def test_a_start_in_both_begins_once(bots: list[Bot]) -> None:
    race = (await bots[0].races.open(press(1), guild=1, channel=2, game="links")).id
    await bots[1].races.start(press(1), race)
    await asyncio.gather(*(bot.races.begin(race) for bot in bots for _ in range(3)))
    assert await bots[0].db.read("SELECT COUNT(*) FROM attempt") == [(1,)]


async def test_moves_in_both_processes_are_played_once_each(bots: list[Bot]) -> None:
    _, (attempt, _) = await begun(bots)
    chance = random.Random(10)
    at, seq, played = NOW + 10_000, 0, 0
    for _ in range(30):
        at += 1000
        # Both have the same board before them; sometimes the same press arrives in both.
        first = press(1, at)
        second = first if chance.random() < 0.3 else press(1, at + 1)
        outcomes = await asyncio.gather(
            bots[0].attempts.act(first, attempt, seq, move),
            bots[1].attempts.act(second, attempt, seq, move),
            return_exceptions=True,
        )
        done = [each for each in outcomes if isinstance(each, Played) and not each.is_stale]
        assert len(done) == 1
        assert all(isinstance(each, (Played, HandledError)) for each in outcomes)
        seq = done[0].record.attempt.seq
        played += 1
    events = await bots[0].db.read("SELECT seq FROM event WHERE attempt = $1 ORDER BY seq", attempt)
    assert events == [(number,) for number in range(1, seq + 1)]
    boards = [(await bot.attempts.find(attempt)).attempt for bot in bots]
    assert boards[0] == boards[1]
    assert boards[0].moves == played


async def test_a_limit_that_another_process_has_lengthened_counts(bots: list[Bot]) -> None:
    race, (attempt, _) = await begun(bots)
    start = (await bots[0].races.find(race)).race.start_at
    assert start is not None
    await bots[1].attempts.act(press(1, start + 1000), attempt, 0, move)  # it is at hand there now
    await bots[0].races.lengthen(race, (start + 2000, start + 32_000))
    with pytest.raises(TimeOverError):
        await bots[1].attempts.act(press(1, start + 91_000), attempt, 1, move)
    late = await bots[1].attempts.act(press(1, start + 80_000), attempt, 1, move)
    assert not late.is_stale
    assert (await bots[1].attempts.find(attempt)).attempt.deadline == start + 90_000
    assert await bots[1].races.close_overdue(start + 80_000) == set()
    assert await bots[1].races.close_overdue(start + 90_001 + GRACE) == {race}


async def test_nobody_is_stopped_by_a_limit_that_is_lengthened_at_that_moment(bots: list[Bot]) -> None:
    race, attempts = await begun(bots)
    start = (await bots[0].races.find(race)).race.start_at
    assert start is not None
    now = start + MINUTE + GRACE + 1
    await asyncio.gather(
        bots[0].races.lengthen(race, (start + 2000, start + 32_000)),
        *(bot.races.close_overdue(now) for bot in bots),
    )
    for attempt in attempts:
        own = (await bots[0].attempts.find(attempt)).attempt
        # Either the end came first, by the limit as it was, or there is none.
        assert own.end is None or (own.end.reason is EndReason.TIME and own.end.at == start + MINUTE)
        assert own.is_over or own.deadline == start + MINUTE + 30_000


async def test_servers_that_are_away_wait(bots: list[Bot]) -> None:
    race, _ = await begun(bots)
    start = (await bots[0].races.find(race)).race.start_at
    assert start is not None
    now = start + MINUTE + GRACE + 1
    assert await bots[0].races.close_overdue(now, is_away=lambda guild: guild == 1) == set()
    assert await bots[0].races.close_overdue(now, is_away=lambda guild: guild == 2) == {race}


async def test_the_end_of_a_race_in_both_processes_is_one_end(bots: list[Bot]) -> None:
    race, attempts = await begun(bots, players=4)
    at = NOW + 20_000
    await asyncio.gather(
        *(
            bots[number % 2].attempts.act(
                press(number + 1, at), attempt, 0, lambda own, now: own.forfeit(now)
            )
            for number, attempt in enumerate(attempts)
        )
    )
    ended = await asyncio.gather(*(bot.races.settle(race) for bot in bots))
    assert {record.race.phase for record in ended} == {Phase.FINISHED}
    assert ended[0].race == ended[1].race
    kinds = await bots[0].db.read("SELECT kind, COUNT(*) FROM event GROUP BY kind")
    assert kinds == [(EventKind.END.value, 4)]
    assert await bots[0].db.read("SELECT COUNT(*) FROM seat") == [(0,)]


async def test_a_host_who_starts_while_others_leave(bots: list[Bot]) -> None:
    race = (await bots[0].races.open(press(1), guild=1, channel=2, game="links")).id
    await bots[0].races.join(press(2), race)
    outcomes = await asyncio.gather(
        bots[0].races.start(press(1), race), bots[1].races.leave(press(2), race), return_exceptions=True
    )
    failed = [each for each in outcomes if isinstance(each, BaseException)]
    assert all(isinstance(each, (UserError, EngineError)) for each in failed)
    record = await bots[1].races.find(race)
    in_race = {entrant.player for entrant in record.race.entrants}
    seats = {row[0] for row in await bots[0].db.read("SELECT player FROM seat WHERE race = $1", race)}
    assert in_race == seats
