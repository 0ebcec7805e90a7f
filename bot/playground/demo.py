"""The demo: the playground, the bot in it, a rival, and the address to open. Runs until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from importlib.resources.abc import Traversable
from pathlib import Path

from bot.playground.rival import Rival
from bot.playground.server import Playground

StartBot = Callable[[str, str], AbstractAsyncContextManager[asyncio.Task[None]]]
"""Takes the addresses of the REST routes and the gateway; gives the task that runs the bot until its exit."""

TIPS = ("/race new", "/daily play", "/play", "/help")
"""Commands that the page offers as buttons."""

RIVAL = "Rival Rita"
FOUNDED = 1_767_225_600.0
"""2026-01-01T00:00Z, in Unix seconds: a database that is kept meets the same players again."""


def add_demo_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``same-deal demo``."""
    parser.add_argument(
        "--port", type=_port, default=8765, help="port of the page (default: %(default)s; 0: any)"
    )
    parser.add_argument(
        "--database", type=Path, metavar="FILE", help="keep the races in FILE (default: forget)"
    )
    parser.add_argument("--no-rival", action="store_true", help="leave out the scripted opponent")
    parser.add_argument("--open", action="store_true", help="open the page in the default browser")
    parser.add_argument("--verbose", action="store_true", help="log what the bot does")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: use 0 to 65535")
    return int(text)


async def demo(arguments: argparse.Namespace, migrations: Traversable) -> int:
    """Runs the demo with the real bot and returns the exit code."""
    level = logging.INFO if arguments.verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if not arguments.verbose:
        logging.getLogger("discord.client").setLevel(logging.ERROR)  # it warns that there is no voice support
        # On loopback a heartbeat is acknowledged before discord.py has noted that it was sent.
        logging.getLogger("discord.gateway").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="same-deal-") as folder:
        database = arguments.database or Path(folder) / "demo.db"
        start = _same_deal(database.absolute(), migrations)
        rival = None if arguments.no_rival else RIVAL
        return await run_demo(start, port=arguments.port, rival=rival, browser=arguments.open)


async def run_demo(
    start_bot: StartBot,
    *,
    port: int,
    rival: str | None = RIVAL,
    browser: bool = False,
    announce: Callable[[str], None] = print,
) -> int:
    """Serves the page, runs the bot, and returns the exit code once a signal comes or the bot ends."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    playground = Playground(tips=TIPS, founded=FOUNDED)
    try:
        await playground.start(port)
    except OSError:
        sys.stderr.write(f"same-deal: port {port} is taken; choose another one with --port\n")
        return 2
    announce(f"Same Deal is at {playground.page_url}  (Ctrl-C ends it)")
    sys.stdout.flush()
    for name in ("Ada", "Ben"):
        playground.add_player(name)
    opponent = Rival(playground.world, playground.add_player(rival)) if rival else None
    try:
        async with start_bot(playground.api_url, playground.gateway_url) as bot:
            if opponent is not None:
                opponent.start()
            if browser:
                webbrowser.open(playground.page_url)
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait((stopped, bot), return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if not stop.is_set():
                await bot
    finally:
        if opponent is not None:
            await opponent.stop()
        await playground.stop()
    return 0


def _same_deal(database: Path, migrations: Traversable) -> StartBot:
    """Returns the starter of the real bot on a SQLite file."""

    @contextlib.asynccontextmanager
    async def start(api_url: str, gateway_url: str) -> AsyncIterator[asyncio.Task[None]]:
        # Imported here, so that the playground by itself needs neither the bot nor discord.py.
        from bot.app import SameDeal, point_at
        from bot.store.database import open_database

        point_at(api_url, gateway_url)
        async with await open_database(f"sqlite:///{database}", migrations) as db, SameDeal(db) as bot:
            task = asyncio.create_task(bot.start("demo"))
            try:
                yield task
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    return start
