"""Where the bot connects, and that it does not when Discord allows no more of it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.playground import Fault, Playground
from bot.playground.process import bot_process

GATEWAY = "GET /gateway/bot"


def told(url: str, *, remaining: int = 1000) -> Fault:
    """Returns what has the API name *url* as the gateway, with as many connections *remaining* today."""
    limit = {"total": 1000, "remaining": remaining, "reset_after": 3_600_000, "max_concurrency": 1}
    return Fault(GATEWAY, 200, {"url": url, "shards": 1, "session_start_limit": limit}, times=100)


async def test_the_gateway_that_was_chosen_comes_before_that_of_the_api(tmp_path: Path) -> None:
    async with Playground(token="a.b.c") as server:
        server.faults.add(told("ws://127.0.0.1:1"))
        async with bot_process(server, tmp_path / "bot.db"):
            assert server.gateway.identifies == 1


async def test_no_connection_is_tried_when_none_is_left_today(tmp_path: Path) -> None:
    async with Playground(token="a.b.c") as server:
        server.faults.add(told(server.gateway_url, remaining=0))
        env = {
            **os.environ,
            "DISCORD_TOKEN": "a.b.c",
            "DISCORD_API_URL": server.api_url,
            "DATABASE_URL": f"sqlite:///{tmp_path}/bot.db",
            "LOG_LEVEL": "ERROR",
            "HEALTH_PORT": "0",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=env, stderr=asyncio.subprocess.PIPE
        )
        _, said = await process.communicate()
        assert server.gateway.identifies == 0
    assert process.returncode == 1
    assert said.decode().strip() == (
        "same-deal: Discord does not let the bot in: no connection is left for today; "
        "there are new ones in 61 minutes"
    )
