"""``same-deal run``."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Mapping
from importlib.resources.abc import Traversable

import discord

from bot import logs
from bot.app import SameDeal, point_at
from bot.health import HealthServer
from bot.metrics import Metrics
from bot.settings import Settings, SettingsError
from bot.store.database import Database, open_database
from bot.store.gauges import amounts

if sys.platform == "win32":
    new_event_loop = None
else:
    from uvloop import new_event_loop  # a press takes about a sixth less of the CPU with it

_log = logging.getLogger("bot")


def run(settings: Settings, migrations: Traversable) -> int:
    """Runs the bot until it is told to stop, and returns the exit code.

    :raises DatabaseError: if the database cannot be used.
    :raises HealthError: if the port for health and metrics cannot be used.
    :raises SettingsError: if Discord does not take the token.
    """
    logs.configure(settings.log_level, settings.log_format)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_run(settings, migrations))
    except discord.LoginFailure as error:
        raise SettingsError("Discord does not take this DISCORD_TOKEN; make a new one") from error
    return 0


async def _run(settings: Settings, migrations: Traversable) -> None:
    point_at(settings.api_url, settings.gateway_url)
    metrics = Metrics()
    async with (
        await open_database(settings.database_url, migrations, watch=metrics.committed) as db,
        SameDeal(db, metrics=metrics, shards=settings.shards) as bot,
        HealthServer(
            settings.health_host,
            settings.health_port,
            metrics,
            look=bot.health,
            amounts=lambda: _amounts(db),
        ),
    ):
        # What has been made so far stays: looking through it for cycles would stop the loop for 80 ms now and then.
        gc.collect()
        gc.freeze()
        work = asyncio.create_task(bot.start(settings.token))
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, work.cancel)
        try:
            await work
        except asyncio.CancelledError:
            _log.info("stopping")
        if bot.failure is not None:
            raise bot.failure


async def _amounts(db: Database) -> Mapping[str, int]:
    return await amounts(db)
