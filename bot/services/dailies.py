"""The daily challenge: one deal a day and game for everybody, made once, secret, and played once for points.

A day is one of UTC, in days since 1970, by the clock of this machine; *now* is passed in, in milliseconds since
1970. What has happened is never undone by a clock that is set: a day keeps its deals, and one that was closed
stays closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from typing import Final

from bot.errors import (
    DailyClosedError,
    DailyNotOverError,
    DailySpentError,
    NoDailyError,
    UnavailableError,
    UnknownGameKeyError,
)
from bot.periods import DAY, day_of
from bot.services.attempts import Attempts
from bot.services.pool import Pool, is_certifiable
from bot.services.press import Press
from bot.services.prover import Prover
from bot.store import attempts as attempt_store
from bot.store import dailies as store
from bot.store import privacy, results
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.dailies import Daily
from bot.store.database import ConflictError, Database, Statement
from bot.store.deals import Ready
from engine import GAMES, Rules, random_seed

LATE: Final = 60 * 60_000
"""How long after its day an attempt that was begun in time may be finished, in milliseconds."""
PATIENCE: Final = 60_000
"""How long a deal of today may wait for its certificate, in milliseconds."""
PROOF: Final = 1.0
"""How many seconds a player may wait for it who is the first to want that deal."""
TRIES: Final = 5
"""How often a deal is made anew because another process was faster."""

DAILY_GAMES: Final[tuple[Rules, ...]] = tuple(rules for rules in GAMES if rules.key == rules.base)
"""The games of which there is a deal each day."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's attempt at a daily: of which day it is, and whether it has only just begun."""

    record: AttemptRecord
    day: int
    is_new: bool = False


def featured(day: int) -> Rules:
    """Returns the featured game of *day*: one for each day of the week, never the same on two days in a row.

    The last games come first, so that those that leave a choice have the weekend as well.
    """
    games, weekday = DAILY_GAMES[::-1], (day + 3) % 7  # 1970 began on a Thursday
    return games[weekday if weekday < len(games) else 1 + (weekday - len(games)) % (len(games) - 1)]


def ends_at(day: int) -> int:
    """Returns the instant at which *day* ends and the next one begins."""
    return (day + 1) * DAY


def closes_at(day: int) -> int:
    """Returns the last instant at which a move in a daily of *day* counts."""
    return ends_at(day) + LATE


def daily_game(key: str) -> Rules:
    """Returns the game of dailies with this *key*.

    :raises UnknownGameKeyError: if there is none.
    """
    for rules in DAILY_GAMES:
        if rules.key == key:
            return rules
    raise UnknownGameKeyError(key)


def _is_settled(daily: Daily) -> bool:
    """Tells whether a daily is not made anew: it has been opened, or it is still by the rules of today."""
    return daily.is_opened or daily.rules in DAILY_GAMES


