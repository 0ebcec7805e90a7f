"""One gateway connection: an ordered, optionally compressed stream of events to the bot."""

from __future__ import annotations

import asyncio
import socket
import struct
import zlib
from typing import Any

import orjson
from aiohttp import web

HELLO, DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME = 10, 0, 1, 2, 3, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HEARTBEAT_ACK = 7, 8, 9, 11
"""Opcodes."""


def reset(transport: asyncio.BaseTransport | None) -> None:
    """Cuts a connection with a TCP reset, as a broken network does."""
    if not isinstance(transport, asyncio.Transport):
        return
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


class Connection:
    """Sends payloads in the order given, without making the giver wait."""

    def __init__(self, request: web.Request, ws: web.WebSocketResponse, *, compressed: bool) -> None:
        self._request = request
        self._ws = ws
        self._compressor = zlib.compressobj() if compressed else None
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._close_code: int | None = None
        self._writer = asyncio.create_task(self._write())

    def send(self, raw: bytes) -> None:
        """Queues a payload that is JSON already."""
        self._waiting.put_nowait(raw)

    def send_op(self, op: int, data: Any = None) -> None:
        """Queues a payload that is not an event."""
        self.send(orjson.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, code: int) -> None:
        """Closes the connection with *code* after all that was queued."""
        self._close_code = code
        self._waiting.put_nowait(None)

    @property
    def is_closing(self) -> bool:
        """Whether `close` was called."""
        return self._close_code is not None

    def reset(self) -> None:
        """Cuts the connection without a word."""
        reset(self._request.transport)

    async def ended(self) -> None:
        """Stops sending. To be awaited when nothing more is received."""
        if self._close_code is None:
            self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while (raw := await self._waiting.get()) is not None:
            try:
                if self._compressor is None:
                    await self._ws.send_str(raw.decode())
                else:
                    packed = self._compressor.compress(raw) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
                    await self._ws.send_bytes(packed)
            except ConnectionError:
                return  # the peer is gone; what it missed waits for its RESUME
        await self._ws.close(code=self._close_code or 1000)
