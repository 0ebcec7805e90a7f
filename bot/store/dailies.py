"""Daily challenges in the database: the deal of a day, who has played it, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.store.attempts import Purpose, rules_under
from bot.store.database import Database, Row, Statement
from engine import EndReason, Result, Rules

PLAYED_OUT: Final = (EndReason.WON, EndReason.STUCK, EndReason.DEAD)
"""The ends of an attempt that was played to its end; any other one is a DNF."""
ENDS: Final = ", ".join(f"'{reason}'" for reason in PLAYED_OUT)
MINE: Final = f"a.purpose = '{Purpose.DAILY}' AND a.day = $1 AND a.game = $2"
RESULT: Final = "a.reason, a.time_taken, a.cards_left, a.moves, a.mistakes, a.undos, a.hints"

_COLUMNS = "day, game, ruleset, seed, band, opened_at, closed_at, handed, voided, revision"


@dataclass(frozen=True, slots=True)
class Daily:
    """The deal of a day for one game.

    *band* tells how hard it is, None where it is not certified. *is_closed*: places and points are fixed, and the
    seed is no secret any more. *is_handed*: boards and streaks have what follows from that. *revision* is that of
    the row which was read.
    """

    day: int
    rules: Rules
    seed: str
    band: int | None = None
    is_opened: bool = False
    is_closed: bool = False
    is_handed: bool = False
    is_voided: bool = False
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's attempt at a daily; *result* is None while it goes on."""

    player: int
    attempt: int
    result: Result | None
    is_disqualified: bool = False


async def load(db: Database, day: int, game: str | None = None) -> list[Daily]:
    """Returns the dailies of *day*, those of all games or that of *game*."""
    if game is None:
        rows = await db.read(f"SELECT {_COLUMNS} FROM daily WHERE day = $1 ORDER BY game", day)
    else:
        rows = await db.read(f"SELECT {_COLUMNS} FROM daily WHERE day = $1 AND game = $2", day, game)
    return [_daily(row) for row in rows]


async def due(db: Database, before: int) -> list[int]:
    """Returns the days before the day *before* that are not closed and handed in yet, in their order."""
    rows = await db.read("SELECT DISTINCT day FROM daily WHERE handed = 0 AND day < $1 ORDER BY day", before)
    return [row[0] for row in rows]


async def closed_days(db: Database, limit: int) -> list[int]:
    """Returns the last *limit* days that are closed, the newest first."""
    rows = await db.read(
        "SELECT DISTINCT day FROM daily WHERE closed_at IS NOT NULL ORDER BY day DESC LIMIT $1", limit
    )
    return [row[0] for row in rows]


async def opened_days(db: Database, first: int, before: int) -> set[int]:
    """Returns the days from *first* until before *before* on which there was something to play."""
    rows = await db.read(
        "SELECT DISTINCT day FROM daily WHERE day >= $1 AND day < $2 AND opened_at IS NOT NULL", first, before
    )
    return {row[0] for row in rows}


def insert(daily: Daily, at: int) -> Statement:
    """Returns what stores the deal of a day; it fails if that day has one for this game.

    One under older rules is made anew as long as nobody can have seen it.
    """
    return Statement(
        "INSERT INTO daily (day, game, ruleset, seed, band, made_at, handed, voided, revision) "
        "VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0) ON CONFLICT (day, game) DO UPDATE SET "
        "ruleset = excluded.ruleset, seed = excluded.seed, band = excluded.band, made_at = excluded.made_at "
        "WHERE daily.opened_at IS NULL AND daily.ruleset < excluded.ruleset",
        (daily.day, daily.rules.key, daily.rules.version, daily.seed, daily.band, at),
        rows=1,
    )


def open_day(day: int, at: int) -> Statement:
    """Returns what notes that the bot is there on *day*."""
    return Statement("UPDATE daily SET opened_at = $1 WHERE day = $2 AND opened_at IS NULL", (at, day))


def check_open(day: int, game: str, player: int) -> Statement:
    """Returns what fails if the daily is closed, there is none, or *player* began it before having all deleted.

    It follows `players.seen` in its write, which waits for a deletion that is not through yet.
    """
    return Statement(
        "UPDATE daily SET closed_at = NULL WHERE day = $1 AND game = $2 AND closed_at IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM spent s WHERE s.player = $3 AND s.day = daily.day AND s.game = daily.game)",
        (day, game, player),
        rows=1,
    )


def close(daily: Daily, at: int) -> Statement:
    """Returns what closes *daily*; it fails if somebody else has closed or judged it."""
    return Statement(
        "UPDATE daily SET closed_at = $1, revision = revision + 1 "
        "WHERE day = $2 AND game = $3 AND revision = $4 AND closed_at IS NULL",
        (at, daily.day, daily.rules.key, daily.revision),
        rows=1,
    )


def check_unclosed(daily: Daily) -> Statement:
    """Returns what fails if *daily* has been closed or judged since it was read."""
    return Statement(
        "UPDATE daily SET closed_at = NULL WHERE day = $1 AND game = $2 AND revision = $3 AND closed_at IS NULL",
        (daily.day, daily.rules.key, daily.revision),
        rows=1,
    )


