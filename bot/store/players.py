"""Players in the database: the name last seen in an interaction, and what they have chosen."""

from __future__ import annotations

from collections.abc import Collection

from bot.store.database import Database, Statement


def seen(player: int, name: str, locale: str, at: int) -> Statement:
    """Returns what keeps the *name* under which *player* was seen last."""
    return Statement(
        "INSERT INTO player (id, name, locale, seen) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, locale = excluded.locale, seen = excluded.seen",
        (player, name, locale, at),
    )


async def names(db: Database, players: Collection[int]) -> dict[int, str]:
    """Returns the names of those of *players* that are known."""
    if not players:
        return {}
    marks = ", ".join(f"${index}" for index in range(1, len(players) + 1))
    rows = await db.read(f"SELECT id, name FROM player WHERE id IN ({marks})", *players)
    return {row[0]: row[1] for row in rows}
