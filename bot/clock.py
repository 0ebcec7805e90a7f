"""The time of day and waiting, as everything that reads a clock gets them."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Protocol


class Clock(Protocol):
    """Where the bot gets its own time from. Between players only Discord's counts."""

    def now(self) -> int:
        """Returns the instant, in milliseconds since 1970 (UTC)."""

    def steady(self) -> int:
        """Returns an instant that passes as :meth:`now` does, but never jumps when the clock is set."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


WINDOW = 10 * 60_000
"""For how long a measured difference counts, in milliseconds, before newer ones take its place."""


class Skew:
    """How far the bot's steady clock is ahead of Discord's.

    The steady one, since the other may be set while people race: an hour ahead, it would end all their races.

    Each press tells it: the instant in its snowflake was now, but for the time that it was under way. So the least
    of the latest differences is the nearest.
    """

    def __init__(self) -> None:
        self._now: int | None = None
        self._before: int | None = None
        self._since = 0

    def learn(self, pressed: int, received: int) -> None:
        """Takes in a press made at *pressed* by Discord's clock and *received* by the steady one, both in ms."""
        if received - self._since >= WINDOW:
            self._since, self._before, self._now = received, self._now, None
        ahead = received - pressed
        self._now = ahead if self._now is None else min(self._now, ahead)

    @property
    def ms(self) -> int | None:
        """The difference in milliseconds, None as long as nothing is known."""
        return min((each for each in (self._now, self._before) if each is not None), default=None)


class SystemClock:
    """The clock of this machine."""

    def __init__(self) -> None:
        self._booted = time.time_ns() - _passed()

    def now(self) -> int:
        """Returns the instant, in milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000

    def steady(self) -> int:
        """Returns the instant by what the clock said when this was made."""
        return (self._booted + _passed()) // 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


def _passed() -> int:
    """Returns the nanoseconds since some instant, with those for which the machine was suspended where it tells."""
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()
