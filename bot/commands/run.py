"""``same-deal run``."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Mapping
from importlib.resources.abc import Traversable

import aiohttp
import discord

from bot import logs
from bot.app import SameDeal, point_at
from bot.collector import short_pauses
from bot.commands import CommandError
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

    :raises StoreError: if the database cannot be used, or fails at the start.
    :raises HealthError: if the port for health and metrics cannot be used.
    :raises SettingsError: if Discord does not take the token.
    :raises CommandError: if Discord cannot be reached at the start, or ends the connection for good.
    """
    logs.configure(settings.log_level, settings.log_format)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_run(settings, migrations))
    except (discord.DiscordException, aiohttp.ClientError, ConnectionError, TimeoutError) as error:
        raise trouble(error) from error
    return 0


def trouble(error: Exception) -> SettingsError | CommandError:
    """Returns what an *error* of the line to Discord, after which the bot cannot go on, means to the operator."""
    match error:
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):
            return SettingsError("Discord does not take this DISCORD_TOKEN; make a new one")
        case discord.ConnectionClosed():
            return CommandError(f"Discord has ended the connection for good (code {error.code})")
        case discord.HTTPException():
            said = f" ({error.text.splitlines()[0]})" if error.code and error.text else ""
            return CommandError(f"Discord answered {error.status}{said}: try later, or check DISCORD_API_URL")
        case discord.DiscordException():
            return CommandError(f"Discord does not let the bot in: {error}")
        case _:
            # Of a host without answer asyncio says more than the type of the error does.
            reason = getattr(error, "strerror", None) or type(error).__name__
            what = "check the network and DISCORD_API_URL, DISCORD_GATEWAY_URL"
            return CommandError(f"Discord cannot be reached ({reason}): {what}")


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
        short_pauses(),
    ):
        work = asyncio.create_task(_start(bot, settings.token))
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, work.cancel)
        try:
            await work
        except asyncio.CancelledError:
            _log.info("stopping")
        if bot.failure is not None:
            raise bot.failure


async def _start(bot: SameDeal, token: str) -> None:
    try:
        await bot.login(token)
    except (KeyError, TypeError) as error:
        if bot.application is not None:
            raise
        raise CommandError("What answers at DISCORD_API_URL is not Discord's API") from error
    await bot.connect()


async def _amounts(db: Database) -> Mapping[str, int]:
    return await amounts(db)
