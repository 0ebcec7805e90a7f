"""The desk: the services that commands and presses work with, and what follows from what they did.

What a service changed is saved before anything here happens, so all of this may be lost at any moment: what is
still owed is found again by :meth:`Desk.resume` and :meth:`Desk.tick`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator

import discord

from bot import respond, transport
from bot.boards import Boards
from bot.clock import Clock, Skew
from bot.emoji import CardEmoji
from bot.errors import UnavailableError
from bot.fleet import Fleet
from bot.outbox import Outbox
from bot.posts import DailyPosts
from bot.publish import Publisher
from bot.seats import Seats
from bot.services.adviser import Adviser
from bot.services.attempts import Attempts
from bot.services.bulletins import Bulletins
from bot.services.dailies import Dailies
from bot.services.daily_results import DailyResults
from bot.services.day_ends import DayEnds
from bot.services.history import Archive
from bot.services.leaderboard import Leaderboards
from bot.services.moderation import Moderation
from bot.services.players import Players
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.privacy import Privacy
from bot.services.proofs import Proofs
from bot.services.prover import Prover, Threaded
from bot.services.races import OUTAGE, Races
from bot.services.replays import Replays
from bot.services.servers import Servers
from bot.services.standings import Standings
from bot.shards import Shards
from bot.store import heartbeat
from bot.store.attempts import AttemptRecord
from bot.store.database import Database, StoreError
from bot.store.races import RaceRecord
from bot.tell import Teller
from bot.upkeep import Upkeep
from bot.verdicts import Verdicts
from bot.views.board import Board
from bot.views.lobby import seat
from engine import NotInRaceError, Phase

_log = logging.getLogger(__name__)

LEAD = 300
"""How long before a start its boards are made ready, in milliseconds."""
LATE = 1500
"""How long after a start, in milliseconds, it is nobody's who has not begun it: the process has died, perhaps."""
SWEEP_EVERY = 30
"""Every how many ticks idle lobbies, unsent results and dead tokens are looked for."""


@contextlib.contextmanager
def postponing(what: str) -> Iterator[None]:
    """Lets *what* wait for a later press or :meth:`Desk.tick` if the database does not answer, and logs that."""
    try:
        yield
    except (StoreError, UnavailableError) as error:
        _log.error("%s has to wait: %s", what, error.__cause__ or error)


