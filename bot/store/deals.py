"""The pool in the database: deals that have been proved winnable and that nobody has seen."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.database import Database, Statement
from engine import Rules


@dataclass(frozen=True, slots=True)
class Ready:
    """A deal that is ready to be drawn; *band* tells how hard it is (1 easy, 2 medium, 3 hard)."""

    seed: str
    band: int


async def ready(db: Database, rules: Rules, limit: int) -> list[Ready]:
    """Returns at most *limit* deals of a game, those first that have waited longest."""
    rows = await db.read(
        "SELECT seed, band FROM deal WHERE game = $1 AND ruleset = $2 ORDER BY made_at, seed LIMIT $3",
        rules.key,
        rules.version,
        limit,
    )
    return [Ready(*row) for row in rows]


async def counts(db: Database) -> dict[tuple[str, int], int]:
    """Returns how many deals are ready, by the key of the game and the version of its rules."""
    rows = await db.read("SELECT game, ruleset, COUNT(*) FROM deal GROUP BY game, ruleset")
    return {(row[0], row[1]): row[2] for row in rows}


def keep(rules: Rules, deal: Ready, at: int) -> Statement:
    """Returns what puts *deal* into the pool at the instant *at*."""
    return Statement(
        "INSERT INTO deal (game, ruleset, seed, band, made_at) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT (game, ruleset, seed) DO NOTHING",
        (rules.key, rules.version, deal.seed, deal.band, at),
    )


def take(rules: Rules, seed: str) -> Statement:
    """Returns what takes a deal out of the pool for good; it fails if somebody else has taken it."""
    return Statement(
        "DELETE FROM deal WHERE game = $1 AND ruleset = $2 AND seed = $3",
        (rules.key, rules.version, seed),
        rows=1,
    )
