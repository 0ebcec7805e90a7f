"""What those who manage a server set up."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.cogs.moderation import require_manager
from bot.cogs.servers import show_setup
from bot.desk import Desk
from bot.errors import BadRoleError, MissingPermissionError
from bot.router import press_of
from bot.services.bulletins import find_zones
from bot.store.bulletins import Setup
from bot.views.bulletin import setup_page

CHOICES = 25
"""How many choices Discord shows at most."""
CHANNELS = discord.TextChannel | discord.Thread


class SetupCommands(app_commands.Group):
    """``/setup daily`` and ``/setup races``, for those who manage the server."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="setup",
            description="Set this server up",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._desk = desk

    @app_commands.command(name="daily", description="The daily post: where, when, and whom it pings")
    @app_commands.describe(
        channel="Where it is posted",
        hour="The hour of the day, 0 to 23",
        zone="The time zone of that hour, as in Europe/Berlin",
        role="The role that it pings",
        no_role="Ping nobody any more",
        off="Switch it off; the other choices are kept",
    )
    async def daily(
        self,
        interaction: discord.Interaction,
        channel: CHANNELS | None = None,
        hour: app_commands.Range[int, 0, 23] | None = None,
        zone: str | None = None,
        role: discord.Role | None = None,
        no_role: bool = False,
        off: bool = False,
    ) -> None:
        """Changes what was chosen, or shows how it stands if nothing is."""
        press, now, bulletins = press_of(interaction), self._desk.clock.now(), self._desk.bulletins
        require_manager(interaction)
        guild = interaction.guild
        assert guild is not None
        if role is not None and (role.is_default() or role.managed):
            raise BadRoleError
        if channel is not None:
            _check_channel(guild, channel)
        if (channel, hour, zone, role) == (None,) * 4 and not no_role and not off:
            setup = await bulletins.find(guild.id)
        else:
            if zone is not None:
                await asyncio.to_thread(find_zones, zone, 1)  # the first look at the names reads many files
            setup = await bulletins.set_up(
                press,
                guild.id,
                now,
                channel=None if channel is None else channel.id,
                hour=hour,
                zone=zone,
                role=None if role is None else role.id,
                without_role=no_role,
                on=not off,
            )
        next_at = None if setup is None else await bulletins.next_post(setup, now)
        page = setup_page(setup, next_at, is_silent=setup is not None and _is_silent(guild, setup))
        await respond.answer(interaction, page)

    @app_commands.command(name="races", description="Races: channels, games, time limit, role, language")
    async def races(self, interaction: discord.Interaction) -> None:
        """Shows what is chosen, and what is missing."""
        await show_setup(self._desk, interaction)

    @daily.autocomplete("zone")
    async def zones(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offers the time zones that fit what has been typed."""
        found = await asyncio.to_thread(find_zones, typed, CHOICES)
        return [app_commands.Choice(name=name, value=name) for name in found]


def _check_channel(guild: discord.Guild, channel: CHANNELS) -> None:
    """Refuses a channel in which the bot could not post.

    :raises MissingPermissionError: if so, with the permission that is missing.
    """
    allowed = channel.permissions_for(guild.me)
    in_thread = isinstance(channel, discord.Thread)
    for name in ("view_channel", "send_messages_in_threads" if in_thread else "send_messages"):
        if not getattr(allowed, name):
            raise MissingPermissionError(name, channel.id)


def _is_silent(guild: discord.Guild, setup: Setup) -> bool:
    """Tells whether Discord would not ping the role of a post."""
    role = None if setup.role is None else guild.get_role(setup.role)
    if role is None or role.mentionable:
        return False
    channel = guild.get_channel_or_thread(setup.channel)
    return channel is None or not channel.permissions_for(guild.me).mention_everyone
