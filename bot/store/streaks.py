"""Streaks in the database, and the days that they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.store.attempts import Purpose
from bot.store.dailies import ENDS
from bot.store.database import Database, Statement


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
    rows = await db.read(
        f"SELECT DISTINCT player, day FROM attempt WHERE purpose = '{Purpose.DAILY}' AND player IN ({marks}) "
        f"AND reason IN ({ENDS}) AND disqualified = 0",
        *players,
    )
    for player, day in rows:
        found[player].add(day)
    return found


async def streaks_at_stake(db: Database, before: int) -> list[int]:
    """Returns the players with a streak that goes on although they have not played since the day *before*."""
    rows = await db.read("SELECT player FROM streak WHERE days > 0 AND last_day < $1 ORDER BY player", before)
    return [row[0] for row in rows]


def keep_streak(player: int, days: int, longest: int, last_day: int, frozen: int | None) -> Statement:
    """Returns what keeps the streak of *player*."""
    return Statement(
        "INSERT INTO streak (player, days, longest, last_day, frozen) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT (player) DO UPDATE SET days = excluded.days, longest = excluded.longest, "
        "last_day = excluded.last_day, frozen = excluded.frozen",
        (player, days, longest, last_day, frozen),
    )


def forget_streaks(players: Iterable[int]) -> list[Statement]:
    """Returns what deletes the streaks of *players*, who have none left."""
    return [Statement("DELETE FROM streak WHERE player = $1", (player,)) for player in players]
