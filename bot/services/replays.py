"""Replays: attempts that have ended, step by step, for those for whom their deal is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.errors import NoReplayError, ReplayClosedError
from bot.services.history import Archive
from bot.services.standings import placings
from bot.store import attempts as attempt_store
from bot.store import dailies, daily_boards, players, results
from bot.store import history as store
from bot.store import races as race_store
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.database import Database
from engine import Attempt, Event, EventKind, Phase
from engine.scoring import daily_merit, places

MOST_RIVALS = 25
"""How many attempts of a daily are offered, as many as a menu has room for."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened at one moment: the *event*, the attempt *before* and *after* it, ms since the start, penalties
    included, and since the step before."""

    event: Event
    before: Attempt
    after: Attempt
    time: int
    thought: int


@dataclass(frozen=True)
class Reel:
    """An attempt that has ended, with all its steps and the *name* of its player, None if it is not known."""

    record: AttemptRecord
    name: str | None
    events: tuple[Event, ...] = field(repr=False)

    @property
    def id(self) -> int:
        """The name of the attempt."""
        return self.record.id

    @property
    def game(self) -> str:
        """The key of the game."""
        return self.record.attempt.rules.key

    @property
    def seed(self) -> str:
        """The seed of the deal."""
        return self.record.attempt.seed

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.events)

    @cached_property
    def start(self) -> Attempt:
        """The attempt before its first step."""
        end = self.record.attempt
        return Attempt.begin(end.rules, end.seed, start=end.start, limit=end.limit)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All that happened, in order."""
        steps: list[Step] = []
        before, time = self.start, 0
        for event in self.events:
            after = before.push(event)
            now = after.time_at(event.at) if after.result is None else max(time, after.result.time)
            steps.append(Step(event, before, after, now, now - time))
            before, time = after, now
        return tuple(steps)

    def at(self, number: int) -> Attempt:
        """Returns the attempt after so many steps."""
        return self.steps[number - 1].after if number else self.start

    def time_at(self, number: int) -> int:
        """Returns when that was, in milliseconds since the start, penalties included."""
        return self.steps[number - 1].time if number else 0


@dataclass(frozen=True)
class Pair:
    """Two attempts of one deal, their steps in the order of time since the start; those of the first come first."""

    first: Reel
    second: Reel

    @cached_property
    def order(self) -> tuple[tuple[int, int], ...]:
        """For each number of steps of both together, how many of each have been done."""
        times = [(step.time, 0) for step in self.first.steps] + [(step.time, 1) for step in self.second.steps]
        counts = [(0, 0)]
        for _, whose in sorted(times):
            first, second = counts[-1]
            counts.append((first + 1, second) if whose == 0 else (first, second + 1))
        return tuple(counts)

    @property
    def last(self) -> int:
        """The number of the last step of both together."""
        return len(self.order) - 1

    def time_at(self, number: int) -> int:
        """Returns when so many steps had been done, in milliseconds since the start, penalties included."""
        first, second = self.order[number]
        return max(self.first.time_at(first), self.second.time_at(second))


Footage = Reel | Pair


@dataclass(frozen=True, slots=True)
class Rival:
    """An attempt of the same deal that can be watched as well.

    *place* is None where there is none: of one who was disqualified, who *is_out*, and in a void daily.
    """

    attempt: int
    name: str | None
    player: int
    place: int | None
    is_out: bool = False


