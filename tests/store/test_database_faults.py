"""A full or failing disk, a read-only or locked database, kill -9: what is lost is told, then it recovers."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.store import sqlite_files
from bot.store.database import Database, Statement, StoreError, open_database
from bot.store.sqlite import SqliteDatabase

# 64 callers write events without end and report each that was acknowledged.
LOAD = """\
import asyncio, os, pathlib, sys
from bot.store.database import Statement, open_database

async def main(url, schema):
    async with await open_database(url, pathlib.Path(schema)) as db:
        async def play(attempt):
            ((seq,),) = await db.read("SELECT COALESCE(MAX(seq), -1) FROM event WHERE attempt = $1", attempt)
            while True:
                seq += 1
                await db.write(
                    Statement("UPDATE attempt SET id = id WHERE id = $1", (attempt,), rows=1),
                    Statement("INSERT INTO event VALUES ($1, $2, 'a')", (attempt, seq), rows=1),
                )
                os.write(1, f"{attempt} {seq}\\n".encode())

        await asyncio.gather(*(play(attempt) for attempt in range(1, 65)))

asyncio.run(main(*sys.argv[1:]))
"""


def event(attempt: int, seq: int, size: int = 1) -> Statement:
    return Statement(
        "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3)", (attempt, seq, "x" * size), rows=1
    )


async def stored(db: Database) -> list[tuple[int, ...]]:
    return await db.read("SELECT attempt, seq FROM event ORDER BY attempt, seq")


async def test_a_full_disk(sqlite_db: SqliteDatabase, caplog: pytest.LogCaptureFixture) -> None:
    await sqlite_db.write(event(1, 0))
    ((pages,),) = await sqlite_db.read("PRAGMA page_count")
    await sqlite_db.write(Statement(f"PRAGMA max_page_count = {pages + 3}"))
    outcomes = await asyncio.gather(
        *(sqlite_db.write(event(key, 1), event(key, 2, size=3000)) for key in range(2, 12)),
        return_exceptions=True,
    )
    assert await stored(sqlite_db) == [
        (1, 0),
        *((key, seq) for key, outcome in enumerate(outcomes, start=2) if outcome is None for seq in (1, 2)),
    ]
    failed = [outcome for outcome in outcomes if outcome is not None]
    assert failed
    assert {str(outcome) for outcome in failed} == {"database or disk is full (SQLITE_FULL)"}
    assert "full" in caplog.text
    with pytest.raises(StoreError, match="full"):  # it stays so
        await sqlite_db.write(event(20, 0, size=20_000))
    await sqlite_db.write(Statement("PRAGMA max_page_count = 100000"))
    await sqlite_db.write(event(20, 0, size=20_000))
    assert (20, 0) in await stored(sqlite_db)


async def test_a_disk_that_fails_at_the_commit(
    sqlite_db: SqliteDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    await sqlite_db.write(event(1, 0))
    with file_size_limit(8192):  # the log of writes cannot grow
        outcomes = await asyncio.gather(
            *(sqlite_db.write(event(key, 0, size=1000)) for key in range(2, 12)), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [StoreError] * 10
        assert {str(outcome) for outcome in outcomes} == {"disk I/O error (SQLITE_IOERR_WRITE)"}
        assert await stored(sqlite_db) == [(1, 0)]
    assert "10 writes were not saved: disk I/O error" in caplog.text
    await asyncio.gather(*(sqlite_db.write(event(key, 0, size=1000)) for key in range(2, 12)))
    assert await stored(sqlite_db) == [(key, 0) for key in range(1, 12)]
    await sqlite_db.check()


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Makes every write beyond the first *size* bytes of a file fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_commit_that_is_refused(file: Path, schema: Path) -> None:
    (schema / "0002_late.sql").write_text(
        "-- A constraint that is checked at the commit only.\n"
        "CREATE TABLE late (attempt BIGINT REFERENCES attempt (id) DEFERRABLE INITIALLY DEFERRED);\n"
    )
    async with await open_database(f"sqlite:///{file}", schema) as db:
        wrong = Statement("INSERT INTO late (attempt) VALUES (9)")
        good = Statement("INSERT INTO attempt (id) VALUES (1)")
        outcomes = await asyncio.gather(db.write(wrong), db.write(good), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [StoreError] * 2
        assert await db.read("SELECT * FROM attempt UNION SELECT * FROM late") == []
        await db.write(good)
        assert await db.read("SELECT * FROM attempt UNION SELECT * FROM late") == [(1,)]


async def test_a_database_that_turns_read_only(sqlite_db: SqliteDatabase) -> None:
    await sqlite_db.write(event(1, 0))
    await sqlite_db._writer.execute("PRAGMA query_only = ON")
    outcomes = await asyncio.gather(
        *(sqlite_db.write(event(key, 0)) for key in (2, 3)), return_exceptions=True
    )
    assert {str(outcome) for outcome in outcomes} == {
        "attempt to write a readonly database (SQLITE_READONLY)"
    }
    assert await stored(sqlite_db) == [(1, 0)]
    await sqlite_db._writer.execute("PRAGMA query_only = OFF")
    await sqlite_db.write(event(2, 0))
    assert await stored(sqlite_db) == [(1, 0), (2, 0)]


@pytest.mark.parametrize("seconds", [0.05, pytest.param(2, marks=pytest.mark.slow)])
async def test_a_foreign_lock_loses_nothing(sqlite_db: SqliteDatabase, file: Path, seconds: float) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writes = asyncio.gather(*(sqlite_db.write(event(key, 0)) for key in range(1, 41)))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(writes), seconds)
        assert await stored(sqlite_db) == []  # and reading goes on meanwhile
        other.execute("ROLLBACK")
    await writes
    assert await stored(sqlite_db) == [(key, 0) for key in range(1, 41)]


async def test_a_foreign_lock_that_stays_is_told(
    file: Path, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "BUSY_TIMEOUT", 0.01)
    async with await open_database(f"sqlite:///{file}", schema) as db:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="SQLITE_BUSY"):
                await db.write(Statement("INSERT INTO attempt (id) VALUES (1)"))
        await db.write(Statement("INSERT INTO attempt (id) VALUES (1)"))
        assert await db.read("SELECT id FROM attempt") == [(1,)]


@pytest.mark.slow
async def test_kill_9_in_mid_load_keeps_every_acknowledged_row(
    sqlite_db: SqliteDatabase, file: Path, schema: Path
) -> None:
    url = f"sqlite:///{file}"
    await sqlite_db.close()
    acknowledged: set[tuple[int, int]] = set()
    for lines in (100, 5000, 20_000):  # the last crosses a checkpoint of the log
        acknowledged |= kill_after(lines, url, schema)
        async with await open_database(url, schema) as db:
            await db.check()
            rows = await stored(db)
        assert acknowledged <= set(rows)
        assert len(rows) - len(acknowledged) <= 3 * 64  # at most what was under way at each death
        lengths = Counter(attempt for attempt, _ in rows)
        assert rows == [(attempt, seq) for attempt in sorted(lengths) for seq in range(lengths[attempt])]


def kill_after(lines: int, url: str, schema: Path) -> set[tuple[int, int]]:
    """Returns what a process reported to be saved that is killed after so many *lines*."""
    command = [sys.executable, "-c", LOAD, url, str(schema)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        read = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        read += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return {
        (int(attempt), int(seq)) for attempt, seq in (line.split() for line in read if line.endswith(b"\n"))
    }
