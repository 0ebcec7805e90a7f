"""Races: the command that opens one, its lobby, its start and its end."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.cogs.rules import GAME_CHOICES
from bot.cogs.servers import check_race, language_of_server
from bot.desk import Desk, postponing
from bot.errors import BadButtonError, MissingPermissionError, NoSeatError, NotInThatRaceError
from bot.router import Call, guild_of, press_of
from bot.services.press import Press
from bot.services.races import MINUTE
from bot.store.attempts import Purpose
from bot.store.database import ConflictError
from bot.store.races import RaceRecord
from bot.text import lobby as lobby_text
from bot.text import say
from bot.views import board as board_view
from bot.views.ids import number
from bot.views.lobby import lobby, seat, sentence
from bot.views.look import colours_of
from bot.views.rules import rules_card
from engine import MAX_SEED_LENGTH, NotInRaceError, Phase
from engine.race import MAX_LIMIT, MIN_LIMIT, Action


class RaceCommands(app_commands.Group):
    """``/race new`` and ``/race leave``."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(name="race", description="Race your friends on the same deal", guild_only=True)
        self._desk = desk

    @app_commands.command(name="new", description="Open a race: everybody who joins gets the same deal")
    @app_commands.describe(
        game="Which game",
        seed="A word that names the deal (then the race is unranked)",
        minutes="The time limit; if you do not say, the server's own, or 15",
        ranked="Whether it counts for ratings (yes if you do not say)",
    )
    @app_commands.choices(game=GAME_CHOICES)
    async def new(
        self,
        interaction: discord.Interaction,
        game: str,
        seed: app_commands.Range[str, 1, 4 * MAX_SEED_LENGTH] | None = None,
        minutes: app_commands.Range[int, MIN_LIMIT // MINUTE, MAX_LIMIT // MINUTE] | None = None,
        ranked: bool = True,
    ) -> None:
        """Opens a lobby in the channel and seats its host."""
        await open_race(self._desk, interaction, game=game, seed=seed, minutes=minutes, ranked=ranked)

    @app_commands.command(name="leave", description="Leave the race that you are in on this server")
    async def leave(self, interaction: discord.Interaction) -> None:
        """Takes the caller out of a lobby, or asks whether to give a running race up."""
        press = press_of(interaction)
        taken = await self._desk.races.seat(guild_of(interaction), press.player)
        if taken is None:
            raise NoSeatError
        record = await self._desk.races.find(taken[0])
        if record.race.phase is Phase.RUNNING:
            attempt = await self._desk.attempts.find(taken[1], player=press.player)
            await respond.answer(interaction, board_view.forfeit(board_view.Board(attempt)))
            return
        record = await leave(self._desk, press, taken[0])
        self._desk.changed(record)
        await respond.answer(interaction, sentence(say(lobby_text.SEAT_LEFT)))


class LobbyPresses:
    """The buttons and menus under a race's public message and under an entrant's private one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``r:<race>:<verb>``."""
        race, verb = number(call.part(0)), call.part(1)
        match verb:
            case "join":
                await self._join(call, race)
            case "start":
                await self._start(call, race)
            case "ready" | "unready":
                record = await self._desk.races.ready(call.press, race, ready=verb == "ready")
                await self._sit(call, record)
            case "leave":
                record = await leave(self._desk, call.press, race, in_place=True)
                await self._sit(call, record)
            case "cancel":
                record = await self._desk.races.cancel(call.press, race)
                self._desk.changed(record)
                await respond.update(call.interaction, sentence(say(lobby_text.CANCELLED)))
            case "whom":
                await self._ask_whom(call, race)
            case "remove":
                chosen = number(call.values[0]) if call.values else 0
                waiting = await self._desk.races.waiting(race, call.press.at)
                try:
                    record = await self._desk.races.remove(call.press, race, chosen)
                except NotInRaceError:  # the chosen one has left meanwhile
                    raise NotInThatRaceError from None
                self._desk.seats.tell(
                    race, (each for each in waiting if each.player == chosen), call.press.at
                )
                await self._sit(call, record)
            case "board":
                await self._desk.show_own(call.interaction, call.press, await self._desk.races.find(race))
            case "rules":
                record = await self._desk.races.find(race)
                taste = await self._desk.players.taste(call.press.player, call.press.at)
                card = await asyncio.to_thread(rules_card, record.rules, colours_of(taste))
                await respond.answer(call.interaction, card)
            case "again":
                await self._play_again(call, race)
            case "rematch":
                await self._rematch(call, race)
            case _:
                raise BadButtonError

    async def _join(self, call: Call, race: int) -> None:
        record = await self._desk.races.join(call.press, race)
        await self._sit(call, record, fresh=True)

    async def _start(self, call: Call, race: int) -> None:
        """Shows the countdown in place, and gives the presser a new private message if the last one is too old."""
        publisher = self._desk.publisher
        record = await self._desk.races.start(call.press, race)
        self._desk.changed(record, pressed=call.press.at)
        try:
            with publisher.answering(race):
                view = await self._desk.races.view(race)
                shown = lobby(view)
                await respond.update(call.interaction, shown)
                publisher.showed(race, shown)
                publisher.lend(race, call.interaction.token)
        finally:
            publisher.mark(race, record.channel)
        with postponing("the private message of whoever started a race"):
            waiting = await self._desk.races.waiting(race, record.race.start_at or call.press.at)
            if all(each.player != call.press.player for each in waiting):
                private = await respond.follow_up(call.interaction, seat(view, call.press.player))
                await self._desk.keep_token(record, call.interaction, call.press, message=private)

    async def _ask_whom(self, call: Call, race: int) -> None:
        """Shows the host's private message with all who may be sent away, and keeps its token."""
        view = await self._desk.races.view(race)
        removable = view.record.race.removable(call.press.player)
        await respond.update(call.interaction, seat(view, call.press.player, removable=removable))
        await self._desk.keep_token(view.record, call.interaction, call.press)

    async def _sit(self, call: Call, record: RaceRecord, *, fresh: bool = False) -> None:
        """Shows the presser's private message, as a new one or in place, and keeps its token."""
        self._desk.changed(record, pressed=call.press.at)
        view = await self._desk.races.view(record.id)
        first = fresh and await self._desk.races.is_first(call.press.player)
        shown = seat(view, call.press.player, first=first)
        message = None
        if fresh:
            message = await respond.answer(call.interaction, shown)
        else:
            await respond.update(call.interaction, shown)
        await self._desk.keep_token(record, call.interaction, call.press, message=message)

    async def _play_again(self, call: Call, race: int) -> None:
        record = await self._desk.races.find(race)
        record.race.check(Action.REMATCH)
        own = await self._desk.attempts.begin(call.press, record.rules, record.seed, purpose=Purpose.PRACTICE)
        await self._desk.show_board(call.interaction, call.press, own)

    async def _rematch(self, call: Call, race: int) -> None:
        before = await self._desk.races.find(race)
        before.race.check(Action.REMATCH)
        open_already = await self._desk.races.rematch(race)
        if open_already is not None:
            lobby_of = await self._desk.races.find(open_already)
            if lobby_of.race.find(call.press.player) is None:
                await self._join(call, open_already)
            else:
                await self._desk.show_own(call.interaction, call.press, lobby_of)
            return
        try:
            await open_race(
                self._desk,
                call.interaction,
                game=before.rules.key,
                minutes=(before.race.limit - before.outage) // MINUTE,
                ranked=before.ranked or before.typed,
                rematch_of=race,
            )
        except ConflictError:  # somebody else has just opened it
            await self._rematch(call, race)


async def leave(desk: Desk, press: Press, race: int, *, in_place: bool = False) -> RaceRecord:
    """Returns the race without the presser, whose private message tells so unless that is pressed *in_place*.

    That of a new host says who hosts now.
    """
    waiting = await desk.races.waiting(race, press.at)
    host = (await desk.races.find(race)).race.host
    record = await desk.races.leave(press, race)
    concerned = set() if in_place else {press.player}
    if record.race.host != host and record.race.phase is Phase.OPEN:  # else the board comes at any moment
        concerned.add(record.race.host)
    desk.seats.tell(race, (each for each in waiting if each.player in concerned), press.at)
    return record


async def open_race(
    desk: Desk,
    interaction: discord.Interaction,
    *,
    game: str,
    seed: str | None = None,
    minutes: int | None = None,
    ranked: bool = True,
    rematch_of: int | None = None,
) -> None:
    """Opens a lobby in the interaction's channel, answers with its public message, and seats its host."""
    press = press_of(interaction)
    _check_permissions(interaction)
    guild = guild_of(interaction)
    choices = await check_race(desk, interaction, game, guild)
    record = await desk.races.open(
        press,
        guild=guild,
        channel=interaction.channel_id or 0,
        game=game,
        seed=seed,
        minutes=choices.minutes if minutes is None else minutes,
        ranked=ranked,
        rematch_of=rematch_of,
        locale=language_of_server(interaction, choices),
    )
    if record.band is None:
        desk.proofs.foresee(record.rules, record.seed)  # told with the result
    view = await desk.races.view(record.id)
    first = await desk.races.is_first(press.player)
    shown = lobby(view)
    try:
        with desk.publisher.answering(record.id):
            message = await respond.answer_in_public(interaction, shown)
            desk.publisher.showed(record.id, shown)
            with postponing("where a lobby stands"):
                await desk.publisher.place(record, message)
    finally:
        desk.changed(record)
    private = await respond.follow_up(interaction, seat(view, press.player, first=first))
    await desk.keep_token(record, interaction, press, message=private)


def _check_permissions(interaction: discord.Interaction) -> None:
    """Refuses where the bot could not show the progress and the result of a race."""
    for name in ("view_channel", respond.writing(interaction)):
        if not getattr(interaction.app_permissions, name):
            raise MissingPermissionError(name, interaction.channel_id or 0)
