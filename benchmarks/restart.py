"""How long the bot takes until it answers, started on a database with 10,000 attempts under way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from bot.__main__ import migrations
from bot.playground import Playground
from bot.playground.process import bot_process
from bot.snowflake import snowflake_at
from bot.store import attempts, heartbeat, players, races
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.database import Database, Statement, open_database
from bot.store.races import RaceRecord
from engine import Attempt, Entrant, Event, Phase, Race, find_game

ATTEMPTS = 10_000
SEATS = 25
MOVES = 20
LIMIT = 7_200_000
AWAY = 20_000
"""How long the bot was away, in milliseconds: long enough to be made up for in every race."""
BAR = 3.0


def measure() -> Iterator[Figure]:
    """Yields the times until the first answer after a start."""
    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as folder:
        file = Path(folder) / "bot.db"
        empty = asyncio.run(_first_answer(Path(folder) / "empty.db"))
        asyncio.run(_fill(file))
        full = asyncio.run(_first_answer(file))
    yield Figure("start until the first answer, empty database", empty, "s")
    yield Figure(f"the same with {ATTEMPTS:,} attempts under way", full, "s", most=BAR)


async def _first_answer(file: Path) -> float:
    """Returns the seconds from the start of the process to the answer to the first command."""
    async with Playground() as server:
        ada = server.add_player("Ada")
        begin = time.perf_counter()
        async with bot_process(server, file, LOG_LEVEL="CRITICAL"):
            await server.signal.until(lambda: bool(server.commands.listed(None)), 30)
            await ada.slash("rules", {"game": "links"})
            return time.perf_counter() - begin


async def _fill(file: Path) -> None:
    now = time.time_ns() // 1_000_000
    async with await open_database(f"sqlite:///{file}", migrations()) as db:
        await db.write(*heartbeat.beat((0,), 1, now - AWAY))
        for number in range(ATTEMPTS // SEATS):
            await _add_race(db, number, now - 60_000)


async def _add_race(db: Database, number: int, start: int) -> None:
    rules = find_game("links")
    race = snowflake_at(start) + number * 100
    begun = Attempt.begin(rules, f"deal {number}", start=start, limit=LIMIT)
    events = _events(begun)
    after = begun.extend(events)
    seats = tuple(Entrant(10_000_000 + number * SEATS + seat, race + 1 + seat) for seat in range(SEATS))
    record = RaceRecord(
        id=race,
        guild=1_000 + number,
        channel=5_000 + number,
        rules=rules,
        seed=begun.seed,
        salt="00",
        race=Race(seats[0].player, seats, Phase.RUNNING, LIMIT, start, start, start),
        message=race + 99,
        posted=start,
    )
    statements: list[Statement] = races.insert(record)
    for each in seats:
        attempt = AttemptRecord(each.attempt, each.player, Purpose.RACE, begun, race=race)
        statements += [
            players.seen(each.player, f"Player {each.player}", "en-US", start),
            attempts.insert(attempt),
            *attempts.append(attempt, events, after),
        ]
    await db.write(*statements)


def _events(attempt: Attempt) -> tuple[Event, ...]:
    """Returns some moves that do not end the attempt."""
    made: list[Event] = []
    for number in range(MOVES):
        for move in attempt.rules.legal_moves(attempt.state)[number % 2 :]:
            events = attempt.play(move, attempt.start + 1_000 + number)
            further = attempt.extend(events)
            if not further.is_over:
                attempt = further
                made += events
                break
    return tuple(made)
