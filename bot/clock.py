"""The time of day and waiting, as everything that reads a clock gets them."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Where the bot gets its own time from. Between players only Discord's counts."""

    def now(self) -> int:
        """Returns the instant, in milliseconds since 1970 (UTC)."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        """Returns the instant, in milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)
