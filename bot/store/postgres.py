"""PostgreSQL: one connection that writes, a few that read, one that holds leases (asyncpg's).

Several processes may share such a database. Transactions are READ COMMITTED: row counts and keys decide who was
first, and a statement that computes something from other rows stands behind one of the same call that changed,
and so locked, the row which they hang on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import asyncpg

from bot.store import postgres_server as server
from bot.store.database import Call, Database, DatabaseError, Row, Statement, StoreError, Value, Watch
from bot.store.groups import GroupQueue, in_task
from bot.store.migrations import Migration
from bot.store.postgres_leases import Leases
from bot.store.postgres_server import PATIENCE, failure, is_lost
from bot.store.postgres_writer import Writer

log = logging.getLogger(__name__)

READERS = 4
"""How many queries of one process run at once."""
READ_TIME = 10.0
"""Seconds that a query may take."""


async def open_postgres(
    url: str, migrations: Sequence[Migration], *, watch: Watch | None = None
) -> PostgresDatabase:
    """Returns the database at *url*, with *migrations* applied.

    *watch* is told of each group of writes.

    :raises DatabaseError: if it cannot be used, with the reason.
    """
    try:
        schema, version = await server.prepare(url, migrations)
        readers = await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=READERS,
            connect=server.dial,
            init=server.set_up_reader,
            reset=_keep,
            command_timeout=READ_TIME,
            server_settings=server.SETTINGS,
        )
    except server.REFUSALS as error:
        raise server.refusal(error) from error
    return PostgresDatabase(url, schema, version, readers, watch=watch)


class PostgresDatabase(Database):
    """A PostgreSQL database, made by `open_postgres`."""

    __slots__ = ("_closed", "_leases", "_readers", "_url", "_version", "_writer", "_writes")

    def __init__(
        self, url: str, schema: str, version: int, readers: asyncpg.Pool, *, watch: Watch | None = None
    ) -> None:
        self._url = url
        self._version = version
        self._readers = readers
        self._writer = Writer(partial(server.connect, url))
        self._writes = GroupQueue(in_task(self._commit), watch=watch)
        self._leases = Leases(partial(server.connect, url), schema)
        self._closed = False

    @property
    def schema_version(self) -> int:
        return self._version

    async def read(self, sql: str, *args: Value) -> list[Row]:
        self._require_open()
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                return [tuple(row) for row in await self._readers.fetch(sql, *args)]
            except Exception as error:
                if not is_lost(error) or asyncio.get_running_loop().time() > until:
                    raise failure(error) from error
            # The server was gone for a moment, or has closed this connection while nobody used it.
            await asyncio.sleep(server.PAUSE)

    async def write(self, *statements: Statement) -> None:
        if statements:
            await self._writes.put(statements)

    async def holds(self, lease: str, *, shared: bool = False) -> bool:
        self._require_open()
        return await self._leases.holds(lease, shared=shared)

    async def release(self, lease: str) -> None:
        self._require_open()
        await self._leases.release(lease)

    async def check(self) -> None:
        self._require_open()
        try:
            await server.verify(self._url)
        except server.REFUSALS as error:
            raise server.refusal(error) from error

    async def backup(self, path: Path) -> None:
        self._require_open()
        raise DatabaseError(
            f"A PostgreSQL database is not backed up to {path} by this program: "
            "use pg_dump, which is safe while it is in use."
        )

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        ends = (self._writer, self._leases, self._readers)
        try:
            async with asyncio.timeout(server.FAREWELL):
                await self._writes.close()
                await asyncio.gather(*(each.close() for each in ends), return_exceptions=True)
        except TimeoutError:
            log.warning("the database server is silent: its connections are cut")
        finally:
            for each in ends:
                each.terminate()

    async def _commit(self, group: Sequence[Call]) -> list[StoreError | None]:
        try:
            return await self._writer.commit(group)
        except StoreError as error:
            log.error("%d writes were not saved: %s", len(group), error)
            raise

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("the database is closed")


async def _keep(_connection: asyncpg.Connection) -> None:
    """Leaves a connection as it is when it goes back: nothing that reads changes it, and asyncpg would ask."""
