"""A player's settings: the command that shows them, and the choices on its page."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import BadButtonError
from bot.router import Call, press_of
from bot.store.players import Style
from bot.views.settings import settings


def settings_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/settings``."""

    @app_commands.command(name="settings", description="How boards are shown to you")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def show(interaction: discord.Interaction) -> None:
        press = press_of(interaction)
        taste = await desk.players.taste(press.player, press.at)
        page = await asyncio.to_thread(settings, desk.boards.look(taste), tell=taste.tell)
        await respond.answer(interaction, page)

    return show


class SettingsPresses:
    """The menu and the buttons of the settings' page."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one choice; its custom id is ``s:style``, ``s:two``, ``s:four``, ``s:tell`` or ``s:quiet``."""
        players = self._desk.players
        match call.part(0):
            case "style":
                taste = await players.choose(call.press, style=_style(call.values))
            case "two" | "four" as colours:
                taste = await players.choose(call.press, four_colours=colours == "four")
            case "tell" | "quiet" as wish:
                taste = await players.choose(call.press, tell=wish == "tell")
            case _:
                raise BadButtonError
        page = await asyncio.to_thread(settings, self._desk.boards.look(taste), tell=taste.tell)
        await respond.update(call.interaction, page)


def _style(values: tuple[str, ...]) -> Style:
    try:
        return Style(*values)
    except (TypeError, ValueError):
        raise BadButtonError from None
