"""Waiting for a condition without polling: it is looked at again whenever something has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Signal:
    """Wakes those who wait for a condition."""

    def __init__(self) -> None:
        self._waiters: list[tuple[Callable[[], object], asyncio.Future[None]]] = []

    def pulse(self) -> None:
        """Says that something has happened."""
        for condition, future in tuple(self._waiters):
            if not future.done() and condition():
                future.set_result(None)

    async def until(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        """Waits until *condition* holds.

        :raises TimeoutError: it did not within *seconds* of real time
        """
        if condition():
            return
        entry = (condition, asyncio.get_running_loop().create_future())
        self._waiters.append(entry)
        try:
            async with asyncio.timeout(seconds):
                await entry[1]
        finally:
            self._waiters.remove(entry)
