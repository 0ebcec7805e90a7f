"""Rows that are stored together: a group of calls leaves what they leave one after another."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from bot.store import sqlite
from bot.store.database import Call, ConflictError, Statement, StoreError
from tests.store.conftest import SCHEMA

ATTEMPT = "INSERT INTO attempt (id) VALUES ($1)"
EVENT = "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3)"
TURNED = "INSERT INTO event (seq, attempt, move) VALUES ($2, $1, $3)"
KEPT = "INSERT INTO event (attempt, seq, move) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
MOVED = "UPDATE event SET move = $3 WHERE attempt = $1 AND seq = $2"
GONE = "DELETE FROM event WHERE attempt = $1 AND seq < $2"


def any_call(chance: random.Random, keys: int, seqs: int) -> Call:
    """Returns a call, mostly of inserts alone; the fewer keys there are, the more often it meets another one's rows."""
    key, seq, move = chance.randrange(1, keys), chance.randrange(0, seqs), chance.choice("abc")
    event = Statement(chance.choice([EVENT, EVENT, EVENT, TURNED, KEPT]), (key, seq, move), rows=1)
    return chance.choice(
        [
            (event,),
            (event,),
            (event, Statement(EVENT, (key, seq + 1, move), rows=1)),
            (Statement(ATTEMPT, (key,), rows=1), event),
            (event, Statement(MOVED, (key, seq, "d"), rows=1)),
            (Statement(MOVED, (key, seq, "e")),),
            (Statement(GONE, (key, seq)),),
            (Statement(GONE, (key, seqs)),),
            (Statement(KEPT, (key, seq, move)),),
        ]
    )


def store(groups: list[list[Call]]) -> tuple[list[type | None], list[object]]:
    """Returns what became of each call, and the rows after all of them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(SCHEMA)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executemany("INSERT INTO attempt (id) VALUES (?)", [(1,), (2,)])
        found = [outcome for group in groups for outcome in sqlite._commit_group(connection, group)]
        rows = connection.execute("SELECT attempt, seq, move FROM event ORDER BY attempt, seq").fetchall()
        return [None if outcome is None else type(outcome) for outcome in found], rows


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("keys", "seqs"), [(6, 12), (3, 300)])
def test_a_group_leaves_what_its_calls_leave_one_by_one(seed: int, keys: int, seqs: int) -> None:
    chance = random.Random(seed)
    calls = [any_call(chance, keys, seqs) for _ in range(chance.randrange(2, 24))]
    assert store([calls]) == store([[call] for call in calls])


def test_a_row_too_many_is_one_callers_conflict() -> None:
    calls: list[Call] = [(Statement(EVENT, (1, seq % 70, "a"), rows=1),) for seq in range(71)]
    outcomes, rows = store([calls])
    assert outcomes == [None] * 70 + [ConflictError]
    assert len(rows) == 70


@pytest.mark.parametrize(
    ("rows", "statements"), [(1, 1), (sqlite.TOGETHER, 1), (sqlite.TOGETHER + 1, 2), (250, 2)]
)
def test_rows_of_a_table_take_few_statements(rows: int, statements: int) -> None:
    seen: list[str] = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(SCHEMA)
        connection.set_trace_callback(seen.append)
        sqlite._commit_group(connection, [(Statement(EVENT, (1, seq, "a"), rows=1),) for seq in range(rows)])
    assert sum(sql.startswith("INSERT") for sql in seen) == statements


def test_an_error_of_one_is_not_anothers() -> None:
    calls: list[Call] = [
        (Statement(EVENT, (1, 1, "a"), rows=1),),
        (Statement(EVENT, (1, 2), rows=1),),
        (Statement(EVENT, (1, 3, "a"), rows=1),),
    ]
    assert store([calls]) == ([None, StoreError, None], [(1, 1, "a"), (1, 3, "a")])


def test_values_too_many_and_too_few_do_not_make_a_row_of_each_other() -> None:
    calls: list[Call] = [
        (Statement(EVENT, (1, 1, "a", 2), rows=1),),
        (Statement(EVENT, (2, "b"), rows=1),),
    ]
    assert store([calls]) == ([StoreError, StoreError], [])
