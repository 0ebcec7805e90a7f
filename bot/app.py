"""The Discord client: it wires commands, presses and background work together, and tells players of errors."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time

import aiohttp
import discord
import yarl
from discord import app_commands

from bot import respond, transport
from bot.clock import Clock, SystemClock
from bot.cogs.daily import DailyCommands, DailyPresses
from bot.cogs.help import help_command
from bot.cogs.leaderboard import LeaderboardPresses, leaderboard_command
from bot.cogs.moderation import ModerationCommands, ModerationPresses
from bot.cogs.play import BoardPresses, board_command
from bot.cogs.practice import PracticePresses, practice_command
from bot.cogs.privacy import PrivacyCommands, PrivacyPresses
from bot.cogs.profile import HistoryPresses, history_command, profile_command
from bot.cogs.race import LobbyPresses, RaceCommands
from bot.cogs.replay import ReplayPresses, replay_command
from bot.cogs.rules import rules_command
from bot.cogs.servers import SetupPresses, greet
from bot.cogs.settings import SettingsPresses, settings_command
from bot.cogs.setup import SetupCommands
from bot.desk import Desk, postponing
from bot.errors import TooManyPressesError, UnavailableError, UserError
from bot.health import Health, LoopWatch, database_trouble, loop_trouble
from bot.mentions import Mentions
from bot.metrics import Fault, Metrics, Outcome
from bot.receive import Presses
from bot.router import Router, kind_of
from bot.services.adviser import ProcessAdviser, ThreadedAdviser
from bot.services.press import HandledError, unavailable
from bot.services.prover import Threaded, Worker
from bot.services.races import OUTAGE
from bot.services.studio import ProcessStudio, ThreadStudio
from bot.shards import Shards
from bot.snowflake import created_at
from bot.store.database import Database, DatabaseError, StoreError
from bot.text import refusals, say, speak
from bot.text.refusals import explain
from bot.translator import CommandTranslator
from bot.turnstile import Turnstile
from bot.views.ids import (
    BOARD,
    DAILY,
    HISTORY,
    LEADERBOARD,
    MODERATION,
    PRACTICE,
    PRIVACY,
    RACE,
    REPLAY,
    SETTINGS,
    SETUP,
)
from bot.views.lobby import sentence
from engine import EngineError

_log = logging.getLogger(__name__)

LAST_ANSWERS, FAREWELL = 2.5, 1.5
"""How many seconds a stop waits for answers under way, and for Discord to close the connection."""
TICK = 1.0
"""Seconds between two looks at what is due."""
USUAL_GATEWAY = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
"""Discord's own, where no other one has been chosen."""


def point_at(api_url: str | None, gateway_url: str | None) -> None:
    """Points discord.py at other addresses than Discord's own, for this whole process."""
    if api_url is not None:
        discord.http.Route.BASE = api_url
    if gateway_url is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


class NoConnectionsLeftError(discord.DiscordException):
    """Discord allows no more connections until *wait* milliseconds have passed."""

    def __init__(self, wait: int) -> None:
        super().__init__(
            f"no connection is left for today; there are new ones in {wait // 60_000 + 1} minutes"
        )


