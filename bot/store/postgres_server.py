"""What is done to a PostgreSQL database as a whole, how connections are made, and what their errors mean."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from bot.store.database import DatabaseError, StoreError
from bot.store.migrations import Migration, MigrationError, pending

OLDEST = 14
"""The oldest version of the server that ends the session of a process which is paused."""
PATIENCE = 2.0
"""Seconds for which a lost server is waited for: whoever presses gets an answer within three."""
PAUSE = 0.05
"""Seconds between two tries to reach the server."""
COMMAND_TIME = 5.0
"""Seconds that a statement of a write may take."""
FAREWELL = 1.0
"""Seconds that a server has to do what is under way when the database is closed, and to end the connections."""
SETTINGS = {
    "application_name": "same-deal",
    # A process that is paused in mid write, or whose machine is gone, must not keep rows from the others.
    "idle_in_transaction_session_timeout": "2000",
    "lock_timeout": "500",
    "timezone": "UTC",
}

REFUSALS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
    ValueError,
)
"""What keeps a database from being used; `refusal` has a sentence for each."""

_MIGRATING = 0x5A3E_DEA1
_NOW = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"  # ms since 1970, UTC
_LOST = re.compile("08|57P|25P03")  # classes and codes of errors: lost, shut down, idle in a transaction


async def connect(url: str, **settings: str) -> asyncpg.Connection:
    """Returns a new connection; *settings* are the server's, beside the usual ones."""
    connection = await dial(url, command_timeout=COMMAND_TIME, server_settings={**SETTINGS, **settings})
    try:
        await set_up(connection)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def dial(url: str, **options: Any) -> asyncpg.Connection:
    """Returns a connection to the first of the hosts of *url* that takes one; *options* are asyncpg's.

    asyncpg itself gives all hosts together the time of one: a machine that is gone and says nothing uses it up.
    """
    hosts = _hosts(url)
    for number, host in enumerate(hosts, start=1):
        try:
            return await asyncpg.connect(host, timeout=PATIENCE / len(hosts), **options)
        except Exception as error:
            if number == len(hosts) or not is_lost(error):
                raise
    raise AssertionError("a URL names one host at least")


def _hosts(url: str) -> list[str]:
    """Returns *url* for each of the hosts that it names."""
    parts = urlsplit(url)
    login, at, places = parts.netloc.rpartition("@")
    if "," not in places:
        return [url]
    return [urlunsplit(parts._replace(netloc=f"{login}{at}{place}")) for place in places.split(",")]


async def set_up_reader(connection: asyncpg.Connection) -> None:
    """Does `set_up` for a connection that is to change nothing.

    Not by a setting that it is made with: ``target_session_attrs=read-write`` would take the server for a standby.
    """
    await set_up(connection)
    await connection.execute("SET default_transaction_read_only = on")


async def set_up(connection: asyncpg.Connection) -> None:
    """Makes sums arrive as the numbers that they are in SQLite, not as decimals."""
    await connection.set_type_codec(
        "numeric", schema="pg_catalog", encoder=str, decoder=_number, format="text"
    )


def _number(text: str) -> int | float:
    return float(text) if "." in text or "N" in text else int(text)


async def prepare(url: str, migrations: Sequence[Migration]) -> tuple[str, int]:
    """Returns the name of the schema in use and its version after applying *migrations*.

    Processes that start at the same time do so one after the other.

    :raises DatabaseError: if the server is too old, or the database another program's or newer than *migrations*.
    """
    connection = await connect(url, lock_timeout="30000")
    try:
        schema = await _require_schema(connection)
        await connection.execute("SELECT pg_advisory_lock($1)", _MIGRATING, timeout=60)
        return schema, await _migrate(connection, migrations)
    finally:
        await connection.close()  # and with it ends the lock


async def examine(url: str, migrations: Sequence[Migration]) -> tuple[int, int]:
    """Returns the version of the schema and how many of *migrations* are still to come; nothing is changed.

    :raises DatabaseError: if the bot could not use the database, with the reason.
    """
    try:
        connection = await connect(url)
        try:
            schema = await _require_schema(connection)
            if await connection.fetchval("SHOW transaction_read_only") == "on":
                raise DatabaseError("The database cannot be written: its server is a standby, or set so.")
            applied = await _applied(connection) if await _is_made(connection) else []
            missing = len(pending(migrations, applied))
            may_make = "SELECT has_schema_privilege($1, 'CREATE')"
            if missing and not await connection.fetchval(may_make, schema):
                raise DatabaseError(f"The user may make no tables in the schema {schema}.")
            return len(applied), missing
        finally:
            await connection.close()
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    except REFUSALS as error:
        raise refusal(error) from error


