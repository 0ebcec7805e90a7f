"""Whether a deal can be won, said under a board that is over and counts for nothing.

A board never waits for it: what is still being found out is added to the board afterwards, through the token of
what it answered. If that has died, or the player has another board by then, ``/board`` tells.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Final

import aiohttp
import discord

from bot import respond, transport
from bot.boards import Boards
from bot.services.dailies import Dailies
from bot.services.practice import UNRANKED
from bot.services.proofs import Proofs
from bot.services.prover import Proof
from bot.store.attempts import AttemptRecord
from bot.store.database import StoreError
from bot.text import code, practice, say
from bot.views.board import Board
from bot.views.look import Look
from bot.views.practice import verdict_line
from engine import deal_code

_log = logging.getLogger(__name__)

PATIENCE: Final = 120.0
"""How many seconds a board is kept in mind, long before its token dies."""


class Verdicts:
    """The verdicts under the boards of this process."""

    def __init__(self, client: discord.Client, boards: Boards, proofs: Proofs, dailies: Dailies) -> None:
        self._client = client
        self._boards = boards
        self._proofs = proofs
        self._dailies = dailies
        self._owed: dict[int, asyncio.Task[None]] = {}
        """What is still to be said, by player: under the newest board."""

    async def show(
        self, interaction: discord.Interaction, shown: Board, look: Look, *, new: bool = False
    ) -> None:
        """Answers with the board and what is known of its deal: in the pressed message, or in a *new* private one.

        What is still being found out is added as soon as it is known.
        """
        told, is_pending = await self._under(shown)
        answer = self._boards.answer if new else self._boards.update
        if not is_pending:
            await answer(interaction, told, look)
            return
        player = shown.record.player
        self.drop(player)
        answering = asyncio.create_task(answer(interaction, told, look))
        # Owed before that is done: as soon as the board is there, a press may turn it into another one.
        owed = asyncio.create_task(self._follow(answering, interaction, shown, look, new=new))
        self._owed[player] = owed
        owed.add_done_callback(lambda done: self._owed.get(player) is done and self._owed.pop(player))
        await answering

    def drop(self, player: int) -> None:
        """Says nothing more under the board of *player*: its message shows another one."""
        if (task := self._owed.pop(player, None)) is not None:
            task.cancel()

    async def close(self) -> None:
        """Says nothing more."""
        tasks = list(self._owed.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _under(self, shown: Board) -> tuple[Board, bool]:
        """Returns the board with what is known of its deal, and whether that is still being found out."""
        record = shown.record
        if record.purpose not in UNRANKED or not record.attempt.is_over:
            return shown, False
        proof = self._proofs.glance(record.attempt.rules, record.attempt.seed)
        if proof is None:
            return _with(shown, say(practice.PENDING)), True
        return _with(shown, await self._line(record, proof)), False

    async def _follow(
        self,
        answering: asyncio.Task[None],
        interaction: discord.Interaction,
        shown: Board,
        look: Look,
        *,
        new: bool,
    ) -> None:
        """Adds the verdict to the board that *answering* shows, unless that fails or the token is not the board's."""
        await asyncio.wait((answering,))
        if answering.cancelled() or answering.exception() or (new and respond.is_apart(interaction)):
            return
        rules, seed = shown.attempt.rules, shown.attempt.seed
        try:
            proof = await self._proofs.of(rules, seed, patience=PATIENCE)
            told = _with(shown, await self._line(shown.record, proof))
            await transport.edit_private(self._client, interaction.token, await self._boards.draw(told, look))
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
            _log.info("a verdict could not be shown: %s", error)

    async def _line(self, record: AttemptRecord, proof: Proof) -> str:
        rules, seed = record.attempt.rules, record.attempt.seed
        is_secret = record.day is not None and await self._dailies.is_sealed(record.day, rules.key)
        return verdict_line(proof, None if is_secret else code(deal_code(rules.key, seed)))


def _with(shown: Board, line: str) -> Board:
    return replace(shown, note=line if shown.note is None else f"{shown.note}\n{line}")
