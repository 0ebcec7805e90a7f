"""Judgements: what moderators may do to races and results of their own server, and the operator to all.

A judgement is written together with its line in the audit log, all that follows from it, and the note that the
people concerned are still to be told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.errors import (
    AlreadyJudgedError,
    NoDailyResultError,
    NotInThatRaceError,
    UnavailableError,
    UnknownPlayerError,
    UnknownRaceError,
)
from bot.services.day_ends import DayEnds
from bot.services.press import HandledError, Press
from bot.services.races import Races
from bot.services.standings import Standings
from bot.store import attempts, dailies, players
from bot.store import moderation as store
from bot.store import standings as boards
from bot.store.database import ConflictError, Database, Statement, StoreError
from bot.store.moderation import OPERATOR, Deed, Entry, Owed
from bot.store.races import RaceRecord

TRIES: Final = 8
"""How often a judgement is tried again after somebody else's change came between."""
PAGE: Final = 5
"""How many lines a page of the audit log has."""
OWED_AT_ONCE: Final = 20
MAX_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges and why: *moderator* on *guild*, at the instant *at*. *marks* is written with what is done.

    *id* names the judgement in the audit log. The operator's *guild* is 0.
    """

    id: int
    guild: int
    moderator: int
    at: int
    reason: str
    marks: tuple[Statement, ...] = ()

    @classmethod
    def of(cls, press: Press, guild: int, reason: str) -> Judge:
        """Returns the moderator who made *press* on *guild*."""
        return cls(press.interaction, guild, press.player, press.at, reason, (press.mark, press.seen))

    def reaches(self, guild: int | None) -> bool:
        """Tells whether what happened on *guild* is this judge's to judge."""
        return self.guild in (OPERATOR, guild)

    def entry(
        self,
        deed: Deed,
        *,
        race: int | None = None,
        day: int | None = None,
        game: str | None = None,
        player: int | None = None,
    ) -> Entry:
        """Returns the line of the audit log for a *deed*."""
        return Entry(self.id, self.guild, self.moderator, deed, self.reason, self.at, race, day, game, player)


