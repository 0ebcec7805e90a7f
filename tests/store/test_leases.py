"""Leases: one holder at a time, whoever is gone loses them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from bot.store import postgres_leases
from bot.store.database import Database, open_database
from bot.store.postgres import PostgresDatabase


@pytest.fixture
async def other_db(postgres_db: PostgresDatabase, postgres_url: str, schema: Path) -> AsyncIterator[Database]:
    """Yields the same database, opened by another process."""
    async with await open_database(postgres_url, schema) as db:
        yield db


async def test_whoever_has_a_whole_database_holds_all(event_db: Database) -> None:
    assert await event_db.holds("jobs")
    assert await event_db.holds("jobs")
    await event_db.release("jobs")
    await event_db.release("never held")
    assert await event_db.holds("jobs")


async def test_one_process_has_a_lease_until_it_gives_it_back(
    postgres_db: PostgresDatabase, other_db: Database
) -> None:
    assert await postgres_db.holds("jobs")
    for _ in range(2):
        assert not await other_db.holds("jobs")
    assert await other_db.holds("other jobs")
    await postgres_db.release("jobs")
    assert await other_db.holds("jobs")
    assert not await postgres_db.holds("jobs")
    await other_db.close()
    assert await postgres_db.holds("jobs")


async def test_many_share_or_one_has_all(postgres_db: PostgresDatabase, other_db: Database) -> None:
    assert await postgres_db.holds("shards", shared=True)
    assert await other_db.holds("shards", shared=True)
    await postgres_db.release("shards")
    assert not await postgres_db.holds("shards")
    await other_db.release("shards")
    assert await postgres_db.holds("shards")
    assert not await other_db.holds("shards", shared=True)


async def test_bots_in_schemas_of_one_database_do_not_meet(
    postgres_db: PostgresDatabase, postgres: str, schema: Path
) -> None:
    assert await postgres_db.holds("jobs")
    server = await asyncpg.connect(postgres)
    await server.execute("CREATE SCHEMA neighbour")
    try:
        async with await open_database(f"{postgres}?search_path=neighbour", schema) as neighbour:
            assert await neighbour.holds("jobs")
    finally:
        await server.execute("DROP SCHEMA neighbour CASCADE")
        await server.close()


async def test_a_lost_session_is_made_anew_and_so_is_its_lease(
    postgres_db: PostgresDatabase, other_db: Database
) -> None:
    assert await postgres_db.holds("jobs")
    await _end_session(postgres_db)
    assert await postgres_db.holds("jobs")  # nobody was quicker
    await _end_session(postgres_db)
    assert await other_db.holds("jobs")
    assert not await postgres_db.holds("jobs")


async def test_a_holder_that_is_not_heard_of_loses_its_leases(
    postgres_db: PostgresDatabase, other_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_leases, "FRESH", 0.0)
    assert await postgres_db.holds("jobs")
    assert not await other_db.holds("jobs")
    connection = postgres_db._leases._connection
    assert connection is not None
    assert await connection.fetchval("SHOW idle_session_timeout") == f"{postgres_leases.LIFE:.0f}s"
    await connection.execute("SET idle_session_timeout = 300")  # so that nobody has to wait for that
    async with asyncio.timeout(30):
        while not await other_db.holds("jobs"):
            pass
    assert not await postgres_db.holds("jobs")


async def _end_session(db: PostgresDatabase) -> None:
    connection = db._leases._connection
    assert connection is not None
    db._leases._heard = 0.0
    pid = connection.get_server_pid()
    await db.read("SELECT pg_terminate_backend($1::int, 5000)", pid)
