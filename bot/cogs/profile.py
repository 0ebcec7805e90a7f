"""Profiles and past races: the commands, and the presses that turn pages."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
from discord import app_commands

from bot import respond
from bot.cogs.replay import ReplayPresses
from bot.desk import Desk
from bot.errors import BadButtonError, BotPlayerError
from bot.router import Call, guild_of, press_of
from bot.views.history import history
from bot.views.ids import number
from bot.views.profile import has_pictures, profile


def profile_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/profile``."""

    @app_commands.command(name="profile", description="Ratings, races, best times and streaks of a player")
    @app_commands.describe(user="Whose (your own if you do not say)")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def show(interaction: discord.Interaction, user: discord.User | None = None) -> None:
        press = press_of(interaction)
        if user is not None and user.bot:
            raise BotPlayerError
        guild = interaction.guild_id
        subject = interaction.user if user is None else user
        shown = await desk.archive.profile(subject.id, asker=press.player, guild=guild)
        if shown.name is None:
            shown = replace(shown, name=subject.display_name)
        if not has_pictures(shown):
            await respond.answer(interaction, profile(shown, on_server=guild is not None))
            return
        await respond.acknowledge(interaction, new=True)
        message = await asyncio.to_thread(profile, shown, on_server=guild is not None)
        await respond.follow(interaction, message)

    return show


def history_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns the subcommand ``history`` of ``/race``."""

    @app_commands.command(name="history", description="The finished races of this server")
    @app_commands.describe(player="Whose races (everybody's if you do not say)")
    async def show(interaction: discord.Interaction, player: discord.User | None = None) -> None:
        press_of(interaction)
        guild = guild_of(interaction)
        shown = await desk.archive.races(guild, None if player is None else player.id, 0)
        if player is not None:
            shown = replace(shown, names={player.id: player.display_name, **shown.names})
        await respond.answer(interaction, history(shown))

    return show


class HistoryPresses:
    """The buttons and the menu of a list of past races, and those of a profile."""

    def __init__(self, desk: Desk, replays: ReplayPresses) -> None:
        self._desk = desk
        self._replays = replays

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``h:<verb>:<player>:<page>``, the player being 0 for everybody."""
        interaction = call.interaction
        verb, player, page = call.part(0), number(call.part(1)) or None, number(call.part(2))
        match verb:
            case "first" | "back" | "on" | "last":
                shown = await self._desk.archive.races(guild_of(interaction), player, page)
                await respond.update(interaction, history(shown))
            case "list":
                shown = await self._desk.archive.races(guild_of(interaction), player, page)
                await respond.answer(interaction, history(shown))
            case "newest":
                newest = await self._desk.replays.choose(
                    reference=None,
                    player=player,
                    viewer=call.press.player,
                    guild=interaction.guild_id,
                )
                await self._replays.open(interaction, call.press, newest)
            case "watch" if call.values:
                best = await self._desk.replays.best_of(number(call.values[0]))
                await self._replays.open(interaction, call.press, best)
            case _:
                raise BadButtonError
