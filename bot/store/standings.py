"""The boards in the database: one line for each player, game, period and server, ordered by indexes.

Lines are added up as races finish. What changes an older result makes a player's lines anew from all results:
:func:`rebuild` says what they are, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.periods import Period, passed_keys
from bot.store.database import Database, Statement
from bot.store.results import ALL_GAMES
from engine import Rules
from engine.scoring import DRAWN_DEALS, LEAST_DEALS, MIDDLE, UNITS

COUNTED_AFTER: Final = 1
"""How many days after its own a daily counts: on the day on which it is closed, when its points are fixed."""
EVERYWHERE: Final = 0
"""In the place of a server: the boards of all servers together."""

_MEAN = (
    f"CASE WHEN {{deals}} >= {LEAST_DEALS} "
    f"THEN ({{points}} + {DRAWN_DEALS * MIDDLE * UNITS}) / ({{deals}} + {DRAWN_DEALS}) END"
)
_BOTH = "(SELECT 0 AS own UNION ALL SELECT 1 AS own)"
_LISTED = "COALESCE((SELECT w.listed * (1 - w.barred) FROM player w WHERE w.id = {}), 0)"
_NEWEST = """
    SELECT {} FROM result n WHERE n.player = {} AND n.rated = 1 AND n.mu IS NOT NULL {}
    ORDER BY n.at DESC, n.race DESC LIMIT 1
"""
_COLUMNS = (
    "player, board, period, guild, listed, races, wins, best, rating, deals, points, mean, streak, longest"
)


@dataclass(frozen=True, slots=True)
class Order:
    """What a board is ordered by: a column of its lines, whether more of it is better, and who has a line."""

    column: str
    has_line: str
    is_more_better: bool = True

    @property
    def direction(self) -> str:
        """The direction in which the best ones come first."""
        return "DESC" if self.is_more_better else "ASC"

    @property
    def reverse(self) -> str:
        """The direction in which the best ones come last."""
        return "ASC" if self.is_more_better else "DESC"

    @property
    def better(self) -> str:
        """The sign between a better value and another one."""
        return ">" if self.is_more_better else "<"

    @property
    def not_better(self) -> str:
        """The sign between a value that is not better and another one."""
        return "<=" if self.is_more_better else ">="


RATING: Final = Order("rating", "rating IS NOT NULL")
WINS: Final = Order("wins", "wins > 0")
BEST: Final = Order("best", "best IS NOT NULL", is_more_better=False)
MEAN: Final = Order("mean", "mean IS NOT NULL")
STREAK: Final = Order("streak", "streak > 0")
LONGEST: Final = Order("longest", "longest > 0")


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line on a board; *value* is what it is ordered by, None where the player has none."""

    player: int
    value: int | None
    races: int
    wins: int
    deals: int
    is_listed: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    """What a player has done on one board over all time and everywhere."""

    board: str
    races: int
    wins: int
    best: int | None
    rating: int | None
    deals: int
    mean: int | None


def board_of(rules: Rules) -> str:
    """Returns the board of a game: results under corrected rules never mix with older ones."""
    return f"{rules.key}/{rules.version}"


async def lines(
    db: Database, order: Order, board: str, period: int, guild: int, *, limit: int, skip: int, total: int
) -> list[Line]:
    """Returns a part of a board of *total* lines, the best ones first, equal ones in a fixed order.

    It is read from the end of the board that is nearer, since the lines before it are stepped over one by one.
    """
    behind = max(0, total - skip - limit)
    is_near = skip <= behind
    by = (
        f"{order.column} {order.direction}, player"
        if is_near
        else f"{order.column} {order.reverse}, player DESC"
    )
    rows = await db.read(
        f"SELECT player, {order.column}, races, wins, deals FROM tally "
        f"WHERE board = $1 AND period = $2 AND guild = $3 AND listed = 1 AND {order.has_line} "
        f"ORDER BY {by} LIMIT $4 OFFSET $5",
        board,
        period,
        guild,
        limit if is_near else max(0, total - skip - behind),
        skip if is_near else behind,
    )
    found = [Line(*row) for row in rows]
    return found if is_near else found[::-1]


async def count(db: Database, order: Order, board: str, period: int, guild: int) -> int:
    """Returns how many lines a board has."""
    rows = await db.read(
        f"SELECT COUNT(*) FROM tally "
        f"WHERE board = $1 AND period = $2 AND guild = $3 AND listed = 1 AND {order.has_line}",
        board,
        period,
        guild,
    )
    return int(rows[0][0])


