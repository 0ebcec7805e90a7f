"""A tiny discord.py bot with raw payloads, and a clock that tests turn."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.playground import Playground

V2 = 1 << 15
EPHEMERAL = 1 << 6

Reaction = Callable[["ToyBot", discord.Interaction], Awaitable[None]]


class Clock:
    """The real time, plus what a test has added to it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


class ToyBot(discord.Client):
    """Answers every interaction with *react*; knows three commands."""

    def __init__(self, react: Reaction, *, intents: int = 1, shard: tuple[int, int] | None = None) -> None:
        flags = discord.Intents._from_value(intents)
        shard_id, shard_count = shard or (0, 1)
        super().__init__(
            intents=flags,
            max_messages=None,
            guild_ready_timeout=0.01,
            shard_id=shard_id,
            shard_count=shard_count,
        )
        self.react = react
        self.seen: list[discord.Interaction] = []
        self.resumed = asyncio.Event()
        self.api_url = ""
        self.tree = app_commands.CommandTree(self)
        race = app_commands.Group(name="race", description="Races")
        race.command(name="new", description="Opens a race")(_new)
        self.tree.add_command(race)
        self.tree.command(name="play", description="Plays alone")(_play)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Does not wait the five seconds between two IDENTIFYs."""

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.seen.append(interaction)
        if interaction.type is not discord.InteractionType.autocomplete:
            await self.react(self, interaction)

    async def on_resumed(self) -> None:
        self.resumed.set()

    async def call(self, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
        """Makes a raw request, with the bot's token, and returns the status and the JSON answer."""
        assert self.http.token
        headers = {"Authorization": f"Bot {self.http.token}"}
        url = self.api_url + path
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(method, url, json=body, params=query) as answer,
        ):
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def upload(self, method: str, path: str, body: Any, *files: tuple[str, bytes]) -> tuple[int, Any]:
        """Makes a multipart request with *files* (name, content)."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(body))
        for number, (name, data) in enumerate(files):
            kind = "application/octet-stream"
            form.add_field(f"files[{number}]", data, filename=name, content_type=kind)
        headers = {"Authorization": f"Bot {self.http.token}"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(method, self.api_url + path, data=form) as answer,
        ):
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def answer(self, interaction: discord.Interaction, kind: int, data: Any = None) -> tuple[int, Any]:
        """Answers an interaction with a raw payload."""
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return await self.call("POST", path, {"type": kind, "data": data or {}}, with_response="1")


@app_commands.describe(game="Which game", minutes="How long")
@app_commands.choices(game=[app_commands.Choice(name=n, value=n.lower()) for n in ("Links", "Striptease")])
async def _new(
    interaction: discord.Interaction, game: str, minutes: app_commands.Range[int, 1, 120] = 15
) -> None:
    """Answers nothing: the reaction does."""


async def _play(interaction: discord.Interaction, seed: str = "") -> None:
    """Answers nothing: the reaction does."""


def text(content: str) -> dict[str, Any]:
    """Returns a text display."""
    return {"type": 10, "content": content}


def button(label: str, custom_id: str, style: int = 2, *, disabled: bool = False) -> dict[str, Any]:
    """Returns a button."""
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id, "disabled": disabled}


def row(*buttons: dict[str, Any]) -> dict[str, Any]:
    """Returns an action row."""
    return {"type": 1, "components": list(buttons)}


def v2(*components: dict[str, Any], flags: int = 0) -> dict[str, Any]:
    """Returns the payload of a message of components."""
    return {"flags": V2 | flags, "components": list(components), "allowed_mentions": {"parse": []}}


async def connect(bot: ToyBot, playground: Playground) -> asyncio.Task[None]:
    """Starts *bot* and waits until it has seen its servers."""
    bot.api_url = playground.api_url
    task = asyncio.create_task(bot.start("toy"))
    ready = asyncio.create_task(_ready(bot))
    await asyncio.wait((task, ready), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        await task
    return task


async def _ready(bot: ToyBot) -> None:
    while bot._ready is discord.utils.MISSING:
        await asyncio.sleep(0)
    await bot.wait_until_ready()
