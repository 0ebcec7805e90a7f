"""Reads and writes: values, row counts, groups, failures kept apart, cancellation, closing."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.store import sqlite_files
from bot.store.database import ConflictError, Database, Statement, StoreError, open_database
from bot.store.sqlite import SqliteDatabase, _run, positional


def event(attempt: int, seq: int, move: str = "t1f1") -> Statement:
    return Statement(
        "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3)", (attempt, seq, move), rows=1
    )


async def count(db: Database) -> int:
    ((rows,),) = await db.read("SELECT COUNT(*) FROM event")
    return int(rows)


async def test_rows_are_plain_tuples(event_db: Database) -> None:
    await event_db.write(event(1, 0, "sw"), event(1, 1, "Æ'$1"))
    rows = await event_db.read("SELECT seq, move FROM event WHERE attempt = $1 ORDER BY seq", 1)
    assert rows == [(0, "sw"), (1, "Æ'$1")]
    assert {type(row) for row in rows} == {tuple}


async def test_arguments_may_come_in_any_order_and_repeat(event_db: Database) -> None:
    await event_db.write(
        Statement("INSERT INTO event (move, seq, attempt) VALUES ($3, $1, $2)", (7, 2, "a")),
        Statement("INSERT INTO event (move, seq, attempt) VALUES ($1, $2, 9)", ("b", 8)),
        Statement("UPDATE event SET seq = $2, move = $1 WHERE move = $1 AND seq = $3", ("b", 9, 8), rows=1),
    )
    assert await event_db.read("SELECT attempt, seq, move FROM event ORDER BY attempt") == [
        (2, 7, "a"),
        (9, 9, "b"),
    ]


@pytest.mark.parametrize(
    ("sql", "text", "order"),
    [
        ("SELECT 1", "SELECT 1", None),
        ("a = $1 AND b = $2", "a = ? AND b = ?", None),
        ("a = $2 AND b = $1", "a = ? AND b = ?", (1, 0)),
        ("a = $1 OR b = $1", "a = ? OR b = ?", (0, 0)),
        ("$1, $2, $3, $4, $5, $6, $7, $8, $9, $10", ", ".join("?" * 10), None),
        ("a = '$1' AND b = $1", "a = '$1' AND b = ?", None),
        ("a = 'it''s $1' AND b = $1", "a = 'it''s $1' AND b = ?", None),
        ('"$1" = $1', '"$1" = ?', None),
        ("a = $1 -- not $2\n AND b = $2", "a = ? -- not $2\n AND b = ?", None),
        ("a = $1 /* nor $3,\n $4 */ AND b = $2", "a = ? /* nor $3,\n $4 */ AND b = ?", None),
    ],
)
def test_placeholders(sql: str, text: str, order: tuple[int, ...] | None) -> None:
    assert positional(sql) == (text, order)


async def test_a_read_sees_every_acknowledged_write(event_db: Database) -> None:
    async def play(attempt: int) -> None:
        for seq in range(20):
            await event_db.write(event(attempt, seq))
            (newest,) = await event_db.read("SELECT MAX(seq) FROM event WHERE attempt = $1", attempt)
            assert newest == (seq,)

    await asyncio.gather(*(play(attempt) for attempt in range(1, 17)))


async def test_a_thousand_writes_take_few_commits(
    file: Path, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executed: list[str] = []
    connect = sqlite_files.connect

    def traced(path: str) -> sqlite3.Connection:
        connection = connect(path)
        connection.set_trace_callback(executed.append)
        return connection

    monkeypatch.setattr(sqlite_files, "connect", traced)
    async with await open_database(f"sqlite:///{file}", schema) as db:
        await db.write(Statement("INSERT INTO attempt (id) VALUES (1)"))
        executed.clear()
        await asyncio.gather(*(db.write(event(1, seq)) for seq in range(1000)))
        assert executed.count("COMMIT") == 4  # the largest group has 256
        assert await db.read("SELECT seq FROM event ORDER BY seq") == [(seq,) for seq in range(1000)]


async def test_conflicts_undo_only_their_own_call(event_db: Database) -> None:
    await event_db.write(event(1, 0))
    outcomes = await asyncio.gather(
        event_db.write(event(2, 0)),
        event_db.write(event(2, 1), event(1, 0)),  # there already
        event_db.write(event(3, 0), Statement("UPDATE event SET move = 'x' WHERE attempt = 9", rows=1)),
        event_db.write(event(4, 0), event(4, 1), event(999, 0)),  # no such attempt
        event_db.write(event(5, -1)),
        event_db.write(event(5, 0), Statement("DELETE FROM event WHERE attempt = 1", rows=2)),
        event_db.write(event(6, 0)),
        return_exceptions=True,
    )
    conflicts = {number: error for number, error in enumerate(outcomes) if error is not None}
    assert {number: type(error) for number, error in conflicts.items()} == dict.fromkeys(
        range(1, 6), ConflictError
    )
    assert [error.index for error in conflicts.values() if isinstance(error, ConflictError)] == [
        1,
        1,
        2,
        0,
        1,
    ]
    assert await event_db.read("SELECT attempt, seq FROM event ORDER BY attempt") == [(1, 0), (2, 0), (6, 0)]


async def test_the_first_of_two_equal_writes_wins(event_db: Database) -> None:
    outcomes = await asyncio.gather(
        *(event_db.write(event(1, 0, move)) for move in "abc"), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), ConflictError, ConflictError]
    assert await event_db.read("SELECT move FROM event") == [("a",)]


async def test_errors_undo_only_their_own_call(event_db: Database) -> None:
    wrong = [
        Statement("INSERT INTO nowhere (id) VALUES (1)"),
        Statement("INSERT INTO attempt (id) VALUES ($1)"),
        Statement("INSERT INTO attempt (id) VALUES ($1)", (100, 101)),
        Statement("INSERT INTO attempt (id) VALUES ($2)", (100,)),
        Statement("INSERT INTO attempt (id) VALUES ($1)", (2**63,)),
        Statement("INSERT INTO attempt (id) VALUES ($1)", ("\ud800",)),
        Statement("not SQL"),
    ]
    outcomes = await asyncio.gather(
        *(event_db.write(event(key, 0), statement) for key, statement in enumerate(wrong, start=1)),
        event_db.write(event(10, 0)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [StoreError] * len(wrong) + [type(None)]
    assert await event_db.read("SELECT attempt FROM event") == [(10,)]


async def test_a_wrong_query_hurts_nobody_else(event_db: Database) -> None:
    outcomes = await asyncio.gather(
        event_db.read("SELECT 1"),
        event_db.read("SELECT * FROM nowhere"),
        event_db.read("SELECT $1"),
        event_db.read("DELETE FROM attempt"),  # the connection that reads cannot write
        event_db.read("SELECT COUNT(*) FROM attempt"),
        return_exceptions=True,
    )
    assert [outcomes[0], outcomes[4]] == [[(1,)], [(64,)]]
    assert [type(outcome) for outcome in outcomes[1:4]] == [StoreError] * 3


def errors() -> list[Exception]:
    """Returns all errors of a store that there are."""
    return [each for each in gc.get_objects() if isinstance(each, (StoreError, sqlite3.Error))]


async def test_what_fails_is_freed_without_the_collector(sqlite_db: SqliteDatabase) -> None:
    gc.collect()
    before = errors()
    gc.disable()
    try:
        for failing in (
            lambda: sqlite_db.write(event(1, 1), event(1, 1)),
            lambda: sqlite_db.write(Statement("DELETE FROM event", rows=3)),
            lambda: sqlite_db.write(Statement("DELETE FROM nothing")),
            lambda: sqlite_db.read("SELECT nothing"),
        ):
            with suppress(StoreError):
                await failing()
        await sqlite_db.write(event(1, 2))  # each thread keeps the last that it did until it does the next
        await count(sqlite_db)
        assert [each for each in errors() if not any(each is kept for kept in before)] == []
    finally:
        gc.enable()


async def test_rows_are_counted_after_with(event_db: Database) -> None:
    await event_db.write(event(1, 0), event(1, 1))
    sql = "WITH mine AS (SELECT 1 AS id) DELETE FROM event WHERE attempt IN (SELECT id FROM mine)"
    with pytest.raises(ConflictError):
        await event_db.write(Statement(sql, rows=1))
    await event_db.write(Statement(sql, rows=2))
    assert await count(event_db) == 0


async def test_rows_deleted_by_a_foreign_key_do_not_count(event_db: Database) -> None:
    await event_db.write(event(1, 0), event(1, 1))
    await event_db.write(Statement("DELETE FROM attempt WHERE id = $1", (1,), rows=1))
    assert await count(event_db) == 0


async def test_a_write_of_nothing_is_no_write(event_db: Database) -> None:
    await event_db.write()


async def test_cancelled_callers_take_nobody_with_them(sqlite_db: SqliteDatabase, file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so that the first group cannot end
        under_way = [
            asyncio.ensure_future(sqlite_db.write(event(key, 0), event(key, 1))) for key in (1, 2, 3)
        ]
        await sqlite_db.read("SELECT 1")  # the loop has come round: the group is with the thread
        waiting = [asyncio.ensure_future(sqlite_db.write(event(key, 0), event(key, 1))) for key in (4, 5, 6)]
        await sqlite_db.read("SELECT 1")
        under_way[1].cancel()
        waiting[1].cancel()
        other.execute("ROLLBACK")
    outcomes = await asyncio.gather(*under_way, *waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), asyncio.CancelledError, type(None)] * 2
    stored = await sqlite_db.read("SELECT attempt, COUNT(*) FROM event GROUP BY attempt ORDER BY attempt")
    # The second had been begun and was saved as a whole; the fifth had not.
    assert stored == [(1, 2), (2, 2), (3, 2), (4, 2), (6, 2)]


async def test_closing_finishes_what_waits(url: str, file: Path, schema: Path) -> None:
    db = await open_database(url, schema)
    writes = [
        asyncio.ensure_future(db.write(Statement("INSERT INTO attempt (id) VALUES ($1)", (key,))))
        for key in range(300)
    ]
    read = asyncio.ensure_future(db.read("SELECT 1"))
    await asyncio.gather(asyncio.sleep(0), db.close())
    await asyncio.gather(*writes)
    assert await read == [(1,)]
    await db.close()  # a second time does nothing
    for refused in (db.read("SELECT 1"), db.write(Statement("SELECT 1")), db.check(), db.backup(file)):
        with pytest.raises(StoreError, match="closed"):
            await refused
    async with await open_database(url, schema) as again:
        assert await again.read("SELECT COUNT(*) FROM attempt") == [(300,)]


async def test_no_thread_is_left(file: Path, schema: Path) -> None:
    before = set(threading.enumerate())  # among them those of other tests that are just ending
    async with await open_database(f"sqlite:///{file}", schema) as db:
        await db.read("SELECT 1")
        own = set(threading.enumerate()) - before
        assert len(own) == 2
    for thread in own:
        thread.join(30)
    assert not any(thread.is_alive() for thread in own)
    assert set(threading.enumerate()) <= before


async def test_a_database_in_memory(schema: Path) -> None:
    async with await open_database("sqlite:///:memory:", schema) as db:
        await db.write(Statement("INSERT INTO attempt (id) VALUES (1)", rows=1))
        saved, rows, refused = await asyncio.gather(
            db.write(event(1, 0)),
            db.read("SELECT id FROM attempt"),
            db.write(event(2, 0)),
            return_exceptions=True,
        )
        assert saved is None
        assert rows == [(1,)]
        assert isinstance(refused, ConflictError)
        await db.check()
        async with await open_database("sqlite:///:memory:", schema) as other:
            assert await other.read("SELECT * FROM attempt") == []


async def test_the_connections_are_as_durable_as_promised(sqlite_db: SqliteDatabase) -> None:
    for name, value in (
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("temp_store", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 5000),
    ):
        assert await _run(sqlite_db._writer, _pragma, name) == value


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


async def test_aiosqlite_still_runs_functions_on_its_thread(sqlite_db: SqliteDatabase) -> None:
    """Notices a release of aiosqlite without the private names that `_run` uses."""

    def where(
        connection: sqlite3.Connection, first: int, *, second: int
    ) -> tuple[threading.Thread, int, bool]:
        return threading.current_thread(), first + second, isinstance(connection, sqlite3.Connection)

    thread, total, plain = await _run(sqlite_db._writer, where, 1, second=2)
    assert (total, plain) == (3, True)
    assert thread is sqlite_db._writer._thread is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        await _run(sqlite_db._writer, lambda _: 1 // 0)
