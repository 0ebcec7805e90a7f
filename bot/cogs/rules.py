"""The rules of a game on request."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import UnknownGameKeyError
from bot.router import press_of
from bot.views.look import colours_of
from bot.views.rules import rules_card
from engine import GAMES, UnknownGameError, find_game

GAME_CHOICES = [app_commands.Choice(name=rules.name, value=rules.key) for rules in GAMES]


def rules_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/rules``."""

    @app_commands.command(name="rules", description="How a game is played, with a picture")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=GAME_CHOICES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def show(interaction: discord.Interaction, game: str) -> None:
        press = press_of(interaction)
        try:
            rules = find_game(game)
        except UnknownGameError:
            raise UnknownGameKeyError(game) from None
        taste = await desk.players.taste(press.player, press.at)
        await respond.answer(interaction, await asyncio.to_thread(rules_card, rules, colours_of(taste)))

    return show
