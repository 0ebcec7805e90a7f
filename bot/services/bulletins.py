"""The daily posts: which servers want one, when it is due, and that each gets one a day, whatever happens.

The intent to post is saved before the post is sent. Whoever has saved it sends it; if it is not heard of again, it
is taken over, and looked for in the channel before it is sent once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import BadZoneError, NoDailySetupError
from bot.periods import DAY, day_of
from bot.services.dailies import DAILY_GAMES, featured
from bot.services.daily_results import DailyResults, Place
from bot.services.press import Press, save_press
from bot.store import bulletins as store
from bot.store import dailies as daily_store
from bot.store.bulletins import Post, Sending, Setup
from bot.store.database import ConflictError, Database
from engine import Rules

HOUR: Final = 9
"""The hour of the post where none is chosen."""
ZONE: Final = "UTC"
"""The zone of that hour where none is chosen."""
LEASE: Final = 60_000
"""How long who has announced a post has it to itself, in milliseconds."""
KEPT: Final = 60
"""How many days it is kept what has been posted."""
_EPOCH: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Bulletin:
    """What a daily post tells: the featured game of *day*, and how the day before has ended on that server.

    *podiums* has the games that were played there, the featured one first; it is None while that day is not over.
    """

    day: int
    featured: Rules
    podiums: tuple[tuple[Rules, tuple[Place, ...]], ...] | None
    role: int | None = None


@cache
def zones() -> tuple[str, ...]:
    """Returns the names of all time zones, in their order. The first call reads many files."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == ZONE))


def find_zones(text: str, limit: int) -> list[str]:
    """Returns at most *limit* time zones whose names contain *text*, those first in which a part begins with it."""
    wanted = text.strip().casefold().replace(" ", "_")
    found = [name for name in zones() if wanted in name.casefold()]
    begins = [name for name in found if any(part.startswith(wanted) for part in name.casefold().split("/"))]
    return [*begins, *(name for name in found if name not in begins)][:limit]


@lru_cache(maxsize=4096)
def due_at(day: int, hour: int, zone: str) -> int:
    """Returns the instant within the UTC *day* at which clocks in *zone* show that *hour*, in ms since 1970.

    An hour that comes twice counts when it comes first; one that is left out, when clocks have passed it. Where
    clocks are set back so that none of that hour lies within the day, it is the day's first instant.
    """
    here = ZoneInfo(zone)
    for offset in (-1, 0, 1):
        there = datetime.combine(_EPOCH + timedelta(days=day + offset), time(hour), here)
        instant = int(there.astimezone(UTC).timestamp()) * 1000
        if day_of(instant) == day:
            return instant
    return day * DAY


