"""The work that nobody waits for: what goes wrong in one part of it keeps no other from being done."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.clock import SystemClock
from bot.store.database import StoreError
from bot.upkeep import Upkeep

TRUE = 1_796_000_000_000


class Part:
    """A part of the work, which fails if it is told to."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error
        self.at: list[int] = []

    async def work(self, now: int) -> None:
        """Notes when it was done."""
        self.at.append(now)
        if self.error is not None:
            raise self.error

    prepare = work


@pytest.mark.parametrize("error", [None, StoreError("gone"), ValueError("broken")])
async def test_each_part_is_done_whatever_becomes_of_the_others(error: Exception | None) -> None:
    parts = [Part(error) for _ in range(3)]
    unused: Any = None
    upkeep = Upkeep(
        *cast("Any", (parts[0], parts[1], unused, parts[2])), pool=unused, prover=unused, clock=SystemClock()
    )
    upkeep.tick(TRUE, leads=True)
    assert upkeep._work is not None
    await upkeep._work
    assert [len(part.at) for part in parts] == [1, 1, 1]
    assert parts[1].at == [TRUE]  # by Discord's clock
    assert TRUE not in parts[0].at
