"""Group commits of the store against plain sqlite3 in a thread, and what the store costs a pipeline's CPU.

Both take turns, on the loop that the bot runs on, and the median of the rounds' ratios counts: the tables grow, and
machines change their speed from one second to the next. Of the CPU the least counts.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from uvloop import new_event_loop

from benchmarks.figures import Figure
from bot.store.database import Database, Statement, open_database

TABLE = "CREATE TABLE event (attempt BIGINT, seq INTEGER, move TEXT NOT NULL, PRIMARY KEY (attempt, seq))"
INSERT = "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3)"
NEWEST = "SELECT MAX(seq) FROM event WHERE attempt = $1"

T = TypeVar("T")

ROUNDS = 15
GROUPS = 100  # commits in a round
CALLERS = 64  # of the pipeline
PRESSES = 4000  # in a round of the pipeline
WORK = 300e-6  # seconds of a press that are not the store's: a small share of what drawing and answering take

Press = Callable[[int, int], Awaitable[None]]


def measure() -> Iterator[Figure]:
    """Yields how much slower grouped commits are than plain sqlite3's, and what the store adds to a press."""
    with TemporaryDirectory(prefix="same-deal-") as folder:
        for size in (1, 8, 64, 256):
            rounds = _run(_commits(Path(folder) / str(size), size))
            ratio = median(plain / store for plain, store in rounds)
            store = median(rate for _, rate in rounds)
            yield Figure(f"groups of {size} calls, committed durably", store, "groups/s")
            yield Figure(f"  sqlite3 in a thread against them, groups of {size}", ratio, "times", most=1.5)
        without, within = _run(_pipeline(Path(folder) / "pipeline"))
        name = f"  CPU that a read and a write add to a press of {WORK * 1e6:.0f} µs"
        yield Figure(name, 100 * (within / without - 1), "%", most=20)


def _run(measuring: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(measuring)


async def _commits(folder: Path, size: int) -> list[tuple[float, float]]:
    """Returns the group commits per second of plain sqlite3 in a thread and of the store, *size* calls in each.

    The plain side is handed its rows ready made, checks no row counts and answers nobody. The store's callers
    are tasks that each make a statement, wait for the disk and are woken again. Both take turns, round by round.
    """
    rounds: list[tuple[float, float]] = []
    with closing(_plain(folder)) as connection:
        async with await _store(folder) as db:
            for number in range(ROUNDS):
                groups = range(number * GROUPS, (number + 1) * GROUPS)
                begin = time.perf_counter()
                for seq in groups:
                    await asyncio.to_thread(_commit, connection, [(key, seq, "t1f1") for key in range(size)])
                middle = time.perf_counter()
                await asyncio.gather(*(_caller(db, attempt, groups) for attempt in range(size)))
                rounds.append((GROUPS / (middle - begin), GROUPS / (time.perf_counter() - middle)))
    return rounds


def _commit(connection: sqlite3.Connection, rows: list[tuple[int, int, str]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for row in rows:
        connection.execute("INSERT INTO event (attempt, seq, move) VALUES (?, ?, ?)", row)
    connection.execute("COMMIT")


async def _caller(db: Database, attempt: int, groups: range) -> None:
    for seq in groups:
        await db.write(Statement(INSERT, (attempt, seq, "t1f1"), rows=1))


async def _pipeline(folder: Path) -> tuple[float, float]:
    """Returns the CPU seconds of a press without and with the store."""

    async def idle(_attempt: int, _seq: int) -> None:
        await asyncio.sleep(0)

    async def stored(attempt: int, seq: int) -> None:
        await db.read(NEWEST, attempt)
        await db.write(Statement(INSERT, (attempt, seq, "t1f1"), rows=1))

    without: list[float] = []
    within: list[float] = []
    async with await _store(folder) as db:
        for number in range(ROUNDS):
            without.append(await _presses(idle, number))
            within.append(await _presses(stored, number))
    return min(without), min(within)


async def _presses(press: Press, number: int) -> float:
    async def caller(attempt: int) -> None:
        for seq in range(number * PRESSES, number * PRESSES + PRESSES // CALLERS):
            _work()
            await press(attempt, seq)

    gc.collect()
    begin = time.process_time()
    await asyncio.gather(*map(caller, range(CALLERS)))
    return (time.process_time() - begin) / (PRESSES // CALLERS * CALLERS)


def _work() -> None:
    until = time.thread_time() + WORK
    while time.thread_time() < until:
        pass


def _plain(folder: Path) -> sqlite3.Connection:
    folder.mkdir()
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -16384")  # as the store has it
    connection.execute(TABLE)
    return connection


async def _store(folder: Path) -> Database:
    migrations = folder / "migrations"
    migrations.mkdir(parents=True)
    (migrations / "0001_event.sql").write_text(f"-- The table of this benchmark.\n{TABLE};\n")
    return await open_database(f"sqlite:///{folder / 'store.db'}", migrations)
