"""What is known of deals after they have been played: asked for ahead of time, kept at hand, never waited for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from bot.services.prover import Proof, Prover, Winnable
from engine import Rules

CACHED: Final = 5_000
"""Of how many deals it is kept at most."""
AHEAD: Final = 16
"""How many questions may wait before none are asked ahead of time any more."""
BUSY: Final = 64
"""How many questions may wait at all."""
PATIENCE: Final = 1.0
"""How many seconds somebody waits for it who has just ended a game."""

Key = tuple[str, str]


class Proofs:
    """Proofs of deals that are being played; each is found once."""

    def __init__(self, prover: Prover, *, cached: int = CACHED) -> None:
        self._prover = prover
        self._cached = cached
        self._found: OrderedDict[Key, Proof] = OrderedDict()
        self._asked: dict[Key, asyncio.Task[None]] = {}

    def foresee(self, rules: Rules, seed: str) -> None:
        """Begins to find out about a deal, so that it is known when its game ends."""
        if len(self._asked) < AHEAD:
            self._ask(rules, seed)

    def glance(self, rules: Rules, seed: str) -> Proof | None:
        """Returns what is known of a deal now, or None while it is being found out."""
        if len(self._asked) >= BUSY and (rules.key, seed) not in self._asked:
            return self._found.get((rules.key, seed), Proof())
        self._ask(rules, seed)
        return self._found.get((rules.key, seed))

    async def of(
        self, rules: Rules, seed: str, band: int | None = None, *, patience: float = PATIENCE
    ) -> Proof:
        """Returns what is known of a deal within *patience* seconds; a *band* says that it is certified."""
        if band is not None:
            return Proof(Winnable.YES, band)
        task = self._ask(rules, seed) if len(self._asked) < BUSY else None
        if task is not None:
            await asyncio.wait((task,), timeout=patience)
        return self._found.get((rules.key, seed), Proof())

    async def close(self) -> None:
        """Stops finding out."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ask(self, rules: Rules, seed: str) -> asyncio.Task[None] | None:
        """Begins to find out, if that is neither known nor under way, and returns the task that does."""
        key = (rules.key, seed)
        if key in self._found:
            return None
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._find(key, rules))
        return self._asked[key]

    async def _find(self, key: Key, rules: Rules) -> None:
        try:
            proof = await self._prover.prove(rules, key[1])
            if proof.winnable is not Winnable.UNKNOWN:  # that may be due to other work, so it is asked again
                self._found[key] = proof
                while len(self._found) > self._cached:
                    self._found.popitem(last=False)
        finally:
            del self._asked[key]
