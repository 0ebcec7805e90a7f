"""What is known of deals after they have been played: asked for ahead of time, kept at hand, never waited for long."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from bot.services.prover import Proof, Prover, Winnable
from engine import Rules

CACHED: Final = 5_000
"""Of how many deals it is kept at most."""
PATIENCE: Final = 1.0
"""How many seconds somebody waits for it who has just ended a game."""


class Proofs:
    """Proofs of deals that are being played; each is found once."""

    def __init__(self, prover: Prover, *, cached: int = CACHED) -> None:
        self._prover = prover
        self._cached = cached
        self._found: OrderedDict[tuple[str, str], asyncio.Task[Proof]] = OrderedDict()

    def foresee(self, rules: Rules, seed: str) -> asyncio.Task[Proof]:
        """Begins to find out about a deal, so that it is known when its game ends."""
        key = (rules.key, seed)
        task = self._found.get(key)
        if task is None:
            task = self._found[key] = asyncio.create_task(self._prover.prove(rules, seed))
            while len(self._found) > self._cached:
                self._found.popitem(last=False)[1].cancel()
        return task

    async def of(
        self, rules: Rules, seed: str, band: int | None = None, *, patience: float = PATIENCE
    ) -> Proof:
        """Returns what is known of a deal within *patience* seconds; a *band* says that it is certified."""
        if band is not None:
            return Proof(Winnable.YES, band)
        task = self.foresee(rules, seed)
        await asyncio.wait((task,), timeout=patience)
        return task.result() if task.done() and not task.cancelled() else Proof()

    async def close(self) -> None:
        """Stops finding out."""
        for task in self._found.values():
            task.cancel()
        await asyncio.gather(*self._found.values(), return_exceptions=True)
