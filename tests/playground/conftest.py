"""A playground, a raw client of its REST routes, and toy bots that are connected to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import discord
import discord.gateway
import discord.http
import pytest
import pytest_asyncio
import yarl

from bot.playground import Playground
from tests.playground.toy import Api, Clock, Reaction, ToyBot, command, connect

Connect = Callable[[Reaction], Awaitable[ToyBot]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def playground(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    async with Playground(clock=clock) as server:
        monkeypatch.setattr(discord.http.Route, "BASE", server.api_url)
        gateway = yarl.URL(server.gateway_url)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
        yield server


@pytest_asyncio.fixture
async def api(playground: Playground) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession(headers={"Authorization": "Bot toy"}) as session:
        client = Api(session, playground)
        await client.register(command("play"))
        yield client


@pytest_asyncio.fixture
async def start_bot(api: Api) -> AsyncIterator[Connect]:
    """Returns a function that connects a bot with the given reaction; all are closed at the end."""
    running: list[tuple[ToyBot, asyncio.Task[None]]] = []

    async def start(react: Reaction) -> ToyBot:
        bot = ToyBot(react, api)
        running.append((bot, await connect(bot)))
        return bot

    yield start
    for bot, task in running:
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)
