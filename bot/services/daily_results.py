"""The results of a daily as one player may see them: nothing but the turnout before that player is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.services.attempts import Attempts
from bot.services.dailies import Dailies
from bot.services.day_ends import DayEnds
from bot.store import dailies as daily_store
from bot.store import daily_boards as store
from bot.store import moderation as judgements
from bot.store.dailies import Daily, Entry
from bot.store.daily_boards import Line, Rank
from bot.store.database import Database
from bot.store.moderation import Entry as Judgement
from engine import Result
from engine.scoring import daily_merit
from engine.streaks import Streak

PAGE: Final = 10
"""How many lines of the standings of a server are shown at once."""
BEST: Final = 3
"""How many of the best of everywhere are named."""
BARS: Final = 12
"""How many bars a chart has at most."""
STEPS: Final = tuple(
    seconds * 1000 for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
)
"""The widths that bars of times may have, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings with its *place*, which equal lines share (1, 1, 3)."""

    place: int
    line: Line


@dataclass(frozen=True, slots=True)
class Table:
    """A part of the standings of a server: *total* lines in all, the *own* place or None."""

    places: tuple[Place, ...]
    page: int
    total: int
    own: int | None

    @property
    def pages(self) -> int:
        """How many pages there are, one at least."""
        return max(1, -(-self.total // PAGE))


@dataclass(frozen=True, slots=True)
class Chart:
    """How many players did how well: times if *is_time*, else cards left; *own* is the index of the asker's bar."""

    counts: tuple[int, ...]
    labels: tuple[str, ...]
    own: int | None
    is_time: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """What is sealed until one is done: *home* is None where the asker is on no server.

    *world* tells where the asker stands everywhere, *points* the match points in per cent, as they stand or as
    they were fixed; both are None for one who has no place, as nobody has in a void daily. *best* are the best of
    those who are listed.
    """

    home: Table | None
    world: Rank | None
    points: Fraction | None
    best: tuple[Place, ...]
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class DailyView:
    """A daily as one player may see it: *figures* are None while they are sealed for that player.

    *began* have begun it, *done* of them are done. *course* is the asker's own play: (ms since the start, cards
    left) at the start and after each event. *judgement* is what took the asker out of it.
    """

    daily: Daily
    began: int
    done: int
    own: Entry | None
    streak: Streak
    course: tuple[tuple[int, int], ...] = ()
    figures: Figures | None = None
    judgement: Judgement | None = None


