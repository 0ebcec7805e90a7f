"""A tiny discord.py bot with raw payloads, a raw REST client, and a clock that tests turn."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.playground import Interaction, Playground

V2 = 1 << 15
EPHEMERAL = 1 << 6

Reaction = Callable[["ToyBot", discord.Interaction], Coroutine[Any, Any, None]]


class Clock:
    """From now on in steps, a millisecond a look, plus what a test adds: a slow machine brings it over no edge."""

    def __init__(self) -> None:
        self._now = time.time()
        self.ahead = 0.0

    def __call__(self) -> float:
        self._now += 0.001
        return self._now + self.ahead


class Api:
    """Makes raw requests; each returns the status and the JSON answer."""

    def __init__(self, session: aiohttp.ClientSession, playground: Playground) -> None:
        self._session = session
        self.playground = playground
        self.app = f"/applications/{playground.world.bot.id}"

    async def call(self, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
        url = self.playground.api_url + path
        async with self._session.request(method, url, json=body, params=query) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def upload(self, method: str, path: str, body: Any, *files: tuple[str, bytes]) -> tuple[int, Any]:
        """Makes a multipart request with *files* (name, content)."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps(body))
        for number, (name, data) in enumerate(files):
            kind = "application/octet-stream"
            form.add_field(f"files[{number}]", io.BytesIO(data), filename=name, content_type=kind)
        async with self._session.request(method, self.playground.api_url + path, data=form) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def answer(
        self, interaction: Interaction | discord.Interaction, kind: int, data: Any = None
    ) -> tuple[int, Any]:
        """Answers an interaction with a raw payload."""
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return await self.call("POST", path, {"type": kind, "data": data or {}}, with_response="1")

    def hook(self, interaction: Interaction, message: object = None) -> str:
        """Returns the path behind an interaction's token."""
        path = f"/webhooks/{self.playground.world.bot.id}/{interaction.token}"
        return path if message is None else f"{path}/messages/{message}"

    async def register(self, *commands: dict[str, Any]) -> tuple[int, Any]:
        """Replaces the global commands."""
        return await self.call("PUT", f"{self.app}/commands", list(commands))


class ToyBot(discord.Client):
    """Answers every interaction with *react*; knows two commands."""

    def __init__(
        self, react: Reaction, api: Api, *, intents: int = 1, shard: tuple[int, int] = (0, 1)
    ) -> None:
        super().__init__(
            intents=discord.Intents._from_value(intents),
            max_messages=None,
            guild_ready_timeout=0.01,
            shard_id=shard[0],
            shard_count=shard[1],
        )
        self.api = api
        self.react = react
        self.seen: list[discord.Interaction] = []
        self.up = asyncio.Event()
        self.resumed = asyncio.Event()
        self.tree = app_commands.CommandTree(self)
        race = app_commands.Group(name="race", description="Races")
        race.command(name="new", description="Opens a race")(_new)
        self.tree.add_command(race)
        self.tree.command(name="play", description="Plays alone")(_play)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Does not wait the five seconds between two IDENTIFYs."""

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_ready(self) -> None:
        self.up.set()

    async def on_resumed(self) -> None:
        self.resumed.set()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.seen.append(interaction)
        await self.react(self, interaction)

    async def close(self) -> None:
        """Finishes the events that are under way, then leaves."""
        await asyncio.gather(*(t for t in asyncio.all_tasks() if t.get_name().startswith("discord.py: ")))
        await super().close()


@app_commands.choices(game=[app_commands.Choice(name=n, value=n.lower()) for n in ("Links", "Striptease")])
async def _new(
    interaction: discord.Interaction, game: str, minutes: app_commands.Range[int, 1, 120] = 15
) -> None:
    """Answers nothing: the reaction does."""


async def _play(interaction: discord.Interaction, seed: str = "") -> None:
    """Answers nothing: the reaction does."""


async def connect(bot: ToyBot) -> asyncio.Task[None]:
    """Starts *bot* and waits until it has seen its servers; returns the task that runs it."""
    task = asyncio.create_task(bot.start("toy"))
    up = asyncio.create_task(bot.up.wait())
    await asyncio.wait((task, up), return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        up.cancel()
        await task
    return task


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


def command(name: str, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Returns a command to register."""
    return {"name": name, "description": f"About {name}", "options": list(options), **more}


def option(name: str, kind: int = 3, **more: Any) -> dict[str, Any]:
    """Returns an option of a command."""
    return {"name": name, "description": f"The {name}", "type": kind, **more}
