"""Bots as processes of their own that share a PostgreSQL and divide the shards."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from bot.playground import Guild, Playground

ROOT = Path(__file__).parents[2]


class Process:
    """One ``same-deal run``, started and killed as often as one likes."""

    def __init__(self, server: Playground, database: str, *, shard_ids: str, shard_count: int) -> None:
        self._env = {
            **os.environ,
            "DISCORD_TOKEN": "a.b.c",
            "DISCORD_API_URL": server.api_url,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "DATABASE_URL": database,
            "SHARD_IDS": shard_ids,
            "SHARD_COUNT": str(shard_count),
            "LOG_LEVEL": "WARNING",
            "HEALTH_PORT": "0",
        }
        self._server = server
        self._ids = {int(each) for each in shard_ids.split(",")}
        self._process: asyncio.subprocess.Process | None = None
        self._log = Path()

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process itself."""
        assert self._process is not None
        return self._process

    async def spawn(self) -> None:
        """Starts the process."""
        # A file, since the process's own children keep a pipe open when it is killed.
        handle, name = tempfile.mkstemp(prefix="same-deal-", suffix=".log")
        self._log = Path(name)
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", cwd=ROOT, env=self._env, stderr=handle
            )
        finally:
            os.close(handle)

    async def start(self) -> None:
        """Starts the process and waits until all its shards are connected."""
        known = set(self._server.gateway.sessions)
        await self.spawn()

        def connected() -> bool:
            sessions = self._server.gateway.sessions
            return self._ids <= {
                each.shard_id for name, each in sessions.items() if name not in known and each.connection
            }

        try:
            await self._server.gateway.signal.until(connected, 60)
        except TimeoutError:
            raise AssertionError(f"shards {self._ids} did not connect:\n{self.told()}") from None

    def told(self) -> str:
        """Returns what the process has written to standard error so far."""
        return self._log.read_text()

    def signal(self, number: int) -> None:
        """Sends a signal."""
        self.process.send_signal(number)

    async def ends(self) -> int:
        """Waits for the end of the process and returns its exit code."""
        async with asyncio.timeout(60):
            return await self.process.wait()

    async def kill(self) -> None:
        """Kills the process, if it still runs."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            await self._process.wait()
            self._log.unlink(missing_ok=True)


def add_guild_on(server: Playground, shard: int, shard_count: int) -> Guild:
    """Adds servers until one of them is in *shard*, and returns that one."""
    while True:
        guild = server.add_guild(f"Club of shard {shard}")
        if (guild.id >> 22) % shard_count == shard:
            return guild