async def _require_schema(connection: asyncpg.Connection) -> str:
    """Returns the name of the schema in use.

    :raises DatabaseError: if there is none, or the server is too old.
    """
    major = connection.get_server_version().major
    if major < OLDEST:
        raise DatabaseError(f"PostgreSQL {OLDEST} or newer is needed; this server has version {major}.")
    schema = await connection.fetchval("SELECT current_schema()")
    if schema is None:
        raise DatabaseError("The database has no schema in which tables can be made.")
    return str(schema)


async def _is_made(connection: asyncpg.Connection) -> bool:
    """Tells whether the bot has been here before.

    :raises DatabaseError: if another program has.
    """
    names = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
    tables = [row[0] for row in await connection.fetch(names)]
    if tables and "migration" not in tables:
        raise DatabaseError(f"The database is another program's: it has the table {tables[0]}.")
    return bool(tables)


async def _applied(connection: asyncpg.Connection) -> list[tuple[int, str]]:
    return [tuple(row) for row in await connection.fetch("SELECT version, checksum FROM migration")]


async def _migrate(connection: asyncpg.Connection, migrations: Sequence[Migration]) -> int:
    if not await _is_made(connection):
        await connection.execute(
            "CREATE TABLE migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, "
            "checksum TEXT NOT NULL, applied BIGINT NOT NULL)"
        )
    try:
        for migration in pending(migrations, await _applied(connection)):
            await _apply(connection, migration)
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    return len(migrations)


async def _apply(connection: asyncpg.Connection, migration: Migration) -> None:
    """Applies *migration* and records it, in one transaction."""
    try:
        async with connection.transaction():
            await connection.execute(migration.sql, timeout=3600)
            await connection.execute(
                f"INSERT INTO migration (version, name, checksum, applied) VALUES ($1, $2, $3, {_NOW})",
                migration.version,
                migration.name,
                migration.checksum,
            )
    except asyncpg.PostgresError as error:
        raise DatabaseError(f"The migration {migration} failed and was undone: {error}.") from error


async def verify(url: str) -> None:
    """Reads all tables; a server with checksums looks at each page.

    :raises DatabaseError: if something cannot be read.
    """
    connection = await connect(url)
    try:
        names = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        for (table,) in await connection.fetch(names):
            await connection.fetchval(f'SELECT COUNT(*) FROM "{table}"', timeout=3600)
    except (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError) as error:
        raise DatabaseError(f"The database is damaged ({error}): restore a backup.") from error
    finally:
        await connection.close()


def is_lost(error: BaseException) -> bool:
    """Tells whether a connection is of no use after *error*, while a new one may be."""
    if isinstance(error, asyncpg.PostgresError):
        return bool(_LOST.match(error.sqlstate or ""))
    if isinstance(error, asyncpg.InterfaceError):
        return "connection" in str(error)  # closed, released, closing: asyncpg has no classes for them
    return isinstance(
        error, (OSError, TimeoutError, asyncpg.InternalClientError, asyncio.IncompleteReadError)
    )


def failure(error: Exception) -> StoreError:
    """Returns *error* as the store's own, with PostgreSQL's code for it where there is one."""
    code = getattr(error, "sqlstate", None)
    text = str(error) or type(error).__name__
    wrapped = StoreError(f"{text} ({code})" if code else text)
    wrapped.__cause__ = error
    return wrapped


def refusal(error: Exception) -> DatabaseError:
    """Returns why the database cannot be used, as one sentence without its address, which may hold a password."""
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            reason = "the server does not take this user and password"
        case asyncpg.InvalidCatalogNameError():
            reason = "the server has no database of this name"
        case asyncpg.TargetServerAttributeNotMatched():
            reason = "no server that it names is such as its target_session_attrs asks for"
        case ssl.SSLError():  # before the others, since one about a certificate is a ValueError too
            reason = f"the connection cannot be made secure ({error.strerror or type(error).__name__})"
        case asyncpg.ClientConfigurationError() | ValueError():
            reason = "its URL is not one that PostgreSQL understands"
        case TimeoutError():
            reason = "the server does not answer"
        case OSError():
            reason = f"the server cannot be reached ({error.strerror or type(error).__name__})"
        case _:
            reason = " ".join(str(error).split()).rstrip(".")
    return DatabaseError(f"The database cannot be used: {reason}.")
