"""The help."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import respond
from bot.mentions import Mentions
from bot.router import press_of
from bot.views.help import help_page


def help_command(mentions: Mentions) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/help``."""

    @app_commands.command(name="help", description="What you can do here")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def show(interaction: discord.Interaction) -> None:
        press_of(interaction)
        is_home = interaction.client.get_guild(interaction.guild_id or 0) is not None
        manages = is_home and interaction.permissions.manage_guild
        await respond.answer(interaction, help_page(mentions.link, manages=manages))

    return show
