"""Replays: the command, the page that steps through an attempt, and the film of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

import aiohttp
import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import BadButtonError, FilmingError, NoReplayError
from bot.render.words import heap_words
from bot.router import Call, press_of
from bot.services.press import Press
from bot.services.replays import Footage, Pair
from bot.services.studio import Studio
from bot.store.players import Style
from bot.text import translate
from bot.transport import edit_private
from bot.turns import Turns
from bot.views.film import film, scenes_of
from bot.views.history import choice_of
from bot.views.ids import number
from bot.views.look import Look
from bot.views.payload import Message
from bot.views.replay import Viewer, viewer

_log = logging.getLogger(__name__)

PACE = 1.5
"""How long a step stays while a replay plays by itself, in seconds: Discord takes five edits in two of them."""
MOST_EDITS = 40
"""How many steps are shown at most while a replay plays by itself; more of them are taken several at a time."""

Page = Callable[[Look], Message]


def replay_command(desk: Desk, presses: ReplayPresses) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/replay``."""

    @app_commands.command(name="replay", description="Watch a finished game step by step")
    @app_commands.describe(
        race="A race: pick one, or paste the link to its message (your newest game if you do not say)",
        player="Whose game (the winner's if you do not say)",
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def watch(
        interaction: discord.Interaction, race: str | None = None, player: discord.User | None = None
    ) -> None:
        press = press_of(interaction)
        attempt = await desk.replays.choose(
            reference=race,
            player=None if player is None else player.id,
            viewer=press.player,
            guild=interaction.guild_id,
        )
        await presses.open(interaction, press, attempt)

    @watch.autocomplete("race")
    async def races(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is None:
            return []
        shown = await desk.archive.races(interaction.guild_id, None, 0)
        choices = [
            (choice_of(shown, number, race), race.id) for number, race in enumerate(shown.races, start=1)
        ]
        return [
            app_commands.Choice(name=label, value=str(race))
            for label, race in choices
            if typed.casefold() in label.casefold()
        ]

    return watch


class ReplayPresses:
    """The buttons and menus of replays. What plays by itself is forgotten at a restart, and then stands still."""

    def __init__(self, desk: Desk, client: discord.Client, studio: Studio) -> None:
        self._desk = desk
        self._client = client
        self._studio = studio
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._turns = Turns()
        """The players for whom a page is under way: what the newest press wants plays or stands still."""
        self._filming: set[int] = set()

    async def close(self) -> None:
        """Stops all that plays by itself."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def open(
        self, interaction: discord.Interaction, press: Press, attempt: int, other: int = 0
    ) -> None:
        """Answers with a new private message: the replay of *attempt*, or of two attempts side by side."""
        shown = await self._viewer(press, interaction.guild_id, attempt, other, 0)
        look = await self._desk.boards.look_of(press.player, press.at)
        await self._show(interaction, shown, look, new=True)

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``v:<verb>:<attempt>:<other>:<step>``, or ``v:race:<race>``."""
        verb = call.part(0)
        if verb == "race":
            attempt = await self._desk.replays.best_of(number(call.part(1)))
            await self.open(call.interaction, call.press, attempt)
            return
        attempt, other, step = (number(call.part(place)) for place in (1, 2, 3))
        match verb:
            case "open":
                await self.open(call.interaction, call.press, attempt, other)
                return
            case "first" | "back" | "on" | "last" | "play" | "stop" | "alone" | "film":
                pass
            case "jump":
                step = number(call.chosen)
            case "watch":
                attempt, other, step = number(call.chosen), 0, 0
            case "pair":
                other, step = number(call.chosen), 0
            case _:
                raise BadButtonError
        if verb == "film":
            shown, look = await self._seen(call, attempt, other, step)
            await self._film(call, shown.footage, look)
            return
        with self._turns.take(call.press.player, call.interaction.id) as is_outdated:
            shown, look = await self._seen(call, attempt, other, step)
            if not is_outdated():
                self._stop(call.press.player)
                if verb == "play" and shown.step < shown.footage.last:
                    shown = replace(shown, plays=True)
            await self._show(call.interaction, shown, look)
            if shown.plays and not is_outdated():
                play = self._go_on(call.press.player, call.interaction.token, shown, look)
                self._playing[call.press.player] = asyncio.create_task(play)

    async def _seen(self, call: Call, attempt: int, other: int, step: int) -> tuple[Viewer, Look]:
        """Returns the page that a press is about, and how the presser sees it."""
        shown = await self._viewer(call.press, call.interaction.guild_id, attempt, other, step)
        return shown, await self._desk.boards.look_of(call.press.player, call.press.at)

    async def _viewer(self, press: Press, guild: int | None, attempt: int, other: int, step: int) -> Viewer:
        watch = self._desk.replays.watch
        reel = await watch(attempt, viewer=press.player, guild=guild)
        footage: Footage = reel
        if other:
            second = await watch(other, viewer=press.player, guild=guild)
            if (reel.game, reel.seed) != (second.game, second.seed):
                raise NoReplayError
            footage = Pair(reel, second)
        return Viewer(footage, min(step, footage.last), await self._desk.replays.rivals(reel, guild))

    async def _show(
        self, interaction: discord.Interaction, shown: Viewer, look: Look, *, new: bool = False
    ) -> None:
        """Answers with the page; pictures are drawn in a thread, after the press has been acknowledged."""
        if _is_drawn(shown, look):
            await respond.acknowledge(interaction, new=new)
            message = await asyncio.to_thread(viewer, shown, look)
            await respond.follow(interaction, message)
        elif new:
            await respond.answer(interaction, viewer(shown, look))
        else:
            await respond.update(interaction, viewer(shown, look))

    async def _film(self, call: Call, footage: Footage, look: Look) -> None:
        """Answers with the film as a new private message. A player has one drawn at a time."""
        player = call.press.player
        if player in self._filming:
            raise FilmingError
        self._filming.add(player)
        try:
            await respond.acknowledge(call.interaction, new=True)
            scenes = await asyncio.to_thread(scenes_of, footage)
            message = film(
                footage, await self._studio.draw(scenes, look.colours, heap_words(translate)), scenes
            )
            await respond.follow(call.interaction, message)
        finally:
            self._filming.discard(player)

    def _stop(self, player: int) -> None:
        """Stops what plays for *player*, who has pressed something else: nobody watches two replays at once."""
        if task := self._playing.pop(player, None):
            task.cancel()

    async def _go_on(self, player: int, token: str, shown: Viewer, look: Look) -> None:
        """Shows one step after the other until the last one; another press on the message stops it."""
        last = shown.footage.last
        stride = -(-(last - shown.step) // MOST_EDITS)
        try:
            for step in [*range(shown.step + stride, last, stride), last]:
                await self._desk.clock.sleep(PACE)
                page = replace(shown, step=step, plays=step < last)
                message = await asyncio.to_thread(viewer, page, look)
                await edit_private(self._client, token, message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.info("a replay stopped playing: %s", error)
        finally:
            if self._playing.get(player) is asyncio.current_task():
                del self._playing[player]


def _is_drawn(shown: Viewer, look: Look) -> bool:
    """Tells whether the page holds a picture: of two tables side by side it does, unless words are wished for."""
    return look.is_drawn or (isinstance(shown.footage, Pair) and look.style is not Style.TEXT)
