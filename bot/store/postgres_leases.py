"""Leases: which of the processes on one PostgreSQL does what only one may do, by session-level advisory locks.

The server ends the session of a holder that has not been heard of for `LIFE`, be it dead, paused or cut off. So
somebody else can go on, and the holder learns of it the next time that it asks.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable
from typing import Protocol

import asyncpg

from bot.store.postgres_server import failure, is_lost

LIFE = 10.0
"""Seconds after which the leases of a process end that asks for none."""
FRESH = 0.2
"""Seconds for which an answer of the server is good for all leases: they live and die together."""


class Connect(Protocol):
    """Makes a connection with these settings of the server."""

    def __call__(self, **settings: str) -> Awaitable[asyncpg.Connection]: ...


class Leases:
    """The leases of one process, on a connection of their own. *schema* keeps apart who shares a database."""

    __slots__ = ("_connect", "_connection", "_heard", "_held", "_lock", "_schema")

    def __init__(self, connect: Connect, schema: str) -> None:
        self._connect = connect
        self._schema = schema
        self._connection: asyncpg.Connection | None = None
        self._held: dict[str, bool] = {}  # whether it is shared
        self._heard = 0.0
        self._lock = asyncio.Lock()

    async def holds(self, lease: str, *, shared: bool) -> bool:
        """Tells whether this process has *lease* at this moment; it is taken if it is free.

        :raises StoreError: if the server does not answer.
        """
        async with self._lock:
            try:
                try:
                    return await self._ask(lease, shared=shared)
                except Exception as error:
                    self.terminate()
                    if not is_lost(error):
                        raise
                return await self._ask(lease, shared=shared)  # on another connection
            except Exception as error:
                self.terminate()
                raise failure(error) from error

    async def release(self, lease: str) -> None:
        """Gives *lease* back, if this process has it."""
        async with self._lock:
            shared = self._held.pop(lease, None)
            if shared is None or self._connection is None:
                return
            kind = "pg_advisory_unlock_shared" if shared else "pg_advisory_unlock"
            try:
                await self._connection.execute(f"SELECT {kind}($1)", self._key(lease))
            except Exception as error:
                self.terminate()  # which gives it back too
                if not is_lost(error):
                    raise failure(error) from error

    async def close(self) -> None:
        """Gives all leases back, when the server has heard of it."""
        async with self._lock:
            if self._connection is not None:
                await self._connection.close()

    def terminate(self) -> None:
        """Cuts the connection, and with it ends all leases."""
        self._held.clear()
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _ask(self, lease: str, *, shared: bool) -> bool:
        if self._connection is None:
            self._connection = await self._connect(idle_session_timeout=str(int(LIFE * 1000)))
        if self._held.get(lease) == shared:
            now = asyncio.get_running_loop().time()
            if now - self._heard > FRESH or self._connection.is_closed():
                await self._connection.fetchval("SELECT 1")  # they are ours as long as this session lives
                self._heard = now
            return True
        kind = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        if await self._connection.fetchval(f"SELECT {kind}($1)", self._key(lease)):
            self._held[lease] = shared
            return True
        return False

    def _key(self, lease: str) -> int:
        """Returns the number of the advisory lock that stands for *lease*."""
        digest = hashlib.sha256(f"same-deal {self._schema} {lease}".encode()).digest()
        return int.from_bytes(digest[:8], signed=True)
