"""The fleet: the processes that share one database, and which of them does what only one may do."""

from __future__ import annotations

import asyncio
import logging

from bot.clock import Clock
from bot.services.races import OUTAGE
from bot.shards import Shards
from bot.store import heartbeat
from bot.store.database import Database, DatabaseError, StoreError

_log = logging.getLogger(__name__)

WAIT = 3.0
"""Seconds for which a start waits for a process that has just died to be forgotten."""
PAUSE = 0.5
"""Seconds between two tries to get what another process has."""
IDENTIFY_EVERY = 5.0
"""Seconds between two IDENTIFYs in one of Discord's slots, whichever processes they come from."""

_ALL = "shards"
_JOBS = "jobs"


class Fleet:
    """This process among those on *db*; it serves *shards*, or None: it is the only one, whatever there is.

    Everything rests on leases of the database. Whoever loses one by being paused or cut off learns of it by
    asking, and the others have gone on meanwhile.
    """

    def __init__(self, db: Database, shards: Shards | None, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self.is_alone = shards is None
        """Whether this process serves all there is."""
        self.shards = shards or Shards()
        self.slots = 1
        """How many IDENTIFYs Discord takes at once."""
        self._resting: dict[str, asyncio.Task[None]] = {}

    async def join(self) -> None:
        """Takes the shards of this process.

        :raises DatabaseError: if another process has some of them, or another idea of how many there are.
        """
        waited = 0.0
        while (taken := await self._taken()) and waited < WAIT:
            await self._clock.sleep(PAUSE)
            waited += PAUSE
        if taken:
            raise DatabaseError(taken)
        now = self._clock.now()
        for each in await heartbeat.beats(self._db):
            if each.count != self.shards.count and now - each.at <= OUTAGE:
                raise DatabaseError(
                    f"Another process with this database has divided the servers into {each.count} shards, "
                    f"this one into {self.shards.count}: all of them need the same SHARD_COUNT."
                )

    async def is_member(self) -> bool:
        """Tells whether the shards are still this process's: it may have been paused and replaced.

        :raises StoreError: if the database does not answer.
        """
        return await self._taken() is None

    async def has_jobs(self) -> bool:
        """Tells whether this process is the one that does what concerns all servers.

        :raises StoreError: if the database does not answer.
        """
        return await self._db.holds(_JOBS)

    async def may_identify(self, shard: int) -> None:
        """Waits until *shard* may IDENTIFY: its slot is not another process's, and no longer just used."""
        slot = self._slot(shard)
        if (resting := self._resting.get(slot)) is not None:
            await asyncio.wait([resting])
        while not await self._got(slot):
            await self._clock.sleep(PAUSE)

    def identified(self, shard: int) -> None:
        """Keeps the slot of *shard*, which is about to IDENTIFY, for as long as Discord wants it to rest."""
        slot = self._slot(shard)
        if slot not in self._resting:
            self._resting[slot] = asyncio.create_task(self._rest(slot))

    async def close(self) -> None:
        """Stops what is under way."""
        tasks = list(self._resting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _taken(self) -> str | None:
        """Returns what is another process's, as a sentence, None if all that is needed is this one's."""
        if not await self._db.holds(_ALL, shared=not self.is_alone):
            return (
                "Another process serves this database with all shards; for several, each needs its SHARD_IDS."
                if not self.is_alone
                else "Other processes serve this database; for several, each needs its SHARD_IDS."
            )
        if not self.is_alone:
            for shard in self.shards.ids:
                if not await self._db.holds(f"shard {shard}"):
                    return f"Another process serves shard {shard} of {self.shards.count} already."
        return None

    async def _got(self, slot: str) -> bool:
        try:
            return await self._db.holds(slot)
        except StoreError as error:
            _log.error("whose turn it is to connect cannot be told: %s", error)
            return False

    async def _rest(self, slot: str) -> None:
        try:
            await self._clock.sleep(IDENTIFY_EVERY)
        finally:
            del self._resting[slot]
            try:
                await self._db.release(slot)
            except StoreError as error:
                _log.warning("a slot could not be given back: %s", error)

    def _slot(self, shard: int) -> str:
        return f"identify {shard % self.slots}"
