"""A server's choices for its races: the page, its menus, what is missing; and the welcome to a new server."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace

import discord

from bot import respond, transport
from bot.cogs.moderation import require_manager
from bot.desk import Desk
from bot.errors import BadButtonError, BadRoleError
from bot.mentions import Mentions
from bot.router import Call, press_of
from bot.services.servers import check_place
from bot.store.servers import Choices
from bot.text import speaking
from bot.text.catalogue import LANGUAGE_NAMES
from bot.views.ids import number
from bot.views.servers import LIMITS, OWN, setup_page, welcome
from engine import GAMES

_log = logging.getLogger(__name__)

NEEDED = ("view_channel", "send_messages", "attach_files", "send_messages_in_threads")
"""What the bot needs in a channel for races: to show them, their results' pictures, and both in threads."""


async def show_setup(desk: Desk, interaction: discord.Interaction) -> None:
    """Answers with what the server has chosen."""
    guild = require_manager(interaction)
    choices = await desk.servers.choices(guild, press_of(interaction).at)
    await respond.answer(interaction, setup_page(choices, _lacking(interaction, choices)))


class SetupPresses:
    """The menus of the page of a server's choices."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Keeps one choice; the custom id is ``u:<what>``."""
        guild = require_manager(call.interaction)
        choices = await self._desk.servers.choices(guild, call.press.at)
        match call.part(0):
            case "channels":
                choices = replace(choices, channels=tuple(map(number, call.values)))
            case "games":
                known = [rules.key for rules in GAMES if rules.key in call.values]
                choices = replace(choices, games=tuple(known) if len(known) < len(GAMES) else ())
            case "minutes":
                minutes = number(call.chosen)
                if minutes not in LIMITS:
                    raise BadButtonError
                choices = replace(choices, minutes=minutes)
            case "role":
                role = number(call.values[0]) if call.values else None
                if role is not None and not _is_given(call.interaction, role):
                    raise BadRoleError
                choices = replace(choices, role=role)
            case "language":
                choices = replace(choices, language=_language(call.chosen))
            case _:
                raise BadButtonError
        choices = await self._desk.servers.choose(call.press, guild, choices)
        await respond.update(call.interaction, setup_page(choices, _lacking(call.interaction, choices)))


async def check_race(desk: Desk, interaction: discord.Interaction, game: str, guild: int) -> Choices:
    """Returns what the server has chosen, if a race of *game* may be opened here and now by the caller.

    :raises UserError: if not, with the reason.
    """
    press = press_of(interaction)
    choices = await desk.servers.choices(guild, press.at)
    places = [interaction.channel_id or 0]
    if isinstance(interaction.channel, discord.Thread):
        places.append(interaction.channel.parent_id)
    roles = (
        [role.id for role in interaction.user.roles] if isinstance(interaction.user, discord.Member) else []
    )
    manages = interaction.permissions.manage_guild
    check_place(choices, places=places, game=game, roles=roles, manages=manages)
    await desk.servers.check_flood(press, guild)
    return choices


def language_of_server(interaction: discord.Interaction, choices: Choices) -> str:
    """Returns what the messages to all speak on the server of *interaction*, as Discord names it."""
    own = interaction.guild_locale
    return choices.language or ("en-US" if own is None else own.value)


async def language_of_all(desk: Desk, interaction: discord.Interaction) -> str:
    """Returns what a message to all speaks where *interaction* was made; without a server the caller's language."""
    if interaction.guild_id is None:
        return interaction.locale.value
    choices = await desk.servers.choices(interaction.guild_id, press_of(interaction).at)
    return language_of_server(interaction, choices)


async def greet(desk: Desk, guild: discord.Guild, mentions: Mentions) -> None:
    """Welcomes a new server, once and for all, in a channel where the bot may write; if there is one."""
    channel = next(filter(_is_writable, _candidates(guild)), None)
    if channel is None or not await desk.servers.welcome(guild.id, desk.clock.now()):
        return
    with speaking(guild.preferred_locale.value):
        params = transport.message_parameters(welcome(mentions.link), nonce=f"w{guild.id}")
    try:
        await guild._state.http.send_message(channel.id, params=params)
    except discord.HTTPException as error:
        _log.info("server %s could not be welcomed: %s", guild.id, error)


def _candidates(guild: discord.Guild) -> Iterable[discord.TextChannel]:
    if guild.system_channel is not None:
        yield guild.system_channel
    yield from guild.text_channels


def _is_writable(channel: discord.TextChannel) -> bool:
    allowed = channel.permissions_for(channel.guild.me)
    return allowed.view_channel and allowed.send_messages


def _lacking(interaction: discord.Interaction, choices: Choices) -> dict[int, list[str]]:
    """Returns the permissions that the bot lacks, by channel: in the chosen ones, or where it is asked.

    A channel that is gone has none that could be named.
    """
    guild = interaction.guild
    if guild is None:
        return {}
    found: dict[int, list[str]] = {}
    for id_ in choices.channels or (interaction.channel_id or 0,):
        allowed = interaction.app_permissions if id_ == interaction.channel_id else _allowed(guild, id_)
        names = [] if allowed is None else [name for name in NEEDED if not getattr(allowed, name)]
        if names or allowed is None:
            found[id_] = names
    return found


def _allowed(guild: discord.Guild, id_: int) -> discord.Permissions | None:
    channel = guild.get_channel(id_)
    return None if channel is None else channel.permissions_for(guild.me)


def _is_given(interaction: discord.Interaction, role: int) -> bool:
    """Tells whether people can be given the *role*: everybody has one already, and each bot one for itself."""
    found = None if interaction.guild is None else interaction.guild.get_role(role)
    return role != interaction.guild_id and (found is None or not found.managed)


def _language(value: str) -> str | None:
    if value != OWN and value not in LANGUAGE_NAMES:
        raise BadButtonError
    return None if value == OWN else value
