"""Races that are played in no time, on a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.services.standings import Standings
from bot.snowflake import snowflake_at
from bot.store import attempts as attempt_store
from bot.store import players, races
from bot.store.database import Database, open_database
from bot.store.races import RaceRecord
from engine import EndReason, Entrant, Event, EventKind, Phase, Race, find_game

ROOT = Path(__file__).parents[2]
NOW = 1_796_000_000_000
"""An instant in November 2026, in ms since 1970."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
YEAR = 365 * DAY


def account(number: int, *, age: int = YEAR) -> int:
    """Returns the id of the account *number* that was made *age* ms before NOW."""
    return snowflake_at(NOW - age) + number


ANN, BOB, CID, DAN = (account(number) for number in range(1, 5))


@dataclass(frozen=True, slots=True)
class Run:
    """How somebody's attempt ends: *reason* after *time* ms, with *moves* made of a game that leaves no choice."""

    player: int
    reason: EndReason
    time: int
    moves: int = 0


def stuck(player: int, time: int = 60_000) -> Run:
    """Returns the run of one who has played to the end of a deal that is stuck, at *time*."""
    return Run(player, EndReason.STUCK, time)


def won(player: int, time: int = 60_000) -> Run:
    """Returns the run of a winner."""
    return Run(player, EndReason.WON, time)


def forfeit(player: int, time: int = 60_000) -> Run:
    """Returns the run of one who gives up."""
    return Run(player, EndReason.FORFEIT, time)


@dataclass
class Club:
    """A database with races in it, and the standings on it."""

    db: Database
    standings: Standings
    ids: int = field(default=0)

    async def race(
        self,
        *runs: Run,
        game: str = "one-handed",
        guild: int = 1,
        start: int = NOW,
        ranked: bool = True,
        count: bool = True,
    ) -> int:
        """Plays a race that starts at *start* and returns its id. Its results are entered if *count*."""
        self.ids += 100
        race_id = snowflake_at(start - MINUTE) + self.ids
        record = RaceRecord(
            id=race_id,
            guild=guild,
            channel=7,
            message=race_id + 90,
            rules=find_game(game),
            seed="friday",
            salt="00",
            race=_race(race_id, runs, start),
            ranked=ranked,
        )
        names = [players.seen(run.player, f"P{run.player % 1000}", "en-US", start) for run in runs]
        await self.db.write(*names, *races.insert(record))
        running = replace(record, race=replace(record.race, phase=Phase.RUNNING))
        await self.db.write(*races.update(record, running))
        for entrant, run in zip(record.race.entrants, runs, strict=True):
            await self._play(entrant, run, running)
        done = await races.load(self.db, race_id)
        assert done is not None
        ended_at = max(start + entrant.result.time for entrant in done.race.entrants if entrant.result)
        finished = replace(done, race=replace(done.race, phase=Phase.FINISHED), ended_at=ended_at)
        await self.db.write(*races.update(done, finished))
        if count:
            await self.standings.verdict(race_id)
        return race_id

    async def settle(self) -> None:
        """Enters and rates all that is still to be."""
        before: object = None
        while before != (
            before := await self.db.read("SELECT race, player, stale FROM result ORDER BY 1, 2")
        ):
            await self.standings.work()

    async def dump(self, *, but: Sequence[int] = ()) -> tuple[list[object], list[object]]:
        """Returns all rated results except those of the races *but*, and all lines of boards."""
        marks = ", ".join(map(str, but)) or "0"
        results = await self.db.read(
            "SELECT race % 1000000, player, place, counted, won, best, rated, stale, mu, sigma, rating, gain, "
            f"all_mu, all_sigma, all_rating FROM result WHERE race NOT IN ({marks}) ORDER BY race, player"
        )
        lines = await self.db.read("SELECT * FROM tally ORDER BY player, board, period, guild")
        return list(results), list(lines)

    async def _play(self, entrant: Entrant, run: Run, record: RaceRecord) -> None:
        """Writes how the attempt ended; its moves are of no interest to the standings."""
        loaded = await attempt_store.load(self.db, entrant.attempt)
        assert loaded is not None
        start = record.race.start_at or 0
        end = Event(1, EventKind.END, start + run.time, reason=run.reason)
        after = replace(loaded.attempt.push(end), moves=run.moves)
        await self.db.write(*attempt_store.append(loaded, [end], after))


def _race(race_id: int, runs: Sequence[Run], start: int) -> Race:
    entrants = tuple(Entrant(run.player, race_id + number) for number, run in enumerate(runs, start=1))
    return Race(host=runs[0].player, entrants=entrants, phase=Phase.COUNTDOWN, start_at=start, touched=start)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest) -> str:
    return "sqlite:///:memory:" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest_asyncio.fixture
async def db(url: str) -> AsyncIterator[Database]:
    async with await open_database(url, ROOT / "migrations") as opened:
        yield opened


@pytest_asyncio.fixture
async def club(db: Database) -> Club:
    return Club(db, Standings(db))
