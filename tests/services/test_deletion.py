"""A deletion at the same moment as writes about the player: no row is left under the real id, on either database.

Each write is met in three places: the deletion is made between what the write follows from and the write itself; it
is under way, and not committed, when the write begins; the write is under way when the deletion begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from bot.errors import DailySpentError, UserError
from bot.services.attempts import Attempts
from bot.services.dailies import closes_at
from bot.services.moderation import Judge, Moderation
from bot.services.players import Players
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.privacy import Privacy
from bot.services.races import Races
from bot.services.standings import Standings
from bot.snowflake import snowflake_at
from bot.store import dailies as daily_store
from bot.store.database import ConflictError, Database, Row, Statement, Value, open_database
from bot.store.moderation import OPERATOR, Deed
from bot.store.privacy import cut_off
from tests.services.conftest import ANN, BOB, NOW, Club, forfeit, stuck
from tests.services.days import STUCK, WON, Days

ROOT = Path(__file__).parents[2]
TODAY = NOW // 86_400_000
OVER = closes_at(TODAY) + 60_000
TABLES = (
    "player",
    "race",
    "entrant",
    "attempt",
    "result",
    "member",
    "daily_result",
    "streak",
    "tally",
    "audit",
)


class Watched(Database):
    """A database that tells of the first write of a table, before it is made."""

    def __init__(
        self, db: Database, table: str, met: Callable[[tuple[Statement, ...]], Awaitable[bool]]
    ) -> None:
        self._db = db
        self._table = table
        self._met = met
        self.is_met = False

    @property
    def schema_version(self) -> int:
        return self._db.schema_version

    async def read(self, sql: str, *args: Value) -> list[Row]:
        return await self._db.read(sql, *args)

    async def write(self, *statements: Statement) -> None:
        """Writes, unless whoever is told of it has done so."""
        starts = (f"INSERT INTO {self._table} ", f"UPDATE {self._table} ")
        if not self.is_met and any(each.sql.startswith(starts) for each in statements):
            self.is_met = True
            if await self._met(statements):
                return
        await self._db.write(*statements)

    async def check(self) -> None:
        await self._db.check()

    async def backup(self, path: Path) -> None:
        await self._db.backup(path)

    async def close(self) -> None:
        await self._db.close()


@dataclass(frozen=True)
class Scene:
    """What has happened before, and a write about ANN that follows from it, into *table*."""

    table: str
    prepare: Callable[[Database], Awaitable[int]]
    write: Callable[[Database, int], Awaitable[object]]


async def _daily_played(db: Database) -> int:
    days = Days(db)
    await days.dailies.prepare(NOW)
    for player, how in ((ANN, WON), (BOB, STUCK)):
        await days.end(await days.play(player, NOW), how)
    return 0


async def _daily_closed(db: Database) -> int:
    await _daily_played(db)
    for daily in await daily_store.load(db, TODAY):
        await Days(db).ends._close(daily, OVER)
    return 0


async def _race_finished(db: Database) -> int:
    return await Club(db, Standings(db)).race(stuck(ANN), forfeit(BOB), count=False)


async def _race_counted(db: Database) -> int:
    return await Club(db, Standings(db)).race(stuck(ANN), forfeit(BOB))


async def _race_won(db: Database) -> int:
    """ANN, who hosts, is done, and so has no seat any more; BOB ends just now."""
    races = races_of(db)
    race = (await races.open(press(ANN), guild=1, channel=2, game="links")).id
    await races.join(press(BOB), race)
    await races.start(press(ANN), race)
    record = await races.begin(race)
    for number, entrant in enumerate(record.race.entrants):
        ended = press(entrant.player, (record.race.start_at or 0) + 1000 + number)
        await Attempts(db).act(ended, entrant.attempt, 0, lambda own, at: own.forfeit(at))
    return race


async def _race_cancelled(db: Database) -> int:
    races = races_of(db)
    race = (await races.open(press(ANN), guild=1, channel=2, game="links")).id
    await races.leave(press(ANN), race)
    return race


async def _close_day(db: Database, _: int) -> None:
    for daily in await daily_store.load(db, TODAY):
        await Days(db).ends._close(daily, OVER)


async def _disqualify_daily(db: Database, _: int) -> None:
    judge = Judge(99, OPERATOR, OPERATOR, OVER, "reason")
    await moderation_of(db).judge_daily(judge, Deed.DISQUALIFY, TODAY, "links", ANN)


async def _disqualify(db: Database, race: int) -> None:
    await moderation_of(db).disqualify(Judge(99, OPERATOR, OPERATOR, OVER, "reason"), race, ANN)


SCENES = {
    "places of a daily": Scene("daily_result", _daily_played, _close_day),
    "a streak": Scene("streak", _daily_played, lambda db, _: Days(db).ends.follow(ANN, NOW)),
    "lines on boards": Scene("tally", _daily_closed, lambda db, _: Standings(db).tally_players([ANN], OVER)),
    "results of a race": Scene("result", _race_finished, lambda db, race: Standings(db).count(race, NOW)),
    "the end of a race": Scene("race", _race_won, lambda db, race: races_of(db).settle(race)),
    "a race is announced": Scene("race", _race_cancelled, lambda db, race: races_of(db).announced(race)),
    "a judgement of a race": Scene("audit", _race_counted, _disqualify),
    "a judgement of a daily": Scene("audit", _daily_closed, _disqualify_daily),
}


def races_of(db: Database) -> Races:
    return Races(db, Attempts(db), Pool(db))


def moderation_of(db: Database) -> Moderation:
    return Moderation(db, races_of(db), Standings(db), Days(db).ends)


_pressed = count(100_000)


def press(player: int, at: int = NOW) -> Press:
    return Press(snowflake_at(at) + next(_pressed), player, f"P{player % 1000}")


def privacy_of(db: Database) -> Privacy:
    return Privacy(db, Attempts(db), Players(db))


async def try_to(write: Awaitable[object]) -> None:
    """Writes; that there is nobody any more of whom to write is no fault."""
    with suppress(ConflictError, UserError):
        await write


async def traces(db: Database) -> set[str]:
    """Returns the tables in which the id of ANN stands."""
    return {table for table in TABLES for row in await db.read(f"SELECT * FROM {table}") if ANN in row}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
async def test_a_deletion_between_reading_and_writing(db: Database, scene: Scene) -> None:
    key = await scene.prepare(db)

    async def delete(_: tuple[Statement, ...]) -> bool:
        await privacy_of(db).delete(press(ANN))
        return False

    watched = Watched(db, scene.table, delete)
    await try_to(scene.write(watched, key))
    assert watched.is_met
    assert await traces(db) == set()


async def test_who_begins_a_daily_twice_and_is_deleted_in_between_has_begun_it(db: Database) -> None:
    days = Days(db)
    await days.dailies.prepare(NOW)

    async def begin_and_delete(_: tuple[Statement, ...]) -> bool:
        await days.dailies.play(press(ANN), "links", NOW)
        await privacy_of(db).delete(press(ANN))
        return False

    second = Days(Watched(db, "attempt", begin_and_delete))
    with pytest.raises(DailySpentError):
        await second.dailies.play(press(ANN), "links", NOW)


@pytest_asyncio.fixture
async def postgres_db(postgres_url: str) -> AsyncIterator[Database]:
    async with await open_database(postgres_url, ROOT / "migrations") as opened:
        yield opened


@pytest_asyncio.fixture
async def other(postgres_db: Database, postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Yields the connection of another process."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
async def test_a_write_that_meets_a_deletion(
    postgres_db: Database, other: asyncpg.Connection, scene: Scene
) -> None:
    key, begun = await scene.prepare(postgres_db), asyncio.Event()

    async def begin_to_delete(_: tuple[Statement, ...]) -> bool:
        await begin(other, cut_off(ANN, -1))
        begun.set()
        return False

    watched = Watched(postgres_db, scene.table, begin_to_delete)
    writing = asyncio.ensure_future(try_to(scene.write(watched, key)))
    async with asyncio.timeout(60):
        await begun.wait()
    await commit_at_last(other, writing)
    assert await traces(postgres_db) == set()


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
async def test_a_deletion_that_meets_a_write(
    postgres_db: Database, other: asyncpg.Connection, scene: Scene
) -> None:
    key = await scene.prepare(postgres_db)

    async def write_and_wait(statements: tuple[Statement, ...]) -> bool:
        await begin(other, statements)
        deleting = asyncio.ensure_future(privacy_of(postgres_db).delete(press(ANN)))
        await commit_at_last(other, deleting)
        return True

    watched = Watched(postgres_db, scene.table, write_and_wait)
    await try_to(scene.write(watched, key))
    assert watched.is_met
    assert await traces(postgres_db) == set()


async def begin(connection: asyncpg.Connection, statements: Sequence[Statement]) -> None:
    """Makes a write that is not committed yet."""
    await connection.execute("BEGIN")
    for each in statements:
        done = await connection.execute(each.sql, *each.args)
        assert each.rows is None or done.endswith(f" {each.rows}")


async def commit_at_last(connection: asyncpg.Connection, task: asyncio.Future[None]) -> None:
    """Commits that write when *task* waits for it, or is done without that."""
    waiting = (
        "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    while not task.done() and not await connection.fetchval(waiting):
        pass
    await connection.execute("COMMIT")
    await task
