"""What the metrics say of the database."""

from __future__ import annotations

from pathlib import Path

from bot.store.database import Statement, open_database
from bot.store.gauges import amounts

MIGRATIONS = Path(__file__).parents[2] / "migrations"


async def test_what_is_under_way_is_counted() -> None:
    async with await open_database("sqlite:///:memory:", MIGRATIONS) as db:
        assert await amounts(db) == {"live_races": 0, "live_attempts": 0, "pool_deals": 0}
        insert = (
            "INSERT INTO attempt (id, player, purpose, ranked, game, ruleset, seed, start_at, ended_at) "
            "VALUES ($1, 1, 'practice', 0, 'links', 1, 'x', 0, $2)"
        )
        await db.write(Statement(insert, (1, None)), Statement(insert, (2, 5)))
        assert (await amounts(db))["live_attempts"] == 1
