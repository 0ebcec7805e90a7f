"""A made-up history: many players on many servers, racing for a year. The same one for the same numbers."""

from __future__ import annotations

import sqlite3
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from pathlib import Path
from random import Random

from bot.periods import DAY, day_of, periods_of
from bot.snowflake import snowflake_at
from bot.store import standings
from bot.store.database import open_database
from bot.store.sqlite import positional
from bot.store.standings import board_of
from engine import GAMES
from engine.scoring import UNITS, shown_rating

NOW = 1_796_000_000_000
YEAR = 365
FIELD = 4
"""Entrants of a race, on average."""
LISTED = 0.8
"""The share of players who stand on the world boards. It is opt-in, so this is more than is to be expected."""
DAILY_PLAYERS, DAILIES = 0.2, 20
"""The share of players who play dailies, and how many of them each has played this season."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large the history is."""

    results: int
    players: int
    servers: int


async def generate(path: Path, size: Size) -> None:
    """Writes a history of this *size* into the new SQLite file *path*."""
    async with await open_database(f"sqlite:///{path}", Path("migrations")):
        pass
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -400000")
        connection.execute("BEGIN")
        players = _players(connection, size)
        homes = _homes(size, players)
        _races(connection, size, homes)
        _dailies(connection, size, players)
        _lines(connection, players)
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _lines(connection: sqlite3.Connection, players: Sequence[int]) -> None:
    """Makes the lines of all boards; their indexes are made afterwards, which is much faster."""
    indexes = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'tally' AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    periods = list(periods_of(day_of(NOW)))
    for player in players:
        statement = standings.rebuild(player, periods)[-1]
        text, order = positional(statement.sql)
        connection.execute(text, [statement.args[index] for index in order or ()])
    for _, sql in indexes:
        connection.execute(sql)


def _players(connection: sqlite3.Connection, size: Size) -> list[int]:
    random = Random(1)
    ids = [snowflake_at(NOW - 3 * YEAR * DAY) + number for number in range(size.players)]
    connection.executemany(
        "INSERT INTO player (id, name, locale, seen, listed) VALUES (?, ?, 'en-US', ?, ?)",
        ((player, f"Player {player % 1_000_000}", NOW, int(random.random() < LISTED)) for player in ids),
    )
    return ids


def _homes(size: Size, players: Sequence[int]) -> list[list[int]]:
    """Returns the players of each server, of which the first are by far the largest."""
    random = Random(2)
    weights = list(accumulate(1 / rank for rank in range(1, size.servers + 1)))
    homes: list[list[int]] = [[] for _ in range(size.servers)]
    for player in players:
        for _ in range(1 + (random.random() < 0.3)):
            home = homes[bisect(weights, random.random() * weights[-1])]
            if not home or home[-1] != player:
                home.append(player)
    return homes


def _races(connection: sqlite3.Connection, size: Size, homes: Sequence[Sequence[int]]) -> None:
    random = Random(3)
    full = [server for server, home in enumerate(homes, start=1) if len(home) >= FIELD + 2]
    weights = list(accumulate(len(homes[server - 1]) for server in full))
    rated: dict[tuple[int, str], int] = {}
    races = size.results // FIELD
    step = YEAR * DAY // races
    rows: list[tuple[tuple[object, ...], ...]] = []
    results: list[tuple[object, ...]] = []
    for number in range(races):
        server = full[bisect(weights, random.random() * weights[-1])]
        home = homes[server - 1]
        field = {home[min(int(random.expovariate(3) * len(home)), len(home) - 1)] for _ in range(FIELD)}
        while len(field) < FIELD:
            field.add(random.choice(home))
        start = NOW - (races - number) * step
        rules = GAMES[int(random.random() ** 2 * len(GAMES))]
        board = board_of(rules)
        race = snowflake_at(start - 60_000) + number % 4096
        entrants = []
        for place, player in enumerate(sorted(field, key=lambda _: random.random()), start=1):
            time = random.randrange(60_000, 900_000)
            is_won = random.random() < 0.3
            entrants.append((race, player, race + 4096 * place, place, time, is_won))
            games = _rating(random, rated, player, board)
            overall = _rating(random, rated, player, "all")
            results.append(
                (
                    *(
                        race,
                        player,
                        race + 4096 * place,
                        server,
                        board,
                        start + 900_000,
                        place,
                        int(place == 1),
                    ),
                    *(time if is_won else None, *games[:3], random.randrange(-80, 80), *overall[:3]),
                )
            )
        rows.append(((race, server, rules.key, start), *entrants))
        if len(rows) == 5_000 or number == races - 1:
            _insert(connection, rows, results)
            rows, results = [], []


