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
            "INSERT INTO attempt (id, player, purpose, ranked, game, ruleset, seed, start_at, time_limit, ended_at) "
            "VALUES ($1, 1, 'practice', 0, 'links', 1, 'x', 0, $2, $3)"
        )
        no_end, ended, no_limit = (1, 900, None), (2, 900, 5), (3, None, None)
        await db.write(*(Statement(insert, each) for each in (no_end, ended, no_limit)))
        assert (await amounts(db))["live_attempts"] == 1
