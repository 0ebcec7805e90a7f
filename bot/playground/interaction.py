"""An interaction: one thing that a player did, and what came of it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Generator
from typing import Any

from bot.playground import payloads
from bot.playground.errors import Json, UnansweredError
from bot.playground.models import FILE_LIMIT, Channel, Guild, Message, User
from bot.playground.world import World

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
"""Interaction types."""

MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
"""Callback types."""


class Interaction:
    """One thing that a player did. Awaiting it waits for the bot's first answer and returns it."""

    __slots__ = (
        "answer",
        "answered_at",
        "channel",
        "created",
        "data",
        "failed",
        "followup_ids",
        "guild",
        "id",
        "kind",
        "metadata",
        "original_id",
        "payload",
        "sent_at",
        "settled",
        "source_id",
        "timer",
        "token",
        "type",
        "user",
        "world",
    )

    def __init__(
        self,
        world: World,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        source: Message | None,
    ) -> None:
        self.world = world
        self.id = world.next_id()
        self.kind = kind
        """2 a command, 3 a press or selection, 4 autocompletion, 5 a submitted form."""
        self.user = user
        self.channel = channel
        self.guild: Guild | None = world.guild_of(channel)
        self.data = data
        self.source_id = source.id if source else None
        self.token = f"aW50ZXJhY3Rpb246{secrets.token_urlsafe(120)}"
        self.created = world.clock()
        self.sent_at = time.perf_counter()
        """When it went out and, *answered_at*, when the answer came in: seconds of `time.perf_counter`."""
        self.answered_at: float | None = None
        self.type: int | None = None
        """The type of the first answer, None as long as there is none."""
        self.answer: Json = {}
        """The data of the first answer."""
        self.original_id: int | None = None
        self.followup_ids: list[int] = []
        self.failed = False
        """Whether the deadline passed without an answer."""
        self.settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.timer: asyncio.TimerHandle | None = None
        self.metadata: Json = {}
        self.payload: Json = {}

    def __await__(self) -> Generator[Any, None, Interaction]:
        """Waits for the first answer.

        :raises UnansweredError: there was none within the deadline
        """
        yield from asyncio.shield(self.settled).__await__()
        if self.failed:
            raise UnansweredError(f"interaction {self.id} of {self.user.name} was not answered")
        return self

    @property
    def message(self) -> Message | None:
        """The message that is ``@original``: the one made or updated by the answer."""
        return None if self.original_id is None else self.world.messages.get(self.original_id)

    @property
    def source(self) -> Message | None:
        """The message that was pressed."""
        return None if self.source_id is None else self.world.messages.get(self.source_id)

    @property
    def seconds(self) -> float | None:
        """How long the answer took, in seconds."""
        return None if self.answered_at is None else self.answered_at - self.sent_at

    def slim(self) -> None:
        """Forgets the payload and what was answered; a form that was opened can still be sent off."""
        self.payload = {}
        if self.type != MODAL:
            self.answer = {}

    def settle(self, *, failed: bool = False) -> None:
        """Ends the wait for the first answer."""
        self.failed = failed
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if not self.settled.done():
            self.settled.set_result(None)


def describe(interaction: Interaction, name: str | None, opener: Interaction | None) -> Json:
    """Returns the ``interaction_metadata`` of messages that answer *interaction*."""
    metadata: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": interaction.user.payload(),
        "authorizing_integration_owners": _owners(interaction),
    }
    if name is not None:
        metadata["name"] = name
    if interaction.source_id is not None and interaction.kind == COMPONENT:
        metadata["interacted_message_id"] = str(interaction.source_id)
    if opener is not None:
        metadata["triggering_interaction_metadata"] = opener.metadata
    return metadata


def _owners(interaction: Interaction) -> Json:
    return {"0": str(interaction.guild.id) if interaction.guild else "0"}


def event(world: World, interaction: Interaction, source: Message | None) -> Json:
    """Returns the data of the ``INTERACTION_CREATE`` that brings *interaction* to the bot."""
    user, channel, guild = interaction.user, interaction.channel, interaction.guild
    payload: Json = {
        "id": str(interaction.id),
        "application_id": str(world.bot.id),
        "type": interaction.kind,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": payloads.channel(world, channel),
        "locale": user.locale,
        "app_permissions": str(world.permissions(world.bot, channel)),
        "entitlements": [],
        "authorizing_integration_owners": _owners(interaction),
        "context": 0 if guild else 1,
        "attachment_size_limit": FILE_LIMIT,
    }
    if guild is not None:
        payload |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "features": [], "locale": "en-US"},
            "guild_locale": "en-US",
            "member": payloads.member(world, guild, user, channel),
        }
    else:
        payload["user"] = user.payload()
    if source is not None:
        payload["message"] = payloads.message(world, source)
    return payload
