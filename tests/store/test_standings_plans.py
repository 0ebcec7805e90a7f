"""How SQLite finds the lines of boards: by one index each, in their order, without looking at any others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.periods import Span
from bot.services.history import Archive
from bot.services.leaderboard import Leaderboards, Metric, Scope, Wish
from bot.services.standings import Standings
from bot.store import attempts, races, results
from bot.store.database import Database, Row, Value, open_database
from bot.store.sqlite import positional
from tests.services.conftest import ANN, BOB, HOUR, NOW, Club, stuck, won

ROOT = Path(__file__).parents[2]


class Watched:
    """A database that notes what is read."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.queries: dict[str, tuple[Value, ...]] = {}

    async def read(self, sql: str, *args: Value) -> list[Row]:
        self.queries[sql] = args
        return await self.db.read(sql, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)


def plan_of(connection: sqlite3.Connection, sql: str, args: tuple[Value, ...]) -> Iterator[str]:
    text, order = positional(sql)
    values = args if order is None else [args[index] for index in order]
    for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {text}", values):
        yield step


@pytest.fixture
async def queries(tmp_path: Path) -> tuple[Path, dict[str, tuple[Value, ...]]]:
    """Returns a database and all queries of boards, lists, profiles and the background work."""
    path = tmp_path / "bot.db"
    async with await open_database(f"sqlite:///{path}", ROOT / "migrations") as db:
        watched = Watched(db)
        club = Club(db, Standings(watched))  # type: ignore[arg-type]
        for number in range(3):
            await club.race(won(ANN), stuck(BOB), start=NOW + number * HOUR)
        await club.standings.work()
        await results.non_members(watched, 1, [ANN])  # type: ignore[arg-type]
        boards, archive = Leaderboards(watched), Archive(watched)  # type: ignore[arg-type]
        for metric, game, scope, span in product(Metric, (None, "one-handed"), Scope, Span):
            for page in (0, 1):
                wish = Wish(metric, game, scope, span, page)
                await boards.show(wish, guild=1, player=BOB, now=NOW)
        for player in (None, ANN):
            await archive.races(1, player, 0)
        await archive.profile(ANN, asker=BOB, guild=1)
        await archive.find_race("https://discord.com/channels/1/2/3")
    return path, watched.queries


async def test_no_query_of_standings_reads_a_whole_table(
    queries: tuple[Path, dict[str, tuple[Value, ...]]],
) -> None:
    path, asked = queries
    assert len(asked) > 30
    with closing(sqlite3.connect(path)) as connection:
        for sql, args in asked.items():
            for step in plan_of(connection, sql, args):
                scans = step.startswith("SCAN") and step not in ("SCAN x", "SCAN CONSTANT ROW")
                assert not scans or "USING INDEX race_uncounted" in step or "result_stale" in step, (
                    f"{step}\n{sql}"
                )


async def test_lines_of_boards_come_in_the_order_of_their_index(
    queries: tuple[Path, dict[str, tuple[Value, ...]]],
) -> None:
    path, asked = queries
    boards = {sql: args for sql, args in asked.items() if "FROM tally" in sql and "listed = 1" in sql}
    assert len(boards) >= 6 * 2
    with closing(sqlite3.connect(path)) as connection:
        for sql, args in boards.items():
            (step,) = plan_of(connection, sql, args)
            way = "COVERING INDEX" if sql.startswith("SELECT COUNT(*)") else "INDEX"
            assert step.startswith(f"SEARCH tally USING {way} tally_"), f"{step}\n{sql}"


async def test_what_is_looked_for_each_second_is_found_by_an_index(tmp_path: Path) -> None:
    path = tmp_path / "bot.db"
    async with await open_database(f"sqlite:///{path}", ROOT / "migrations") as db:
        watched = Watched(db)
        await races.load_late(watched, NOW)  # type: ignore[arg-type]
        await races.load_live(watched)  # type: ignore[arg-type]
        await attempts.overdue(watched, NOW)  # type: ignore[arg-type]
    with closing(sqlite3.connect(path)) as connection:
        steps = [step for sql, args in watched.queries.items() for step in plan_of(connection, sql, args)]
    # The index of attempts has only those that are under way.
    assert {step for step in steps if step.startswith("SCAN")} == {"SCAN a USING INDEX attempt_timed"}
