"""The boards on a million results: the time of each query, and of what a race that finishes costs."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.figures import Figure, percentile
from benchmarks.standings_data import NOW, Size, generate
from bot.periods import Span
from bot.services.history import Archive
from bot.services.leaderboard import Leaderboards, Metric, Scope, Wish
from bot.services.standings import Standings
from bot.store.database import Database, Row, Statement, Value, open_database
from bot.store.sqlite import positional

SIZES = (Size(10_000, 1_000, 20), Size(100_000, 10_000, 100), Size(1_000_000, 100_000, 1_000))
MOST_MS = 20.0
ROUNDS = 11
"""How often each query is timed. The least time counts, since others use the machine too."""
LAST = 10**9
MOST_RATED = 1_000
"""How many races are rated anew after one was voided, at most."""


@dataclass(slots=True)
class Watched:
    """A database that times what is read."""

    db: Database
    times: dict[tuple[str, tuple[Value, ...]], float] = field(default_factory=dict)

    async def read(self, sql: str, *args: Value) -> list[Row]:
        """Returns what the database does, and keeps the least time that it has taken."""
        begin = perf_counter()
        rows = await self.db.read(sql, *args)
        time = perf_counter() - begin
        self.times[sql, args] = min(time, self.times.get((sql, args), time))
        return rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)


def measure(folder: Path | None = None) -> Iterator[Figure]:
    """Yields the figures for each size; the largest one takes minutes to make. It is kept in *folder* if given."""
    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as scratch:
        for size in SIZES:
            path = (folder or Path(scratch)) / f"standings-{size.results}.db"
            if not path.exists():
                asyncio.run(generate(path, size))
            yield from asyncio.run(_measure(path, size, path.stat().st_size))


async def _measure(path: Path, size: Size, bytes_: int) -> list[Figure]:
    name = f"{size.results:,} results: "
    figures = [Figure(f"{name}size of the database", bytes_ / 2**20, "MiB")]
    async with await open_database(f"sqlite:///{path}", Path("migrations")) as db:
        for title, read in (("boards", _boards), ("history and profiles", _past)):
            watched = Watched(db)
            for _ in range(ROUNDS):
                await read(watched)
            times = [1000 * time for time in watched.times.values()]
            figures += [
                Figure(f"{name}{title}, a query, median", percentile(times, 50), "ms"),
                Figure(f"{name}{title}, slowest query", max(times), "ms", most=MOST_MS),
            ]
        figures += [Figure(f"{name}{title}", time, "ms") for title, time in await _finish(db)]
    return figures


async def _boards(watched: Watched) -> None:
    """Reads every kind of board: first pages, pages in the middle, last pages; the largest server and the world."""
    boards, random = Leaderboards(watched), Random(5)  # type: ignore[arg-type]
    players = await watched.db.read("SELECT player FROM member WHERE guild = 1 ORDER BY player LIMIT 500")
    for metric, game, scope, span in product(Metric, (None, "one-handed", "links"), Scope, Span):
        player = random.choice(players)[0]
        wish = Wish(metric, game, scope, span)
        first = await boards.show(wish, guild=1, player=player, now=NOW)
        for page in {first.pages // 2, LAST, first.own_page or 0}:
            await boards.show(wish.turned_to(page), guild=1, player=player, now=NOW)


async def _past(watched: Watched) -> None:
    """Reads lists of races and profiles of the players with the most races."""
    archive = Archive(watched)  # type: ignore[arg-type]
    busiest = await watched.db.read(
        "SELECT player FROM tally WHERE board = 'all' AND period = 0 AND guild = 0 ORDER BY races DESC LIMIT 3"
    )
    for page in (0, 100, LAST):
        await archive.races(1, None, page)
        for (player,) in busiest:
            await archive.races(1, player, page)
    for (player,) in busiest:
        await archive.profile(player, asker=player, guild=1)


async def _finish(db: Database) -> list[tuple[str, float]]:
    """Returns what it takes to enter and rate a race, to void one, and to rate anew what follows from that."""
    standings = Standings(db)
    races = await db.read("SELECT id FROM race WHERE guild = 1 AND voided = 0 ORDER BY id DESC")
    times = []
    for (race,) in races[:10]:
        await db.write(
            Statement("DELETE FROM result WHERE race = $1", (race,)),
            Statement("UPDATE race SET counted = 0 WHERE id = $1", (race,)),
        )
        begin = perf_counter()
        await standings.verdict(race)
        times.append(perf_counter() - begin)
    while await standings.ratings.work(100):
        pass
    begin = perf_counter()
    await standings.void(races[len(races) // 2][0], NOW)
    voided = perf_counter() - begin
    begin, rated = perf_counter(), 0
    while rated < MOST_RATED and (done := await standings.ratings.work(100)):
        rated += done
    return [
        ("entering and rating a race of four", 1000 * min(times)),
        ("voiding a race of four", 1000 * voided),
        ("rating anew what follows, a race", 1000 * (perf_counter() - begin) / max(1, rated)),
    ]


def plans(path: Path) -> Iterator[str]:
    """Yields each kind of query of boards, lists and profiles with how SQLite finds what it asks for."""
    found = asyncio.run(_queries(path))
    with closing(sqlite3.connect(path)) as connection:
        for sql, args in found.items():
            text, order = positional(sql)
            yield " ".join(sql.split())
            values = args if order is None else [args[index] for index in order]
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {text}", values):
                yield f"    {step}"


async def _queries(path: Path) -> dict[str, tuple[Value, ...]]:
    """Returns each kind of query with arguments, without the names that are looked up for what is shown."""
    async with await open_database(f"sqlite:///{path}", Path("migrations")) as db:
        watched = Watched(db)
        await _boards(watched)
        await _past(watched)
    return {sql: args for sql, args in watched.times if " IN (" not in sql}


def main() -> None:
    """Prints the plans on a small database."""
    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as folder:
        path = Path(folder) / "standings.db"
        asyncio.run(generate(path, SIZES[0]))
        for line in plans(path):
            print(line)


if __name__ == "__main__":
    main()