@dataclass(frozen=True, slots=True)
class AuditLog:
    """A page of the audit log of a server, the newest lines first; *page* counts from 0."""

    page: int
    total: int
    entries: tuple[Entry, ...]
    names: Mapping[int, str]

    @property
    def pages(self) -> int:
        """How many pages there are, one at least."""
        return max(1, -(-self.total // PAGE))


class Moderation:
    """The judgements in the database."""

    def __init__(self, db: Database, races: Races, standings: Standings, day_ends: DayEnds) -> None:
        self._db = db
        self._races = races
        self._standings = standings
        self._day_ends = day_ends

    async def void(self, judge: Judge, race: int) -> RaceRecord:
        """Takes the finished *race* out of all counts, and returns it.

        :raises UnknownRaceError: if the judge knows no such race.
        :raises RaceNotFinishedError: if it is not finished.
        :raises AlreadyJudgedError: if it is void already.
        :raises HandledError: if this very judgement has been made.
        :raises UnavailableError: if nothing can be saved.
        """
        return await self._set_voided(judge, race, voided=True)

    async def restore(self, judge: Judge, race: int) -> RaceRecord:
        """Takes the void *race* back into all counts; returns and raises like :meth:`void`."""
        return await self._set_voided(judge, race, voided=False)

    async def disqualify(self, judge: Judge, race: int, player: int) -> RaceRecord:
        """Takes *player* out of the finished *race*; returns and raises like :meth:`void`.

        :raises NotInThatRaceError: if the player was not in it.
        """
        return await self._set_disqualified(judge, race, player, disqualified=True)

    async def reinstate(self, judge: Judge, race: int, player: int) -> RaceRecord:
        """Takes *player* back into the finished *race*; returns and raises like :meth:`disqualify`."""
        return await self._set_disqualified(judge, race, player, disqualified=False)

    async def cancel(self, judge: Judge, press: Press, race: int) -> RaceRecord:
        """Returns the *race* cancelled, which has not begun.

        :raises UnknownRaceError: if the judge knows no such race.
        :raises WrongPhaseError: if it has begun.
        """
        await self._find(judge, race)
        noted = store.insert(judge.entry(Deed.CANCEL, race=race))
        return await self._races.cancel(press, race, moderator=True, also=(press.seen, noted))

    async def judge_daily(self, judge: Judge, deed: Deed, day: int, game: str, player: int) -> None:
        """Takes *player* out of a daily that was begun on the judge's server, or back into it.

        :raises NoDailyResultError: if the player has no part in it there.
        :raises AlreadyJudgedError: if it stands so already.
        """
        entry = await dailies.entry(self._db, day, game, player)
        guild = await store.daily_guild(self._db, day, game, player)
        if entry is None or not judge.reaches(guild):
            raise NoDailyResultError
        if entry.is_disqualified is (deed is Deed.DISQUALIFY):
            raise AlreadyJudgedError
        change = self._day_ends.disqualify if deed is Deed.DISQUALIFY else self._day_ends.reinstate
        noted = store.insert(judge.entry(deed, day=day, game=game, player=player))

        async def stands_so() -> bool:
            now = await dailies.entry(self._db, day, game, player)
            return now is None or now.is_disqualified is (deed is Deed.DISQUALIFY)

        await self._attempt(
            judge, lambda: change(day, game, player, judge.at, *judge.marks, noted), stands_so
        )

    async def judge_day(self, judge: Judge, deed: Deed, day: int, game: str) -> None:
        """Takes a closed daily out of all counts but streaks, or back into them; for the operator alone.

        :raises AlreadyJudgedError: if there is no such daily, it is not closed, or it stands so already.
        """
        change = self._day_ends.void if deed is Deed.VOID else self._day_ends.restore
        noted = store.insert(judge.entry(deed, day=day, game=game))
        try:
            await change(day, game, judge.at, *judge.marks, noted)
        except ConflictError:
            raise AlreadyJudgedError from None

    async def bar(self, judge: Judge, player: int, *, barred: bool) -> None:
        """Keeps *player* off the world boards, or does so no more; for the operator alone.

        :raises UnknownPlayerError: if no such player has ever played.
        """
        if await players.is_barred(self._db, player) is None:
            raise UnknownPlayerError
        noted = store.insert(judge.entry(Deed.BAN if barred else Deed.UNBAN, player=player))
        await self._db.write(noted, *boards.bar_player(player, barred=barred))

    async def between(
        self, first: int, end: int, *, game: str | None = None, guild: int | None = None
    ) -> list[int]:
        """Returns the finished races that ended from *first* until before *end*, in ms since 1970."""
        return await store.finished_between(self._db, first, end, game=game, guild=guild)

    async def audit(self, guild: int, page: int) -> AuditLog:
        """Returns a page of the audit log of *guild*, or its last page if there are fewer."""
        total = await store.count(self._db, guild)
        page = min(page, max(0, (total - 1) // PAGE))
        found = await store.entries(self._db, guild, limit=PAGE, skip=page * PAGE)
        named = {each.moderator for each in found} | {each.player or 0 for each in found}
        return AuditLog(page, total, tuple(found), await players.names(self._db, named))

    async def dailies_of(self, guild: int, days: int) -> list[tuple[int, str]]:
        """Returns (day, game) of the dailies of the last *days* days that were begun on *guild*, the newest first."""
        return await store.dailies_of(self._db, guild, days)

    async def owed(self) -> list[Owed]:
        """Returns some of the races with judgements of which the people concerned are to be told."""
        return await store.owed(self._db, OWED_AT_ONCE)

    async def owed_by(self, race: int) -> Owed | None:
        """Returns what is to be told of *race*, or None."""
        return await store.owed_by(self._db, race)

    async def told(self, owed: Owed) -> None:
        """Notes that the people concerned have been told."""
        await self._db.write(store.told(owed))

    async def _set_voided(self, judge: Judge, race: int, *, voided: bool) -> RaceRecord:
        record = await self._find(judge, race)
        change = self._standings.void if voided else self._standings.restore
        also = self._also(judge, judge.entry(Deed.VOID if voided else Deed.RESTORE, race=race))

        async def stands_so() -> bool:
            return (await self._standings.verdict(race)).is_voided is voided

        await self._attempt(judge, lambda: change(race, judge.at, *also), stands_so)
        return record

    async def _set_disqualified(
        self, judge: Judge, race: int, player: int, *, disqualified: bool
    ) -> RaceRecord:
        record = await self._find(judge, race)
        if record.race.find(player) is None:
            raise NotInThatRaceError
        change = self._standings.disqualify if disqualified else self._standings.reinstate
        deed = Deed.DISQUALIFY if disqualified else Deed.REINSTATE
        also = self._also(judge, judge.entry(deed, race=race, player=player))

        async def stands_so() -> bool:
            return (player in (await self._standings.verdict(race)).disqualified) is disqualified

        await self._attempt(judge, lambda: change(race, player, judge.at, *also), stands_so)
        return record

    def _also(self, judge: Judge, entry: Entry) -> tuple[Statement, ...]:
        assert entry.race is not None
        return (*judge.marks, store.insert(entry), store.owe(entry.race))

    async def _attempt(
        self,
        judge: Judge,
        change: Callable[[], Awaitable[None]],
        stands_so: Callable[[], Awaitable[bool]],
    ) -> None:
        """Makes a *change*, again if somebody else's came between, unless it *stands so* already."""
        for _ in range(TRIES):
            try:
                return await change()
            except ConflictError:
                if judge.marks and await attempts.is_handled(self._db, judge.id):
                    raise HandledError from None
                if await stands_so():
                    raise AlreadyJudgedError from None
            except StoreError as error:
                raise UnavailableError from error
        raise UnavailableError

    async def _find(self, judge: Judge, race: int) -> RaceRecord:
        record = await self._races.find(race)
        if not judge.reaches(record.guild):
            raise UnknownRaceError
        return record
