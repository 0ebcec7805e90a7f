"""Discord's ids: milliseconds since 2015 in the upper bits, a counter in the lower 22."""

from __future__ import annotations

from collections.abc import Callable

EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015 (UTC), in Unix milliseconds."""

_LOWER_BITS = 22

Clock = Callable[[], float]
"""Returns the time in Unix seconds. Injected, so that tests can age messages and tokens."""


def at(unix_seconds: float, counter: int = 0) -> int:
    """Returns the id of something made at *unix_seconds*."""
    return (int(unix_seconds * 1000) - EPOCH_MS) << _LOWER_BITS | counter & (1 << _LOWER_BITS) - 1


def created_at(snowflake: int) -> float:
    """Returns when the bearer of *snowflake* was made, in Unix seconds."""
    return ((snowflake >> _LOWER_BITS) + EPOCH_MS) / 1000


class Snowflakes:
    """Makes ids that only grow, however fast they are drawn and whichever way the clock jumps."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def __call__(self) -> int:
        """Returns the next id."""
        self._last = max(self._last + 1, at(self._clock()))
        return self._last
