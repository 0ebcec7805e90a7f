"""SQLite: one connection that writes, one that reads, each on a thread of its own (aiosqlite's).

A thread is handed one function per group of requests: with a hop for each statement, a write costs three times as
much. That needs what is private to aiosqlite, which only `_run` and `_hand_over` below touch.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain, groupby
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

import aiosqlite

from bot.store import sqlite_files as files
from bot.store.database import Call, ConflictError, Database, Row, Statement, StoreError, Value, Watch
from bot.store.filelock import FileLock
from bot.store.groups import GroupQueue, Outcomes
from bot.store.migrations import Migration
from bot.store.sqlite_files import MEMORY

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

Query = tuple[str, tuple[Value, ...]]

_TOKEN = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | \$(?P<number>\d+)""", re.VERBOSE | re.DOTALL
)

TOGETHER = 128
"""How many rows one statement stores at most: there is one for each number of rows, and those in use stay prepared."""
_INSERT = re.compile(r"INSERT INTO \w+ \([\w, ]+\) VALUES (?P<row>\(\?(?:, \?)*\))")


async def open_sqlite(
    path: str, migrations: Sequence[Migration], *, watch: Watch | None = None, beside: bool = False
) -> SqliteDatabase:
    """Returns the database in the file *path* (or `:memory:`), with *migrations* applied.

    *watch* is told of each group of writes. *beside* a bot that may be running, nothing is locked or migrated.

    :raises DatabaseError: if it cannot be used, with the reason.
    """
    lock = None if path == MEMORY or beside else FileLock(Path(path))
    connections: list[aiosqlite.Connection] = []
    try:
        if beside:
            await asyncio.to_thread(files.require_current, path, migrations)
        connections.append(await _connect(path))
        version = await _run(connections[0], files.prepare, path, migrations)
        if path != MEMORY:  # only its own connection can see a database in memory
            connections.append(await _connect(path))
            await _run(connections[1], files.prepare_reader)
    except BaseException as error:
        for connection in connections:
            await connection.close()
        if lock is not None:
            lock.release()
        if isinstance(error, sqlite3.Error):
            raise files.refusal(path, error) from error
        raise
    return SqliteDatabase(path, lock, connections[0], connections[-1], version, watch=watch)


class SqliteDatabase(Database):
    """A SQLite database, made by `open_sqlite`. *reader* and *writer* are the same for one in memory."""

    __slots__ = ("_closed", "_lock", "_path", "_reader", "_reads", "_version", "_writer", "_writes")

    def __init__(
        self,
        path: str,
        lock: FileLock | None,
        writer: aiosqlite.Connection,
        reader: aiosqlite.Connection,
        version: int,
        *,
        watch: Watch | None = None,
    ) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._version = version
        self._writes: GroupQueue[Call, None] = GroupQueue(
            partial(_hand_over, writer, _commit_group), watch=watch
        )
        self._reads: GroupQueue[Query, list[Row]] = GroupQueue(partial(_hand_over, reader, _fetch_group))
        self._closed = False

    @property
    def schema_version(self) -> int:
        return self._version

    async def read(self, sql: str, *args: Value) -> list[Row]:
        return await self._reads.put((sql, args))

    async def write(self, *statements: Statement) -> None:
        if statements:
            await self._writes.put(statements)

    async def check(self) -> None:
        self._require_open()
        if self._path == MEMORY:
            await _run(self._writer, files.verify, self._path)
        else:
            await asyncio.to_thread(files.verify_file, self._path)

    async def backup(self, path: Path) -> None:
        self._require_open()
        if self._path == MEMORY:
            await _run(self._writer, files.back_up, path)
        else:
            await asyncio.to_thread(files.back_up_file, self._path, path)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._writes.close()
            await self._reads.close()
            if self._reader is not self._writer:
                await self._reader.close()
            await self._writer.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("the database is closed")


