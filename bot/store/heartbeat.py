"""The last moment at which the bot was alive, so that an outage is known after a crash."""

from __future__ import annotations

from bot.store.database import Database, Statement


def beat(at: int) -> Statement:
    """Returns what notes that the bot was alive at the instant *at*."""
    return Statement(
        "INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at", (at,)
    )


async def last_beat(db: Database) -> int | None:
    """Returns the last moment that was noted, or None before the first."""
    rows = await db.read("SELECT at FROM heartbeat WHERE id = 1")
    return rows[0][0] if rows else None
