"""A limit for each player: one who presses faster than the bot answers slows nobody else.

It counts what is under way, not what was pressed: somebody quick is never refused while the bot keeps up.
"""

from __future__ import annotations

import asyncio
from collections import Counter

AT_ONCE = 6
"""How many presses and commands of one player are worked on at the same time."""


class Turnstile:
    """Counts the presses of each player that are under way."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._inside: Counter[int] = Counter()

    def __len__(self) -> int:
        """How many players have a press under way."""
        return len(self._inside)

    def enter(self, player: int) -> bool:
        """Tells whether the current task may work for *player*; if so, it counts until it is done."""
        if self._inside[player] >= self._at_once:
            return False
        self._inside[player] += 1
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: self._leave(player))
        return True

    def _leave(self, player: int) -> None:
        self._inside[player] -= 1
        if self._inside[player] <= 0:
            del self._inside[player]
