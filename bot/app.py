"""The Discord client: it wires commands, presses and background work together, and tells players of errors."""

from __future__ import annotations

import logging
import secrets
import time

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.ext import tasks

from bot import respond
from bot.clock import Clock, SystemClock
from bot.cogs.leaderboard import LeaderboardPresses, leaderboard_command
from bot.cogs.play import BoardPresses, board_command
from bot.cogs.race import LobbyPresses, RaceCommands
from bot.cogs.rules import rules_command
from bot.cogs.settings import SettingsPresses, settings_command
from bot.desk import Desk
from bot.errors import UserError
from bot.router import Router
from bot.services.press import HandledError
from bot.services.races import OUTAGE
from bot.store.database import Database, StoreError
from bot.text import refusals, say
from bot.text.refusals import explain
from bot.views.ids import BOARD, LEADERBOARD, RACE, SETTINGS
from bot.views.lobby import sentence
from engine import EngineError

_log = logging.getLogger(__name__)

TICK = 1.0
"""Seconds between two looks at what is due."""


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Points discord.py at other addresses than Discord's own, for this whole process."""
    if api_url is not None:
        discord.http.Route.BASE = api_url
    if gateway_url is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


class Tree(app_commands.CommandTree["SameDeal"]):
    """The slash commands, whose errors go the way of all others."""

    async def interaction_check(self, interaction: discord.Interaction[SameDeal]) -> bool:
        """Notes the receipt of every command."""
        respond.mark_received()
        return True

    async def on_error(
        self, interaction: discord.Interaction[SameDeal], error: app_commands.AppCommandError
    ) -> None:
        """Tells the caller what went wrong."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await interaction.client.fail(interaction, cause)


class SameDeal(discord.AutoShardedClient):
    """The bot. *background* switches the work off that it does of its own accord, once a second."""

    def __init__(
        self,
        db: Database,
        *,
        clock: Clock | None = None,
        background: bool = True,
        shard_ids: list[int] | None = None,
        shard_count: int | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,
            shard_ids=shard_ids,  # type: ignore[arg-type]  # None is its default
            shard_count=shard_count,
        )
        self.desk = Desk(self, db, clock or SystemClock())
        self.tree = Tree(self)
        self.tree.add_command(RaceCommands(self.desk))
        self.tree.add_command(board_command(self.desk))
        self.tree.add_command(rules_command(self.desk))
        self.tree.add_command(settings_command(self.desk))
        self.tree.add_command(leaderboard_command(self.desk))
        self.router = Router(
            {
                RACE: LobbyPresses(self.desk).handle,
                BOARD: BoardPresses(self.desk).handle,
                SETTINGS: SettingsPresses(self.desk).handle,
                LEADERBOARD: LeaderboardPresses(self.desk).handle,
            }
        )
        self._background = background
        self._away: dict[int, int] = {}
        self._ticked = 0.0

    async def setup_hook(self) -> None:
        """Prepares everything that must stand before the first interaction."""
        respond.install_adapter()
        await self.tree.sync()
        await self.desk.resume()
        if self._background:
            self._ticked = time.monotonic()
            self._tick.start()
            self.desk.emoji.start()

    async def close(self) -> None:
        """Stops the background work, then the connection to Discord."""
        self._tick.cancel()
        await self.desk.close()
        await super().close()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answers presses, menus and forms; commands have their own way in."""
        kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if interaction.type not in kinds:
            return
        respond.mark_received()
        try:
            await self.router.route(interaction)
        except Exception as error:
            await self.fail(interaction, error)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Notes when the connection was lost."""
        self._away.setdefault(shard_id, self.desk.clock.now())

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Gives back the time of an outage."""
        await self._back(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Gives back the time of an outage after which the session was lost."""
        await self._back(shard_id)

    async def fail(self, interaction: discord.Interaction, error: BaseException) -> None:
        """Tells the presser what went wrong: a plain sentence, or a reference that stands in the log too."""
        if isinstance(error, HandledError):
            return
        if _is_lost(error):
            _log.warning("interaction %s was not answered: %s", interaction.id, error)
            return
        if isinstance(error, app_commands.CommandSignatureMismatch | app_commands.CommandNotFound):
            told: str | None = say(refusals.UNKNOWN_COMMAND)
        else:
            told = explain(error) if isinstance(error, (UserError, EngineError)) else None
        if told is None:
            reference = secrets.token_hex(4)
            _log.error("unexpected error, reference %s", reference, exc_info=error)
            told = say(refusals.UNEXPECTED, reference=reference)
        try:
            if interaction.response.is_done():
                await respond.follow_up(interaction, sentence(told))
            else:
                await respond.answer(interaction, sentence(told))
        except Exception as failure:
            if not _is_lost(failure):
                raise
            _log.warning("interaction %s was not answered: %s", interaction.id, failure)

    async def _back(self, shard_id: int) -> None:
        away, now = self._away.pop(shard_id, None), self.desk.clock.now()
        if away is None or now - away <= OUTAGE:
            return
        count = self.shard_count or 1
        await self.desk.make_up(away, now, concerns=lambda guild: (guild >> 22) % count == shard_id)

    @tasks.loop(seconds=TICK)
    async def _tick(self) -> None:
        moment = time.monotonic()
        stood_still = round((moment - self._ticked) * 1000)
        self._ticked = moment
        try:
            if stood_still > OUTAGE:
                now = self.desk.clock.now()
                await self.desk.make_up(now - stood_still, now)
            await self.desk.tick()
        except StoreError as error:
            _log.error("the database does not answer: %s", error)


def _is_lost(error: BaseException) -> bool:
    """Tells whether an answer did not get through, so that there is no point in another one."""
    if isinstance(error, discord.HTTPException):
        return error.code != respond.INVALID_FORM
    return isinstance(error, (aiohttp.ClientError, TimeoutError, OSError))