class Bulletins:
    """The daily posts in the database."""

    def __init__(self, db: Database, results: DailyResults) -> None:
        self._db = db
        self._results = results

    async def find(self, guild: int) -> Setup | None:
        """Returns what the server *guild* has chosen, or None."""
        return await store.find(self._db, guild)

    async def set_up(
        self,
        press: Press,
        guild: int,
        now: int,
        *,
        channel: int | None = None,
        hour: int | None = None,
        zone: str | None = None,
        role: int | None = None,
        without_role: bool = False,
        on: bool = True,
    ) -> Setup:
        """Returns what the server has chosen with what is chosen now, saved; what is None stays as it was.

        Posts are switched *on*, or off; *without_role* they ping nobody any more.

        :raises NoDailySetupError: if there is no channel yet and none is chosen.
        :raises BadZoneError: if there is no such zone.
        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        before = await store.find(self._db, guild)
        if before is None:
            if channel is None:
                raise NoDailySetupError
            before = Setup(guild, channel, HOUR, ZONE, since=now)
        if zone is not None and zone not in zones():
            raise BadZoneError
        after = replace(
            before,
            channel=before.channel if channel is None else channel,
            hour=before.hour if hour is None else hour,
            zone=before.zone if zone is None else zone,
            role=None if without_role else before.role if role is None else role,
            is_on=on,
            trouble=None,
        )
        if (after.hour, after.zone, after.is_on) != (before.hour, before.zone, before.is_on):
            after = replace(after, since=now)
        await self._write(press, after)
        return after

    async def next_post(self, setup: Setup, now: int) -> int:
        """Returns the instant of the next post of a server, in milliseconds since 1970."""
        day = day_of(now)
        waiting = any(each.guild == setup.guild for each in await store.without_post(self._db, day))
        today = due_at(day, setup.hour, setup.zone)
        if waiting and setup.since <= today:
            return max(now, today)
        return due_at(day + 1, setup.hour, setup.zone)

    async def due(self, now: int) -> list[Setup]:
        """Returns the servers whose post of today is due and has not been begun."""
        day = day_of(now)
        return [
            setup
            for setup in await store.without_post(self._db, day)
            if setup.since <= due_at(day, setup.hour, setup.zone) <= now
        ]

    async def announce(self, setup: Setup, now: int) -> Post | None:
        """Returns today's post of a server, which is the caller's to send now, or None if it is somebody else's."""
        post = Post(setup.guild, day_of(now), setup.channel, now, now)
        try:
            await self._db.write(store.intend(post))
        except ConflictError:
            return None
        return post

    async def lost(self, now: int) -> list[Post]:
        """Returns the posts of today that somebody has begun to send and nobody has heard of since."""
        return await store.unfinished(self._db, day_of(now), now - LEASE)

    async def take_over(self, post: Post, now: int) -> Post | None:
        """Returns a lost post, which is the caller's to look for and send now, or None if it is somebody else's."""
        try:
            await self._db.write(store.try_again(post, now))
        except ConflictError:
            return None
        return replace(post, tried_at=now, tries=post.tries + 1)

    async def is_waiting(self, post: Post) -> bool:
        """Tells whether *post* is still to be sent by the caller, and nobody has taken it over."""
        found = await store.load(self._db, post.guild, post.day)
        return found is not None and (found.state, found.tries) == (Sending.SENDING, post.tries)

    async def sent(self, post: Post, message: int, *, podium: bool) -> bool:
        """Keeps that *post* has been sent, and whether it has told how the day before has ended.

        Returns whether *message* is the one that is known now; another one may have come meanwhile, and stays.
        """
        done = replace(post, message=message, state=Sending.SENT, has_podium=podium)
        if await self._settle(post, done, None):
            return True
        found = await store.load(self._db, post.guild, post.day)
        return found is not None and found.message == message

    async def refused(self, post: Post, trouble: str) -> None:
        """Keeps that Discord does not take *post*, and why, for whoever can change that; unless it has been sent."""
        await self._settle(post, replace(post, state=Sending.REFUSED, has_podium=True), trouble)

    async def unfinished(self, now: int) -> Sequence[Post]:
        """Returns the posts of today that are to tell how the day before has ended, now that this is certain."""
        day = day_of(now)
        posts = await store.without_podium(self._db, day)
        return posts if posts and await self._is_over(day - 1) else ()

    async def write(self, post: Post, role: int | None = None) -> Bulletin:
        """Returns what *post* tells."""
        before, game = post.day - 1, featured(post.day - 1)
        podiums = None
        dailies = {daily.rules: daily for daily in await daily_store.load(self._db, before)}
        if all(daily.is_closed for daily in dailies.values()):
            games = sorted(DAILY_GAMES, key=lambda rules: rules != game)
            fair = [rules for rules in games if rules in dailies and not dailies[rules].is_voided]
            found = [(rules, await self._results.podium(before, rules.key, post.guild)) for rules in fair]
            podiums = tuple((rules, places) for rules, places in found if places)
        return Bulletin(post.day, featured(post.day), podiums, role)

    async def clean(self, now: int) -> None:
        """Deletes what has been posted long ago."""
        await self._db.write(store.forget_posts(day_of(now) - KEPT))

    async def _is_over(self, day: int) -> bool:
        return all(daily.is_closed for daily in await daily_store.load(self._db, day))

    async def _settle(self, before: Post, after: Post, trouble: str | None) -> bool:
        try:
            await self._db.write(
                store.settle(after, over=before.message), store.note_trouble(after.guild, trouble)
            )
        except ConflictError:
            return False
        return True

    async def _write(self, press: Press, setup: Setup) -> None:
        await save_press(self._db, press, store.keep(setup))
