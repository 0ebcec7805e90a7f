"""Boards on their way to Discord, each in the style that its player has chosen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

import discord

from bot import respond, transport
from bot.emoji import CardEmoji
from bot.receive import PRESSED
from bot.services.players import Players
from bot.store.players import Taste
from bot.turns import Turns
from bot.views.board import Board, board
from bot.views.faces import CodeFaces
from bot.views.look import Look, colours_of
from bot.views.payload import Message

_log = logging.getLogger(__name__)

Page = Callable[[Look], Message]


class Boards:
    """Draws boards and sends them. Pictures are drawn in threads, after the press has been acknowledged."""

    def __init__(self, players: Players, emoji: CardEmoji) -> None:
        self._players = players
        self._emoji = emoji
        self._turns = Turns()
        """The messages for which pictures are under way."""

    def look(self, taste: Taste) -> Look:
        """Returns how a player of this *taste* sees boards."""
        colours = colours_of(taste)
        return Look(taste.style, colours, self._emoji.faces(colours))

    async def look_of(self, player: int, now: int) -> Look:
        """Returns how *player* sees boards."""
        return self.look(await self._players.taste(player, now))

    async def draw(self, shown: Board, look: Look) -> Message:
        """Returns the board as a message."""
        return await asyncio.to_thread(board, shown, look) if look.is_drawn else board(shown, look)

    async def update(self, interaction: discord.Interaction, shown: Board, look: Look) -> None:
        """Answers a press by turning the pressed message into the board.

        A picture takes two calls: the press is acknowledged, and the picture follows.
        """
        if look.is_drawn:
            await respond.acknowledge(interaction)
            await self._follow_in_turn(interaction, shown, look)
        else:
            await self.turn(interaction, lambda seen: board(shown, seen), look)

    async def answer(self, interaction: discord.Interaction, shown: Board, look: Look) -> None:
        """Answers with the board as a new private message."""
        if look.is_drawn:
            await respond.acknowledge(interaction, new=True)
            await self._follow(interaction, shown, look)
        else:
            await self._with_emoji(look, lambda seen: respond.answer(interaction, board(shown, seen)))

    async def turn(self, interaction: discord.Interaction, page: Page, look: Look) -> None:
        """Answers a press by turning the pressed message into a *page*."""
        await self._with_emoji(look, lambda seen: respond.update(interaction, page(seen)))

    async def _follow_in_turn(self, interaction: discord.Interaction, shown: Board, look: Look) -> None:
        """Draws the board and shows it in place of the pressed message, unless a later press has been here."""
        place = interaction.extras.get(PRESSED) or interaction.id
        with self._turns.take(place, interaction.id) as is_outdated:
            await self._follow(interaction, shown, look, unless=is_outdated)

    async def _follow(
        self,
        interaction: discord.Interaction,
        shown: Board,
        look: Look,
        *,
        unless: Callable[[], bool] = bool,
    ) -> None:
        """Draws the board and shows it where an answer is awaited, *unless* that has become out of date."""
        message = await self.draw(shown, look)
        if not unless():
            await self._with_emoji(
                look,
                lambda seen: respond.follow(interaction, message if seen is look else board(shown, seen)),
            )

    async def _with_emoji(self, look: Look, send: Callable[[Look], Awaitable[object]]) -> None:
        """Sends what *send* makes of *look*, and again without emoji if Discord refuses them.

        Somebody may have deleted them: then every button that bears one would make its message invalid.
        """
        try:
            await send(look)
        except discord.HTTPException as error:
            if error.code != transport.INVALID_FORM or isinstance(look.faces, CodeFaces):
                raise
            _log.warning("Discord refused a board with emoji: %s", error)
            self._emoji.distrust()
            await send(replace(look, faces=CodeFaces()))
