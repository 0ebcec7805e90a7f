"""Leaderboards: the command, and the presses that turn to other pages and other boards."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

import discord
from discord import app_commands

from bot import respond
from bot.cogs.rules import GAME_CHOICES
from bot.cogs.servers import language_of_all
from bot.desk import Desk
from bot.errors import BadButtonError
from bot.periods import Span
from bot.router import Call, guild_of, press_of
from bot.services.leaderboard import Leaderboard, Metric, Scope, Wish
from bot.text import leaderboard as board_text
from bot.text import say, speaking
from bot.views.ids import number
from bot.views.leaderboard import ALL_GAMES, leaderboard, shared_leaderboard

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


def leaderboard_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/leaderboard``."""

    @app_commands.command(name="leaderboard", description="Who is best at what, here or everywhere")
    @app_commands.describe(
        metric="What it is about (the rating if you do not say)",
        game="Which game (all games if you do not say)",
        scope="Whose results (this server's if you do not say)",
        period="Over which time (all time if you do not say)",
    )
    @app_commands.choices(
        metric=[app_commands.Choice(name=say(board_text.METRICS[each]), value=each.value) for each in Metric],
        game=GAME_CHOICES,
        scope=[app_commands.Choice(name=say(board_text.SCOPES[each]), value=each.value) for each in Scope],
        period=[app_commands.Choice(name=say(board_text.SPANS[each]), value=each.value) for each in Span],
    )
    @app_commands.guild_only()
    async def show(
        interaction: discord.Interaction,
        metric: str = Metric.RATING.value,
        game: str | None = None,
        scope: str = Scope.SERVER.value,
        period: str = Span.ALL.value,
    ) -> None:
        wish = Wish(_choice(Metric, metric), game, _choice(Scope, scope), _choice(Span, period))
        await respond.answer(interaction, leaderboard(await _read(desk, interaction, wish)))

    return show


class LeaderboardPresses:
    """The buttons and menus of a leaderboard."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``l:<verb>:<metric>:<game>:<scope>:<span>:<page>``."""
        wish = _wish(call)
        match call.part(0):
            case "metric":
                wish = replace(wish, metric=_choice(Metric, call.chosen))
            case "game":
                wish = replace(wish, game=None if (chosen := call.chosen) == ALL_GAMES else chosen)
            case "span":
                wish = replace(wish, span=_choice(Span, call.chosen))
        shown = await _read(self._desk, call.interaction, wish)
        match call.part(0):
            case "share":
                with speaking(await language_of_all(self._desk, call.interaction)):
                    message = shared_leaderboard(shown)
                await respond.share(call.interaction, message)
            case "open":
                await respond.answer(call.interaction, leaderboard(shown))
            case _:
                await respond.update(call.interaction, leaderboard(shown))


async def _read(desk: Desk, interaction: discord.Interaction, wish: Wish) -> Leaderboard:
    guild, press = guild_of(interaction), press_of(interaction)
    return await desk.leaderboards.show(wish, guild=guild, player=press.player, now=desk.clock.now())


def _wish(call: Call) -> Wish:
    game = call.part(2)
    return Wish(
        _choice(Metric, call.part(1)),
        None if game == ALL_GAMES else game,
        _choice(Scope, call.part(3)),
        _choice(Span, call.part(4)),
        number(call.part(5)),
    )


def _choice(kind: type[ChoiceT], value: str) -> ChoiceT:
    try:
        return kind(value)
    except ValueError:
        raise BadButtonError from None
