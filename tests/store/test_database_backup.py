"""Backups: taken while the database is written to, whole, checked, and never over something else."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import sqlite_files
from bot.store.database import DatabaseError, Statement, open_database
from bot.store.sqlite import SqliteDatabase


def names(folder: Path, pattern: str = "*") -> list[str]:
    return [path.name for path in folder.glob(pattern)]


def journal_mode(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        return str(mode)


async def test_a_backup_while_writing(sqlite_db: SqliteDatabase, tmp_path: Path, schema: Path) -> None:
    stop = asyncio.Event()
    saved = dict.fromkeys(range(1, 17), 0)

    async def play(attempt: int) -> None:
        while not stop.is_set():
            seq = saved[attempt]
            await sqlite_db.write(
                *(
                    Statement(
                        "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, 'ab')", (attempt, seq + half)
                    )
                    for half in (0, 1)
                )
            )
            saved[attempt] = seq + 2

    players = asyncio.gather(*map(play, saved))
    for number in range(3):
        before = dict(saved)
        copy = tmp_path / f"backup-{number}.db"
        await sqlite_db.backup(copy)
        after = dict(saved)
        async with await open_database(f"sqlite:///{copy}", schema) as db:
            rows = await db.read("SELECT attempt, COUNT(*), MAX(seq) + 1 FROM event GROUP BY attempt")
            found = dict.fromkeys(saved, 0) | {attempt: length for attempt, length, _ in rows}
            assert all(length == newest and length % 2 == 0 for _, length, newest in rows)
            # One that was under way may be in it, half a one never.
            assert all(before[key] <= found[key] <= after[key] + 2 for key in saved)
    stop.set()
    await players
    assert names(tmp_path, "*.part*") == []


async def test_a_backup_is_one_file_and_opens_as_a_database(
    sqlite_db: SqliteDatabase, tmp_path: Path, schema: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    await sqlite_db.backup(folder / "one.db")
    assert names(folder) == ["one.db"]
    assert journal_mode(folder / "one.db") == "delete"  # it can be read where nothing can be written
    async with await open_database(f"sqlite:///{folder / 'one.db'}", schema) as db:
        assert db.schema_version == 1
        assert await db.read("SELECT COUNT(*) FROM attempt") == [(64,)]


async def test_nothing_is_overwritten(sqlite_db: SqliteDatabase, file: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_text("precious")
    for path in (taken, file):
        with pytest.raises(DatabaseError, match=r"exists already\.$"):
            await sqlite_db.backup(path)
    assert taken.read_text() == "precious"
    with pytest.raises(DatabaseError, match=r"cannot be written: .*\.$"):
        await sqlite_db.backup(tmp_path / "missing" / "backup.db")
    assert await sqlite_db.read("SELECT COUNT(*) FROM attempt") == [(64,)]


async def test_a_damaged_copy_is_no_backup(
    sqlite_db: SqliteDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(_connection: object, path: str) -> None:
        raise DatabaseError(f"The database {path} is damaged.")

    monkeypatch.setattr(sqlite_files, "verify", damaged)
    with pytest.raises(DatabaseError, match="damaged"):
        await sqlite_db.backup(tmp_path / "backup.db")
    assert names(tmp_path, "backup*") == []


async def test_a_database_in_memory_can_be_saved(tmp_path: Path, schema: Path) -> None:
    async with await open_database("sqlite:///:memory:", schema) as db:
        await db.write(Statement("INSERT INTO attempt (id) VALUES (7)"))
        await db.backup(tmp_path / "saved.db")
    async with await open_database(f"sqlite:///{tmp_path / 'saved.db'}", schema) as db:
        assert await db.read("SELECT id FROM attempt") == [(7,)]
