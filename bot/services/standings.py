"""Standings: what finished races count for, and what follows when a moderator changes that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bot.errors import RaceNotFinishedError, UnavailableError, UnknownRaceError
from bot.periods import day_of, periods_of
from bot.services.press import save
from bot.services.ratings import LEAST_FIELD, Ratings, is_old_enough
from bot.store import players as player_store
from bot.store import races as race_store
from bot.store import ratings as rating_store
from bot.store import results as store
from bot.store import standings as boards
from bot.store.database import ConflictError, Database, Statement
from bot.store.races import RaceRecord
from bot.store.results import ALL_GAMES, Rated, ResultRow, Standing
from engine import Entrant, Phase, Race
from engine.race import rank

TRIES = 8
"""How often is written anew what another process writes at the same time, or what it has made out of date."""
COUNTED_AT_ONCE = 20
"""How many finished races are entered before others get their turn."""
RATED_AT_ONCE = 100
"""How many races are rated before others get their turn."""
FORGOTTEN_AT_ONCE = 500
"""How many lines of past periods are deleted at once."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a finished race came to beside its play: whether it is *voided*, who is out of it, the new *ratings*."""

    is_voided: bool = False
    disqualified: frozenset[int] = frozenset()
    ratings: Mapping[int, Rated] = field(default_factory=dict)


