"""The outbox: messages of the bot's own accord of which there is to be one, whoever sends it.

A process may stand still for minutes between deciding to send a message and sending it, while another one takes its
place; Discord's nonce keeps the two from posting twice for some minutes only. So whoever sends looks at the last moment
whether that is still to be done, and what is sent is kept only where nothing else has been: else it is deleted again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import aiohttp
import discord
from discord.http import MultipartParameters

_log = logging.getLogger(__name__)

PATIENCE = 0.5
"""Seconds for which a stop, which is to be over within five, waits for messages that are being sent."""
TAKING_BACK = 10.0
"""Seconds for which a process that has been overtaken waits for them, so that none stands twice."""


class OvertakenError(Exception):
    """What was to be shown may be out of date: another process has done it, or has taken this one's place."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The place in the database for the one message that something has.

    *is_free* tells whether it is as it was when that message was decided on. *keep* puts a message there, if so, and
    tells whether it is the one that stands there now.
    """

    is_free: Callable[[], Awaitable[bool]]
    keep: Callable[[int], Awaitable[bool]]


class Outbox:
    """Posts messages, as long as this process *is a member* of those that serve its servers."""

    def __init__(self, client: discord.Client, is_member: Callable[[], Awaitable[bool]]) -> None:
        self._client = client
        self._is_member = is_member
        self._sending: set[asyncio.Task[int]] = set()

    async def check(self) -> None:
        """Returns only if what this process shows is not another one's to show.

        :raises OvertakenError: if it is.
        :raises StoreError: if that cannot be told.
        """
        if not await self._is_member():
            raise OvertakenError

    async def post(self, channel: int, params: MultipartParameters, slot: Slot) -> int:
        """Posts a message and returns its id, kept in its *slot*. Once it is on its way, this cannot be cancelled.

        :raises OvertakenError: if there is another message in the slot now.
        :raises discord.HTTPException: if Discord refuses it.
        :raises StoreError: if it cannot be kept. The same nonce finds it again, for some minutes.
        """
        await self.check()
        if not await slot.is_free():
            raise OvertakenError
        task = asyncio.create_task(self._send(channel, params, slot))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return await asyncio.shield(task)

    async def keep(self, channel: int, message: int, slot: Slot) -> int:
        """Returns a *message* that is there, kept in its *slot*; if another one is, it is deleted again.

        :raises OvertakenError: in that case.
        :raises StoreError: if it cannot be kept.
        """
        if await slot.keep(message):
            return message
        try:
            await self._client.http.delete_message(channel, message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.info("message %s, which is there twice, could not be deleted: %s", message, error)
        raise OvertakenError

    async def settle(self) -> None:
        """Waits until nothing is on its way any more, for :data:`TAKING_BACK` at most."""
        if self._sending:
            await asyncio.wait(self._sending, timeout=TAKING_BACK)

    async def close(self) -> None:
        """Lets what is on its way arrive, or gives it up: the next start sends it with the same nonce."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*self._sending, return_exceptions=True), PATIENCE)

    async def _send(self, channel: int, params: MultipartParameters, slot: Slot) -> int:
        sent = await self._client.http.send_message(channel, params=params)
        return await self.keep(channel, int(sent["id"]), slot)
