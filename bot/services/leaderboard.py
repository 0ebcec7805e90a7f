"""Leaderboards: one page of a board, the asker's own line, and when it begins anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from bot.errors import UnknownGameKeyError
from bot.periods import ALL_TIME, Period, Span, day_of, period_of
from bot.store import players
from bot.store import standings as store
from bot.store.database import Database
from bot.store.results import ALL_GAMES
from bot.store.standings import EVERYWHERE, Line, Order
from engine import UnknownGameError, find_game

PAGE = 10
"""How many lines a page has."""


class Metric(StrEnum):
    """What a board is about."""

    RATING = "rating"
    WINS = "wins"
    POINTS = "points"
    TIME = "time"
    STREAK = "streak"


class Scope(StrEnum):
    """Whose results a board has."""

    SERVER = "server"
    WORLD = "world"


ORDERS: Mapping[Metric, Order] = MappingProxyType(
    {
        Metric.RATING: store.RATING,
        Metric.WINS: store.WINS,
        Metric.POINTS: store.MEAN,
        Metric.TIME: store.BEST,
        Metric.STREAK: store.STREAK,
    }
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which board is asked for; *game* is a game's key, or None for all games, *page* counts from 0."""

    metric: Metric = Metric.RATING
    game: str | None = None
    scope: Scope = Scope.SERVER
    span: Span = Span.ALL
    page: int = 0

    def turned_to(self, page: int) -> Wish:
        """Returns the wish for another *page* of the same board."""
        return replace(self, page=page)

    @property
    def needs_game(self) -> bool:
        """Tells whether there is no such board over all games, since the times of games compare with nothing."""
        return self.metric is Metric.TIME and self.game is None


@dataclass(frozen=True, slots=True)
class Place:
    """A line with its *place*, which equal lines share; None for one that others do not see."""

    place: int | None
    line: Line


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a board.

    *total* is how many lines the board has, *own* the asker's line, on this page or not, *own_page* where it is;
    both are None where the asker has none. *names* has the names of those who are known.
    """

    wish: Wish
    period: Period
    places: tuple[Place, ...]
    total: int
    own: Place | None
    own_page: int | None
    names: Mapping[int, str]

    @property
    def pages(self) -> int:
        """How many pages the board has, one at least."""
        return max(1, -(-self.total // PAGE))


class Leaderboards:
    """The boards in the database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def show(self, wish: Wish, *, guild: int, player: int, now: int) -> Leaderboard:
        """Returns the page that is wished for, or the last one if there are fewer.

        :raises UnknownGameKeyError: if there is no such game.
        """
        period = period_of(wish.span, day_of(now))
        if wish.needs_game:
            return Leaderboard(wish.turned_to(0), period, (), 0, None, None, {})
        order, key = ORDERS[wish.metric], period.key
        if wish.metric is Metric.STREAK:  # a streak goes on or has ended; it belongs to no period
            order, key = (store.LONGEST if wish.span is Span.ALL else store.STREAK), ALL_TIME
        board = (_board(wish), key, guild if wish.scope is Scope.SERVER else EVERYWHERE)
        own, own_page, total = await self._own(order, board, player)
        page = min(wish.page, max(0, (total - 1) // PAGE))
        lines = await store.lines(self._db, order, *board, limit=PAGE, skip=page * PAGE, total=total)
        places = await self._places(order, board, lines, skip=page * PAGE)
        names = await players.names(self._db, [line.player for line in lines])
        return Leaderboard(wish.turned_to(page), period, places, total, own, own_page, names)

    async def _places(
        self, order: Order, board: tuple[str, int, int], lines: list[Line], *, skip: int
    ) -> tuple[Place, ...]:
        """Returns *lines*, before which *skip* others come, with their places."""
        places: list[Place] = []
        for index, line in enumerate(lines, start=skip + 1):
            if places and places[-1].line.value == line.value:
                place = places[-1].place
            elif places or line.value is None or not skip:
                place = index
            else:
                place = index - await store.count_equal_before(
                    self._db, order, *board, line.value, line.player
                )
            places.append(Place(place, line))
        return tuple(places)

    async def _own(
        self, order: Order, board: tuple[str, int, int], player: int
    ) -> tuple[Place | None, int | None, int]:
        """Returns the line of *player*, the page on which it is, and how many lines the board has.

        These are counted in two parts, so that no line is counted twice.
        """
        line = await store.line(self._db, order, *board, player)
        if line is None or line.value is None or not line.is_listed:
            own = None if line is None or line.value is None else Place(None, line)
            return own, None, await store.count(self._db, order, *board)
        better = await store.count_better(self._db, order, *board, line.value)
        rest = await store.count_not_better(self._db, order, *board, line.value)
        before = await store.count_equal_before(self._db, order, *board, line.value, player)
        return Place(better + 1, line), (better + before) // PAGE, better + rest


def _board(wish: Wish) -> str:
    if wish.game is None or wish.metric is Metric.STREAK:
        return ALL_GAMES
    try:
        return store.board_of(find_game(wish.game))
    except UnknownGameError:
        raise UnknownGameKeyError(wish.game) from None
