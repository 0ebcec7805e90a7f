"""A loopback Discord that costs next to nothing, so that the bot is what a load test measures.

It knows just enough to bring presses to a bot and take the answers; it examines nothing. Everything else stands on
`bot.playground`, whose care costs more than a press costs the bot. Addresses are loopback only.
"""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from bot.snowflake import snowflake_at

Json = dict[str, Any]

APP, GUILD, CHANNEL = "100000000000000001", "200000000000000001", "300000000000000001"
EVERYTHING = str((1 << 50) - 1)
BOT = {"id": APP, "username": "bench", "discriminator": "0", "avatar": None, "global_name": None, "bot": True}
CHANNEL_BODY: Json = {
    "id": CHANNEL,
    "type": 0,
    "name": "bench",
    "position": 0,
    "permission_overwrites": [],
    "guild_id": GUILD,
    "parent_id": None,
    "rate_limit_per_user": 0,
    "last_message_id": None,
    "nsfw": False,
    "flags": 0,
}
ROLE: Json = {
    "id": GUILD,
    "name": "@everyone",
    "color": 0,
    "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
    "hoist": False,
    "position": 0,
    "permissions": EVERYTHING,
    "managed": False,
    "mentionable": False,
    "flags": 0,
}
JOINED = "2024-01-01T00:00:00+00:00"
LATEST = 3.0
"""Seconds after which an answer comes too late."""
CALLBACK = re.compile(rb"POST \S*/interactions/(\d+)/")
DEFERRED = (5, 6)
PAYLOAD = re.compile(rb'name="payload_json"[^{]*(\{.*?\})\r\n--', re.DOTALL)
EDIT = re.compile(rb"PATCH \S*/webhooks/\d+/tok(\d+)x")


@dataclass(slots=True)
class Sent:
    """An interaction on its way: the message it belongs to, and the answer's arrival."""

    at: float
    message: Json
    done: asyncio.Future[float | None]


@dataclass(slots=True)
class _Http(asyncio.Protocol):
    """One connection of the bot's HTTP client."""

    server: Loopback
    buffer: bytes = b""
    transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            length = re.search(rb"(?i)content-length: (\d+)", head)
            size = int(length[1]) if length else 0
            if len(self.buffer) < end + 4 + size:
                return
            body = self.buffer[end + 4 : end + 4 + size]
            self.buffer = self.buffer[end + 4 + size :]
            status, answer = self.server.answer(head, body)
            raw = orjson.dumps(answer)
            assert self.transport is not None
            self.transport.write(
                b"HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (status, len(raw), raw)
            )


