"""The gateway: sessions that survive their connections, events in order, and the ways in which it fails."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson
from aiohttp import WSMsgType, web

from bot.playground import payloads
from bot.playground.connection import (
    HEARTBEAT,
    HEARTBEAT_ACK,
    HELLO,
    IDENTIFY,
    INVALID_SESSION,
    RECONNECT,
    RESUME,
    Connection,
)
from bot.playground.errors import Json
from bot.playground.models import Guild, Message
from bot.playground.waiting import Signal
from bot.playground.world import Event, MessageEvent, World

_PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
_GUILDS, _GUILD_MESSAGES, _DIRECT_MESSAGES = 1 << 0, 1 << 9, 1 << 12
_INTENTS = {
    "GUILD_CREATE": _GUILDS,
    "GUILD_ROLE_UPDATE": _GUILDS,
    "GUILD_DELETE": _GUILDS,
    "CHANNEL_CREATE": _GUILDS,
    "CHANNEL_UPDATE": _GUILDS,
    "CHANNEL_DELETE": _GUILDS,
}
_ROUND_TRIP = 0.02
"""Seconds until a heartbeat is answered."""
_REPLAYED = 5000
"""Events kept for a RESUME."""


@dataclass(slots=True)
class Session:
    """What the gateway remembers of one shard of the bot."""

    id: str
    shard_id: int
    shard_count: int
    intents: int
    connection: Connection | None = None
    sequence: int = 0
    missed: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=_REPLAYED))
    """The last events, with their numbers; those acknowledged by a heartbeat are dropped."""


class Gateway:
    """Discord's gateway on a loopback address. Its faults are methods: `reconnect`, `invalidate`, …"""

    def __init__(self, world: World, *, token: str | None, heartbeat: float, compress: bool) -> None:
        self._world = world
        self._token = token
        self.compress = compress
        """Whether streams are compressed for clients that ask for it."""
        self.heartbeat = heartbeat
        """Seconds between heartbeats that HELLO asks for."""
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.identifies = 0
        self.resumes = 0
        self.heartbeats = 0
        self.answers_heartbeats = True
        self.is_open = True
        """Whether connections are accepted; `shut` and `reopen` change it."""
        self.repeats = 0
        """So many of the next interactions are delivered twice."""
        self.signal = Signal()
        self._sockets: set[web.WebSocketResponse] = set()
        world.dispatch = self.dispatch
        world.watch(self._observe)

    # ---------------------------------------------------------------- sending

    def dispatch(self, event: str, data: Json, guild: Guild | None) -> None:
        """Sends an event to the shard of *guild* (of private conversations: shard 0)."""
        times = 1
        if event == "INTERACTION_CREATE" and self.repeats:
            self.repeats -= 1
            times = 2
        needed = _INTENTS.get(event, 0)
        for session in tuple(self.sessions.values()):
            shard = (guild.id >> 22) % session.shard_count if guild else 0
            if session.shard_id == shard and session.intents & needed == needed:
                for _ in range(times):
                    self._send(session, event, data)

    def _send(self, session: Session, event: str, data: Json) -> None:
        session.sequence += 1
        raw = orjson.dumps({"op": 0, "t": event, "s": session.sequence, "d": data})
        session.missed.append((session.sequence, raw))
        if session.connection is not None:
            session.connection.send(raw)

    def _observe(self, event: Event) -> None:
        """Passes on messages to bots that asked for them."""
        if not isinstance(event, MessageEvent) or event.message.audience is not None:
            return
        message = event.message
        channel = self._world.channels[message.channel_id]
        guild = self._world.guild_of(channel)
        wanted = _GUILD_MESSAGES if guild else _DIRECT_MESSAGES
        if any(session.intents & wanted for session in self.sessions.values()):
            self.dispatch(f"MESSAGE_{event.what.upper()}", self._message(event.what, message, guild), guild)

    def _message(self, what: str, message: Message, guild: Guild | None) -> Json:
        place: Json = {"guild_id": str(guild.id)} if guild else {}
        if what == "delete":
            return {"id": str(message.id), "channel_id": str(message.channel_id), **place}
        return {**payloads.message(self._world, message), **place}

    # ----------------------------------------------------------------- faults

    def reconnect(self, shard: int | None = None) -> None:
        """Asks the bot to connect anew and resume (opcode 7)."""
        for _, connection in self._connected(shard):
            connection.send_op(RECONNECT)

    def invalidate(self, shard: int | None = None, *, resumable: bool = False) -> None:
        """Declares the session invalid (opcode 9); unless *resumable* it is forgotten."""
        for session, connection in self._connected(shard):
            if not resumable:
                self.sessions.pop(session.id)
            connection.send_op(INVALID_SESSION, resumable)

    def forget(self) -> None:
        """Forgets all sessions, so that the next RESUME is refused."""
        self.sessions.clear()

    def close(self, code: int = 4000, shard: int | None = None) -> None:
        """Closes the connection with a code."""
        for _, connection in self._connected(shard):
            connection.close(code)

    def reset(self, shard: int | None = None) -> None:
        """Cuts the connection with a TCP reset."""
        for _, connection in self._connected(shard):
            connection.reset()

    def shut(self) -> None:
        """Cuts all connections and refuses new ones, until `reopen`. Events wait for the RESUME."""
        self.is_open = False
        self.reset()

    def reopen(self) -> None:
        """Accepts connections again."""
        self.is_open = True

    def _connected(self, shard: int | None) -> Iterator[tuple[Session, Connection]]:
        for session in tuple(self.sessions.values()):
            if session.connection is not None and shard in (None, session.shard_id):
                yield session, session.connection

    # ------------------------------------------------------------- connecting

    async def ready(self, shards: int = 1, seconds: float = 30.0) -> None:
        """Waits until so many shards of the bot are connected."""
        await self.signal.until(lambda: len(list(self._connected(None))) >= shards, seconds)

    async def stop(self) -> None:
        """Closes all connections, as for maintenance."""
        for ws in tuple(self._sockets):
            await ws.close(code=1001)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serves one connection of the bot."""
        if not self.is_open:
            self.signal.pulse()
            raise web.HTTPServiceUnavailable
        ws = web.WebSocketResponse(max_msg_size=0, compress=False)
        await ws.prepare(request)
        compressed = self.compress and request.query.get("compress") == "zlib-stream"
        connection = Connection(request, ws, compressed=compressed)
        connection.send_op(HELLO, {"heartbeat_interval": int(self.heartbeat * 1000), "_trace": []})
        self._sockets.add(ws)
        session: Session | None = None
        left = False
        try:
            while True:
                message = await ws.receive(timeout=self.heartbeat * 1.5)
                if message.type is not WSMsgType.TEXT:
                    left = message.type is WSMsgType.CLOSE and message.data in (1000, 1001)
                    break
                session = self._receive(connection, session, orjson.loads(message.data))
        except TimeoutError:
            await ws.close(code=4009)
        except orjson.JSONDecodeError:
            await ws.close(code=4002)
        finally:
            self._sockets.discard(ws)
            if session is not None and session.connection is connection:
                session.connection = None
                if left and not connection.is_closing:
                    self.sessions.pop(session.id, None)
            self.signal.pulse()
            await asyncio.shield(connection.ended())
        return ws

    def _receive(self, connection: Connection, session: Session | None, payload: Json) -> Session | None:
        op, data = payload.get("op"), payload.get("d")
        if op == HEARTBEAT:
            self.heartbeats += 1
            if self.answers_heartbeats:
                # As over a network. At once, the answer overtakes discord.py's note of when it sent the question.
                asyncio.get_running_loop().call_later(_ROUND_TRIP, connection.send_op, HEARTBEAT_ACK)
            while session and isinstance(data, int) and session.missed and session.missed[0][0] <= data:
                session.missed.popleft()
        elif op in (IDENTIFY, RESUME):
            if session is not None:
                connection.close(4005)
            elif not isinstance(data, dict) or (self._token or data.get("token")) != data.get("token"):
                connection.close(4004)
            else:
                session = (self._identify if op == IDENTIFY else self._resume)(connection, data)
                self.signal.pulse()
        elif session is None:
            connection.close(4003)
        return session

    def _identify(self, connection: Connection, data: Json) -> Session | None:
        shard_id, shard_count = data.get("shard") or (0, 1)
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & _PRIVILEGED:
            connection.close(4014 if isinstance(intents, int) else 4013)
            return None
        if not 0 <= shard_id < shard_count:
            connection.close(4010)
            return None
        self.identifies += 1
        session = Session(secrets.token_hex(16), shard_id, shard_count, intents, connection)
        self.sessions[session.id] = session
        guilds = [g for g in self._world.guilds.values() if (g.id >> 22) % shard_count == shard_id]
        ready: Json = {
            "v": 10,
            "user": payloads.bot_user(self._world),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "application": {"id": str(self._world.bot.id), "flags": 1 << 23},
            "private_channels": [],
            "shard": [shard_id, shard_count],
        }
        self._send(session, "READY", ready)
        if intents & _GUILDS:
            for guild in guilds:
                self._send(session, "GUILD_CREATE", payloads.guild(self._world, guild))
        return session

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        session = self.sessions.get(str(data.get("session_id")))
        seen = data.get("seq")
        oldest = session.missed[0][0] if session and session.missed else 0
        if session is None or not isinstance(seen, int) or seen > session.sequence or seen + 1 < oldest:
            connection.send_op(INVALID_SESSION, False)
            return None
        if session.connection is not None:
            session.connection.close(4000)
        self.resumes += 1
        session.connection = connection
        for number, raw in session.missed:
            if number > seen:
                connection.send(raw)
        self._send(session, "RESUMED", {"_trace": []})
        return session
