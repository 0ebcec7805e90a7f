"""Presses that overlap: what an older one still has to show is out of date once a newer one has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class _Place:
    """What is under way at one place: the *newest* press, and how many are *waiting*."""

    newest: int = 0
    waiting: int = 0


class Turns:
    """The newest press at each place, kept as long as any is under way there."""

    def __init__(self) -> None:
        self._places: dict[int, _Place] = {}

    def __len__(self) -> int:
        """At how many places a press is under way."""
        return len(self._places)

    @contextmanager
    def take(self, place: int, press: int) -> Iterator[Callable[[], bool]]:
        """Has *press* under way at *place*; what it gives tells whether a newer one has come there meanwhile."""
        here = self._places.setdefault(place, _Place())
        here.newest = max(here.newest, press)
        here.waiting += 1
        try:
            yield lambda: here.newest > press
        finally:
            here.waiting -= 1
            if not here.waiting:
                del self._places[place]
