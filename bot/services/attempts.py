"""Attempts: every press on a board, saved before it is answered and applied once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.errors import ForeignBoardError, NotStartedError, TimeOverError, UnknownBoardError
from bot.services.press import Press, refuse_handled, save
from bot.store import attempts as store
from bot.store import races
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.database import ConflictError, Database, Statement
from engine import Attempt, AttemptOverError, EngineError, Event, Result, Rules, find_game
from engine.attempt import timeline

_log = logging.getLogger(__name__)

Wish = Callable[[Attempt, int], tuple[Event, ...]]
CACHED = 100_000
"""How many positions of attempts are kept in memory at most: some 2,000 games; one position takes up to 1.3 KB."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a press came to: the attempt after it and the *events* that it added, none if it was stale."""

    record: AttemptRecord
    events: tuple[Event, ...] = ()

    @property
    def is_stale(self) -> bool:
        """Tells whether nothing was done, since the board had changed under the press."""
        return not self.events


class Attempts:
    """The attempts in the database, with the live ones kept at hand.

    The copy at hand is only ever a guess: an event is written under its number, so that it fails if another
    press, in this process or another, came first.
    """

    def __init__(self, db: Database, *, cached: int = CACHED) -> None:
        self._db = db
        self._cached = cached
        self._cache: OrderedDict[int, AttemptRecord] = OrderedDict()
        self._positions = 0

    async def find(self, attempt: int, *, player: int | None = None) -> AttemptRecord:
        """Returns the attempt named *attempt* as it stands in the store.

        :raises UnknownBoardError: if there is none.
        :raises ForeignBoardError: if it is not that of *player*, where one is given.
        """
        record = self._cache.get(attempt)
        fresh = await (self._load(attempt) if record is None else self._refresh(record))
        if player is not None:
            _check_owner(fresh, player)
        return fresh

    async def at(self, press: Press, attempt: int, seq: int) -> AttemptRecord:
        """Returns the attempt for a press on a board whose last event was numbered *seq*.

        The store is asked only if the copy at hand is not at that number: what is written on top of it is
        checked anyway.

        :raises UnknownBoardError: if there is no such attempt.
        :raises ForeignBoardError: if it is somebody else's.
        """
        record = self._cache.get(attempt) or await self._load(attempt)
        _check_owner(record, press.player)
        return record if record.attempt.seq == seq else await self._refresh(record)

    async def act(self, press: Press, attempt: int, seq: int, wish: Wish) -> Played:
        """Does what *wish* makes of the attempt, and returns it saved.

        *seq* is the number of the last event on the board that was pressed. If the attempt has moved on since,
        nothing is done.

        :raises UnknownBoardError: if there is no such attempt.
        :raises ForeignBoardError: if it is somebody else's.
        :raises NotStartedError: if its start has not come.
        :raises TimeOverError: if the press was made after its limit.
        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        :raises EngineError: what *wish* raises.
        """
        record = await self.at(press, attempt, seq)
        if record.attempt.seq != seq or record.attempt.is_over:
            return Played(record)
        if _is_late(record.attempt, press.at):
            record = await self._load(attempt)  # another process may have lengthened the limit
            if record.attempt.seq != seq or record.attempt.is_over:
                return Played(record)
        _check_time(record.attempt, press.at)
        events = wish(record.attempt, press.at)
        try:
            return await self._save(record, events, press)
        except ConflictError:
            await refuse_handled(self._db, press)
            return Played(await self._load(attempt))

    async def begin(
        self,
        press: Press,
        rules: Rules,
        seed: str,
        *,
        purpose: Purpose,
        ranked: bool = False,
        day: int | None = None,
        limit: int | None = None,
        also: Iterable[Statement] = (),
    ) -> AttemptRecord:
        """Returns a new attempt of the presser, whose clock starts with the press; *also* is written with it.

        :raises UnknownGameError: if *rules* have been corrected since.
        :raises HandledError: if this very press has been handled.
        :raises ConflictError: if there is such an attempt already, or *also* fails.
        :raises UnavailableError: if nothing can be saved.
        """
        attempt = Attempt.begin(find_game(rules.key, rules.version), seed, start=press.at, limit=limit)
        record = AttemptRecord(press.interaction, press.player, purpose, attempt, ranked=ranked, day=day)
        try:
            await save(self._db, press.mark, press.seen, store.insert(record), *also)
        except ConflictError:
            await refuse_handled(self._db, press)
            raise
        return self._keep(record)

    async def newest_alone(self, player: int) -> AttemptRecord | None:
        """Returns the newest attempt of *player* without a race that goes on, else the newest practice, or None."""
        attempt = await store.newest_alone(self._db, player)
        return None if attempt is None else await self.find(attempt)

    async def timeline(self, attempt: int, result: Result) -> tuple[tuple[int, int], ...]:
        """Returns (time taken, cards left) at the start of an attempt and after each event (see the engine).

        Of a record that no longer replays nothing is known but its *result*.
        """
        try:
            own = (await self.find(attempt)).attempt
        except EngineError:
            return (0, result.cards_left), (result.time, result.cards_left)
        begun = Attempt.begin(own.rules, own.seed, start=own.start, limit=own.limit)
        return timeline(begun, await store.events(self._db, attempt))

    async def run_out(self, attempt: int, now: int) -> bool:
        """Ends the attempt if its time limit had passed at *now*, and tells whether it is over.

        One whose record no longer replays ends all the same: it must keep nobody else from an end.
        """
        try:
            while not (record := await self._load(attempt)).attempt.is_over:
                if not _is_late(record.attempt, now):
                    return False
                try:
                    await self._save(record, record.attempt.run_out())
                except (ConflictError, AttemptOverError):
                    self.forget(attempt)
        except EngineError:
            _log.exception("attempt %s does not replay", attempt)
            with contextlib.suppress(
                ConflictError
            ):  # somebody else has ended it, or has lengthened its limit
                await save(self._db, *store.end_unplayed(attempt, now))
            return not await store.is_open(self._db, attempt)
        return True

    def forget(self, attempt: int) -> None:
        """Drops the copy at hand, since what surrounds the attempt has changed."""
        if (record := self._cache.pop(attempt, None)) is not None:
            self._positions -= record.attempt.seq + 1

    async def _save(
        self, record: AttemptRecord, events: tuple[Event, ...], press: Press | None = None
    ) -> Played:
        after = record.attempt.extend(events)
        statements = store.append(record, events, after)
        if press is not None:
            statements.insert(0, press.mark)
        if after.is_over and record.race is not None:
            statements.append(races.leave_seat(record.race, record.player))
        await save(self._db, *statements)
        return Played(self._keep(record.with_attempt(after)), events)

    async def _load(self, attempt: int) -> AttemptRecord:
        record = await store.load(self._db, attempt)
        if record is None:
            raise UnknownBoardError
        return self._keep(record)

    async def _refresh(self, record: AttemptRecord) -> AttemptRecord:
        new, limit = await asyncio.gather(
            store.events(self._db, record.id, after=record.attempt.seq),
            store.time_limit(self._db, record.id),
        )
        if not new and limit == record.attempt.limit:
            return record
        return self._keep(record.with_attempt(replace(record.attempt, limit=limit).extend(new)))

    def _keep(self, record: AttemptRecord) -> AttemptRecord:
        newest = self._cache.get(record.id)
        if newest is not None and newest.attempt.seq > record.attempt.seq:
            return newest
        self.forget(record.id)
        self._cache[record.id] = record
        self._positions += record.attempt.seq + 1
        while self._positions > self._cached and len(self._cache) > 1:
            self.forget(next(iter(self._cache)))
        return record


def _check_owner(record: AttemptRecord, player: int) -> None:
    if record.player < 0:  # who owned it has had everything deleted
        raise UnknownBoardError
    if record.player != player:
        raise ForeignBoardError(record.player)


def _check_time(attempt: Attempt, at: int) -> None:
    if at < attempt.start:
        raise NotStartedError(attempt.start)
    if _is_late(attempt, at):
        raise TimeOverError


def _is_late(attempt: Attempt, at: int) -> bool:
    return attempt.deadline is not None and at > attempt.deadline
