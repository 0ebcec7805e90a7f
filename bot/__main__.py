"""``same-deal``: run the bot, or try it without Discord."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import discord
import dotenv

from bot import __version__
from bot.app import SameDeal, point_at
from bot.playground.demo import add_demo_arguments, demo
from bot.settings import Settings, SettingsError
from bot.store.database import DatabaseError, open_database

_log = logging.getLogger("bot")


def migrations() -> Traversable:
    """Returns the folder of the migrations: inside the package where it is installed, else beside it."""
    packaged = files("bot") / "migrations"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[1] / "migrations"


async def run(settings: Settings) -> None:
    """Runs the bot until it is told to stop.

    :raises DatabaseError: if the database cannot be used.
    :raises discord.LoginFailure: if Discord does not take the token.
    """
    point_at(settings.api_url, settings.gateway_url)
    async with await open_database(settings.database_url, migrations()) as db, SameDeal(db) as bot:
        work = asyncio.create_task(bot.start(settings.token))
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, work.cancel)
        try:
            await work
        except asyncio.CancelledError:
            _log.info("stopping")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code: 0 done, 1 failed, 2 wrongly asked."""
    parser = argparse.ArgumentParser(prog="same-deal", description="Same-deal solitaire races for Discord.")
    parser.add_argument("--version", action="version", version=f"same-deal {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="run the bot; settings come from the environment or a .env file")
    add_demo_arguments(commands.add_parser("demo", help="try the bot in a browser page, without Discord"))
    arguments = parser.parse_args(argv)
    try:
        if arguments.command == "demo":
            return asyncio.run(demo(arguments, migrations()))
        dotenv.load_dotenv()
        settings = Settings.from_env(os.environ)
        logging.basicConfig(
            level=settings.log_level,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
            stream=sys.stderr,
        )
        asyncio.run(run(settings))
    except (SettingsError, DatabaseError) as error:
        print(f"same-deal: {error}", file=sys.stderr)
        return 2
    except discord.LoginFailure:
        print("same-deal: Discord does not take this DISCORD_TOKEN; make a new one", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
