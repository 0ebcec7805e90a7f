"""The bot as a process of its own, as an operator runs it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.playground.server import Playground

START = 60.0
"""Seconds that a process may take until it is connected: as many as a slow and busy machine needs."""


@asynccontextmanager
async def bot_process(
    server: Playground, database: Path, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs ``python -m bot run`` against *server* until the block is left; what is left of it is killed."""
    env = {
        **os.environ,
        "DISCORD_TOKEN": "a.b.c",
        "DISCORD_API_URL": server.api_url,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DATABASE_URL": f"sqlite:///{database}",
        "LOG_LEVEL": "ERROR",
        "HEALTH_PORT": "0",
        **settings,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=env)
    try:
        await server.gateway.ready(seconds=START)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