class Tree(app_commands.CommandTree["SameDeal"]):
    """The slash commands, whose errors go the way of all others."""

    async def interaction_check(self, interaction: discord.Interaction[SameDeal]) -> bool:
        """Notes the receipt of every command; one of somebody with too many under way goes no further."""
        transport.mark_received(interaction)
        speak(interaction.locale.value)
        client = interaction.client
        is_typing = interaction.type is discord.InteractionType.autocomplete
        if client.turnstile.enter(interaction.user.id):
            if not is_typing:
                respond.watch(interaction, client.metrics)
            return True
        if is_typing:  # there is no room for a sentence; whoever types on is offered something
            return False
        client.metrics.served("refused", await client.fail(interaction, TooManyPressesError()))
        return False

    async def on_error(
        self, interaction: discord.Interaction[SameDeal], error: app_commands.AppCommandError
    ) -> None:
        """Tells the caller what went wrong."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        command = interaction.command
        outcome = await interaction.client.fail(interaction, cause)
        respond.unwatch(interaction)
        interaction.client.metrics.served("unknown" if command is None else command.qualified_name, outcome)


class SameDeal(discord.AutoShardedClient):
    """The bot. *background* switches the work off that it does of its own accord, once a second.

    *metrics* are those that the store reports to as well. *shards* are those that this process serves, None:
    all, in as many parts as Discord advises or *shard_count* says.
    """

    def __init__(
        self,
        db: Database,
        *,
        clock: Clock | None = None,
        metrics: Metrics | None = None,
        background: bool = True,
        shards: Shards | None = None,
        shard_count: int | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,
            shard_ids=list(shards.ids) if shards else None,  # type: ignore[arg-type]  # None is its default
            shard_count=shards.count if shards else shard_count,
        )
        self.metrics = metrics or Metrics()
        prover = Worker() if background else Threaded()
        adviser = ProcessAdviser() if background else ThreadedAdviser()
        self.desk = Desk(self, db, clock or SystemClock(), prover, adviser, shards=shards)
        self.turnstile = Turnstile()
        # Left alone, Discord would offer a command wherever the application may be installed, so for users too.
        self.tree = Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        races = RaceCommands(self.desk)
        races.add_command(history_command(self.desk))
        self.tree.add_command(races)
        self.tree.add_command(board_command(self.desk))
        self.tree.add_command(practice_command(self.desk))
        self.tree.add_command(DailyCommands(self.desk))
        self.tree.add_command(SetupCommands(self.desk))
        self.tree.add_command(rules_command(self.desk))
        self.tree.add_command(settings_command(self.desk))
        self.tree.add_command(leaderboard_command(self.desk))
        self.tree.add_command(profile_command(self.desk))
        studio = ProcessStudio() if background else ThreadStudio()
        self.replays = ReplayPresses(self.desk, self, studio)
        self.tree.add_command(replay_command(self.desk, self.replays))
        self.tree.add_command(ModerationCommands(self.desk))
        self.tree.add_command(PrivacyCommands(self.desk))
        self.mentions = Mentions()
        self.tree.add_command(help_command(self.mentions))
        self.router = Router(
            {
                RACE: LobbyPresses(self.desk).handle,
                BOARD: BoardPresses(self.desk).handle,
                PRACTICE: PracticePresses(self.desk).handle,
                DAILY: DailyPresses(self.desk).handle,
                MODERATION: ModerationPresses(self.desk).handle,
                PRIVACY: PrivacyPresses(self.desk).handle,
                SETUP: SetupPresses(self.desk).handle,
                SETTINGS: SettingsPresses(self.desk).handle,
                LEADERBOARD: LeaderboardPresses(self.desk).handle,
                HISTORY: HistoryPresses(self.desk, self.replays).handle,
                REPLAY: self.replays.handle,
            }
        )
        self.loop_watch = LoopWatch(self.metrics)
        self._background = background
        self.failure: DatabaseError | None = None
        """Why the bot has stopped of its own accord."""
        self._ticked = 0
        self._ticking: asyncio.Task[None] | None = None
        self._presses = Presses(self, self._press)

    async def setup_hook(self) -> None:
        """Prepares everything that must stand before the first interaction."""
        transport.install_adapter(self.metrics)
        transport.bound_silence(self.http)
        await self.desk.fleet.join()
        await self.tree.set_translator(CommandTranslator())
        ids = {each.name: each.id for each in await self.tree.sync()}
        commands = (each for each in self.tree.walk_commands() if isinstance(each, app_commands.Command))
        self.mentions.learn((each.qualified_name for each in commands), ids)
        await self.desk.resume()
        if self._background:
            self._ticking = asyncio.create_task(self._tick_on())
            self.desk.emoji.start()
            self.desk.upkeep.start(self.desk.fleet.has_jobs)
            self.loop_watch.start()

    async def close(self) -> None:
        """Answers what is under way, then stops the background work and the connection to Discord."""
        if self._ticking is not None:
            self._ticking.cancel()
        await self._presses.finish(LAST_ANSWERS)
        await self.replays.close()
        self.loop_watch.stop()
        await self.desk.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await super().close()

    def health(self) -> Health:
        """Returns how the bot is."""
        if not self.is_ready():
            gateway = "not connected yet"
        else:
            away = len(self.desk.absences)
            gateway = f"{away} shards are cut off" if away else ""
        silence = time.monotonic() - self.metrics.last_commit
        return Health(
            gateway,
            database_trouble(self.metrics.store_error, silence),
            loop_trouble(self.loop_watch.worst),
        )

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Welcomes a new server."""
        try:
            await greet(self.desk, guild, self.mentions)
        except StoreError as error:
            _log.error("a server could not be welcomed: %s", error)

    async def on_app_command_completion(
        self,
        interaction: discord.Interaction,
        command: app_commands.Command[app_commands.Group, ..., None] | app_commands.ContextMenu,
    ) -> None:
        """Counts a command that was answered."""
        respond.unwatch(interaction)
        self.metrics.served(command.qualified_name, Outcome.ANSWERED)

    async def _press(self, interaction: discord.Interaction) -> None:
        """Answers a press, a choice or a form; commands have their own way in."""
        received = transport.mark_received(interaction)
        self.desk.skew.learn(created_at(interaction.id), self.desk.clock.steady())
        speak(interaction.locale.value)
        try:
            if not self.turnstile.enter(interaction.user.id):
                raise TooManyPressesError
            respond.watch(interaction, self.metrics)
            await self.router.route(interaction)
            outcome = Outcome.ANSWERED
        except Exception as error:
            outcome = await self.fail(interaction, error)
        finally:
            respond.unwatch(interaction)
        self.metrics.served(kind_of(interaction), outcome)
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("%s in %.0f ms", outcome, (time.monotonic() - received) * 1000)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Notes when the connection was lost."""
        self.desk.lost(shard_id)
        self.metrics.fault(Fault.OUTAGE)

    async def on_ready(self) -> None:
        """Gives back the time for which the bot was not running."""
        with postponing("the time of the bot's absence"):
            await self.desk.wake()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Gives back the time of an outage."""
        await self.desk.back(shard_id, self.shard_count or 1)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Gives back the time of an outage after which the session was lost."""
        await self.desk.back(shard_id, self.shard_count or 1)

    async def launch_shards(self) -> None:
        """Connects, unless Discord allows no more of it today: it takes the token of a bot that tries all the same.

        Whoever restarts the bot whenever it ends soon comes there.

        :raises NoConnectionsLeftError: in that case.
        """
        advised, _, limit = await self.http.get_bot_gateway()
        if limit["remaining"] < len(self.shard_ids or range(self.shard_count or advised)):
            raise NoConnectionsLeftError(limit["reset_after"])
        self.desk.fleet.slots = limit["max_concurrency"]
        await super().launch_shards()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connects a shard when it is its turn among those of all processes.

        discord.py asks for the turn when the connection is open, which Discord would close meanwhile. A gateway that
        was chosen comes before the one that the API names.
        """
        if not self.desk.fleet.is_alone:
            await self.desk.fleet.may_identify(shard_id)
        chosen = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
        if chosen is not USUAL_GATEWAY:
            gateway = chosen
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Keeps to Discord's pace."""
        if self.desk.fleet.is_alone or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        await self.desk.fleet.may_identify(shard_id)
        self.desk.fleet.identified(shard_id)

    async def fail(self, interaction: discord.Interaction, error: BaseException) -> Outcome:
        """Tells the presser what went wrong: a plain sentence, or a reference that stands in the log too."""
        if isinstance(error, HandledError):
            return Outcome.REPEATED
        if _is_lost(error):
            return self._lost(error)
        if isinstance(error, StoreError):
            _log.error("the database does not answer: %s", error)
            error = unavailable(error)
        outcome = Outcome.REFUSED
        if isinstance(error, app_commands.CommandSignatureMismatch | app_commands.CommandNotFound):
            told: str | None = say(refusals.UNKNOWN_COMMAND)
        else:
            told = explain(error) if isinstance(error, (UserError, EngineError)) else None
        if told is None:
            outcome = Outcome.FAILED
            reference = secrets.token_hex(4)
            _log.error(
                "unexpected error, reference %s", reference, exc_info=error, extra={"reference": reference}
            )
            told = say(refusals.UNEXPECTED, reference=reference)
        try:
            await respond.answer(interaction, sentence(self.mentions.link(told)))
        except Exception as failure:
            if not _is_lost(failure):
                raise
            return self._lost(failure)
        return outcome

    def _lost(self, error: BaseException) -> Outcome:
        self.metrics.fault(Fault.UNANSWERED)
        _log.warning("an interaction was not answered: %s", error)
        return Outcome.LOST

    async def _tick_on(self) -> None:
        """Does what is due once a second.

        Not by discord.py's loops, which go by the time of day: set back an hour, it stops them for one.
        """
        await self._before_tick()
        begun = time.monotonic()
        while await self._tick():
            await asyncio.sleep(max(0.0, begun + TICK - time.monotonic()))
            begun = time.monotonic()

    async def _tick(self) -> bool:
        """Does what is due now, and tells whether this process goes on."""
        moment = self.desk.clock.steady()
        stood_still = moment - self._ticked
        try:
            if not await self.desk.fleet.is_member():
                self.failure = DatabaseError(
                    "Another process has taken over these shards while this one stood still."
                )
                _log.error("%s", self.failure)
                self._stopping = asyncio.create_task(self._give_way())
                return False
            if stood_still > OUTAGE:
                now = self.desk.clock.now()
                self.desk.publisher.forget()
                await self.desk.make_up(now - stood_still, now, concerns=self.desk.fleet.shards.__contains__)
            await self.desk.tick(shard_count=self.shard_count or 1)
        except (StoreError, UnavailableError) as error:
            # No move can have been saved meanwhile: until this works again the time counts as an outage.
            _log.error("nothing can be saved: %s", error.__cause__ or error)
            return True
        except Exception:
            _log.exception("what was due could not be done")  # and is due again at the next tick
        self._ticked = moment
        return True

    async def _give_way(self) -> None:
        """Stops, once what was on its way has been taken back where another process has done it meanwhile."""
        await self.desk.outbox.settle()
        await self.close()

    async def _before_tick(self) -> None:
        """Waits until the bot is connected: until then it is away, and nothing is due but to keep its place."""
        if self.desk.fleet.is_alone:
            while not self.is_ready() and await self._keeps_its_place():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.wait_until_ready(), TICK)
        self._ticked = self.desk.clock.steady()

    async def _keeps_its_place(self) -> bool:
        """Tells whether no other process is known to have taken this one's place, which is lost if nobody asks."""
        try:
            return await self.desk.fleet.is_member()
        except StoreError as error:
            _log.error("whether another process serves the bot cannot be told: %s", error)
            return True


def _is_lost(error: BaseException) -> bool:
    """Tells whether an answer did not get through, so that there is no point in another one."""
    if isinstance(error, discord.HTTPException):
        return error.code != transport.INVALID_FORM
    return isinstance(error, (transport.AnswerLostError, aiohttp.ClientError))