class Standings:
    """The standings in the database. Whatever of it is interrupted is taken up again by :meth:`work`."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.ratings = Ratings(db)

    async def verdict(self, race: int, now: int = 0) -> Verdict:
        """Returns what the finished *race* came to; its results are entered and rated first, if they are not yet.

        *now* is as for :meth:`count`.

        :raises UnknownRaceError: if there is none.
        :raises RaceNotFinishedError: if it is not finished.
        """
        await self.count(race, now)
        await self.ratings.rate(race)
        standing = await self._standing(race)
        return Verdict(
            standing.is_voided, standing.disqualified, MappingProxyType(await store.ratings(self._db, race))
        )

    async def count(self, race: int, now: int = 0) -> None:
        """Enters the results of the finished *race*, once however often and by however many this is called.

        The boards of those who are new on its server are made anew for the periods of *now* (ms since 1970), which
        may be later ones than those in which the race ended.

        :raises UnknownRaceError: if there is none.
        :raises RaceNotFinishedError: if it is not finished.
        :raises UnavailableError: if it changes again and again meanwhile.
        """
        for _ in range(TRIES):
            record, standing = await self._load(race)
            if standing.is_counted:
                return
            try:
                await self._db.write(*await self._entered(record, standing, now))
            except ConflictError:
                continue  # another process has entered them, or what they follow from has changed
            return
        raise UnavailableError

    async def _entered(self, record: RaceRecord, standing: Standing, now: int) -> list[Statement]:
        """Returns what enters the results of a race, and what follows from them."""
        start = record.race.start_at or 0
        aged = {each.player: is_old_enough(each.player, start) for each in record.race.entrants}
        rows = rows_of(record, standing, aged)
        players = [row.player for row in rows]
        new = await store.non_members(self._db, record.guild, players)
        at_home = await store.has_dailies(self._db, new)
        statements = [store.mark_counted(record.id, record.revision), *map(store.insert, rows)]
        statements += [store.join(player, record.guild) for player in new]
        statements.append(boards.add_race(record.id, periods_of(day_of(_ended_at(record)))))
        for player in at_home:  # the boards of this server get this player's dailies as well
            statements += boards.rebuild(player, list(periods_of(day_of(max(now, _ended_at(record))))))
        return statements

    async def work(self, now: int = 0) -> None:
        """Enters and rates what finished races are still to be, the oldest first; *now* as for :meth:`count`."""
        for race in await store.uncounted(self._db, COUNTED_AT_ONCE):
            await self.count(race, now)
        await self.ratings.work(RATED_AT_ONCE)

    async def clean(self, now: int) -> None:
        """Deletes some lines of the boards of past periods."""
        await self._db.write(*boards.forget_passed(day_of(now), FORGOTTEN_AT_ONCE))

    async def void(self, race: int, now: int, *also: Statement) -> None:
        """Takes the finished *race* out of all counts; *also* is written with it.

        :raises UnknownRaceError: if there is none.
        :raises RaceNotFinishedError: if it is not finished.
        :raises ConflictError: if it is voided already, or *also* fails.
        :raises UnavailableError: if nothing can be saved.
        """
        change = store.set_voided(race, voided=True)
        await self._judge(race, now, lambda standing: replace(standing, is_voided=True), change, *also)

    async def restore(self, race: int, now: int, *also: Statement) -> None:
        """Takes the voided *race* back into all counts, at its old place in time; raises like :meth:`void`."""
        change = store.set_voided(race, voided=False)
        await self._judge(race, now, lambda standing: replace(standing, is_voided=False), change, *also)

    async def disqualify(self, race: int, player: int, now: int, *also: Statement) -> None:
        """Takes *player* out of the finished *race*, so that the others move up; raises like :meth:`void`."""

        def without(standing: Standing) -> Standing:
            return replace(standing, disqualified=standing.disqualified | {player})

        change = store.set_disqualified(race, player, disqualified=True)
        await self._judge(race, now, without, change, *also)

    async def reinstate(self, race: int, player: int, now: int, *also: Statement) -> None:
        """Takes *player* back into the finished *race*; raises like :meth:`void`."""

        def with_player(standing: Standing) -> Standing:
            return replace(standing, disqualified=standing.disqualified - {player})

        change = store.set_disqualified(race, player, disqualified=False)
        await self._judge(race, now, with_player, change, *also)

    async def tally_players(self, players: Iterable[int], now: int) -> None:
        """Makes the lines of *players* on all boards anew, from their races, dailies and streaks."""
        periods = list(periods_of(day_of(now)))
        for player in players:
            await self._tally([player_store.hold(player), *boards.rebuild(player, periods)])

    async def _tally(self, lines: Sequence[Statement]) -> None:
        """Writes *lines*, again if another process has written some of them meanwhile: they follow from the rest."""
        for _ in range(TRIES - 1):
            try:
                return await self._db.write(*lines)
            except ConflictError:
                continue
        return await self._db.write(*lines)

    async def _judge(
        self, race: int, now: int, verdict: Callable[[Standing], Standing], *changes: Statement
    ) -> None:
        """Writes *changes* and all that follows from them for a race that stands as *verdict* has it from now on."""
        await self.count(race, now)
        record, before = await self._load(race)
        rows = rows_of(record, verdict(before), await store.ages(self._db, race))
        periods = list(periods_of(day_of(now)))
        # The revision keeps two moderators, who have both read what stood before, from undoing one another.
        statements = [*changes, store.revise(race, record.revision)]
        for row in rows:
            statements += store.change(row)
        for row in rows:
            statements += [
                rating_store.mark_next(row.player, row.at, race, row.board),
                rating_store.mark_next(row.player, row.at, race, ALL_GAMES),
                *boards.rebuild(row.player, periods),
            ]
        await save(self._db, *statements)

    async def _load(self, race: int) -> tuple[RaceRecord, Standing]:
        record = await race_store.load(self._db, race)
        if record is None:
            raise UnknownRaceError
        if record.race.phase is not Phase.FINISHED:
            raise RaceNotFinishedError
        return record, await self._standing(race)

    async def _standing(self, race: int) -> Standing:
        standing = await store.standing(self._db, race)
        if standing is None:
            raise UnknownRaceError
        return standing


def placings(race: Race, disqualified: frozenset[int]) -> tuple[tuple[int | None, Entrant], ...]:
    """Returns the entrants who are done in order of merit with their places, those without a place last."""
    done = [entrant for entrant in race.entrants if entrant.result is not None]
    fair = rank(entrant for entrant in done if entrant.player not in disqualified)
    out = rank(entrant for entrant in done if entrant.player in disqualified)
    return (*((each.place, each.entrant) for each in fair), *((None, each.entrant) for each in out))


def rows_of(record: RaceRecord, standing: Standing, aged: Mapping[int, bool]) -> list[ResultRow]:
    """Returns what each entrant of a finished race counts for.

    A race counts if it is ranked, not voided, and two or more are still in it. First with somebody behind is a
    win, shared or not, but not by giving up. Ratings concern accounts that are *aged*, two or more of them.
    """
    fair = [entrant for entrant in record.race.entrants if entrant.player not in standing.disqualified]
    places = {each.entrant.player: each.place for each in rank(fair)}
    last = max(places.values(), default=1)
    is_counted = record.ranked and not standing.is_voided and len(fair) > 1
    is_rated = is_counted and sum(aged[each.player] for each in fair) >= LEAST_FIELD
    return [
        _row(
            record,
            entrant,
            place=places.get(entrant.player),
            last=last,
            is_aged=aged[entrant.player],
            is_counted=is_counted and entrant in fair,
            is_rated=is_rated and entrant in fair and aged[entrant.player],
        )
        for entrant in record.race.entrants
    ]


def _row(
    record: RaceRecord,
    entrant: Entrant,
    *,
    place: int | None,
    last: int,
    is_aged: bool,
    is_counted: bool,
    is_rated: bool,
) -> ResultRow:
    result = entrant.result
    gave_up = result is None or result.is_forfeit
    return ResultRow(
        race=record.id,
        player=entrant.player,
        attempt=entrant.attempt,
        guild=record.guild,
        board=boards.board_of(record.rules),
        at=_ended_at(record),
        is_aged=is_aged,
        place=place,
        is_counted=is_counted,
        is_win=is_counted and place == 1 and last > 1 and not gave_up,
        best=result.time if is_counted and result is not None and result.is_won else None,
        is_rated=is_rated,
    )


def _ended_at(record: RaceRecord) -> int:
    return record.ended_at or record.race.deadline or 0
