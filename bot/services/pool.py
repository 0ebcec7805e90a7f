"""The pool of certified deals: proved winnable ahead of time, drawn once each, filled up in the background."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from bot.services.prover import Prover
from bot.store import deals as store
from bot.store.database import Database, Statement
from bot.store.deals import Ready
from engine import GAMES, Rules, random_seed

DEPTH: Final = 24
"""How many deals of each game are kept ready."""
CHOICE: Final = 8
"""From how many of those that have waited longest one is drawn, so that two processes seldom want the same."""


def is_certifiable(rules: Rules) -> bool:
    """Tells whether deals of a game are proved winnable; not where the deal alone decides, as in the hand games."""
    return not rules.calls


class Pool:
    """The certified deals in the database."""

    def __init__(self, db: Database, *, depth: int = DEPTH, games: Sequence[Rules] = GAMES) -> None:
        self._db = db
        self._depth = depth
        self._games = tuple(rules for rules in games if is_certifiable(rules))

    async def draw(self, rules: Rules) -> Ready | None:
        """Returns a deal of the game, or None if none is ready. Whoever uses it writes :meth:`claim` with that."""
        if not is_certifiable(rules):
            return None
        found = await store.ready(self._db, rules, CHOICE)
        return secrets.choice(found) if found else None

    def claim(self, rules: Rules, ready: Ready) -> Statement:
        """Returns what takes a drawn deal out of the pool; it fails if somebody else has it."""
        return store.take(rules, ready.seed)

    async def shortest(self) -> Rules | None:
        """Returns the game of which the fewest deals are ready, or None if there are enough of all."""
        counts = await store.counts(self._db)

        def stock(rules: Rules) -> int:
            return counts.get((rules.key, rules.version), 0)

        least = min(self._games, key=stock, default=None)
        return None if least is None or stock(least) >= self._depth else least

    async def fill(self, prover: Prover, now: int) -> bool:
        """Tries one new deal of the game that needs it most, and tells whether any game needed one."""
        rules = await self.shortest()
        if rules is None:
            return False
        seed = random_seed(secrets.randbelow)
        proof = await prover.prove(rules, seed)
        if proof.band is not None:
            await self._db.write(store.keep(rules, Ready(seed, proof.band), now))
        return True