@dataclass(slots=True)
class Loopback:
    """The server; `start` it before the bot, and wait for `ready`."""

    api_url: str = ""
    gateway_url: str = ""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    emoji: list[Json] = field(default_factory=list)
    late: int = 0
    _more: asyncio.Event = field(default_factory=asyncio.Event)
    _sent: dict[str, Sent] = field(default_factory=dict)
    _later: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    """The pictures that follow their answers."""
    _sequence: int = 0
    _ids: int = 0
    _socket: web.WebSocketResponse | None = None
    _packer: Any = None
    _runner: web.AppRunner | None = None
    _server: asyncio.Server | None = None
    _sending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listens on two free loopback ports."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Http(self), "127.0.0.1", 0)
        self.api_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/api/v10"
        app = web.Application()
        app.router.add_get("/gateway", self._gateway)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.gateway_url = f"ws://127.0.0.1:{self._runner.addresses[0][1]}/gateway"

    async def stop(self) -> None:
        """Closes everything."""
        if self._socket is not None:
            await self._socket.close()
        if self._server is not None:
            self._server.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def has_emoji(self, number: int) -> None:
        """Returns when the bot has uploaded so many emoji."""
        while len(self.emoji) < number:
            self._more.clear()
            await self._more.wait()

    def message(self, components: list[Json]) -> Json:
        """Returns a message of the bot."""
        return {
            "id": self._next_id(),
            "channel_id": CHANNEL,
            "type": 0,
            "content": "",
            "author": BOT,
            "timestamp": JOINED,
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": components,
            "pinned": False,
            "flags": 0,
        }

    async def press(self, player: int, message: Json, custom_id: str) -> float | None:
        """Presses a button of *message* and returns how many seconds the answer took, None if there was none."""
        data = {"custom_id": custom_id, "component_type": 2, "id": 1}
        return await self._interact(3, player, data, message, {"message": message})

    async def select(self, player: int, custom_id: str, value: str) -> float | None:
        """Chooses *value* in a menu of a message that does not matter."""
        data = {"custom_id": custom_id, "component_type": 3, "id": 1, "values": [value]}
        return await self._interact(3, player, data, self.message([]), {"message": self.message([])})

    async def slash(self, player: int, name: str, options: Json) -> Json:
        """Calls a command and returns its message."""
        listed = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        message = self.message([])
        data = {"id": "1", "name": name, "type": 1, "options": listed}
        await self._interact(2, player, data, message, {})
        return message

    async def _interact(self, kind: int, player: int, data: Json, message: Json, more: Json) -> float | None:
        number = self._next_id()
        user = {
            "id": str(600_000_000_000_000_000 + player),
            "username": f"player{player}",
            "discriminator": "0",
        }
        user |= {"avatar": None, "global_name": f"Player {player}"}  # type: ignore[dict-item]
        payload: Json = {
            "id": number,
            "application_id": APP,
            "type": kind,
            "token": f"tok{number}" + "x" * 180,
            "version": 1,
            "data": data,
            "guild_id": GUILD,
            "channel_id": CHANNEL,
            "channel": CHANNEL_BODY,
            "guild": {"id": GUILD, "features": [], "locale": "en-US"},
            "member": {
                "user": user,
                "roles": [],
                "joined_at": JOINED,
                "deaf": False,
                "mute": False,
                "flags": 0,
                "pending": False,
                "nick": None,
                "avatar": None,
                "premium_since": None,
                "communication_disabled_until": None,
                "permissions": EVERYTHING,
            },
            "locale": "en-US",
            "guild_locale": "en-US",
            "app_permissions": EVERYTHING,
            "entitlements": [],
            "authorizing_integration_owners": {"0": GUILD},
            "context": 0,
            "attachment_size_limit": 10_485_760,
            **more,
        }
        sent = Sent(time.perf_counter(), message, asyncio.get_running_loop().create_future())
        self._sent[number] = sent
        await self._dispatch("INTERACTION_CREATE", payload)
        try:
            took = await asyncio.wait_for(sent.done, LATEST + 1)
            if (picture := self._later.get(number)) is not None:
                await asyncio.wait_for(picture, LATEST + 1)
            return took
        except TimeoutError:
            self.late += 1
            return None
        finally:
            del self._sent[number]
            self._later.pop(number, None)

    def answer(self, head: bytes, body: bytes) -> tuple[int, Any]:
        """Returns status and body for a request of the bot."""
        if (callback := CALLBACK.match(head)) is not None:
            return self._take(callback[1].decode(), _payload(body))
        if (edit := EDIT.match(head)) is not None:
            return self._edit(edit[1].decode(), body)
        method, target = head.split(b" ", 2)[:2]
        path = target.decode().partition("?")[0].removeprefix("/api/v10")
        if path.endswith("/emojis"):
            if method == b"POST":
                made = {"id": self._next_id(), "name": orjson.loads(body)["name"]}
                self.emoji.append(made)
                self._more.set()
                return 201, made
            return 200, {"items": self.emoji}
        if path.endswith("/commands"):
            known = {"application_id": APP, "version": "1", "default_member_permissions": None, "type": 1}
            listed = enumerate(orjson.loads(body or b"[]"), 1)
            return 200, [{**known, **each, "id": str(number)} for number, each in listed]
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        application = {
            "id": APP,
            "name": "bench",
            "description": "",
            "verify_key": "0",
            "flags": 0,
            "icon": None,
        }
        bodies: dict[str, Any] = {
            "/users/@me": BOT,
            "/oauth2/applications/@me": application | {"bot_public": True, "bot_require_code_grant": False},
            "/gateway/bot": {"url": self.gateway_url, "shards": 1, "session_start_limit": limit},
        }
        bodies["/oauth2/applications/@me"] |= {"owner": BOT, "team": None, "rpc_origins": [], "summary": ""}
        bodies["/applications/@me"] = bodies["/oauth2/applications/@me"]
        return (200, bodies[path]) if path in bodies else (404, {"message": "404: Not Found", "code": 0})

    def _take(self, number: str, body: Json) -> tuple[int, Any]:
        sent, now = self._sent.get(number), time.perf_counter()
        if sent is None or now - sent.at > LATEST:
            return 404, {"message": "Unknown interaction", "code": 10062}
        data = body.get("data") or {}
        if "components" in data:
            sent.message["components"] = data["components"]
        if body["type"] in DEFERRED:
            self._later[number] = asyncio.get_running_loop().create_future()
        if not sent.done.done():
            sent.done.set_result(now - sent.at)
        told = {"id": number, "type": 3, "response_message_id": sent.message["id"]}
        resource = {"type": body["type"], "message": sent.message}
        return 200, {"interaction": told, "resource": resource}

    def _edit(self, number: str, body: bytes) -> tuple[int, Any]:
        """Takes the picture that follows an answer."""
        data = _payload(body)
        sent, picture = self._sent.get(number), self._later.get(number)
        if sent is None or picture is None:
            return 404, {"message": "Unknown Webhook", "code": 10015}
        sent.message["components"] = data["components"]
        if not picture.done():
            picture.set_result(None)
        return 200, sent.message

    def _next_id(self) -> str:
        self._ids += 1
        return str(snowflake_at(time.time_ns() // 1_000_000) | (self._ids & 0x3FFFFF))

    async def _dispatch(self, event: str, data: Json) -> None:
        self._sequence += 1
        await self._send({"op": 0, "t": event, "s": self._sequence, "d": data})

    async def _send(self, payload: Json) -> None:
        assert self._socket is not None
        packed = self._packer.compress(orjson.dumps(payload)) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        await self._socket.send_bytes(packed)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0, compress=False)
        await socket.prepare(request)
        self._socket, self._packer = socket, zlib.compressobj()
        await self._send({"op": 10, "d": {"heartbeat_interval": 41_250}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            match orjson.loads(message.data)["op"]:
                case 1:
                    await self._send({"op": 11})
                case 2:
                    await self._welcome()
        return socket

    async def _welcome(self) -> None:
        ready = {"v": 10, "user": BOT, "guilds": [{"id": GUILD, "unavailable": True}], "session_id": "s"}
        ready |= {
            "resume_gateway_url": self.gateway_url,
            "application": {"id": APP, "flags": 0},
            "shard": [0, 1],
        }
        await self._dispatch("READY", ready)
        me = {"user": BOT, "roles": [], "joined_at": JOINED, "deaf": False, "mute": False, "flags": 0}
        guild: Json = {
            "id": GUILD,
            "name": "bench",
            "owner_id": "4",
            "roles": [ROLE],
            "channels": [CHANNEL_BODY],
        }
        guild |= {
            "members": [me],
            "member_count": 2,
            "joined_at": JOINED,
            "large": False,
            "unavailable": False,
        }
        for name in ("emojis", "features", "stickers", "threads", "presences", "voice_states"):
            guild[name] = []
        for name in ("stage_instances", "guild_scheduled_events", "soundboard_sounds"):
            guild[name] = []
        guild |= {"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0}
        guild |= {
            "mfa_level": 0,
            "premium_tier": 0,
            "preferred_locale": "en-US",
            "nsfw_level": 0,
            "afk_timeout": 0,
        }
        guild |= {"system_channel_flags": 0, "premium_progress_bar_enabled": False}
        await self._dispatch("GUILD_CREATE", guild)
        self.ready.set()


def _payload(body: bytes) -> Json:
    """Returns the JSON of a request, whether files go along with it or not."""
    form = None if body.startswith(b"{") else PAYLOAD.search(body)
    found: Json = orjson.loads(body if form is None else form[1])
    return found
