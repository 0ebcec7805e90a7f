"""PostgreSQL alone: lost servers and commits, locks of others, starts at one moment, what is refused."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.store import postgres_server, postgres_writer
from bot.store.database import (
    ConflictError,
    Database,
    DatabaseError,
    Statement,
    StoreError,
    UncertainError,
    open_database,
)
from bot.store.postgres import PostgresDatabase
from bot.store.postgres_writer import batches
from tests.store.conftest import add_attempts


def event(attempt: int, seq: int, move: str = "t1f1") -> Statement:
    return Statement(
        "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3)", (attempt, seq, move), rows=1
    )


def touch(attempt: int) -> Statement:
    return Statement("UPDATE attempt SET id = id WHERE id = $1", (attempt,), rows=1)


async def stored(db: Database) -> list[tuple[int, ...]]:
    return await db.read("SELECT attempt, seq FROM event ORDER BY attempt, seq")


class Proxy:
    """Stands between a database and its server, and cuts connections."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self.url = ""
        self.is_open = True
        self.swallows = False
        """Whether the next COMMIT is not passed on."""
        self.cuts = False
        """Whether the next COMMIT is the last that is heard of the connection."""
        self.stays_away = False
        """Whether no connection is taken after that."""
        self.is_silent = False
        """Whether nothing is passed on, while all connections stay."""
        self.commits = 0
        self._writers: set[asyncio.StreamWriter] = set()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.is_open:
            writer.close()
            return
        upstream, downstream = await asyncio.open_connection(*self._server)
        self._writers |= {writer, downstream}
        back = asyncio.create_task(self._pass(upstream, writer))
        try:
            while data := await reader.read(65536):
                if self.is_silent:
                    continue
                if b"COMMIT" in data:
                    self.commits += 1
                    if self.cuts:
                        self.cuts = False
                        self.is_open = not self.stays_away
                        back.cancel()
                        await asyncio.wait([back])
                        if not self.swallows:
                            downstream.write(data)
                            await upstream.read(1)  # the server has done it
                        break
                downstream.write(data)
        except OSError:
            pass
        finally:
            back.cancel()
            writer.close()
            downstream.close()

    async def _pass(self, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await upstream.read(65536):
                writer.write(data)
        writer.close()

    def cut(self) -> None:
        """Cuts all connections."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    proxy = Proxy(parts.hostname, parts.port)
    server = await asyncio.start_server(proxy.handle, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    proxy.url = url.replace(f":{parts.port}/", f":{port}/")
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()


@pytest.mark.parametrize("swallows", [False, True], ids=["done", "not done"])
async def test_a_commit_whose_answer_is_lost_is_looked_up(
    postgres_url: str, schema: Path, swallows: bool
) -> None:
    async with proxied(postgres_url) as proxy, await open_database(proxy.url, schema) as db:
        await add_attempts(db)
        proxy.cuts, proxy.swallows = True, swallows
        before = proxy.commits
        outcomes = await asyncio.gather(
            db.write(event(1, 0), event(1, 1)),
            db.write(event(2, 0), event(999, 0)),  # no such attempt
            return_exceptions=True,
        )
        assert outcomes[0] is None
        assert isinstance(outcomes[1], ConflictError)
        assert await stored(db) == [(1, 0), (1, 1)]
        assert proxy.commits - before == (2 if swallows else 1)


async def test_a_commit_of_which_nothing_is_heard_any_more_is_told(
    postgres_url: str, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_writer, "PATIENCE", 0.2)
    async with proxied(postgres_url) as proxy, await open_database(proxy.url, schema) as db:
        await add_attempts(db)
        proxy.cuts = proxy.stays_away = True
        with pytest.raises(UncertainError):
            await db.write(event(1, 0))
        with pytest.raises(StoreError):
            await db.write(event(2, 0))
        proxy.is_open = True
        await db.write(event(3, 0))
        assert await stored(db) == [(1, 0), (3, 0)]


async def test_a_server_that_is_gone_for_a_moment_is_waited_for(
    postgres_url: str, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("postgres", "postgres_server", "postgres_writer"):
        monkeypatch.setattr(f"bot.store.{module}.PATIENCE", 30.0)
    async with proxied(postgres_url) as proxy, await open_database(proxy.url, schema) as db:
        await add_attempts(db)
        proxy.cut()
        await db.write(event(1, 0))
        assert await stored(db) == [(1, 0)]
        proxy.cut()
        assert await stored(db) == [(1, 0)]
        proxy.is_open = False
        proxy.cut()
        waiting = asyncio.gather(db.write(event(2, 0)), db.read("SELECT 7"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 0.1)
        proxy.is_open = True
        assert (await waiting)[1] == [(7,)]


async def test_a_server_that_stays_away_is_told(
    postgres_url: str, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxied(postgres_url) as proxy, await open_database(proxy.url, schema) as db:
        for module in (postgres_writer, postgres_server):
            monkeypatch.setattr(module, "PATIENCE", 0.1)
        monkeypatch.setattr("bot.store.postgres.PATIENCE", 0.1)
        proxy.is_open = False
        proxy.cut()
        for refused in (db.write(touch(1)), db.read("SELECT 1"), db.holds("x")):
            with pytest.raises(StoreError):
                await refused


async def test_a_server_that_is_silent_keeps_nobody_from_ending(
    postgres_url: str, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_server, "COMMAND_TIME", 3600)
    async with asyncio.timeout(60), proxied(postgres_url) as proxy:
        async with await open_database(proxy.url, schema) as db:
            await add_attempts(db)
            await db.read("SELECT 1")
            await db.holds("x")
            proxy.is_silent = True
            monkeypatch.setattr(postgres_server, "FAREWELL", 0.05)
            for module in (postgres_server, postgres_writer):
                monkeypatch.setattr(module, "PATIENCE", 0.05)
            waiting = [asyncio.create_task(db.write(touch(1))), asyncio.create_task(db.holds("y"))]
            await asyncio.sleep(0)
        assert [type(each) for each in await asyncio.gather(*waiting, return_exceptions=True)] == [
            StoreError,
            StoreError,
        ]
        with pytest.raises(StoreError):
            await db.write(touch(1))


async def test_a_session_that_the_server_ends_in_mid_write_is_begun_again(
    postgres_db: PostgresDatabase, postgres_url: str
) -> None:
    other = await asyncpg.connect(postgres_url)
    try:
        await other.execute("CREATE SEQUENCE naps")  # which counts what is undone too
        nap = Statement("SELECT pg_sleep(CASE nextval('naps') WHEN 1 THEN 60 ELSE 0 END)")
        writing = asyncio.ensure_future(postgres_db.write(event(1, 0), nap, event(1, 1)))
        while not await other.fetchval(
            "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE query LIKE 'SELECT pg_sleep(CASE%' AND wait_event = 'PgSleep'"  # it has taken its number
        ):
            assert not writing.done()
    finally:
        await other.close()
    await writing
    assert await stored(postgres_db) == [(1, 0), (1, 1)]


async def test_rows_that_others_keep_cost_only_those_who_want_them(
    postgres_db: PostgresDatabase, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_writer, "TRIES", 2)
    other = await asyncpg.connect(postgres_url)
    try:
        async with other.transaction():
            await other.execute("UPDATE attempt SET id = id WHERE id = 1")
            outcomes = await asyncio.gather(
                postgres_db.write(event(2, 0)),
                postgres_db.write(event(3, 0), touch(1)),
                postgres_db.write(event(4, 0)),
                return_exceptions=True,
            )
    finally:
        await other.close()
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreError, type(None)]
    assert "55P03" in str(outcomes[1])
    assert await stored(postgres_db) == [(2, 0), (4, 0)]


async def test_what_has_been_saved_is_told_although_the_server_is_gone_when_the_rest_is_tried_again(
    postgres_url: str, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_writer, "TRIES", 1000)
    monkeypatch.setattr(postgres_writer, "PATIENCE", 0.1)
    monkeypatch.setitem(postgres_server.SETTINGS, "lock_timeout", "20")
    other = await asyncpg.connect(postgres_url)
    try:
        async with proxied(postgres_url) as proxy, await open_database(proxy.url, schema) as db:
            await add_attempts(db)
            before = proxy.commits
            async with other.transaction():
                await other.execute("UPDATE attempt SET id = id WHERE id = 1")
                writing = asyncio.gather(
                    db.write(event(2, 0)), db.write(event(3, 0), touch(1)), return_exceptions=True
                )
                while proxy.commits - before < 2:  # one has been saved, the other one is tried again
                    assert not writing.done()
                    await asyncio.sleep(0)
                proxy.is_open = False
                proxy.cut()
                outcomes = await writing
            proxy.is_open = True
            assert outcomes[0] is None
            assert isinstance(outcomes[1], StoreError)
            assert await stored(db) == [(2, 0)]
    finally:
        await other.close()


async def test_two_that_wait_for_one_another_both_get_their_turn(
    postgres_db: PostgresDatabase, postgres_url: str, schema: Path
) -> None:
    pause = Statement("SELECT pg_sleep(0.1)")
    async with await open_database(postgres_url, schema) as other:
        await asyncio.gather(
            postgres_db.write(touch(1), pause, touch(2), event(1, 0)),
            other.write(touch(2), pause, touch(1), event(2, 0)),
        )
    assert await stored(postgres_db) == [(1, 0), (2, 0)]


async def test_of_two_processes_that_write_the_same_one_wins(
    postgres_db: PostgresDatabase, postgres_url: str, schema: Path
) -> None:
    async with await open_database(postgres_url, schema) as other:
        for seq in range(20):
            outcomes = await asyncio.gather(
                *(db.write(event(1, seq), touch(2)) for db in (postgres_db, other)), return_exceptions=True
            )
            assert {type(outcome) for outcome in outcomes} == {type(None), ConflictError}
    assert len(await stored(postgres_db)) == 20


async def test_many_who_start_at_once_migrate_once(postgres_url: str, schema: Path) -> None:
    opened = await asyncio.gather(*(open_database(postgres_url, schema) for _ in range(5)))
    assert await opened[0].read("SELECT version FROM migration") == [(1,)]
    await asyncio.gather(*(db.close() for db in opened))


async def test_a_migration_that_fails_leaves_nothing(postgres_url: str, schema: Path) -> None:
    wrong = schema / "0002_wrong.sql"
    wrong.write_text("-- Wrong.\nCREATE TABLE one (id INTEGER);\nCREATE TABLE one (id INTEGER);\n")
    with pytest.raises(DatabaseError, match=r"0002_wrong\.sql failed and was undone"):
        await open_database(postgres_url, schema)
    wrong.write_text("-- Right.\nCREATE TABLE one (id INTEGER);\n")
    async with await open_database(postgres_url, schema) as db:
        assert db.schema_version == 2
        assert await db.read("SELECT * FROM one") == []
    wrong.unlink()
    with pytest.raises(DatabaseError, match="newer than this program's 1"):
        await open_database(postgres_url, schema)


@pytest.mark.parametrize("attributes", ["read-write", "primary", "any"])
async def test_the_primary_is_found_behind_a_machine_that_says_nothing(
    postgres_url: str, schema: Path, attributes: str
) -> None:
    with socket.socket() as dead:
        dead.bind(("127.0.0.1", 0))
        dead.listen()  # and nobody answers
        port = urlsplit(postgres_url).port
        hosts = f"127.0.0.1:{dead.getsockname()[1]},127.0.0.1:{port}"
        url = postgres_url.replace(f"127.0.0.1:{port}", hosts) + f"&target_session_attrs={attributes}"
        async with await open_database(url, schema) as db:
            await db.write(Statement("INSERT INTO attempt (id) VALUES (1)", rows=1))
            assert await db.read("SELECT id FROM attempt") == [(1,)]
            with pytest.raises(StoreError, match="read-only"):
                await db.read("DELETE FROM attempt")


async def test_a_connection_that_cannot_be_set_up_is_not_left_open(
    postgres_db: PostgresDatabase, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    async def fail(connection: asyncpg.Connection) -> None:
        made.append(connection)
        raise TimeoutError

    with monkeypatch.context() as failing:
        failing.setattr(postgres_server, "set_up", fail)
        with pytest.raises(TimeoutError):
            await postgres_server.connect(postgres_url)
    assert [each.is_closed() for each in made] == [True]


async def test_a_server_of_another_kind_than_asked_for(postgres_url: str, schema: Path) -> None:
    with pytest.raises(DatabaseError, match="such as its target_session_attrs asks for"):
        await open_database(f"{postgres_url}&target_session_attrs=standby", schema)


def test_a_certificate_that_is_not_trusted() -> None:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed: self-signed certificate")
    assert "cannot be made secure (certificate verify failed" in str(postgres_server.refusal(error))


async def test_what_is_refused(
    postgres_db: PostgresDatabase, postgres_url: str, schema: Path, tmp_path: Path
) -> None:
    with pytest.raises(DatabaseError, match="use pg_dump"):
        await postgres_db.backup(tmp_path / "copy")
    await postgres_db.check()
    parts = urlsplit(postgres_url)
    wrong = {
        postgres_url.replace("/postgres?", "/nowhere?"): "has no database of this name",
        "postgresql://me:secret@127.0.0.1:1/x": "cannot be reached",
        "postgresql://me:secret@127.0.0.1:port/x": "URL",
        f"postgresql://{parts.netloc}/postgres?search_path=nowhere": "no schema",
    }
    for url, reason in wrong.items():
        with pytest.raises(DatabaseError, match=reason) as info:
            await open_database(url, schema)
        assert "secret" not in str(info.value)
        assert re.fullmatch(r"[^\n]+\.", str(info.value))


async def test_another_programs_database(postgres_url: str, schema: Path) -> None:
    other = await asyncpg.connect(postgres_url)
    await other.execute("CREATE TABLE guitars (id INTEGER)")
    await other.close()
    with pytest.raises(DatabaseError, match="another program's: it has the table guitars"):
        await open_database(postgres_url, schema)


async def test_sums_are_numbers(postgres_db: PostgresDatabase) -> None:
    rows = await postgres_db.read("SELECT SUM(id), AVG(id), SUM(id * 1.5) FROM attempt")
    assert rows == [(2080, 32.5, 3120.0)]
    assert [type(value) for value in rows[0]] == [int, float, float]


def test_statements_that_are_alike_come_together_in_the_order_of_each_call() -> None:
    def change(sql: str, *args: int) -> Statement:
        return Statement(f"UPDATE {sql}", args)

    calls = [
        (change("a", 1), change("b", 2)),
        (change("a", 3), change("c", 4), change("b", 5)),
        (change("b", 6),),
        (change("b", 7), change("b WHERE (SELECT 1) = 8")),
    ]
    assert [[(each.sql[-1], *each.args) for each in batch] for batch in batches(calls)] == [
        [("b", 7)],  # what reads comes first, and by itself
        [("8",)],
        [("a", 1), ("a", 3)],
        [("b", 2), ("b", 6)],
        [("c", 4)],
        [("b", 5)],
    ]
