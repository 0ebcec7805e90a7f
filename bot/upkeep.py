"""The work that nobody waits for: deals made ready, days closed, daily posts sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.clock import Clock
from bot.posts import DailyPosts
from bot.services.bulletins import Bulletins
from bot.services.dailies import Dailies
from bot.services.day_ends import DayEnds
from bot.services.pool import Pool
from bot.services.prover import Prover
from bot.store.database import StoreError

_log = logging.getLogger(__name__)

FULL = 20.0
"""How many seconds the pool is left alone once it is full."""
BREATH = 0.2
"""Seconds between two proofs: the pool is never in a hurry."""


class Upkeep:
    """Does in the background what is due of the dailies, and keeps the pool of deals filled."""

    def __init__(
        self,
        dailies: Dailies,
        ends: DayEnds,
        bulletins: Bulletins,
        posts: DailyPosts,
        *,
        pool: Pool,
        prover: Prover,
        clock: Clock,
    ) -> None:
        self._dailies = dailies
        self._ends = ends
        self._bulletins = bulletins
        self._posts = posts
        self._pool = pool
        self._prover = prover
        self._clock = clock
        self._work: asyncio.Task[None] | None = None
        self._filling: asyncio.Task[None] | None = None

    def start(self, leads: Callable[[], Awaitable[bool]]) -> None:
        """Begins to fill the pool, as long as this process *leads* those on the same database."""
        self._filling = asyncio.create_task(self._fill(leads))

    def tick(self, true: int, *, leads: bool) -> None:
        """Begins what is due of the dailies, unless that of an earlier tick is still under way.

        *true* is the instant by Discord's clock, by which days end: players are held to it as well. The process
        that *leads* does what concerns all servers; each sends the posts of its own.
        """
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._tend(self._clock.now(), true, leads=leads))

    async def clean(self, now: int) -> None:
        """Deletes what nobody needs any more."""
        await self._bulletins.clean(now)

    async def close(self) -> None:
        """Stops; what was under way is taken up after the next start."""
        tasks = [task for task in (self._work, self._filling) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._prover.close()

    async def _tend(self, now: int, true: int, *, leads: bool) -> None:
        if leads:
            await _try(self._dailies.prepare(now))
            await _try(self._ends.work(true))
        await _try(self._posts.work(now))

    async def _fill(self, leads: Callable[[], Awaitable[bool]]) -> None:
        while True:
            try:
                is_short = await leads() and await self._pool.fill(self._prover, self._clock.now())
            except StoreError as error:
                _log.error("the pool of deals waits for the database: %s", error)
                is_short = False
            except Exception:
                _log.exception("the pool of deals could not be filled")
                is_short = False
            await self._clock.sleep(BREATH if is_short else FULL)


async def _try(work: Awaitable[None]) -> None:
    """Does a part of the work; what goes wrong in it keeps nothing else from being done."""
    try:
        await work
    except StoreError as error:
        _log.error("the dailies wait for the database: %s", error)
    except Exception:
        # Nobody awaits this; the next tick tries again.
        _log.exception("the dailies could not be tended")
