"""The page's live connection: what a player's screen shows, and what the player does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from bot.playground import payloads
from bot.playground.commands import Commands
from bot.playground.errors import ApiError, Json, UnansweredError
from bot.playground.interaction import CHOICES, MODAL, Interaction
from bot.playground.models import DM, Channel, Message, User
from bot.playground.permissions import ALL, Permission
from bot.playground.player import Player
from bot.playground.world import Event, ListEvent, MessageEvent, World

SHOWN = 80
"""Messages of a channel that a page gets when it opens."""

_OPENERS_KEPT = 50


class PageSocket:
    """One tab of a browser."""

    def __init__(self, world: World, commands: Commands, player: Player | None, tips: Sequence[str]) -> None:
        self._world = world
        self._commands = commands
        self._player = player
        self._tips = tips
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._openers: dict[str, Interaction] = {}
        """The interactions that opened a form, by id, until it is sent off."""

    async def serve(self, ws: web.WebSocketResponse, add_player: Callable[[str], Player]) -> None:
        """Serves the tab until it goes away."""
        self._send(self._snapshot())
        stop = self._world.watch(self._observe)
        writer = asyncio.create_task(self._write(ws))
        try:
            async for message in ws:
                if message.type is not WSMsgType.TEXT:
                    break
                self._receive(orjson.loads(message.data), add_player)
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            await ws.close(code=1008, message=repr(error).encode()[:100])
        finally:
            stop()
            for task in (writer, *self._tasks):
                task.cancel()
            await asyncio.gather(writer, *self._tasks, return_exceptions=True)

    # ---------------------------------------------------------------- showing

    def _send(self, payload: Json) -> None:
        self._outbox.put_nowait(orjson.dumps(payload))

    async def _write(self, ws: web.WebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await ws.send_str((await self._outbox.get()).decode())

    def _snapshot(self) -> Json:
        channels = self._channels()
        shown = {str(c.id): self._history(c) for c in channels} if self._player else {}
        return {
            "t": "hello",
            "me": str(self._player.id) if self._player else None,
            "bot": {"id": str(self._world.bot.id), "name": self._world.bot.name},
            "now": self._world.clock(),
            "tips": list(self._tips),
            **self._players(),
            **self._channel_list(),
            **self._command_list(),
            "messages": shown,
        }

    def _history(self, channel: Channel) -> list[Json]:
        assert self._player is not None
        return [self._message(message) for message in self._player.messages(channel)[-SHOWN:]]

    def _message(self, message: Message) -> Json:
        assert self._player is not None
        return {
            **payloads.message(self._world, message),
            "only_you": message.audience is not None,
            "pinged": bool({0, self._player.id} & message.pinged),
        }

    def _players(self) -> Json:
        users = [user for user in self._world.users.values() if not user.bot]
        return {
            "players": [
                {"id": str(user.id), "name": user.name, "tag": self._tag(user), "locale": user.locale}
                for user in users
            ]
        }

    def _tag(self, user: User) -> str:
        """Returns what the page says about a player beside the name."""
        guilds = [guild for guild in self._world.guilds.values() if user.id in guild.members]
        if user.scripted:
            return "plays by itself"
        if any(guild.owner_id == user.id for guild in guilds):
            return "owner"
        manages = any(guild.base_permissions(user.id) & Permission.MANAGE_GUILD for guild in guilds)
        return "moderator" if manages else ""

    def _channels(self) -> list[Channel]:
        if self._player is None:
            return []
        seen = [
            channel
            for channel in self._world.channels.values()
            if channel.kind != DM
            and self._world.permissions(self._player.user, channel) & Permission.VIEW_CHANNEL
        ]
        return [*seen, self._player.private]

    def _channel_list(self) -> Json:
        listed = []
        for channel in self._channels():
            guild = self._world.guild_of(channel)
            about = {
                "id": str(channel.id),
                "name": channel.name,
                "topic": channel.topic,
                "kind": channel.kind,
            }
            listed.append({**about, "guild": guild.name if guild else None})
        guilds = {channel.guild_id for channel in self._channels() if channel.guild_id is not None}
        roles = [role for number in guilds for role in self._world.guilds[number].roles.values()]
        return {"channels": listed, "roles": [{"id": str(role.id), "name": role.name} for role in roles]}

    def _command_list(self) -> Json:
        if self._player is None:
            return {"commands": {}}
        offered = {}
        for channel in self._channels():
            bits = self._world.permissions(self._player.user, channel) if channel.kind != DM else int(ALL)
            offered[str(channel.id)] = self._commands.offered(self._world.guild_of(channel), bits)
        return {"commands": offered}

    def _observe(self, event: Event) -> None:
        if isinstance(event, ListEvent):
            if event.what == "players":
                self._send({"t": "players", **self._players()})
            elif event.what in ("channels", "commands"):
                self._send({"t": "lists", **self._channel_list(), **self._command_list()})
        elif isinstance(event, MessageEvent) and self._player is not None:
            message = event.message
            gone = event.what == "delete"
            if not gone and self._world.sees(self._player.user, message):
                self._send({"t": "message", "message": self._message(message)})
            elif gone and message.audience in (None, self._player.id):
                self._send({"t": "gone", "id": str(message.id), "channel": str(message.channel_id)})

    # ----------------------------------------------------------------- acting

    def _receive(self, payload: Json, add_player: Callable[[str], Player]) -> None:
        """Does what the tab asks for; refusals go back to it."""
        number = payload.get("n")
        try:
            if payload["op"] == "add_player":
                self._send({"t": "added", "id": str(add_player(str(payload["name"])).id)})
                return
            if self._player is None:
                raise ValueError("choose a player first")
            interaction = self._act(self._player, payload)
        except (ValueError, ApiError) as error:
            self._send({"t": "refused", "n": number, "error": str(error)})
            return
        if interaction is None:
            self._send({"t": "done", "n": number})
        else:
            task = asyncio.create_task(self._await(number, interaction))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _act(self, player: Player, payload: Json) -> Interaction | None:
        match payload["op"]:
            case "slash":
                channel = self._world.channel(int(payload["channel"]))
                return player.slash(payload["path"], payload["options"], channel=channel)
            case "complete":
                channel = self._world.channel(int(payload["channel"]))
                return player.autocomplete(
                    payload["path"], payload["options"], payload["focused"], channel=channel
                )
            case "press":
                return player.press(self._world.message(int(payload["message"])), payload["custom_id"])
            case "select":
                message = self._world.message(int(payload["message"]))
                return player.select(message, payload["custom_id"], payload["values"])
            case "submit":
                return player.submit(self._opener(payload["opener"]), payload["answers"])
            case "say":
                player.says(payload["text"], channel=self._world.channel(int(payload["channel"])))
            case "dismiss":
                player.dismiss(self._world.message(int(payload["message"])))
            case "locale":
                player.user.locale = str(payload["locale"])
                self._world.tell(ListEvent("players"))
            case other:
                raise ValueError(f"unknown operation {other!r}")
        return None

    def _opener(self, number: Any) -> Interaction:
        opener = self._openers.get(str(number))
        if opener is None:
            raise ValueError("this form has been closed")
        return opener

    async def _await(self, number: Any, interaction: Interaction) -> None:
        try:
            await interaction
        except UnansweredError:
            self._send({"t": "failed", "n": number})
            return
        answer: Json = {"t": "answer", "n": number, "type": interaction.type}
        if interaction.type == MODAL:
            self._openers[str(interaction.id)] = interaction
            if len(self._openers) > _OPENERS_KEPT:
                del self._openers[next(iter(self._openers))]
            answer |= {"opener": str(interaction.id), "form": interaction.answer}
        elif interaction.type == CHOICES:
            answer["choices"] = interaction.answer.get("choices") or []
        self._send(answer)