def judge(daily: Daily, *, is_voided: bool) -> Statement:
    """Returns what notes a judgement of *daily*; it fails if somebody else has closed or judged it meanwhile."""
    return Statement(
        "UPDATE daily SET voided = $1, handed = 0, revision = revision + 1 "
        "WHERE day = $2 AND game = $3 AND revision = $4",
        (int(is_voided), daily.day, daily.rules.key, daily.revision),
        rows=1,
    )


def hand_in(daily: Daily) -> Statement:
    """Returns what notes that boards and streaks have what *daily* came to; nothing if it was judged meanwhile."""
    return Statement(
        "UPDATE daily SET handed = 1 WHERE day = $1 AND game = $2 AND revision = $3",
        (daily.day, daily.rules.key, daily.revision),
    )


async def entry(db: Database, day: int, game: str, player: int) -> Entry | None:
    """Returns the attempt of *player* at a daily, or None."""
    rows = await db.read(
        f"SELECT a.player, a.id, a.disqualified, {RESULT} FROM attempt a WHERE {MINE} AND a.player = $3",
        day,
        game,
        player,
    )
    return _entry(rows[0]) if rows else None


async def is_open_to(db: Database, player: int, day: int, game: str) -> bool:
    """Tells whether *player* may see how others did at a daily: whoever is done, and all once it is closed."""
    found = await load(db, day, game)
    if not found or found[0].is_closed:
        return True
    own = await entry(db, day, game, player)
    return own is not None and own.result is not None


async def entries(db: Database, day: int, game: str) -> list[Entry]:
    """Returns all attempts at a daily."""
    rows = await db.read(
        f"SELECT a.player, a.id, a.disqualified, {RESULT} FROM attempt a WHERE {MINE}", day, game
    )
    return [_entry(row) for row in rows]


async def unfinished(db: Database, day: int) -> list[int]:
    """Returns the attempts at the dailies of *day* that nothing has ended."""
    rows = await db.read(
        f"SELECT id FROM attempt WHERE purpose = '{Purpose.DAILY}' AND day = $1 AND ended_at IS NULL", day
    )
    return [row[0] for row in rows]


async def running(db: Database, player: int, game: str, since: int) -> int | None:
    """Returns the oldest attempt of *player* at a daily of *game* from the day *since* on that goes on, or None."""
    rows = await db.read(
        f"SELECT id FROM attempt WHERE purpose = '{Purpose.DAILY}' AND player = $1 AND game = $2 AND day >= $3 "
        "AND ended_at IS NULL ORDER BY day LIMIT 1",
        player,
        game,
        since,
    )
    return rows[0][0] if rows else None


async def turnout(db: Database, day: int, game: str) -> tuple[int, int]:
    """Returns how many have begun a daily, and how many of them are done."""
    rows = await db.read(
        f"SELECT COUNT(*), COUNT(a.ended_at) FROM attempt a WHERE {MINE} AND a.disqualified = 0", day, game
    )
    return rows[0][0], rows[0][1]


def enter(place: Row, board: str) -> Statement:
    """Returns what enters a result of a closed daily; *place* is (attempt, place, field, points).

    It is that of the player whose attempt it is now, who may have had everything deleted since *place* was found.
    """
    return Statement(
        "INSERT INTO daily_result (day, game, player, board, attempt, place, field, points) "
        "SELECT a.day, a.game, a.player, $2, a.id, CAST($3 AS INTEGER), CAST($4 AS INTEGER), CAST($5 AS BIGINT) "
        "FROM attempt a WHERE a.id = $1 ON CONFLICT (day, game, player) DO UPDATE SET "
        "place = excluded.place, field = excluded.field, points = excluded.points",
        (place[0], board, *place[1:]),
        rows=1,
    )


def set_disqualified(attempt: int, *, disqualified: bool) -> Statement:
    """Returns what takes an attempt out of its daily or back into it; it fails if it is so already."""
    return Statement(
        f"UPDATE attempt SET disqualified = $1 WHERE id = $2 AND purpose = '{Purpose.DAILY}' AND disqualified <> $1",
        (int(disqualified), attempt),
        rows=1,
    )


def result_of(columns: Sequence[Any]) -> Result:
    """Returns the result in the *columns* of :data:`RESULT`."""
    reason, *counts = columns
    return Result(EndReason(reason), *counts)


def _daily(row: Row) -> Daily:
    day, game, ruleset, seed, band, opened_at, closed_at, handed, voided, revision = row
    return Daily(
        day,
        rules_under(game, ruleset),
        seed,
        band,
        is_opened=opened_at is not None,
        is_closed=closed_at is not None,
        is_handed=bool(handed),
        is_voided=bool(voided),
        revision=revision,
    )


def _entry(row: Row) -> Entry:
    player, attempt, disqualified, *result = row
    return Entry(player, attempt, result_of(result) if result[0] else None, bool(disqualified))
