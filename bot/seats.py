"""The private messages of entrants, edited by the bot: what becomes of a race, its boards, and that time is up.

They are edited through the newest token of each; one whose token is dead finds everything by button or command.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.boards import Boards
from bot.errors import UnavailableError
from bot.services.attempts import Attempts
from bot.services.players import Players
from bot.services.races import Races
from bot.snowflake import created_at
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.database import StoreError
from bot.store.races import TOKEN_LIFE, Waiting
from bot.text import speaking
from bot.transport import edit_private
from bot.views.board import Board
from bot.views.lobby import seat
from bot.views.payload import Message
from engine import Attempt, EndReason, Entrant, Phase
from engine.race import GRACE

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Open:
    """A board that is played on in the message *place*, until the instant *deadline*."""

    place: Waiting
    deadline: int

    def is_due(self, now: int) -> bool:
        """Tells whether its time is up at *now*, or it can no longer be edited."""
        return self.deadline + GRACE < now or not self.is_within_reach(now)

    def is_within_reach(self, now: int) -> bool:
        """Tells whether its token still lives at *now*."""
        return now < self.place.at + TOKEN_LIFE


class Seats:
    """Edits the private messages of entrants, each in its player's language and style.

    Where each entrant of this process's running races plays is kept in memory, so that a board can say by itself
    that its time is up. Nothing depends on it: where it is not known, after a restart, the next press tells.
    """

    def __init__(
        self, client: discord.Client, races: Races, attempts: Attempts, players: Players, boards: Boards
    ) -> None:
        self._client = client
        self._races = races
        self._attempts = attempts
        self._players = players
        self._boards = boards
        self._open: dict[int, Open] = {}
        """The boards that are played on, by attempt; none stays longer than its token lives."""
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

    async def show_boards(
        self, waiting: Iterable[Waiting], boards: Mapping[int, Message], deadline: int | None
    ) -> None:
        """Turns private messages into the *boards*, by player, of a race that has begun and ends at *deadline*."""
        places = tuple(waiting)
        for place in places:
            if place.player in boards:
                self._keep(place, deadline)
        await self.show(places, boards)

    async def show(self, waiting: Iterable[Waiting], messages: Mapping[int, Message]) -> None:
        """Turns private messages into those of *messages*, by player, all at once."""
        await asyncio.gather(
            *(self._edit(each, messages[each.player]) for each in waiting if each.player in messages)
        )

    def shown(self, interaction: discord.Interaction, record: AttemptRecord) -> None:
        """Notes that the message which *interaction* has made or changed shows a board, or a page behind one.

        Only its token is kept: the interaction is to be freed with its press.
        """
        if record.attempt.is_over:
            self._open.pop(record.id, None)
        elif record.race is not None:
            at = created_at(interaction.id)
            place = Waiting(record.player, record.id, interaction.token, None, at)
            self._keep(place, record.attempt.deadline)

    def close_overdue(self, now: int) -> None:
        """Has the boards whose time limit has ended their attempt say so; *now* is in ms by Discord's clock."""
        due = [each for each in self._open.values() if each.is_due(now)]
        for each in due:
            del self._open[each.place.attempt]
        if due := [each for each in due if each.is_within_reach(now)]:
            self._go_on(self._close_all(due, now))

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

    def _keep(self, place: Waiting, deadline: int | None) -> None:
        """Has *place* be where the board is, unless a newer press has shown it elsewhere."""
        kept = self._open.get(place.attempt)
        if deadline is not None and (kept is None or kept.place.at <= place.at):
            self._open[place.attempt] = Open(place, deadline)

    async def _close_all(self, due: Sequence[Open], now: int) -> None:
        await asyncio.gather(*(self._close(each, now) for each in due))

    async def _close(self, each: Open, now: int) -> None:
        """Shows that time is up if it is; a board that is played on, for its limit is longer now, is kept."""
        place = each.place
        try:
            record = await self._attempts.find(place.attempt)
            if record.attempt.result is None:
                self._keep(place, record.attempt.deadline)
            elif record.attempt.result.reason is EndReason.TIME:
                taste = await self._players.taste(place.player, now)
                with speaking(taste.locale):
                    shown = await self._boards.draw(Board(record), self._boards.look(taste))
                await self._edit(place, shown)
        except StoreError as error:
            _log.warning("a board has to wait to say whether its time is up: %s", error)
            self._keep(place, each.deadline)
        except Exception:
            _log.exception("a board could not say that its time is up, the next press on it does")

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
