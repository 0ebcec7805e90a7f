"""Where presses, menus and forms go: the first part of the custom id names the handler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import discord

from bot.errors import BadButtonError, BotPlayerError, ServerOnlyError
from bot.services.press import Press
from bot.views.ids import KIND_NAMES, split_id


@dataclass(frozen=True, slots=True)
class Call:
    """A press, a choice or a form: who made it, the parts of its custom id, and the *values* that were chosen.

    *fields* has what was written into a form, by the custom ids of its inputs.
    """

    interaction: discord.Interaction
    press: Press
    parts: tuple[str, ...]
    values: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)

    def part(self, index: int) -> str:
        """Returns a part of the custom id.

        :raises BadButtonError: if there is none at *index*.
        """
        try:
            return self.parts[index]
        except IndexError:
            raise BadButtonError from None

    @property
    def chosen(self) -> str:
        """The one value that was chosen.

        :raises BadButtonError: if there is none, or more.
        """
        if len(self.values) != 1:
            raise BadButtonError
        return self.values[0]


Handler = Callable[[Call], Awaitable[None]]


def press_of(interaction: discord.Interaction) -> Press:
    """Returns the press that *interaction* is.

    :raises BotPlayerError: if a bot account made it.
    """
    user = interaction.user
    if user.bot:
        raise BotPlayerError
    return Press(interaction.id, user.id, user.display_name, interaction.locale.value)


def guild_of(interaction: discord.Interaction) -> int:
    """Returns the server that *interaction* comes from.

    :raises ServerOnlyError: if it comes from a direct message.
    """
    if interaction.guild_id is None:
        raise ServerOnlyError
    return interaction.guild_id


def kind_of(interaction: discord.Interaction) -> str:
    """Returns what kind of press *interaction* is, for counting."""
    data: Any = interaction.data or {}
    return KIND_NAMES.get(split_id(data.get("custom_id", ""))[0], "unknown")


class Router:
    """Finds the handler of a custom id. It knows nothing of any message, so it misses nothing at a restart."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = MappingProxyType(dict(handlers))

    async def route(self, interaction: discord.Interaction) -> None:
        """Calls the handler of what was pressed, chosen or submitted.

        :raises BadButtonError: if no handler has made it.
        """
        data: Any = interaction.data or {}
        kind, parts = split_id(data.get("custom_id", ""))
        handler = self._handlers.get(kind)
        if handler is None:
            raise BadButtonError
        values = tuple(data.get("values", ()))
        await handler(Call(interaction, press_of(interaction), parts, values, _fields(data)))


def _fields(data: Any) -> dict[str, str]:
    """Returns what was written into the inputs of a form."""
    inputs = [each.get("component", {}) for each in data.get("components", ())]
    return {each["custom_id"]: each["value"] for each in inputs if "value" in each}
