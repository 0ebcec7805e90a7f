"""Races: from the command to the standings, each change saved whole and checked against the last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from bot.errors import BadMinutesError, BusyError, UnavailableError, UnknownRaceError
from bot.services.attempts import Attempts
from bot.services.deals import draw_deal
from bot.services.pool import Pool
from bot.services.press import Press, refuse_handled, save
from bot.store import attempts as attempt_store
from bot.store import moderation as judgement_store
from bot.store import players as player_store
from bot.store import races as store
from bot.store.database import ConflictError, Database, Statement
from bot.store.moderation import Entry as Judgement
from bot.store.races import RaceRecord
from engine import Attempt, EndReason, EngineError, Entrant, Phase, Race
from engine.attempt import PENALTY
from engine.race import DEFAULT_LIMIT, GRACE, MAX_LIMIT, MIN_LIMIT

Step = Callable[[Race], Race]

MINUTE = 60_000
OUTAGE = 5_000
"""How long the bot has to be away before the time is given back, in milliseconds."""
LONGEST_OUTAGE = 60 * MINUTE
"""How long the bot may be away for races to go on afterwards, in milliseconds."""
TRIES = 8
"""How often a change is tried again after another process has changed the same race."""
JUDGEMENTS = 2
"""How many judgements of a race its messages tell."""
PRESS_LIFE = 60 * MINUTE
"""How long handled interactions are remembered; Discord delivers none twice after minutes."""


@dataclass(frozen=True, slots=True)
class Runner:
    """An entrant as the public message shows one.

    *name* is empty where it is not known (any more), *attempt* is None before the start, or if it does not replay.
    """

    entrant: Entrant
    name: str
    attempt: Attempt | None


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race with everything that its public message shows.

    *invited* are the names of those who were in the race of which this one is the rematch, and are not here yet.
    *judgements* are the last ones of moderators. *host* is the name of the host, who may have left as the last one,
    and "" if it is not known.
    """

    record: RaceRecord
    runners: tuple[Runner, ...]
    invited: tuple[str, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    host: str = ""

    @property
    def names(self) -> dict[int, str]:
        """The names of the host and the entrants, of those who are known."""
        named = {self.record.race.host: self.host} | {each.entrant.player: each.name for each in self.runners}
        return {player: name for player, name in named.items() if name}


class Races:
    """The races in the database. Changes of one race wait for one another; those of others do not."""

    def __init__(self, db: Database, attempts: Attempts, pool: Pool) -> None:
        self._db = db
        self._attempts = attempts
        self._pool = pool
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def open(
        self,
        press: Press,
        *,
        guild: int,
        channel: int,
        game: str,
        seed: str | None = None,
        minutes: int | None = None,
        ranked: bool = True,
        rematch_of: int | None = None,
        locale: str = "en-US",
    ) -> RaceRecord:
        """Returns a new lobby, its deal drawn and its host in it. A typed *seed* makes the race unranked.

        A rematch invites those who were in the race *rematch_of*. *locale* is what its public messages speak.

        :raises UnknownGameKeyError: if there is no such game.
        :raises BadSeedError: if the seed is none.
        :raises BadMinutesError: if the limit is out of range.
        :raises BusyError: if the host is in a live race of the server already, other than that rematch.
        :raises ConflictError: if a rematch gathers already.
        """
        limit = DEFAULT_LIMIT if minutes is None else minutes * MINUTE
        if not MIN_LIMIT <= limit <= MAX_LIMIT:
            raise BadMinutesError(MIN_LIMIT // MINUTE, MAX_LIMIT // MINUTE)
        for _ in range(TRIES):
            deal = await draw_deal(self._pool, game, seed)
            record = RaceRecord(
                id=press.interaction,
                guild=guild,
                channel=channel,
                rules=deal.rules,
                seed=deal.seed,
                salt=deal.salt,
                race=Race.open(press.player, press.interaction, press.at, limit=limit),
                typed=deal.typed,
                ranked=ranked and not deal.typed,
                band=deal.band,
                rematch_of=rematch_of,
                locale=locale,
            )
            try:
                await save(self._db, press.mark, press.seen, *store.insert(record), *deal.claim)
            except ConflictError:
                gathers = None if rematch_of is None else await self.rematch(rematch_of)
                await self._explain(press, guild, but=gathers)
                if gathers is not None:
                    raise
                continue  # somebody else has drawn the same deal
            return record
        raise UnavailableError

    async def find(self, race: int) -> RaceRecord:
        """Returns the race named *race*.

        :raises UnknownRaceError: if there is none.
        """
        record = await store.load(self._db, race)
        if record is None:
            raise UnknownRaceError
        return record

    async def view(self, race: int) -> RaceView:
        """Returns the race named *race* with all that its public message shows."""
        record = await self.find(race)
        entrants = record.race.entrants
        here = {entrant.player for entrant in entrants}
        guests: list[int] = []
        if record.rematch_of is not None and record.race.phase is Phase.OPEN:
            before = await self.find(record.rematch_of)
            guests = [each.player for each in before.race.entrants if each.player not in here]
        names = await player_store.names(self._db, {*here, record.race.host, *guests})
        attempts: list[Attempt | None] = [None] * len(entrants)
        if record.race.phase in (Phase.RUNNING, Phase.FINISHED):
            attempts = list(await asyncio.gather(*(self._replayed(each.attempt) for each in entrants)))
        runners = (
            Runner(entrant, names.get(entrant.player, ""), attempt)
            for entrant, attempt in zip(entrants, attempts, strict=True)
        )
        judgements: tuple[Judgement, ...] = ()
        if not record.race.phase.is_live:
            judgements = tuple(await judgement_store.of_race(self._db, race, limit=JUDGEMENTS))
        invited = tuple(names[player] for player in guests if player in names)
        host = names.get(record.race.host, "")
        return RaceView(record, tuple(runners), invited, judgements[::-1], host)

    async def courses(self, record: RaceRecord) -> list[tuple[tuple[int, int], ...]]:
        """Returns, for each line of the standings, its cards left over time (see :meth:`Attempts.timeline`)."""
        return list(
            await asyncio.gather(
                *(
                    self._attempts.timeline(each.entrant.attempt, each.entrant.result)
                    for each in record.race.standings
                    if each.entrant.result is not None
                )
            )
        )

    async def is_first(self, player: int) -> bool:
        """Tells whether *player* has never played anything."""
        return not await attempt_store.has_played(self._db, player)

    async def seat(self, guild: int, player: int) -> tuple[int, int] | None:
        """Returns the race and the attempt of *player*'s live race in *guild*, or None."""
        return await store.find_seat(self._db, guild, player)

    async def rematch(self, race: int) -> int | None:
        """Returns the lobby in which a rematch of *race* gathers already, or None."""
        return await store.find_rematch(self._db, race)

    async def join(self, press: Press, race: int) -> RaceRecord:
        """Returns the race with the player in it."""
        return await self._change(
            race, lambda r: r.join(press.player, press.interaction, press.at), press, press.seen
        )

    async def ready(self, press: Press, race: int, *, ready: bool) -> RaceRecord:
        """Returns the race with the player ready or not; it may count down now."""
        return await self._change(race, lambda r: r.ready(press.player, press.at, ready=ready), press)

    async def look(self, press: Press, race: int) -> RaceRecord:
        """Returns the race after the player has looked at the own place in its lobby."""
        return await self._change(race, lambda r: r.show(press.player, press.at))

    async def leave(self, press: Press, race: int) -> RaceRecord:
        """Returns the race without the player."""
        return await self._change(race, lambda r: r.leave(press.player, press.at), press)

    async def remove(self, press: Press, race: int, player: int) -> RaceRecord:
        """Returns the race without *player*, sent away by its host."""
        return await self._change(race, lambda r: r.remove(press.player, player, press.at), press)

    async def start(self, press: Press, race: int) -> RaceRecord:
        """Returns the race counting down."""
        return await self._change(race, lambda r: r.start(press.player, press.at), press)

    async def cancel(
        self, press: Press, race: int, *, moderator: bool = False, also: Iterable[Statement] = ()
    ) -> RaceRecord:
        """Returns the race cancelled; *also* is written with it."""
        return await self._change(race, lambda r: r.cancel(press.player, moderator=moderator), press, *also)

    async def begin(self, race: int) -> RaceRecord:
        """Returns the race running, with an attempt for every entrant; it may run already."""
        return await self._change(race, lambda r: r.begin() if r.phase is Phase.COUNTDOWN else r)

    async def settle(self, race: int) -> RaceRecord:
        """Returns the race finished if every entrant is done, else as it stands."""

        def finished(record: RaceRecord) -> RaceRecord:
            race = record.race if record.race.phase is not Phase.RUNNING else record.race.finish()
            return record if race == record.race else replace(record, race=race, ended_at=_last_end(race))

        return await self._update(race, finished)

    async def placed(self, race: int, message: int, at: int, *, over: int | None) -> bool:
        """Keeps the public *message* of *race*, posted at instant *at*, unless another one has come in place of *over*.

        Returns whether it is the one that is known now.
        """

        def moved(record: RaceRecord) -> RaceRecord:
            return replace(record, message=message, posted=at) if record.message == over else record

        return (await self._update(race, moved)).message == message

    async def resulted(self, race: int, message: int, *, over: int | None) -> bool:
        """Keeps the *message* in which the result of *race* stands, unless another one has come in place of *over*.

        Returns whether it is the one that is known now; the race has been announced in it.
        """
        try:
            await save(self._db, *store.keep_result(race, message, over=over))
        except ConflictError:
            return (await self.messages(race))[1] == message
        return True

    async def messages(self, race: int) -> tuple[int | None, int | None]:
        """Returns the public message of *race* and that with its result, None for what is not there yet."""
        return await store.messages(self._db, race)

    async def announced(self, race: int) -> RaceRecord:
        """Returns the race with all about its end marked as said."""
        return await self._update(race, lambda record: replace(record, announced=True))

    async def lengthen(self, race: int, away: tuple[int, int]) -> RaceRecord:
        """Returns the race with its limit longer by what the outage from ``away[0]`` to ``away[1]`` took of it.

        Absences that overlap count once. A race does not live on over more than :data:`LONGEST_OUTAGE`.
        """

        def longer(record: RaceRecord) -> RaceRecord:
            start, deadline = record.race.start_at, record.race.deadline
            if record.race.phase not in (Phase.COUNTDOWN, Phase.RUNNING) or start is None or deadline is None:
                return record
            lost = away[1] - max(away[0], start, record.made_up)
            if not OUTAGE < away[1] - away[0] <= LONGEST_OUTAGE or lost <= 0 or away[0] > deadline + GRACE:
                return record
            race = replace(record.race, limit=record.race.limit + lost)
            return replace(record, race=race, outage=record.outage + lost, made_up=away[1])

        record = await self._update(race, longer)
        for entrant in record.race.entrants:
            self._attempts.forget(entrant.attempt)
        return record

    async def expire(self, race: int, now: int) -> RaceRecord:
        """Returns the race cancelled if its lobby has been silent for too long, else as it stands."""
        return await self._change(race, lambda r: r.expire(now))

    async def live(self) -> list[RaceRecord]:
        """Returns the races that are still to be decided or announced."""
        return await store.load_live(self._db)

    async def late(self, now: int) -> list[RaceRecord]:
        """Returns the races whose start was before *now* although nobody has begun them."""
        return await store.load_late(self._db, now)

    async def close_overdue(self, now: int, *, is_away: Callable[[int], bool] | None = None) -> set[int]:
        """Ends the attempts whose time was up before *now* and returns the races that are affected.

        Those of servers for which the bot *is_away* wait until it is back and the outage has been made up for.
        """
        races = set()
        for attempt, race, guild in await attempt_store.overdue(self._db, now - GRACE):
            if is_away is not None and is_away(guild):
                continue
            if await self._attempts.run_out(attempt, now - GRACE) and race is not None:
                races.add(race)
        return races

    async def waiting(self, race: int, now: int) -> list[store.Waiting]:
        """Returns the private messages of the race that can still be edited at *now*."""
        return await store.waiting(self._db, race, now)

    async def keep_token(
        self, race: int, player: int, token: str, at: int, *, message: int | None = None
    ) -> None:
        """Keeps the newest token through which the player's private message can be edited."""
        await save(self._db, store.keep_token(race, player, token, at, message))

    async def forget_tokens(self, race: int) -> None:
        """Forgets the tokens of a race's private messages, which are needed no more."""
        await save(self._db, store.forget_tokens_of(race))

    async def clean(self, now: int) -> None:
        """Deletes tokens that are dead and marks of presses that can no longer be delivered again."""
        await save(self._db, store.forget_tokens(now), attempt_store.forget_presses(now - PRESS_LIFE))

    async def _replayed(self, attempt: int) -> Attempt | None:
        try:
            return (await self._attempts.find(attempt)).attempt
        except EngineError:  # its record no longer replays
            return None

    async def _change(
        self, race: int, step: Step, press: Press | None = None, *extra: Statement
    ) -> RaceRecord:
        marks = () if press is None else (press.mark, *extra)
        return await self._update(race, lambda record: record.with_race(step(record.race)), press, *marks)

    async def _update(
        self,
        race: int,
        step: Callable[[RaceRecord], RaceRecord],
        press: Press | None = None,
        *extra: Statement,
    ) -> RaceRecord:
        lock = self._locks.setdefault(race, asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                before = await self.find(race)
                after = step(before)
                if after == before and not extra:
                    return before
                try:
                    await save(self._db, *extra, *store.update(before, after))
                except ConflictError:
                    if press is not None:
                        await self._explain(press, before.guild, but=race)
                    continue
                return replace(after, revision=before.revision + 1)
            raise UnavailableError

    async def _explain(self, press: Press, guild: int, *, but: int | None = None) -> None:
        await refuse_handled(self._db, press)
        taken = await self.seat(guild, press.player)
        if taken is not None and taken[0] != but:
            raise BusyError(taken[0], (await self.find(taken[0])).channel)


def _last_end(race: Race) -> int:
    """Returns the instant at which the last entrant was done, in milliseconds since 1970; penalties do not delay it."""
    results = (entrant.result for entrant in race.entrants if entrant.result is not None)
    taken = (
        each.time if each.reason is EndReason.TIME else each.time - each.mistakes * PENALTY
        for each in results
    )
    return (race.start_at or 0) + max(taken)
