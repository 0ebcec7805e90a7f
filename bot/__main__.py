"""``same-deal``: run the bot, try it without Discord, look after it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

import dotenv

from bot import __version__
from bot.commands import CommandError, database
from bot.commands.moderate import add_moderate_arguments, moderate
from bot.health import HealthError
from bot.playground.demo import add_demo_arguments, demo
from bot.resources import shipped
from bot.settings import Settings, SettingsError, database_url
from bot.store.database import DatabaseError, StoreError


def migrations() -> Traversable:
    """Returns the folder of the migrations."""
    return shipped("migrations")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code: 0 done, 1 failed, 2 wrongly asked."""
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command == "demo":
            return asyncio.run(demo(arguments, migrations()))
        read_env_file(Path(".env"))
        return _run(arguments)
    except (SettingsError, DatabaseError, HealthError) as error:
        print(f"same-deal: {error}", file=sys.stderr)
        return 2
    except CommandError as error:
        print(f"same-deal: {error}", file=sys.stderr)
        return 1
    except StoreError as error:
        print(f"same-deal: The database failed, and nothing more was saved: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130  # as a shell says of what Ctrl-C has ended


def read_env_file(path: Path) -> None:
    """Takes the settings of the file *path*, if there is one, into the environment; what is set there stays.

    :raises SettingsError: if it cannot be read.
    """
    try:
        dotenv.load_dotenv(path)
    except OSError as error:
        raise SettingsError(f"The file {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"The file {path} is not text in UTF-8") from error


def _run(arguments: argparse.Namespace) -> int:
    # What needs discord.py is imported where it is used: the other commands start in half the time without it.
    match arguments.command:
        case "doctor":
            from bot.commands.doctor import doctor

            return doctor(Settings.from_env(os.environ), migrations())
        case "backup":
            return database.back_up(database_url(os.environ), arguments.file)
        case "restore":
            return database.restore(database_url(os.environ), arguments.file, migrations())
        case "moderate":
            return moderate(arguments, database_url(os.environ), migrations())
        case "migrate":
            return database.migrate(database_url(os.environ), migrations())
        case _:
            from bot.commands.run import run

            return run(Settings.from_env(os.environ), migrations())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="same-deal",
        description="Same-deal solitaire races for Discord.",
        epilog="Settings come from the environment or a .env file.",
    )
    parser.add_argument("--version", action="version", version=f"same-deal {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="run the bot")
    add_demo_arguments(commands.add_parser("demo", help="try the bot in a browser page, without Discord"))
    commands.add_parser("doctor", help="check token, Discord, clock, database and emoji; say what to fix")
    for name, help_ in (
        ("backup", "copy the database to the new FILE, while the bot runs or not"),
        ("restore", "make the database from the backup FILE; nothing is overwritten"),
    ):
        commands.add_parser(name, help=help_).add_argument("file", type=Path, metavar="FILE")
    add_moderate_arguments(
        commands.add_parser("moderate", help="void races, disqualify, ban from the world boards")
    )
    commands.add_parser("migrate", help="bring the database's schema up to date (each start does so too)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
