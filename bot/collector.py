"""Python's collector of cycles, kept from stopping the loop.

It looks through all objects that have lived for long whenever a quarter more of them has gathered. The games at hand
are a million such objects, which takes most of a second, and there is nothing to find: a press leaves no cycles
behind (`tests/discord/test_garbage.py`), and what is no longer referred to is freed without the collector. So what
is not quite young is spared, but for once a day: reconnections leave some cycles.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator

YOUNG = 5_000
"""How many new objects are looked through at once."""
STEP = 1.0
"""Seconds between two looks at whether something is no longer young."""
ROUND = 24 * 60 * 60
"""Every how many of them everything is looked through."""


@contextlib.asynccontextmanager
async def short_pauses() -> AsyncIterator[None]:
    """Has only young objects looked through meanwhile."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *thresholds[1:])
    task = asyncio.create_task(_spare())
    try:
        yield
    finally:
        task.cancel()
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def _spare() -> None:
    while True:
        for _ in range(ROUND):
            await asyncio.sleep(STEP)
            spare_the_old()
        look_through_all()


def spare_the_old() -> None:
    """Has the collector not look again at what it has looked at, if there is such since the last time."""
    if any(gc.get_count()[1:]):
        gc.collect(0)  # what is youngest is spared with the rest: cycles among it would stay
        gc.freeze()


def look_through_all() -> None:
    """Has the collector look at everything once, and then spare it again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