class Desk:
    """The services behind all commands and presses of one process."""

    def __init__(
        self,
        client: discord.Client,
        db: Database,
        clock: Clock,
        prover: Prover,
        adviser: Adviser,
        *,
        shards: Shards | None = None,
    ) -> None:
        self.fleet = Fleet(db, shards, clock)
        self.outbox = Outbox(client, self.fleet.is_member)
        self.attempts = Attempts(db)
        self.pool = Pool(db)
        self.races = Races(db, self.attempts, self.pool)
        self.standings = Standings(db)
        self.leaderboards = Leaderboards(db)
        self.replays = Replays(db)
        self.proofs = Proofs(prover)
        self.adviser = adviser
        self.archive = Archive(db)
        self.dailies = Dailies(db, self.attempts, self.pool, Threaded())
        self.day_ends = DayEnds(db, self.attempts, self.standings)
        self.daily_results = DailyResults(db, self.attempts, self.dailies, self.day_ends)
        self.bulletins = Bulletins(db, self.daily_results)
        self.servers = Servers(db)
        self.upkeep = Upkeep(
            self.dailies,
            self.day_ends,
            self.bulletins,
            DailyPosts(client, self.outbox, self.bulletins, self.servers),
            pool=self.pool,
            prover=prover,
            clock=clock,
        )
        self.moderation = Moderation(db, self.races, self.standings, self.day_ends)
        self.players = Players(db)
        self.privacy = Privacy(db, self.attempts, self.players)
        self.publisher = Publisher(
            client,
            self.outbox,
            self.races,
            self.standings,
            self.proofs,
            self.moderation,
            Teller(client, self.players),
            clock,
        )
        self.emoji = CardEmoji(client, clock)
        self.boards = Boards(self.players, self.emoji)
        self.verdicts = Verdicts(client, self.boards, self.proofs, self.dailies)
        self.seats = Seats(client, self.races, self.attempts, self.players, self.boards)
        self.clock = clock
        self.publisher.shards = self.fleet.shards
        self.absences: dict[int, int] = {}
        """The shards of this process that are not connected, or not made up for yet, and since when."""
        self._returned: dict[int, int] = {}  # those of them that are connected again, and out of how many
        self._returning = asyncio.Lock()
        self._client = client
        self._db = db
        self.skew = Skew()
        self._asleep_since: int | None = None
        self._starts: dict[int, asyncio.Task[None]] = {}
        self._ticks = 0

    def discord_now(self) -> int:
        """Returns the instant by Discord's clock, in ms since 1970, as well as presses have told it."""
        ahead = self.skew.ms
        return self.clock.now() if ahead is None else self.clock.steady() - ahead

    def changed(self, record: RaceRecord, *, pressed: int | None = None) -> None:
        """Follows up on a change of a race: its messages, and its start once that is set.

        *pressed* is the instant of the press that changed it, by Discord's clock, if the current task handles one:
        the countdown runs from its receipt.
        """
        self.publisher.mark(record.id, record.channel)
        race = record.race
        if race.phase is Phase.COUNTDOWN and race.start_at is not None and record.id not in self._starts:
            now = self.discord_now() if pressed is None else pressed
            at = transport.received_at() + (race.start_at - now) / 1000
            self._starts[record.id] = asyncio.create_task(self._start(record.id, at))
            if now + LEAD < race.start_at:  # else the boards come at any moment
                self.seats.counting_down(record.id, now)
        elif race.phase is Phase.CANCELLED:
            self.seats.cancelled(record.id, self.discord_now())

    async def played(self, record: AttemptRecord) -> None:
        """Follows up on a press on a board: the race's progress and its end, or the streak that a daily makes."""
        with postponing("what follows from a move"):
            if record.race is not None:
                if record.attempt.is_over:
                    await self.races.settle(record.race)
                await self.publisher.mark_progress(record.race)
            await self.day_ends.finished(record, self.clock.now())

    async def show_own(self, interaction: discord.Interaction, press: Press, record: RaceRecord) -> None:
        """Answers with the presser's own private message of a race: the waiting one or the board.

        :raises NotInRaceError: if the presser is not in the race.
        """
        entrant = record.race.find(press.player)
        if entrant is None:
            raise NotInRaceError
        if record.race.phase in (Phase.OPEN, Phase.COUNTDOWN):
            await self.races.look(press, record.id)
            shown = seat(await self.races.view(record.id), press.player)
            message = await respond.answer(interaction, shown)
            await self.keep_token(record, interaction, press, message=message)
            return
        own = await self.attempts.find(entrant.attempt, player=press.player)
        await self.show_board(interaction, press, own)

    async def show_board(
        self,
        interaction: discord.Interaction,
        press: Press,
        record: AttemptRecord,
        *,
        note: str | None = None,
    ) -> None:
        """Answers with a board of the presser's as a new private message, in the presser's style."""
        look = await self.boards.look_of(press.player, press.at)
        await self.verdicts.show(interaction, Board(record, note=note), look, new=True)
        if not respond.is_apart(interaction):
            self.seats.shown(interaction, record)

    async def turn_into_board(
        self,
        interaction: discord.Interaction,
        press: Press,
        record: AttemptRecord,
        *,
        note: str | None = None,
    ) -> None:
        """Answers a press by turning the pressed message into a board of the presser's."""
        look = await self.boards.look_of(press.player, press.at)
        await self.boards.update(interaction, Board(record, note=note), look)

    async def keep_token(
        self,
        record: RaceRecord,
        interaction: discord.Interaction,
        press: Press,
        *,
        message: int | None = None,
    ) -> None:
        """Keeps the token through which the presser's private message, which is there, becomes the board."""
        with postponing("the token of a private message"):
            await self.races.keep_token(record.id, press.player, interaction.token, press.at, message=message)

    async def resume(self) -> None:
        """Takes up what was under way when the bot stopped."""
        now, shards = self.clock.now(), self.fleet.shards
        beats = await heartbeat.beats(self._db)
        for shard in shards.ids:
            last = heartbeat.last_beat(beats, shard, shards.count)
            self.absences[shard] = now if last is None else last
        if self.fleet.is_alone:  # else each shard is away until it is connected
            self._asleep_since = self.absences.pop(0)
        for record in await self.races.live():
            if record.race.phase is not Phase.OPEN and record.guild in shards:
                self.changed(record)

    async def wake(self) -> None:
        """Gives back the time since the bot was last alive, once it is connected again.

        Until that is done nobody may end an attempt by its limit: the next :meth:`tick` tries again what fails.
        """
        async with self._returning:
            asleep, now = self._asleep_since, self.clock.now()
            if asleep is not None and now - asleep > OUTAGE:
                await self.make_up(asleep, now)
            self._asleep_since = None

    def lost(self, shard: int) -> None:
        """Notes that *shard* is away from now on."""
        self.absences.setdefault(shard, self.clock.now())
        self._returned.pop(shard, None)

    async def back(self, shard: int, count: int) -> None:
        """Gives back the time for which *shard* of *count* was away; what fails is done by the next :meth:`tick`."""
        if shard in self.absences:
            self._returned[shard] = count
            with postponing("the time of an outage"):
                await self._make_up_absences()

    async def _make_up_absences(self) -> None:
        async with self._returning:
            for shard, count in tuple(self._returned.items()):
                away, now = self.absences[shard], self.clock.now()
                if now - away > OUTAGE:
                    await self.make_up(away, now, concerns=Shards((shard,), count).__contains__)
                # Only now: until the limits are longer nobody may end an attempt by them.
                if self._returned.pop(shard, None) is not None:
                    del self.absences[shard]
                else:
                    self.absences[shard] = now  # it was lost again meanwhile

    async def make_up(self, away: int, back: int, *, concerns: Callable[[int], bool] = bool) -> None:
        """Lengthens the running races of the servers that it *concerns* by an outage between two instants."""
        concerned = [record for record in await self.races.live() if concerns(record.guild)]
        # Side by side, so that they share their transactions.
        after = await asyncio.gather(*(self.races.lengthen(record.id, (away, back)) for record in concerned))
        for record, longer in zip(concerned, after, strict=True):
            if longer.outage != record.outage:
                self.publisher.mark(longer.id, longer.channel)

    async def tick(self, *, shard_count: int = 1) -> None:
        """Does what is due: ends what is over its time, cancels idle lobbies, sends results that are owed.

        One process of the fleet does so for all; every one notes which shards it serves, and has the boards that
        it has shown say that their time is up. *shard_count* is how many there are, where this process is alone.
        """
        await self.wake()
        await self._make_up_absences()
        now, shards = self.clock.now(), self.fleet.shards
        self._ticks += 1
        served = [shard for shard in shards.ids if shard not in self.absences]
        await self._db.write(*heartbeat.beat(served, shards.count, now))
        leads = await self.fleet.has_jobs()
        self.upkeep.tick(self.discord_now(), leads=leads)
        if leads:
            await self._do_jobs(now, shard_count)
        self.seats.close_overdue(self.discord_now())

    async def _do_jobs(self, now: int, shard_count: int) -> None:
        """Does what is due for the whole fleet at *now*, by the bot's clock."""
        shards = self.fleet.shards
        away = Shards(tuple(self.absences), shard_count)
        if not self.fleet.is_alone:
            beats = await heartbeat.beats(self._db)
            away = Shards(heartbeat.silent(beats, shards.count, now - OUTAGE), shards.count)
        true = self.discord_now()
        for record in await self.races.late(true - LATE):
            self.changed(record)
        for race in await self.races.close_overdue(true, is_away=away.__contains__):
            self.changed(await self.races.settle(race))
        await self.standings.work(now)
        if self._ticks % SWEEP_EVERY == 0:
            await self.sweep()

    async def sweep(self) -> None:
        """Looks through all live races for what is owed."""
        now = self.clock.now()
        for record in await self.races.live():
            if record.race.phase is Phase.OPEN:
                record = await self.races.expire(record.id, self.discord_now())
            elif all(entrant.result is not None for entrant in record.race.entrants):
                record = await self.races.settle(record.id)
            if not record.race.phase.is_live:
                self.changed(record)
        for owed in await self.moderation.owed():
            self.publisher.mark(owed.race, owed.channel)
        await self.races.clean(now)
        await self.privacy.clean(now)
        await self.standings.clean(now)
        await self.upkeep.clean(now)

    async def close(self) -> None:
        """Stops what is under way on its own account."""
        await self.fleet.close()
        for task in self._starts.values():
            task.cancel()
        await asyncio.gather(*self._starts.values(), return_exceptions=True)
        await self.upkeep.close()
        await self.verdicts.close()
        await self.proofs.close()
        await self.adviser.close()
        await self.emoji.close()
        await self.publisher.close()
        await self.outbox.close()
        await self.seats.close()

    async def _start(self, race: int, at: float) -> None:
        """Begins *race* at the monotonic instant *at* and turns all private messages into boards at that moment."""
        try:
            await self.clock.sleep(at - LEAD / 1000 - time.monotonic())
            boards = await self.seats.draw_boards(race)
            await self.clock.sleep(at - time.monotonic())
            if (await self.races.find(race)).race.phase is not Phase.COUNTDOWN:
                return  # another process has been quicker, and shows the boards
            record = await self.races.begin(race)
            waiting = await self.races.waiting(race, record.race.start_at or 0)
            await self.seats.show_boards(waiting, boards, record.race.deadline)
            self.publisher.mark(race, record.channel)
        except Exception:
            # Nobody awaits this task. What is missing is opened by button, or found by the next sweep.
            _log.exception("race %s could not begin in time", race)
        finally:
            self._starts.pop(race, None)
