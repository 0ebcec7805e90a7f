"""The real bot on real sockets: the playground's loopback Discord, a SQLite file, and time that can be skipped."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import discord
import discord.gateway
import pytest
import pytest_asyncio
import yarl

from bot import respond, transport
from bot.app import SameDeal
from bot.playground import Message, Player, Playground, buttons
from bot.store import attempts as store
from bot.store.database import Database, open_database
from engine import Attempt

ROOT = Path(__file__).parents[2]
AMPLE = 30.0
"""Seconds that Discord and the bot give each other where a test is not about how many there are."""


class SkippingClock:
    """Real time. While it is *skipping*, whoever waits is there at once, and everybody's clock with them."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.skipping = False
        self._sleepers: set[asyncio.Event] = set()

    def __call__(self) -> float:
        """Returns the instant in seconds since 1970, for the loopback Discord."""
        return time.time() + self.ahead

    def now(self) -> int:
        """Returns the instant in milliseconds since 1970, for the bot."""
        return int(self() * 1000)

    def steady(self) -> int:
        """Returns the same: nobody sets this clock."""
        return int(self() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Waits, or skips the time."""
        if not self.skipping:
            woken = asyncio.Event()
            self._sleepers.add(woken)
            before = self()
            try:
                async with asyncio.timeout(seconds):
                    await woken.wait()
            except TimeoutError:
                return
            finally:
                self._sleepers.discard(woken)
            seconds -= self() - before
        self.ahead += max(seconds, 0)
        await asyncio.sleep(0)

    @contextlib.contextmanager
    def skip(self) -> Iterator[None]:
        """Skips all waiting meanwhile, that which is under way too."""
        self.skipping = True
        for woken in self._sleepers:
            woken.set()
        try:
            yield
        finally:
            self.skipping = False


@dataclass
class Wire:
    """A bot that is connected to a loopback Discord."""

    discord: Playground
    clock: SkippingClock
    db: Database
    bot: SameDeal
    task: asyncio.Task[None]

    async def open(self, host: Player, game: str = "links", **options: str | int | float) -> Message:
        """Lets *host* open a race and returns its public message."""
        opened = await host.slash("race new", {"game": game, **options})
        assert opened.message is not None
        return opened.message

    async def race(
        self, *players: Player, game: str = "links", **options: str | int | float
    ) -> dict[int, Message]:
        """Returns the boards of *players* in a race that has just begun, the first being the host."""
        lobby = await self.open(players[0], game, **options)
        for player in players[1:]:
            await player.press(lobby, "Join")
        await players[0].press(lobby, "Start")
        with self.clock.skip():
            return {player.id: await player.sees(is_board) for player in players}

    async def attempt(self, board: Message) -> Attempt:
        """Returns the attempt that *board* shows, as it is stored."""
        custom_id = next(str(each["custom_id"]) for each in buttons(board))
        record = await store.load(self.db, int(custom_id.split(":")[1]))
        assert record is not None
        return record.attempt


def is_board(message: Message) -> bool:
    """Tells whether *message* is a board that can be played."""
    return any(f":{verb}" in str(message.components) for verb in ("call:", "pile:"))


@pytest_asyncio.fixture
async def wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    clock = SkippingClock()
    async with (
        Playground(clock=clock, deadline=AMPLE) as server,
        await open_database(f"sqlite:///{tmp_path}/bot.db", ROOT / "migrations") as db,
    ):
        monkeypatch.setattr(discord.http.Route, "BASE", server.api_url)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        monkeypatch.setattr(respond, "PATIENCE", AMPLE)
        monkeypatch.setattr(transport, "DEADLINE", AMPLE)
        monkeypatch.setattr(transport, "ONE_TRY", AMPLE)
        bot = SameDeal(db, clock=clock, background=False)
        task = asyncio.create_task(bot.start("token"))
        await server.gateway.ready()
        yield Wire(server, clock, db, bot, task)
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)
