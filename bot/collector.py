"""Python's collector of cycles, kept from stopping the loop.

It looks through all objects that have lived for long whenever a quarter more of them has gathered. The games at hand
are a million such objects, which takes most of a second, and there is nothing to find: a press leaves no cycles
behind (`tests/discord/test_garbage.py`), and what is no longer referred to is freed without the collector.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator

YOUNG, MIDDLE = 10_000, 5
"""How many new objects are looked through at once, and every how many times the last ones again."""
STEP = 1.0
"""Seconds between two looks at whether something has become old."""


@contextlib.asynccontextmanager
async def short_pauses() -> AsyncIterator[None]:
    """Has only young objects looked through meanwhile."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, thresholds[2])
    task = asyncio.create_task(_spare())
    try:
        yield
    finally:
        task.cancel()
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _spare() -> None:
    while True:
        await asyncio.sleep(STEP)
        spare_the_old()


def spare_the_old() -> None:
    """Has the collector never look again at what has become old, if anything has since the last time."""
    if gc.get_count()[2]:
        gc.freeze()
