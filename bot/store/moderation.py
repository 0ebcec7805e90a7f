"""What moderators and the operator did, why, and what of it is still to be told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.store.database import Database, Row, Statement

OPERATOR = 0
"""In the place of a moderator and of a server: the operator, who reaches all servers."""


class Deed(StrEnum):
    """What can be done to results and players."""

    VOID = "void"
    RESTORE = "restore"
    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"
    CANCEL = "cancel"
    BAN = "ban"
    UNBAN = "unban"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the audit log: *moderator* did it on *guild*, to a *race*, to a daily or to a *player*.

    A daily is named by *day* and *game*.
    """

    id: int
    guild: int
    moderator: int
    deed: Deed
    reason: str
    at: int
    race: int | None = None
    day: int | None = None
    game: str | None = None
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Owed:
    """A finished race whose result does not tell *count* judgements yet; *message* is where it stands, if known.

    *revision* is that of the race, which each judgement changes.
    """

    race: int
    channel: int
    count: int
    message: int | None
    revision: int


_COLUMNS = "id, guild, moderator, action, reason, at, race, day, game, player"
_OWED = "id, channel, retell, result_message, revision"
_OF_GUILD = (
    f"(guild = $1 OR guild = {OPERATOR} AND EXISTS "
    "(SELECT 1 FROM race r WHERE r.id = audit.race AND r.guild = $1))"
)


def insert(entry: Entry) -> Statement:
    """Returns what writes a line of the audit log."""
    return Statement(
        f"INSERT INTO audit ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        (
            entry.id,
            entry.guild,
            entry.moderator,
            entry.deed.value,
            entry.reason,
            entry.at,
            entry.race,
            entry.day,
            entry.game,
            entry.player,
        ),
        rows=1,
    )


async def entries(db: Database, guild: int, *, limit: int, skip: int) -> list[Entry]:
    """Returns lines of the audit log of *guild*, the newest first: what its moderators did, and the operator there."""
    rows = await db.read(
        f"SELECT {_COLUMNS} FROM audit WHERE {_OF_GUILD} ORDER BY id DESC LIMIT $2 OFFSET $3",
        guild,
        limit,
        skip,
    )
    return list(map(_entry, rows))


async def count(db: Database, guild: int) -> int:
    """Returns how many lines the audit log of *guild* has."""
    rows = await db.read(f"SELECT COUNT(*) FROM audit WHERE {_OF_GUILD}", guild)
    return int(rows[0][0])


async def of_race(db: Database, race: int, *, limit: int) -> list[Entry]:
    """Returns the last *limit* lines about *race*, the newest first."""
    rows = await db.read(
        f"SELECT {_COLUMNS} FROM audit WHERE race = $1 ORDER BY id DESC LIMIT $2", race, limit
    )
    return list(map(_entry, rows))


async def of_daily(db: Database, day: int, game: str, player: int) -> Entry | None:
    """Returns the last line about the part of *player* in a daily, or None."""
    rows = await db.read(
        f"SELECT {_COLUMNS} FROM audit WHERE player = $1 AND day = $2 AND game = $3 ORDER BY id DESC LIMIT 1",
        player,
        day,
        game,
    )
    return _entry(rows[0]) if rows else None


def owe(race: int) -> Statement:
    """Returns what notes that one more judgement of *race* is to be told."""
    return Statement("UPDATE race SET retell = retell + 1 WHERE id = $1", (race,), rows=1)


def told(owed: Owed) -> Statement:
    """Returns what notes that the judgements of *owed* have been told; all are still owed if the race has changed."""
    return Statement("UPDATE race SET retell = 0 WHERE id = $1 AND revision = $2", (owed.race, owed.revision))


async def owed(db: Database, limit: int) -> list[Owed]:
    """Returns up to *limit* races with judgements that are to be told."""
    rows = await db.read(f"SELECT {_OWED} FROM race WHERE retell > 0 ORDER BY id LIMIT $1", limit)
    return [Owed(*row) for row in rows]


async def owed_by(db: Database, race: int) -> Owed | None:
    """Returns what is to be told of *race*, or None if there is nothing."""
    rows = await db.read(f"SELECT {_OWED} FROM race WHERE id = $1 AND retell > 0", race)
    return Owed(*rows[0]) if rows else None


async def finished_between(
    db: Database, first: int, end: int, *, game: str | None, guild: int | None
) -> list[int]:
    """Returns the finished races that ended from *first* until before *end*, in ms since 1970, the oldest first."""
    rows = await db.read(
        "SELECT id FROM race WHERE phase = 'finished' AND ended_at >= $1 AND ended_at < $2 "
        "AND (CAST($3 AS TEXT) IS NULL OR game = $3) AND (CAST($4 AS BIGINT) IS NULL OR guild = $4) ORDER BY id",
        first,
        end,
        game,
        guild,
    )
    return [row[0] for row in rows]


async def daily_guild(db: Database, day: int, game: str, player: int) -> int | None:
    """Returns the server on which *player* began the daily, or None."""
    rows = await db.read(
        "SELECT guild FROM attempt WHERE day = $1 AND game = $2 AND player = $3 AND purpose = 'daily'",
        day,
        game,
        player,
    )
    return rows[0][0] if rows else None


async def dailies_of(db: Database, guild: int, days: int) -> list[tuple[int, str]]:
    """Returns (day, game) of the dailies of the last *days* days that were begun on *guild*, the newest first."""
    rows = await db.read(
        "SELECT DISTINCT day, game FROM attempt WHERE guild = $1 AND purpose = 'daily' AND day > "
        "(SELECT MAX(m.day) FROM attempt m WHERE m.guild = $1 AND m.purpose = 'daily') - $2 ORDER BY day DESC, game",
        guild,
        days,
    )
    return [(row[0], row[1]) for row in rows]


def _entry(row: Row) -> Entry:
    id_, guild, moderator, deed, *rest = row
    return Entry(id_, guild, moderator, Deed(deed), *rest)
