"""A small schema of its own for the tests of the database layer, and databases that have it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import Database, Statement, open_database
from bot.store.postgres import PostgresDatabase
from bot.store.sqlite import SqliteDatabase

SCHEMA = """\
-- Events of attempts, for the tests.
CREATE TABLE attempt (id BIGINT PRIMARY KEY);
CREATE TABLE event (
    attempt BIGINT NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    move TEXT NOT NULL,
    PRIMARY KEY (attempt, seq)
);
"""


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """Returns a folder with one migration."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "0001_initial.sql").write_text(SCHEMA)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Returns the path of a database that does not exist yet."""
    return tmp_path / "test.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """Returns the URL of a database that is empty, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def event_db(url: str, schema: Path) -> AsyncIterator[Database]:
    """Yields an open database of each kind, with the attempts 1 to 64."""
    async with await open_database(url, schema) as db:
        await add_attempts(db)
        yield db


@pytest.fixture
async def sqlite_db(file: Path, schema: Path) -> AsyncIterator[SqliteDatabase]:
    """Yields an open database in a file, with the attempts 1 to 64."""
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert isinstance(db, SqliteDatabase)
        await add_attempts(db)
        yield db


@pytest.fixture
async def postgres_db(postgres_url: str, schema: Path) -> AsyncIterator[PostgresDatabase]:
    """Yields an open database on a server, with the attempts 1 to 64."""
    async with await open_database(postgres_url, schema) as db:
        assert isinstance(db, PostgresDatabase)
        await add_attempts(db)
        yield db


async def add_attempts(db: Database) -> None:
    await db.write(
        *(Statement("INSERT INTO attempt (id) VALUES ($1)", (key,), rows=1) for key in range(1, 65))
    )