async def _connect(path: str) -> aiosqlite.Connection:
    async def connect() -> aiosqlite.Connection:
        connection = aiosqlite.Connection(lambda: files.connect(path), iter_chunk_size=64)
        try:
            return await connection
        except sqlite3.Error:  # the thread has been told to end, and would still tell a loop that is closed
            await asyncio.to_thread(connection._thread.join)
            raise

    # A task of its own, since aiosqlite forgets a connection whose making is cancelled, without closing it.
    connecting = asyncio.ensure_future(connect())
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await (await connecting).close()
        raise


async def _run(
    connection: aiosqlite.Connection,
    function: Callable[Concatenate[sqlite3.Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Returns what *function* returns on the connection's thread."""
    plain = connection._conn
    return cast(T, await connection._execute(function, plain, *args, **kwargs))  # type: ignore[no-untyped-call]


def _hand_over(
    connection: aiosqlite.Connection,
    function: Callable[[sqlite3.Connection, Sequence[T]], Sequence[R | StoreError]],
    group: Sequence[T],
    done: Callable[[Outcomes[R]], None],
) -> None:
    """Has *function* do *group* on the connection's thread, and *done* called on the loop with the outcomes.

    What awaits a future of aiosqlite's is woken in the next turn of the loop, which is far off while it is busy.
    """
    loop = asyncio.get_running_loop()
    plain = connection._conn

    def work() -> None:
        outcomes: Outcomes[R]
        try:
            outcomes = function(plain, group)
        except Exception as error:
            outcomes = error.with_traceback(None)  # which refers to this frame
        with suppress(RuntimeError):  # the loop has been closed meanwhile
            loop.call_soon_threadsafe(done, outcomes)

    connection._tx.put_nowait((None, work))


# What follows runs on a connection's thread.


def _fetch_group(connection: sqlite3.Connection, group: Sequence[Query]) -> list[list[Row] | StoreError]:
    """Returns the rows of each query of *group*, or why there are none."""
    cursor = connection.cursor()
    return [_fetch(cursor, sql, args) for sql, args in group]


def _fetch(cursor: sqlite3.Cursor, sql: str, args: tuple[Value, ...]) -> list[Row] | StoreError:
    try:
        _execute(cursor, sql, args)
        return cursor.fetchall()
    except Exception as error:
        return _failure(error)


def _commit_group(connection: sqlite3.Connection, group: Sequence[Call]) -> list[StoreError | None]:
    """Returns what became of each call of *group* (None: saved), in one transaction.

    Savepoints cost as much as the statements between them, and nearly always all is well. So the group is tried
    without them first, and only if something in it fails it is begun again with one around each call.

    :raises StoreError: if nothing of it was saved. The connection is ready for the next group all the same.
    """
    try:
        return _try_group(connection, group) or _sift_group(connection, group)
    except Exception as error:
        failure = _failure(error)
        log.error("%d writes were not saved: %s", len(group), failure)
        raise failure from error
    finally:
        files.roll_back(connection)


def _try_group(connection: sqlite3.Connection, group: Sequence[Call]) -> list[StoreError | None] | None:
    """Commits *group* if nothing in it fails, else returns None with nothing changed."""
    cursor = connection.execute("BEGIN IMMEDIATE")
    try:
        for only_inserts, calls in groupby(group, _only_inserts):
            if only_inserts:
                _insert_together(cursor, calls)
            else:
                for call in calls:
                    for index, statement in enumerate(call):
                        _change(cursor, index, statement)
    except Exception:
        files.roll_back(connection)
        return None
    cursor.execute("COMMIT")
    return [None] * len(group)


def _sift_group(connection: sqlite3.Connection, group: Sequence[Call]) -> list[StoreError | None]:
    """Commits those calls of *group* that do not fail."""
    cursor = connection.execute("BEGIN IMMEDIATE")
    outcomes = [_apply(cursor, call) for call in group]
    cursor.execute("COMMIT")
    return outcomes


def _apply(cursor: sqlite3.Cursor, call: Call) -> StoreError | None:
    """Returns why *call* was undone, None if it was applied."""
    cursor.execute("SAVEPOINT call")
    index = 0
    try:
        for index, statement in enumerate(call):
            _change(cursor, index, statement)
    except Exception as error:
        if not cursor.connection.in_transaction:
            raise  # after some errors (disk full, I/O) SQLite has undone the whole group by itself
        cursor.execute("ROLLBACK TO call")
        cursor.execute("RELEASE call")
        if isinstance(error, StoreError):
            return error.with_traceback(None)  # as below
        refused = isinstance(error, sqlite3.IntegrityError)
        return ConflictError(index, str(error)) if refused else _failure(error)
    cursor.execute("RELEASE call")
    return None


def _only_inserts(call: Call) -> bool:
    """Tells whether *call* does nothing but store rows, one a statement, so that it does not matter when."""
    return all(statement.rows == 1 and len(statement.args) == _columns(statement.sql) for statement in call)


def _insert_together(cursor: sqlite3.Cursor, calls: Iterable[Call]) -> None:
    """Stores the rows of *calls*, those of a table in few statements.

    The thread gives the interpreter away in each statement, and waits to get it back while the loop is busy.
    """
    rows: defaultdict[str, list[tuple[Value, ...]]] = defaultdict(list)
    for call in calls:
        for statement in call:
            rows[statement.sql].append(statement.args)
    for sql, every in rows.items():
        for start in range(0, len(every), TOGETHER):
            some = every[start : start + TOGETHER]
            cursor.execute(_insert(sql, len(some)), tuple(chain.from_iterable(some)))


@lru_cache(maxsize=1024)
def _insert(sql: str, rows: int) -> str:
    """Returns *sql*, which stores one row, for several *rows*."""
    text, _ = positional(sql)
    row = ", ".join("?" * _columns(sql))
    return f"{text}{f', ({row})' * (rows - 1)}"


@lru_cache(maxsize=1024)
def _columns(sql: str) -> int:
    """Returns how many values a plain INSERT of one row takes, in their order; -1 if *sql* is anything else."""
    text, order = positional(sql)
    match = _INSERT.fullmatch(text)
    return -1 if match is None or order is not None else match["row"].count("?")


def _change(cursor: sqlite3.Cursor, index: int, statement: Statement) -> None:
    _execute(cursor, statement.sql, statement.args)
    expected, rows = statement.rows, cursor.rowcount
    if expected is None or expected == rows:
        return
    if rows < 0:  # sqlite3 does not count for statements that begin with WITH
        rows = cursor.execute("SELECT changes()").fetchone()[0]
    if expected != rows:
        raise ConflictError(index, f"{rows} rows affected, not {expected}")


def _execute(cursor: sqlite3.Cursor, sql: str, args: tuple[Value, ...]) -> None:
    text, order = positional(sql)
    cursor.execute(text, args if order is None else tuple(args[number] for number in order))


@lru_cache(maxsize=1024)
def positional(sql: str) -> tuple[str, tuple[int, ...] | None]:
    """Returns *sql* with `?` for `$1`, `$2` …, and the indexes of their arguments unless they are 0, 1, 2 ….

    SQLite takes `$1` for a name and numbers names as they appear; Python deprecates both `$1` and (before
    3.12.4) `?1` with a sequence.
    """
    order: list[int] = []

    def replace(match: re.Match[str]) -> str:
        if match["number"] is None:
            return match[0]
        order.append(int(match["number"]) - 1)
        return "?"

    text = _TOKEN.sub(replace, sql)
    return text, None if order == list(range(len(order))) else tuple(order)


def _failure(error: Exception) -> StoreError:
    """Returns *error* as the store's own, with SQLite's name for it where there is one (SQLITE_FULL)."""
    name = files.name_of(error)
    failure = StoreError(f"{error} ({name})" if name else str(error))
    failure.__cause__ = error.with_traceback(None)  # which refers to frames that hold what failed: a cycle
    return failure