def _rating(
    random: Random, rated: dict[tuple[int, str], int], player: int, board: str
) -> tuple[float, float, int]:
    count = rated[player, board] = rated.get((player, board), 0) + 1
    mu = 25 + (player * 7919 % 1000 - 500) / 100 + random.gauss(0, 0.5)
    sigma = 1 + 7 / sqrt(count)
    return mu, sigma, shown_rating(mu, sigma)


def _insert(
    connection: sqlite3.Connection,
    rows: Sequence[tuple[tuple[object, ...], ...]],
    results: Sequence[tuple[object, ...]],
) -> None:
    connection.executemany(
        "INSERT INTO race (id, guild, channel, message, posted, game, ruleset, seed, salt, typed, ranked, host, phase, "
        "time_limit, outage, touched, host_seen, start_at, ended_at, announced, revision, counted) VALUES "
        "(?1, ?2, ?2, ?1, ?4, ?3, 1, 'x', 'y', 0, 1, 1, 'finished', 900000, 0, ?4, ?4, ?4, ?4 + 900000, 1, 5, 1)",
        (race for race, *_ in rows),
    )
    entrants = [entrant for _, *each in rows for entrant in each]
    connection.executemany(
        "INSERT INTO entrant (race, player, attempt, position, ready, removed, place) "
        "VALUES (?1, ?2, ?3, ?4, 1, 0, ?4)",
        (entrant[:4] for entrant in entrants),
    )
    games = {race[0]: (race[2], race[3]) for race, *_ in rows}
    connection.executemany(
        "INSERT INTO attempt (id, player, purpose, ranked, race, game, ruleset, seed, start_at, time_limit, ended_at, "
        "reason, time_taken, cards_left, moves, mistakes, undos, hints) "
        "VALUES (?1, ?2, 'race', 1, ?3, ?4, 1, 'x', ?5, 900000, ?5 + ?6, ?7, ?6, 5, 60, 0, 0, 0)",
        (
            (attempt, player, race, *games[race], time, "won" if is_won else "stuck")
            for race, player, attempt, _, time, is_won in entrants
        ),
    )
    connection.executemany(
        "INSERT INTO result (race, player, attempt, guild, board, at, aged, place, counted, won, best, rated, stale, "
        "version, mu, sigma, rating, gain, all_mu, all_sigma, all_rating) "
        "VALUES (?, ?, ?, ?, ?, ?, 1, ?, 1, ?, ?, 1, 0, 1, ?, ?, ?, ?, ?, ?, ?)",
        results,
    )
    connection.executemany(
        "INSERT INTO member (player, guild) VALUES (?, ?) ON CONFLICT DO NOTHING",
        {(result[1], result[3]) for result in results},
    )


def _dailies(connection: sqlite3.Connection, size: Size, players: Sequence[int]) -> None:
    random, today = Random(4), day_of(NOW)
    bases = [rules for rules in GAMES if rules.key == rules.base]
    keen = [player for player in players if random.random() < DAILY_PLAYERS]

    def rows() -> Iterator[tuple[object, ...]]:
        for player in keen:
            for day in random.sample(range(today - 60, today), DAILIES):
                rules = random.choice(bases)
                yield (day, rules.key, player, board_of(rules), day * 10**9 + player % 10**9, 1, 100)

    connection.executemany(
        "INSERT INTO daily_result (day, game, player, board, attempt, place, field, points) "
        f"VALUES (?, ?, ?, ?, ?, ?, ?, ABS(RANDOM()) % {100 * UNITS})",
        rows(),
    )
    connection.executemany(
        "INSERT INTO streak (player, days, longest, last_day) VALUES (?, ?, ?, ?)",
        ((player, random.randrange(0, 60), random.randrange(60, 200), today) for player in keen),
    )
