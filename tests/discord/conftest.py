"""The real bot on a real SQLite file, against SimCord's model of Discord."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from discord.app_commands import CommandInvokeError
from simcord.env import Env

from bot.app import SameDeal
from bot.errors import UserError
from bot.store.database import Database, open_database
from engine import EngineError
from tests.discord.table import Table
from tests.payloads import check_request

ROOT = Path(__file__).parents[2]
LOOK_EVERY = 0.004
"""Seconds between two looks of SimCord at what is under way."""


class VirtualClock:
    """SimCord's clock, for a bot that is made before the environment."""

    env: Env | None = None

    def now(self) -> int:
        """Returns the virtual time in milliseconds since 1970."""
        return 0 if self.env is None else int(self.env.now().timestamp() * 1000)

    def steady(self) -> int:
        """Returns the same: it never jumps."""
        return self.now()

    async def sleep(self, seconds: float) -> None:
        """Waits in virtual time."""
        assert self.env is not None
        await self.env.external_wait(asyncio.sleep(max(seconds, 0)), reason="the bot's own timer")


class QuickEnv(Env):
    """SimCord's environment, which looks more often whether the store's thread is done: half of all time was that."""

    async def _settle_internal(self, *, idle: float = LOOK_EVERY, **options: Any) -> None:
        await super()._settle_internal(idle=idle, **options)


@pytest_asyncio.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    async with await open_database(f"sqlite:///{tmp_path}/bot.db", ROOT / "migrations") as opened:
        yield opened


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def make_bot(db: Database, clock: VirtualClock) -> Callable[[], SameDeal]:
    return lambda: SameDeal(db, clock=clock, background=False, shard_count=1)


@pytest_asyncio.fixture
async def table(make_bot: Callable[[], SameDeal], clock: VirtualClock) -> AsyncIterator[Table]:
    bot = make_bot()
    env = QuickEnv(bot, settle_timeout=10.0)
    clock.env = env
    await env.start()
    try:
        yield Table(env, bot, make_bot)
    finally:
        await env.shutdown()
    for request in env.http_requests:
        check_request(request.method, request.path, request.json)
    # SimCord also notes what a command refused and the bot explained; only the rest is a fault.
    assert [error for error in env.errors if not isinstance(_cause(error), (UserError, EngineError))] == []


def _cause(error: BaseException) -> BaseException:
    return error.original if isinstance(error, CommandInvokeError) else error