async def count_better(db: Database, order: Order, board: str, period: int, guild: int, value: int) -> int:
    """Returns how many lines of a board are better than *value*."""
    rows = await db.read(
        f"SELECT COUNT(*) FROM tally WHERE board = $1 AND period = $2 AND guild = $3 AND listed = 1 "
        f"AND {order.column} {order.better} $4",
        board,
        period,
        guild,
        value,
    )
    return int(rows[0][0])


async def count_not_better(
    db: Database, order: Order, board: str, period: int, guild: int, value: int
) -> int:
    """Returns how many lines of a board are equal to *value* or worse."""
    rows = await db.read(
        f"SELECT COUNT(*) FROM tally WHERE board = $1 AND period = $2 AND guild = $3 AND listed = 1 "
        f"AND {order.has_line} AND {order.column} {order.not_better} $4",
        board,
        period,
        guild,
        value,
    )
    return int(rows[0][0])


async def count_equal_before(
    db: Database, order: Order, board: str, period: int, guild: int, value: int, player: int
) -> int:
    """Returns how many lines of a board have the same *value* as that of *player* and come before it."""
    rows = await db.read(
        f"SELECT COUNT(*) FROM tally WHERE board = $1 AND period = $2 AND guild = $3 AND listed = 1 "
        f"AND {order.column} = $4 AND player < $5",
        board,
        period,
        guild,
        value,
        player,
    )
    return int(rows[0][0])


async def line(db: Database, order: Order, board: str, period: int, guild: int, player: int) -> Line | None:
    """Returns the line of *player* on a board, whether or not others may see it."""
    rows = await db.read(
        f"SELECT player, CASE WHEN {order.has_line} THEN {order.column} END, races, wins, deals, listed FROM tally "
        "WHERE player = $1 AND board = $2 AND period = $3 AND guild = $4",
        player,
        board,
        period,
        guild,
    )
    if not rows:
        return None
    _, value, races, wins, deals, listed = rows[0]
    return Line(player, value, races, wins, deals, bool(listed))


async def records(db: Database, player: int) -> list[Record]:
    """Returns what *player* has done, board by board, over all time and everywhere."""
    rows = await db.read(
        "SELECT board, races, wins, best, rating, deals, mean FROM tally "
        "WHERE player = $1 AND period = 0 AND guild = 0 ORDER BY board",
        player,
    )
    return [Record(*row) for row in rows]


def add_race(race: int, periods: Iterable[Period]) -> Statement:
    """Returns what adds the counted results of *race*, which ended within *periods*, to the lines of its players."""
    keys = _union(f"SELECT {period.key} AS period" for period in periods)
    own = _NEWEST.format("n.rating", "r.player", "AND n.board = r.board")
    overall = _NEWEST.format("n.all_rating", "r.player", "")
    return Statement(
        f"INSERT INTO tally ({_COLUMNS}) "
        f"SELECT r.player, CASE WHEN b.own = 1 THEN r.board ELSE '{ALL_GAMES}' END, p.period, "
        f"CASE WHEN g.own = 1 THEN r.guild ELSE {EVERYWHERE} END, "
        f"CASE WHEN g.own = 1 THEN 1 ELSE {_LISTED.format('r.player')} END, "
        f"1, r.won, CASE WHEN b.own = 1 THEN r.best END, CASE WHEN b.own = 1 THEN ({own}) ELSE ({overall}) END, "
        "0, 0, NULL, NULL, NULL "
        f"FROM result r CROSS JOIN {_BOTH} b CROSS JOIN {_BOTH} g CROSS JOIN ({keys}) p "
        "WHERE r.race = $1 AND r.counted = 1 "
        "ON CONFLICT (player, board, period, guild) DO UPDATE SET races = tally.races + 1, "
        "wins = tally.wins + excluded.wins, "
        "best = CASE WHEN tally.best IS NULL OR excluded.best < tally.best THEN excluded.best ELSE tally.best END",
        (race,),
    )


