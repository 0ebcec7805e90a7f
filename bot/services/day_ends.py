"""The end of a daily: attempts that were abandoned, places and match points, streaks, and later judgements.

Each step is saved by itself and can be done again, so that whatever is interrupted goes on where it stood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from bot.errors import UnavailableError
from bot.periods import DAY, Span, period_of
from bot.services.attempts import Attempts
from bot.services.dailies import LATE
from bot.services.standings import Standings
from bot.store import dailies as store
from bot.store import players as player_store
from bot.store import streaks as streak_store
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.dailies import Daily, Entry
from bot.store.database import ConflictError, Database, Row, Statement
from bot.store.standings import board_of
from engine.race import GRACE
from engine.scoring import daily_merit, in_units, match_points, places
from engine.streaks import Streak, streak

AT_ONCE: Final = 200
"""How many results or streaks are saved at once."""
MANY: Final = 2_000
"""From how many results on the points are worked out beside the loop."""
TRIES: Final = 8
"""How often a judgement is tried again after another one came between."""


def first_open(now: int) -> int:
    """Returns the first day that is not over yet, the time for late moves included."""
    return (now - LATE - GRACE) // DAY


class DayEnds:
    """Closes the dailies of days that are over, and keeps what follows from them."""

    def __init__(self, db: Database, attempts: Attempts, standings: Standings) -> None:
        self._db = db
        self._attempts = attempts
        self._standings = standings

    async def work(self, now: int) -> None:
        """Does what is due at the ends of all days that are over, the oldest first; *now* is by Discord's clock.

        A day stays open while one of its attempts goes on.
        """
        for day in await store.due(self._db, first_open(now)):
            for attempt in await store.unfinished(self._db, day):
                await self._attempts.run_out(attempt, now - GRACE)
            if await store.unfinished(self._db, day):
                continue
            for daily in await store.load(self._db, day):
                if not daily.is_closed:
                    await self._close(daily, now)
            closed = [daily for daily in await store.load(self._db, day) if daily.is_closed]
            at_stake = await streak_store.streaks_at_stake(self._db, first_open(now) - 1)
            await self._hand_in({*await streak_store.players_of(self._db, day), *at_stake}, now)
            await self._db.write(*map(store.hand_in, closed))

    async def finished(self, record: AttemptRecord, now: int) -> None:
        """Follows up on the end of an attempt: the streak of one who has played a daily to its end."""
        if record.purpose is Purpose.DAILY and record.attempt.is_over:
            await self.follow(record.player, now)

    async def follow(self, player: int, now: int) -> None:
        """Keeps the streak of *player* as it stands, and makes the lines on the boards anew."""
        await self._hand_in({player}, now)

    async def streak(self, player: int, now: int) -> Streak:
        """Returns the streak of *player* as it stands."""
        return (await self._streaks(await streak_store.days_played(self._db, {player}), now))[player]

    async def disqualify(self, day: int, game: str, player: int, now: int, *also: Statement) -> None:
        """Takes *player* out of a daily, so that the others move up; *also* is written with it.

        :raises ConflictError: if the player has no part in it or is out already, or *also* fails.
        """
        await self._take_out(day, game, player, now, also, out=True)

    async def reinstate(self, day: int, game: str, player: int, now: int, *also: Statement) -> None:
        """Takes *player* back into a daily; raises like :meth:`disqualify`."""
        await self._take_out(day, game, player, now, also, out=False)

    async def void(self, day: int, game: str, now: int, *also: Statement) -> None:
        """Takes a closed daily out of all counts but streaks; *also* is written with it.

        :raises ConflictError: if there is no such daily, it is not closed or is void already, or *also* fails.
        """
        await self._judge(day, game, now, also, voided=True)

    async def restore(self, day: int, game: str, now: int, *also: Statement) -> None:
        """Takes a void daily back into all counts; raises like :meth:`void`."""
        await self._judge(day, game, now, also, voided=False)

    async def _close(self, daily: Daily, now: int) -> None:
        entries = await store.entries(self._db, daily.day, daily.rules.key)
        rows = iter(await self._rows(daily, entries))
        try:
            while some := list(islice(rows, AT_ONCE)):
                await self._db.write(store.check_unclosed(daily), *some)
            await self._db.write(store.close(daily, now))
        except ConflictError:
            # Another process has closed it, with the same rows. Or it was judged, or one who played it has had
            # everything deleted: then it is closed the next time.
            return

    async def _take_out(
        self, day: int, game: str, player: int, now: int, also: Sequence[Statement], *, out: bool
    ) -> None:
        for _ in range(TRIES):
            daily = await self._find(day, game)
            own = await store.entry(self._db, day, game, player)
            if own is None:
                raise ConflictError(0, "the player has no part in it, or no longer")
            change = store.set_disqualified(own.attempt, disqualified=out)
            entries = [
                replace(each, is_disqualified=out) if each.player == player else each
                for each in await store.entries(self._db, day, game)
            ]
            # Noted in an open daily as well, so that who closes it at this moment does not do so with what was before.
            statements = [change, *also, store.judge(daily, is_voided=daily.is_voided)]
            if daily.is_closed:
                statements += await self._rows(daily, entries)
            if await self._write(statements, retry_from=len(also) + 1):
                break
        else:
            raise UnavailableError
        if daily.is_closed:
            await self._follow(daily, entries, now)
        else:
            await self.follow(player, now)

    async def _judge(self, day: int, game: str, now: int, also: Sequence[Statement], *, voided: bool) -> None:
        for _ in range(TRIES):
            daily = await self._find(day, game)
            if not daily.is_closed or daily.is_voided == voided:
                raise ConflictError(0, "the daily is not closed, or stands so already")
            entries = await store.entries(self._db, day, game)
            rows = await self._rows(replace(daily, is_voided=voided), entries)
            if await self._write([*also, store.judge(daily, is_voided=voided), *rows], retry_from=len(also)):
                return await self._follow(daily, entries, now)
        raise UnavailableError

    async def _write(self, statements: Sequence[Statement], *, retry_from: int) -> bool:
        """Saves *statements* and tells whether that went well; a conflict before *retry_from* is the caller's."""
        try:
            await self._db.write(*statements)
        except ConflictError as error:
            if error.index < retry_from:
                raise
            return False
        return True

    async def _follow(self, daily: Daily, entries: Iterable[Entry], now: int) -> None:
        """Brings boards and streaks up to date after a judgement; :meth:`work` does so too, if this is cut off."""
        await self._hand_in({each.player for each in entries}, now)
        await self._db.write(store.hand_in(replace(daily, revision=daily.revision + 1)))

    async def _find(self, day: int, game: str) -> Daily:
        found = await store.load(self._db, day, game)
        if not found:
            raise ConflictError(0, "there is no such daily")
        return found[0]

    async def _rows(self, daily: Daily, entries: Sequence[Entry]) -> list[Statement]:
        board = board_of(daily.rules)
        if len(entries) < MANY:
            found = rows_of(entries, is_voided=daily.is_voided)
        else:
            found = await asyncio.to_thread(rows_of, entries, is_voided=daily.is_voided)
        return [store.enter(row, board) for row in found]

    async def _hand_in(self, players: Collection[int], now: int) -> None:
        """Keeps the streaks of *players*, and makes their lines on the boards anew."""
        rest = iter(sorted(players))
        while some := list(islice(rest, AT_ONCE)):
            statements: list[Statement] = []
            played = await streak_store.days_played(self._db, some)
            for player, found in (await self._streaks(played, now)).items():
                if found.last_day is None:
                    statements.append(streak_store.forget_streak(player))
                else:
                    statements += [
                        player_store.hold(player),
                        streak_store.keep_streak(
                            player,
                            len(played[player]),
                            found.days,
                            found.longest,
                            found.last_day,
                            found.frozen,
                        ),
                    ]
            await self._db.write(*statements)
            await self._standings.tally_players(some, now)

    async def _streaks(self, played: Mapping[int, set[int]], now: int) -> dict[int, Streak]:
        today = first_open(now)
        since = min((min(days) for days in played.values() if days), default=today)
        barred = set(range(since, today)) - await store.opened_days(self._db, since, today)
        return {player: streak(days, today, month_of, barred=barred) for player, days in played.items()}


def month_of(day: int) -> int:
    """Returns the first day of the calendar month of *day*."""
    return period_of(Span.MONTH, day).first


def rows_of(entries: Iterable[Entry], *, is_voided: bool = False) -> list[Row]:
    """Returns (attempt, place, field, points) for each of the *entries* that is done.

    Who is disqualified has no place and no points, and makes the field smaller; in a void daily nobody has any.
    """
    done = [(each, each.result) for each in entries if each.result is not None]
    fair = [(each, result) for each, result in done if not each.is_disqualified]
    merits = [daily_merit(result) for _, result in fair]
    found: dict[int, tuple[int | None, int | None]] = {}
    if not is_voided:
        for (each, _), place, points in zip(fair, places(merits), match_points(merits), strict=True):
            found[each.player] = place, None if points is None else in_units(points)
    return [
        (each.attempt, place, len(fair), points)
        for each, _ in done
        for place, points in [found.get(each.player, (None, None))]
    ]