class Replays:
    """The attempts that can be watched."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._archive = Archive(db)

    async def watch(self, attempt: int, *, viewer: int, guild: int | None) -> Reel:
        """Returns the attempt named *attempt* for *viewer*, who asks on *guild*.

        :raises NoReplayError: if there is none, or none of which the viewer may know.
        :raises ReplayClosedError: if its deal is not over for the viewer.
        """
        record = await attempt_store.load(self._db, attempt)
        if record is None:
            raise NoReplayError
        if record.player != viewer:
            await self._check(record, viewer, guild)
        elif not record.attempt.is_over:
            raise ReplayClosedError
        names = await players.names(self._db, [record.player])
        events = await attempt_store.events(self._db, attempt)
        return Reel(record, names.get(record.player), tuple(events))

    async def rivals(self, reel: Reel, guild: int | None) -> Sequence[Rival]:
        """Returns the attempts that can be watched beside *reel* by one who may watch it, the best ones first.

        These are all of its race once that is finished, or of its daily those of the best of the server *guild*.
        """
        record = reel.record
        if record.race is not None:
            return await self._rivals(record.race, finished=True)
        if record.purpose is Purpose.DAILY and record.day is not None and guild is not None:
            return await self._of_daily(record.day, reel.game, guild)
        return ()

    async def best_of(self, race: int) -> int:
        """Returns the winner's attempt of *race*.

        :raises NoReplayError: if there is none.
        """
        rivals = await self._rivals(race)
        if not rivals:
            raise NoReplayError
        return rivals[0].attempt

    async def choose(
        self, *, reference: str | None, player: int | None, viewer: int, guild: int | None
    ) -> int:
        """Returns the attempt that is meant: in the race that *reference* names that of *player*, or else the best.

        Without a reference it is the newest one of that player in a race of this server; or the viewer's newest one
        of all, or else the winner's of the server's newest race.

        :raises NoReplayError: if there is none.
        """
        if reference is not None:
            race = await self._archive.find_race(reference)
            rivals = [] if race is None else await self._rivals(race)
            mine = [each for each in rivals if player is None or each.player == player]
            if not mine:
                raise NoReplayError
            return mine[0].attempt
        if player is not None and player != viewer:
            found = None if guild is None else await store.newest_raced(self._db, player, guild)
        else:
            found = await store.newest_attempt(self._db, viewer)
            if found is None and guild is not None:
                races = await store.of_guild(self._db, guild, limit=1, skip=0)
                found = await self.best_of(races[0].id) if races else None
        if found is None:
            raise NoReplayError
        return found

    async def _rivals(self, race: int, *, finished: bool = False) -> Sequence[Rival]:
        """Returns the attempts of *race* that have ended, in their order; with *finished* none before it is."""
        record = await race_store.load(self._db, race)
        standing = await results.standing(self._db, race)
        if record is None or standing is None:
            return ()
        if finished and record.race.phase is not Phase.FINISHED:
            return ()
        placed = placings(record.race, standing.disqualified)
        names = await players.names(self._db, [entrant.player for _, entrant in placed])
        return [
            Rival(entrant.attempt, names.get(entrant.player), entrant.player, place, is_out=place is None)
            for place, entrant in placed
        ]

    async def _of_daily(self, day: int, game: str, guild: int) -> Sequence[Rival]:
        found = await daily_boards.lines(self._db, day, game, limit=MOST_RIVALS, guild=guild)
        is_void = any(daily.is_voided for daily in await dailies.load(self._db, day, game))
        ranks = places([daily_merit(line.result) for line in found])
        return [
            Rival(line.attempt, line.name or None, line.player, None if is_void else place)
            for line, place in zip(found, ranks, strict=True)
        ]

    async def _check(self, record: AttemptRecord, viewer: int, guild: int | None) -> None:
        """Refuses *viewer* somebody else's attempt."""
        match record.purpose:
            case Purpose.RACE if record.race is not None:
                await self._check_race(record.race, viewer, guild)
            case Purpose.DAILY if record.day is not None:
                if not await store.is_known_to(self._db, record.player, guild):
                    raise NoReplayError
                if not await dailies.is_open_to(self._db, viewer, record.day, record.attempt.rules.key):
                    raise ReplayClosedError
            case _:
                raise NoReplayError
        if not record.attempt.is_over:
            raise ReplayClosedError

    async def _check_race(self, race: int, viewer: int, guild: int | None) -> None:
        record = await race_store.load(self._db, race)
        if record is None or (record.guild != guild and record.race.find(viewer) is None):
            raise NoReplayError
        if record.race.phase is not Phase.FINISHED:
            raise ReplayClosedError


def is_notable(step: Step) -> bool:
    """Tells whether a step is more than a move: a wrong call, a move taken back, a hint, the end."""
    return step.event.kind is not EventKind.MOVE