def rebuild(player: int, periods: Sequence[Period]) -> list[Statement]:
    """Returns what makes all lines of *player* anew, for those of *periods*, from races, dailies and the streak."""
    spans = _union(
        f"SELECT {period.key} AS period, {period.first} AS day, CAST({period.start} AS BIGINT) AS start"
        for period in periods
    )
    homes = (
        f"(SELECT {EVERYWHERE} AS guild UNION ALL SELECT m.guild AS guild FROM member m WHERE m.player = $1)"
    )
    parts = (
        f"SELECT CASE WHEN b.own = 1 THEN r.board ELSE '{ALL_GAMES}' END AS board, p.period, "
        f"CASE WHEN g.own = 1 THEN r.guild ELSE {EVERYWHERE} END AS guild, 1 AS race, r.won AS won, "
        "CASE WHEN b.own = 1 THEN r.best END AS best, 0 AS deal, 0 AS points "
        f"FROM result r CROSS JOIN {_BOTH} b CROSS JOIN {_BOTH} g CROSS JOIN ({spans}) p "
        "WHERE r.player = $1 AND r.counted = 1 AND r.at >= p.start",
        f"SELECT CASE WHEN b.own = 1 THEN d.board ELSE '{ALL_GAMES}' END, p.period, h.guild, 0, 0, NULL, 1, d.points "
        f"FROM daily_result d CROSS JOIN {_BOTH} b CROSS JOIN {homes} h CROSS JOIN ({spans}) p "
        f"WHERE d.player = $1 AND d.points IS NOT NULL AND d.day + {COUNTED_AFTER} >= p.day",
        f"SELECT '{ALL_GAMES}', 0, h.guild, 0, 0, NULL, 0, 0 FROM streak s CROSS JOIN {homes} h WHERE s.player = $1",
    )
    own = _NEWEST.format("n.rating", "$1", "AND n.board = x.board")
    overall = _NEWEST.format("n.all_rating", "$1", "")
    streak = (
        f"CASE WHEN x.board = '{ALL_GAMES}' AND x.period = 0 "
        "THEN (SELECT s.{} FROM streak s WHERE s.player = $1) END"
    )
    mean = _MEAN.format(deals="SUM(x.deal)", points="CAST(SUM(x.points) AS BIGINT)")
    return [
        Statement("DELETE FROM tally WHERE player = $1", (player,)),
        Statement(
            f"INSERT INTO tally ({_COLUMNS}) "
            "SELECT CAST($1 AS BIGINT), x.board, x.period, x.guild, "
            f"CASE WHEN x.guild <> {EVERYWHERE} THEN 1 ELSE {_LISTED.format('$1')} END, "
            "SUM(x.race), SUM(x.won), MIN(x.best), "
            f"CASE WHEN x.board = '{ALL_GAMES}' THEN ({overall}) ELSE ({own}) END, "
            f"SUM(x.deal), SUM(x.points), {mean}, {streak.format('days')}, {streak.format('longest')} "
            f"FROM ({' UNION ALL '.join(parts)}) x GROUP BY x.board, x.period, x.guild",
            (player,),
        ),
    ]


def list_player(player: int, *, listed: bool) -> list[Statement]:
    """Returns what puts *player* on the world boards, or takes the player off them."""
    return [
        Statement("UPDATE player SET listed = $1 WHERE id = $2", (int(listed), player), rows=1),
        _relist(player),
    ]


def bar_player(player: int, *, barred: bool) -> list[Statement]:
    """Returns what keeps *player* off the world boards whatever was chosen, or does so no more."""
    return [
        Statement("UPDATE player SET barred = $1 WHERE id = $2", (int(barred), player), rows=1),
        _relist(player),
    ]


def forget_passed(day: int, limit: int) -> list[Statement]:
    """Returns what deletes at most *limit* lines of the periods of each span that were over before *day*."""
    key = "(player, board, period, guild)"
    return [
        Statement(
            f"DELETE FROM tally WHERE {key} IN (SELECT player, board, period, guild FROM tally "
            "WHERE period > 0 AND period >= $1 AND period < $2 LIMIT $3)",
            (low, high, limit),
        )
        for low, high in passed_keys(day)
    ]


def rename(old: int, new: int) -> list[Statement]:
    """Returns what writes *new* for the player *old* in all tables of standings."""
    tables = ("result", "tally", "member", "daily_result", "streak")
    return [Statement(f"UPDATE {table} SET player = $1 WHERE player = $2", (new, old)) for table in tables]


def _relist(player: int) -> Statement:
    listed = _LISTED.format("$1")
    return Statement(
        f"UPDATE tally SET listed = {listed} WHERE player = $1 AND guild = {EVERYWHERE}", (player,)
    )


def _union(selects: Iterable[str]) -> str:
    return " UNION ALL ".join(selects)
