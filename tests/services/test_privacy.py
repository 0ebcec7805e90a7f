"""No column about a player is forgotten: in an export, in a deletion, or in PRIVACY.md."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from bot.services.attempts import Attempts
from bot.services.players import Players
from bot.services.press import Press
from bot.services.privacy import Privacy
from bot.snowflake import snowflake_at
from bot.store.database import Database, Statement, Value, open_database
from tests.services.conftest import ANN, NOW

ROOT = Path(__file__).parents[2]
RACE, ATTEMPT, GUILD, DAY = 7_000_001, 7_000_002, 7_000_003, 7
PERSONS = {("player", "id"), ("race", "host"), ("audit", "moderator")}
"""Columns that hold a player's id, beside those that are called "player"."""
NO_PERSONS = {
    *(
        "id",
        "guild",
        "channel",
        "message",
        "result_message",
        "race",
        "rematch_of",
        "attempt",
        "interaction",
        "role",
    ),
    *(
        "at",
        "seen",
        "posted",
        "time_limit",
        "outage",
        "made_up",
        "touched",
        "host_seen",
        "start_at",
        "ended_at",
    ),
    *(
        "token_at",
        "token_message",
        "time_taken",
        "best",
        "points",
        "mean",
        "made_at",
        "opened_at",
        "closed_at",
    ),
    *("since", "begun_at", "tried_at", "revision", "version"),
}
"""Numbers as large as ids that are of something else, or moments."""
VALUES: dict[str, Value] = {
    "race": RACE,
    "attempt": ATTEMPT,
    "player": ANN,
    "host": ANN,
    "moderator": ANN,
    "guild": GUILD,
    "day": DAY,
    "game": "links",
    "phase": "finished",
    "purpose": "daily",
    "barred": 0,
    "rematch_of": None,
}
IDS: dict[str, Value] = {"player": ANN, "race": RACE, "attempt": ATTEMPT}
LEFT_OUT = {
    ("entrant", "token"): "opens the private message",
    ("entrant", "token_at"): "goes with the token",
    ("entrant", "token_message"): "goes with the token",
    ("result", "stale"): "the bot's own book-keeping",
    ("result", "version"): "the bot's own book-keeping",
}
Schema = dict[str, list[tuple[str, str]]]


@pytest_asyncio.fixture
async def db() -> AsyncIterator[Database]:
    async with await open_database("sqlite:///:memory:", ROOT / "migrations") as opened:
        yield opened


async def schema_of(db: Database) -> Schema:
    """Returns the names and the types of the columns of each table, those first to which others refer."""
    names = [
        row[0] for row in await db.read("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    ]
    names.sort(key=("attempt", "race").__contains__, reverse=True)
    names.remove("race")
    return {
        name: [
            (row[0], row[1]) for row in await db.read("SELECT name, type FROM pragma_table_info($1)", name)
        ]
        for name in ("race", *names)
        if name != "migration"
    }


def is_person(table: str, column: str) -> bool:
    return column == "player" or (table, column) in PERSONS


async def fill(db: Database, *, without: tuple[str, ...] = ()) -> dict[tuple[str, str], Value]:
    """Writes one row about one player into each table; returns the values, different ones where they can be."""
    written: dict[tuple[str, str], Value] = {}
    statements: list[Statement] = []
    for table, columns in (await schema_of(db)).items():
        if table in without:
            continue
        row: list[Value] = []
        for number, (column, kind) in enumerate(columns):
            own = 1_000_000 + 1_000 * len(statements) + number
            value: Value = (
                own if "INT" in kind else own + 0.5 if kind == "DOUBLE PRECISION" else f"text {own}"
            )
            value = IDS.get(table, value) if column == "id" else VALUES.get(column, value)
            row.append(value)
            written[table, column] = value
        names = ", ".join(column for column, _ in columns)
        marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
        statements.append(Statement(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row), rows=1))
    await db.write(*statements)
    return written


def privacy_of(db: Database) -> Privacy:
    return Privacy(db, Attempts(db), Players(db))


def leaves(value: Any) -> Iterator[str]:
    """Yields everything that an export says, as text."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield str(value)


async def test_it_is_known_which_columns_hold_a_player(db: Database) -> None:
    new = {
        (table, column)
        for table, columns in (await schema_of(db)).items()
        for column, kind in columns
        if kind == "BIGINT" and not is_person(table, column) and column not in NO_PERSONS
    }
    assert new == set(), "does it hold a player's id? Then bot/store/privacy.py has to know it"


async def test_everything_about_a_player_is_exported(db: Database) -> None:
    written = await fill(db)
    said = set(leaves(json.loads(await privacy_of(db).export(ANN, NOW))))
    tables = {table for table, column in written if column == "player"} | {"player", "event"}
    personal = {key for key in written if key[0] in tables} | {("race", "host_seen")}
    assert {key for key in personal - set(LEFT_OUT) if str(written[key]) not in said} == set()
    assert [key for key in LEFT_OUT if str(written[key]) in said] == []


async def test_every_part_of_an_export_is_explained(db: Database) -> None:
    await fill(db)
    found = json.loads(await privacy_of(db).export(ANN, NOW))
    lines = (ROOT / "PRIVACY.md").read_text(encoding="utf-8").splitlines()
    told = {
        words[0]: set(words[1:])
        for line in lines
        if line.startswith("| `") and (words := re.findall(r"`([a-z_]+)`", line.replace("`null`", "")))
    }
    for part, value in found.items():
        assert part in told or part == "format", part
        record = value[0] if isinstance(value, list) else value if isinstance(value, dict) else {}
        assert set(record) <= told.get(part, set()), part
        assert told.get(part, set()) - set(record) == set(), part


async def test_no_table_keeps_the_id_of_a_deleted_player(db: Database) -> None:
    written = await fill(db, without=("seat",))
    privacy = privacy_of(db)
    await privacy.delete(Press(snowflake_at(NOW), ANN, "Ann"))
    await privacy.clean(NOW)
    left = {
        (table, column)
        for table, columns in (await schema_of(db)).items()
        for column, _ in columns
        for row in await db.read(f"SELECT {column} FROM {table}")
        if row[0] in (ANN, written["player", "name"], written["entrant", "token"])
    }
    assert left == set()
