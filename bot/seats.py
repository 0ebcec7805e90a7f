"""The private messages of entrants who wait for a race: their boards at the start, and what becomes of the race before.

They are edited through the newest token of each; one whose token is dead finds everything by button or command.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from typing import Any

import aiohttp
import discord

from bot.boards import Boards
from bot.errors import UnavailableError
from bot.services.players import Players
from bot.services.races import Races
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.database import StoreError
from bot.store.races import Waiting
from bot.text import speaking
from bot.transport import edit_private
from bot.views.board import Board
from bot.views.lobby import seat
from bot.views.payload import Message
from engine import Attempt, Entrant, Phase

_log = logging.getLogger(__name__)


class Seats:
    """Edits the private messages of entrants, each in its player's language and style."""

    def __init__(self, client: discord.Client, races: Races, players: Players, boards: Boards) -> None:
        self._client = client
        self._races = races
        self._players = players
        self._boards = boards
        self._telling: set[asyncio.Task[None]] = set()

    async def draw_boards(self, race: int) -> dict[int, Message]:
        """Returns the boards of a race that is about to start, drawn for each of its entrants."""
        record = await self._races.find(race)
        start = record.race.start_at or 0
        tastes = await self._players.tastes([each.player for each in record.race.entrants], start)
        begun = Attempt.begin(record.rules, record.seed, start=start, limit=record.race.limit)
        boards: dict[int, Message] = {}

        async def draw(entrant: Entrant) -> None:
            own = AttemptRecord(
                entrant.attempt, entrant.player, Purpose.RACE, begun, ranked=record.ranked, race=race
            )
            taste = tastes[entrant.player]
            try:
                with speaking(taste.locale):
                    boards[entrant.player] = await self._boards.draw(Board(own), self._boards.look(taste))
            except Exception:
                _log.exception("a board could not be drawn, its player opens it by button")

        await asyncio.gather(*map(draw, record.race.entrants))
        return boards

    async def show(self, waiting: Iterable[Waiting], messages: Mapping[int, Message]) -> None:
        """Turns private messages into those of *messages*, by player, all at once."""
        await asyncio.gather(
            *(self._edit(each, messages[each.player]) for each in waiting if each.player in messages)
        )

    def tell(self, race: int, waiting: Iterable[Waiting], now: int) -> None:
        """Has private messages that are *waiting* show where their players stand in the race now."""
        self._go_on(self._tell(race, tuple(waiting), now))

    def counting_down(self, race: int, now: int) -> None:
        """Has all private messages of a race say that it is about to start."""
        self._go_on(self._tell_all(race, now))

    def cancelled(self, race: int, now: int) -> None:
        """Has all private messages of a cancelled race say so, once."""
        self._go_on(self._tell_all(race, now, last=True))

    async def close(self) -> None:
        """Stops telling."""
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)

    def _go_on(self, telling: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(telling)
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell_all(self, race: int, now: int, *, last: bool = False) -> None:
        """Tells every entrant, and forgets their tokens if there is nothing to tell after this."""
        try:
            waiting = await self._races.waiting(race, now)
            if last:
                await self._races.forget_tokens(race)
        except (StoreError, UnavailableError) as error:
            _log.warning("the entrants of race %s could not be told what became of it: %s", race, error)
        else:
            await self._tell(race, waiting, now)

    async def _tell(self, race: int, waiting: Sequence[Waiting], now: int) -> None:
        if not waiting:
            return
        try:
            view = await self._races.view(race)
            tastes = await self._players.tastes([each.player for each in waiting], now)
        except StoreError as error:
            _log.warning("the entrants of race %s could not be told what became of it: %s", race, error)
            return
        current = view.record.race
        has_begun = current.phase in (Phase.RUNNING, Phase.FINISHED)
        messages = {}
        for each in waiting:
            if has_begun and current.find(each.player):
                continue  # the message has become a board
            with speaking(tastes[each.player].locale):
                messages[each.player] = seat(view, each.player)
        await self.show(waiting, messages)

    async def _edit(self, waiting: Waiting, shown: Message) -> None:
        try:
            await edit_private(self._client, waiting.token, shown, message_id=waiting.message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.info("a private message could not be changed, its player opens a new one: %s", error)