class Dailies:
    """The dailies in the database."""

    def __init__(self, db: Database, attempts: Attempts, pool: Pool, prover: Prover) -> None:
        self._db = db
        self._attempts = attempts
        self._pool = pool
        self._prover = prover
        self._opened: int | None = None
        self._prepared: int | None = None
        self._begun: tuple[int, int] | None = None
        """The day that is being prepared, and since when."""

    async def find(self, day: int, game: str) -> Daily:
        """Returns the daily of *day* for the game with this key.

        :raises UnknownGameKeyError: if there is no such game.
        :raises NoDailyError: if there was no deal on that day.
        """
        daily_game(game)
        found = await store.load(self._db, day, game)
        if not found:
            raise NoDailyError(day)
        return found[0]

    async def today(self, game: str, now: int) -> Daily:
        """Returns today's daily, made now if nobody has made it; it is certified unless that takes too long.

        :raises UnknownGameKeyError: if there is no such game.
        """
        rules, day = daily_game(game), day_of(now)
        for _ in range(TRIES):
            found = await store.load(self._db, day, game)
            if found and _is_settled(found[0]):
                if not found[0].is_opened:
                    await self._db.write(store.open_day(day, now))
                return found[0]
            await self._make(day, rules, now)
        raise UnavailableError

    async def prepare(self, now: int) -> None:
        """Makes the deals of today and tomorrow, as soon as they can be certified.

        So there is a whole day to certify a deal. What cannot be certified once its day goes on is made without.
        """
        today = day_of(now)
        if self._prepared == today:
            return
        if self._begun is None or self._begun[0] != today:
            self._begun = (today, now)
        complete = True
        for day in (today, today + 1):
            made = await store.load(self._db, day)
            settled = {daily.rules.key for daily in made if _is_settled(daily)}
            missing = [rules for rules in DAILY_GAMES if rules.key not in settled]
            for rules in missing:
                waits = day > today or now - self._begun[1] < PATIENCE
                await self._make(day, rules, now, certified=waits and is_certifiable(rules))
            complete = complete and not missing
        if self._opened != today:
            await self._db.write(store.open_day(today, now))
            self._opened = today
        if complete:
            self._prepared = today

    async def play(self, press: Press, game: str, now: int, *, guild: int | None = None) -> Seat:
        """Returns the player's attempt at today's daily, a new one at the first call; its clock starts with *press*.

        One at yesterday's that still goes on comes first. *guild* is the server on whose boards it counts.

        :raises UnknownGameKeyError: if there is no such game.
        :raises DailyClosedError: if today's is closed already, since the clock was wrong.
        :raises DailySpentError: if the player had begun it before having everything deleted.
        :raises UnknownGameError: if its rules have been corrected since it was opened.
        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        day = day_of(now)
        daily_game(game)
        running = await store.running(self._db, press.player, game, day - 1)
        if running is not None:
            record = await self._attempts.find(running, player=press.player)
            return Seat(record, record.day or day)
        daily = await self.today(game, now)
        own = await store.entry(self._db, day, game, press.player)
        if own is not None:
            return Seat(await self._attempts.find(own.attempt, player=press.player), day)
        # By Discord's clock, to which the player's moves are held; a clock of ours that is far behind it cannot be.
        left = closes_at(day) - press.at
        also: list[Statement] = [store.check_open(day, game, press.player)]
        if guild is not None:
            also += [results.join(press.player, guild), attempt_store.note_guild(press.interaction, guild)]
        try:
            record = await self._attempts.begin(
                press,
                daily.rules,
                daily.seed,
                purpose=Purpose.DAILY,
                ranked=True,
                day=day,
                limit=left if left > 0 else closes_at(day) - now,
                also=also,
            )
        except ConflictError:
            own = await store.entry(self._db, day, game, press.player)
            if own is None:
                is_spent = await privacy.has_spent(self._db, press.player, day, game)
                raise (DailySpentError if is_spent else DailyClosedError) from None
            return Seat(await self._attempts.find(own.attempt, player=press.player), day)
        return Seat(record, day, is_new=True)

    async def again(self, press: Press, day: int, game: str) -> AttemptRecord:
        """Returns a new attempt at a daily that counts for nothing, for one who is done with it or after its day.

        :raises NoDailyError: if there was no deal on that day.
        :raises DailyNotOverError: if the player is not done and the day is not over.
        :raises HandledError: if this very press has been handled.
        """
        daily = await self.find(day, game)
        if not await self.may_see(press.player, day, game):
            raise DailyNotOverError(closes_at(day))
        own = await store.entry(self._db, day, game, press.player)
        purpose = Purpose.ARCHIVE if own is None else Purpose.PRACTICE
        return await self._attempts.begin(press, daily.rules, daily.seed, purpose=purpose, day=day)

    async def is_running(self, player: int, day: int, game: str) -> bool:
        """Tells whether *player* has begun a daily and is not done."""
        own = await store.entry(self._db, day, game, player)
        return own is not None and own.result is None

    async def is_sealed(self, day: int, game: str) -> bool:
        """Tells whether the seed of a daily is still a secret."""
        found = await store.load(self._db, day, game)
        return bool(found) and not found[0].is_closed

    async def may_see(self, player: int, day: int, game: str) -> bool:
        """Tells whether *player* may see how others did at a daily: whoever is done, and all once it is closed."""
        return await store.is_open_to(self._db, player, day, game)

    async def games(self, day: int) -> list[Rules]:
        """Returns the games of which there is a daily of *day*."""
        return [daily.rules for daily in await store.load(self._db, day)]

    async def archive(self, limit: int) -> list[int]:
        """Returns the last *limit* days that are over, the newest first."""
        return await store.closed_days(self._db, limit)

    async def _make(self, day: int, rules: Rules, now: int, *, certified: bool = False) -> None:
        """Makes the deal of *day*, unless somebody else does; if *certified*, then not without a certificate."""
        drawn = await self._pool.draw(rules)
        ready = drawn or await self._prove(rules)
        if ready is None and certified:
            return
        seed = random_seed(secrets.randbelow) if ready is None else ready.seed
        daily = Daily(day, rules, seed, None if ready is None else ready.band)
        claim = () if drawn is None else (self._pool.claim(rules, drawn),)
        opened = (store.open_day(day, now),) if day == day_of(now) else ()
        try:
            await self._db.write(*claim, store.insert(daily, now), *opened)
        except ConflictError:
            return

    async def _prove(self, rules: Rules) -> Ready | None:
        """Returns a deal that is proved now, since the pool is empty, or None if that takes too long."""
        if not is_certifiable(rules):
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PROOF):
                for _ in range(TRIES):
                    seed = random_seed(secrets.randbelow)
                    proof = await self._prover.prove(rules, seed)
                    if proof.band is not None:
                        return Ready(seed, proof.band)
        return None
