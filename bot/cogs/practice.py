"""Practice: a deal for oneself, with hints, that counts for nothing."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cogs.rules import GAME_CHOICES
from bot.desk import Desk
from bot.errors import BadButtonError
from bot.periods import day_of
from bot.router import Call, press_of
from bot.services.dailies import featured
from bot.services.practice import again, practise
from bot.text import practice as practice_text
from bot.text import say
from bot.views.ids import number
from engine import MAX_SEED_LENGTH


def practice_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/play``."""

    @app_commands.command(name="play", description="Practise a deal: hints, undo, and it counts for nothing")
    @app_commands.describe(
        game="Which game; today's featured one if you do not say",
        seed="A word that names the deal; somebody who types the same word gets the same deal",
    )
    @app_commands.choices(game=GAME_CHOICES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def play(
        interaction: discord.Interaction,
        game: str | None = None,
        seed: app_commands.Range[str, 1, 4 * MAX_SEED_LENGTH] | None = None,
    ) -> None:
        press = press_of(interaction)
        key = game or featured(day_of(desk.clock.now())).key
        record = await practise(desk.attempts, press, key, seed)
        desk.proofs.foresee(record.attempt.rules, record.attempt.seed)
        await desk.show_board(interaction, press, record)

    return play


class PracticePresses:
    """The buttons under a game that counted for nothing."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``p:<attempt>:again`` or ``p:<attempt>:new``."""
        attempts, note = self._desk.attempts, None
        before = await attempts.find(number(call.part(0)), player=call.press.player)
        match call.part(1):
            case "again":
                record = await again(attempts, call.press, before)
                note = say(practice_text.RESTARTED)
            case "new":
                record = await practise(attempts, call.press, before.attempt.rules.key)
            case _:
                raise BadButtonError
        self._desk.proofs.foresee(record.attempt.rules, record.attempt.seed)
        self._desk.verdicts.drop(call.press.player)
        await self._desk.turn_into_board(call.interaction, call.press, record, note=note)