class DailyResults:
    """Puts together what is shown of dailies."""

    def __init__(self, db: Database, attempts: Attempts, dailies: Dailies, ends: DayEnds) -> None:
        self._db = db
        self._attempts = attempts
        self._dailies = dailies
        self._ends = ends

    async def show(
        self, day: int, game: str, player: int, now: int, *, guild: int | None = None, page: int = 0
    ) -> DailyView:
        """Returns the daily of *day* as *player* may see it, with a *page* of the standings of the server *guild*.

        :raises UnknownGameKeyError: if there is no such game.
        :raises NoDailyError: if there was no deal on that day.
        """
        daily = await self._dailies.find(day, game)
        began, done = await daily_store.turnout(self._db, day, game)
        own = await daily_store.entry(self._db, day, game, player)
        streak = await self._ends.streak(player, now)
        result = None if own is None else own.result
        if result is None and not daily.is_closed:
            return DailyView(daily, began, done, own, streak)
        course = () if own is None or result is None else await self._attempts.timeline(own.attempt, result)
        figures = await self._figures(daily, own, guild, page)
        is_out = own is not None and own.is_disqualified
        judgement = await judgements.of_daily(self._db, day, game, player) if is_out else None
        return DailyView(daily, began, done, own, streak, course, figures, judgement)

    async def podium(self, day: int, game: str, guild: int) -> tuple[Place, ...]:
        """Returns the best of the server *guild* who played a daily to its end, three of them at most."""
        found = await store.lines(self._db, day, game, limit=BEST, guild=guild, played_out=True)
        return tuple(_placed(found, 1))

    async def _figures(self, daily: Daily, own: Entry | None, guild: int | None, page: int) -> Figures:
        day, game = daily.day, daily.rules.key
        placed = None if own is None or own.is_disqualified or daily.is_voided else own.result
        world = None if placed is None else await store.rank(self._db, day, game, daily_merit(placed))
        best = []
        for each in await store.lines(
            self._db, day, game, limit=0 if daily.is_voided else BEST, played_out=True
        ):
            better = (await store.rank(self._db, day, game, daily_merit(each.result))).better
            best.append(Place(better + 1, each))
        return Figures(
            home=None if guild is None else await self._table(daily, placed, guild, page),
            world=world,
            points=None if world is None else points_of(world),
            best=tuple(best),
            chart=await self._chart(daily, placed),
        )

    async def _table(self, daily: Daily, own: Result | None, guild: int, page: int) -> Table:
        day, game = daily.day, daily.rules.key
        total = await store.count_at_home(self._db, day, game, guild)
        page = min(page, max(0, (total - 1) // PAGE))
        found = await store.lines(self._db, day, game, limit=PAGE, skip=page * PAGE, guild=guild)
        first = 1
        if found and page:
            merit = daily_merit(found[0].result)
            first = (await store.rank(self._db, day, game, merit, guild=guild)).better + 1
        mine = None
        if own is not None:
            mine = (await store.rank(self._db, day, game, daily_merit(own), guild=guild)).better + 1
        return Table(tuple(_placed(found, first, skipped=page * PAGE)), page, total, mine)

    async def _chart(self, daily: Daily, own: Result | None) -> Chart | None:
        """Returns the chart that tells most: times, where most have as many cards left, else the cards left."""
        counts = await store.cards_left(self._db, daily.day, daily.rules.key)
        if not counts:
            return None
        counted = own if own is not None and own.cards_left in counts else None
        cards = max(counts, key=lambda each: counts[each]) if counted is None else counted.cards_left
        if 2 * counts[cards] < sum(counts.values()):
            return cards_chart(counts, None if counted is None else counted.cards_left)
        times = await store.times(self._db, daily.day, daily.rules.key, cards)
        mine = None if counted is None or counted.time not in times else counted.time
        return times_chart(times, mine)


def points_of(rank: Rank) -> Fraction | None:
    """Returns the match points of one who stands so, in per cent, or None in a field of one."""
    if rank.field < 2:
        return None
    beaten = rank.field - 1 - rank.better - rank.equal
    return Fraction(100 * (2 * beaten + rank.equal), 2 * (rank.field - 1))


def cards_chart(counts: dict[int, int], own: int | None) -> Chart:
    """Returns the chart of cards left: a bar for none at all, and bars of equal width for the rest."""
    width = -(-max(counts) // (BARS - 1)) or 1
    last = -(-max(counts) // width)
    bars = [0] * (last + 1)
    for cards, count in counts.items():
        bars[-(-cards // width)] += count
    labels = ["0"]
    for bar in range(1, last + 1):
        low, high = (bar - 1) * width + 1, bar * width
        labels.append(str(low) if low == high else f"{low}-{high}")
    mine = None if own is None else -(-own // width)
    return Chart(tuple(bars), tuple(labels), mine, is_time=False)


def times_chart(times: Sequence[int], own: int | None) -> Chart:
    """Returns the chart of times: bars of a round width; the last one has all that are far longer than most."""
    ordered = sorted(times)
    most = ordered[(len(ordered) - 1) * 9 // 10]
    step = next((step for step in STEPS if most // step - ordered[0] // step < BARS - 1), STEPS[-1])
    first = ordered[0] // step
    last = min(ordered[-1] // step - first, BARS - 1)
    bars = [0] * (last + 1)
    for time in ordered:
        bars[min(time // step - first, last)] += 1
    labels = [_clock((first + bar) * step) for bar in range(last + 1)]
    if ordered[-1] // step - first > last:
        labels[-1] += "+"
    mine = None if own is None else min(own // step - first, last)
    return Chart(tuple(bars), tuple(labels), mine, is_time=True)


def _clock(milliseconds: int) -> str:
    """Returns a time as ``m:ss``, or as ``h:mm:ss`` from an hour on."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _placed(lines: Sequence[Line], first: int, *, skipped: int = 0) -> list[Place]:
    """Returns *lines*, which are in order, with their places; *first* is that of the first one."""
    merits = [daily_merit(line.result) for line in lines]
    found = []
    for index, line in enumerate(lines):
        equal = merits.index(merits[index])
        found.append(Place(first if equal == 0 else skipped + equal + 1, line))
    return found
