"""Streaks in the database, and the days that they are made of."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.store.attempts import Purpose
from bot.store.dailies import ENDS
from bot.store.database import Database, Statement

_PLAYED: Final = f"attempt WHERE purpose = '{Purpose.DAILY}' AND reason IN ({ENDS}) AND disqualified = 0"


async def players_of(db: Database, day: int) -> list[int]:
    """Returns all who have begun a daily of *day*."""
    rows = await db.read(
        f"SELECT DISTINCT player FROM attempt WHERE purpose = '{Purpose.DAILY}' AND day = $1", day
    )
    return [row[0] for row in rows]


async def days_played(db: Database, players: Collection[int]) -> dict[int, set[int]]:
    """Returns the days on which each of *players* has played a daily to its end."""
    found: dict[int, set[int]] = {player: set() for player in players}
    marks = ", ".join(f"${index}" for index in range(1, len(players) + 1))
    rows = await db.read(f"SELECT DISTINCT player, day FROM {_PLAYED} AND player IN ({marks})", *players)
    for player, day in rows:
        found[player].add(day)
    return found


async def streaks_at_stake(db: Database, before: int) -> list[int]:
    """Returns the players with a streak that goes on although they have not played since the day *before*."""
    rows = await db.read("SELECT player FROM streak WHERE days > 0 AND last_day < $1 ORDER BY player", before)
    return [row[0] for row in rows]


def keep_streak(
    player: int, played: int, days: int, longest: int, last_day: int, frozen: int | None
) -> Statement:
    """Returns what keeps the streak of *player*, unless it is no longer *played* days that it was made of."""
    return Statement(
        "INSERT INTO streak (player, days, longest, last_day, frozen) SELECT CAST($1 AS BIGINT), "
        "CAST($3 AS INTEGER), CAST($4 AS INTEGER), CAST($5 AS INTEGER), CAST($6 AS INTEGER) "
        f"WHERE (SELECT COUNT(DISTINCT day) FROM {_PLAYED} AND player = $1) = $2 "
        "ON CONFLICT (player) DO UPDATE SET days = excluded.days, longest = excluded.longest, "
        "last_day = excluded.last_day, frozen = excluded.frozen",
        (player, played, days, longest, last_day, frozen),
    )


def forget_streak(player: int) -> Statement:
    """Returns what deletes the streak of *player*, unless there is a day for one again."""
    return Statement(
        f"DELETE FROM streak WHERE player = $1 AND NOT EXISTS (SELECT 1 FROM {_PLAYED} AND player = $1)",
        (player,),
    )
