"""How much of everything is in the database, for the metrics."""

from __future__ import annotations

from bot.store.database import Database


async def amounts(db: Database) -> dict[str, int]:
    """Returns how many races, and attempts with a time limit, are under way, and how many deals the pool holds."""
    rows = await db.read(
        "SELECT 'live_races', COUNT(*) FROM race WHERE phase IN ('open', 'countdown', 'running') "
        "UNION ALL SELECT 'live_attempts', COUNT(*) FROM attempt WHERE ended_at IS NULL "
        "AND time_limit IS NOT NULL "
        "UNION ALL SELECT 'pool_deals', COUNT(*) FROM deal"
    )
    return {row[0]: row[1] for row in rows}
