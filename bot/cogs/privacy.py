"""What players may ask of what is stored about them: export, delete, listing."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import BadButtonError
from bot.resources import shipped
from bot.router import Call, press_of
from bot.text import privacy as words_of
from bot.text import say
from bot.views.lobby import sentence
from bot.views.payload import Message
from bot.views.privacy import delete_page, export_page


class PrivacyCommands(app_commands.Group):
    """``/privacy``: in servers, in direct messages, and for people who installed the bot for themselves."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="privacy",
            description="What is stored about you, and your rights over it",
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        self._desk = desk

    @app_commands.command(name="export", description="Get everything that is stored about you, as one file")
    async def export(self, interaction: discord.Interaction) -> None:
        """Sends the caller's data as a file; it is collected after the acknowledgement."""
        press = press_of(interaction)
        await respond.acknowledge(interaction, new=True)
        data = await self._desk.privacy.export(press.player, press.at)
        page = await asyncio.to_thread(_export_page, data)
        await respond.follow(interaction, page)

    @app_commands.command(name="delete", description="Delete everything that tells who you are; asks first")
    async def delete(self, interaction: discord.Interaction) -> None:
        """Asks whether everything is to be deleted."""
        press_of(interaction)
        await respond.answer(interaction, delete_page())

    @app_commands.command(name="listing", description="Be on the world boards, or not")
    @app_commands.describe(listed="Whether everybody may see you on the world boards")
    async def listing(self, interaction: discord.Interaction, listed: bool) -> None:
        """Puts the caller on the world boards, or takes the caller off them."""
        is_there = await self._desk.privacy.set_listed(press_of(interaction), listed=listed)
        told = words_of.LISTED if is_there else words_of.BARRED if listed else words_of.UNLISTED
        await respond.answer(interaction, sentence(say(told)))


def _export_page(data: bytes) -> Message:
    return export_page(data, shipped("PRIVACY.md").read_bytes())


class PrivacyPresses:
    """The buttons of the question before everything is deleted."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``x:delete`` or ``x:keep``."""
        match call.part(0):
            case "delete":
                await self._desk.privacy.delete(call.press)
                await respond.update(call.interaction, sentence(say(words_of.DELETED)))
            case "keep":
                await respond.update(call.interaction, sentence(say(words_of.KEPT)))
            case _:
                raise BadButtonError
