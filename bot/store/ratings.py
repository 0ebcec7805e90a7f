"""Ratings in the database: a function of the results in the order of (at, race), kept beside each of them.

Whatever changes a rating marks the player's next results as stale. Whoever computes a stale result reads its
version, and what is written fails if that has changed meanwhile: so nothing stays that was computed from what is
out of date, however many processes do it, and nothing is lost if one of them dies.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.database import Database, Row, Statement, Value
from bot.store.results import ALL_GAMES


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of a player's skill: *mu*, and how uncertain that is, *sigma*."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Competitor:
    """An entrant of a rated race.

    *before* is the belief on the board of the game before the race, *all_before* that over all games, None where
    there is none; *after* and *all_after* are what was computed last. *is_stale* tells that this is out of date,
    *version* counts how often it has been computed or has gone out of date.
    """

    player: int
    place: int
    is_stale: bool
    version: int
    before: Belief | None
    all_before: Belief | None
    after: Belief | None
    all_after: Belief | None


@dataclass(frozen=True, slots=True)
class Field:
    """The rated entrants of a race, the best first."""

    race: int
    at: int
    board: str
    competitors: tuple[Competitor, ...]


_PRIOR = """
    SELECT p.race FROM result p
    WHERE p.player = r.player AND p.rated = 1 AND p.mu IS NOT NULL {} AND (p.at, p.race) < (r.at, r.race)
    ORDER BY p.at DESC, p.race DESC LIMIT 1
"""
_FIELD = f"""
    SELECT r.at, r.board, r.player, r.place, r.stale, r.version, b.mu, b.sigma, o.all_mu, o.all_sigma,
           r.mu, r.sigma, r.all_mu, r.all_sigma
    FROM result r
    LEFT JOIN result b ON b.player = r.player AND b.race = ({_PRIOR.format("AND p.board = r.board")})
    LEFT JOIN result o ON o.player = r.player AND o.race = ({_PRIOR.format("")})
    WHERE r.race = $1 AND r.rated = 1 ORDER BY r.place, r.attempt
"""
_NEXT = """
    SELECT n.race FROM result n
    WHERE n.player = $1 AND n.rated = 1 {} AND (n.at, n.race) > ($2, $3) ORDER BY n.at, n.race LIMIT 1
"""


async def stale(db: Database, limit: int) -> list[tuple[int, int]]:
    """Returns race and player of the results whose ratings are to be computed, in the order of the races."""
    rows = await db.read("SELECT race, player FROM result WHERE stale = 1 ORDER BY at, race LIMIT $1", limit)
    return [(race, player) for race, player in rows]


async def field(db: Database, race: int) -> Field | None:
    """Returns the rated entrants of *race* with what was believed of them before it, or None if there are none."""
    rows = await db.read(_FIELD, race)
    if not rows:
        return None
    return Field(race, rows[0][0], rows[0][1], tuple(map(_competitor, rows)))


async def history(db: Database, player: int, board: str, *, limit: int) -> list[tuple[int, int]]:
    """Returns (ms since 1970, rating as shown) of *player* after each of the last rated races of *board*, in order.

    There are up to *limit* of them. *board* may be that of all games.
    """
    column, where = ("rating", "AND board = $3") if board != ALL_GAMES else ("all_rating", "")
    args: tuple[Value, ...] = (player, limit) if board == ALL_GAMES else (player, limit, board)
    rows = await db.read(
        f"SELECT at, {column} FROM result WHERE player = $1 AND rated = 1 AND {column} IS NOT NULL {where} "
        "ORDER BY at DESC, race DESC LIMIT $2",
        *args,
    )
    return [(at, rating) for at, rating in reversed(rows)]


def save(
    race: int,
    competitor: Competitor,
    *,
    after: Belief,
    shown: int,
    gain: int | None,
    all_after: Belief,
    all_shown: int,
) -> Statement:
    """Returns what keeps the ratings after *race*; it fails if another version has come up meanwhile."""
    return Statement(
        "UPDATE result SET mu = $1, sigma = $2, rating = $3, gain = $4, all_mu = $5, all_sigma = $6, "
        "all_rating = $7, stale = 0, version = version + 1 "
        "WHERE race = $8 AND player = $9 AND rated = 1 AND version = $10",
        (
            after.mu,
            after.sigma,
            shown,
            gain,
            all_after.mu,
            all_after.sigma,
            all_shown,
            race,
            competitor.player,
            competitor.version,
        ),
        rows=1,
    )


def show(player: int, at: int, race: int, board: str, shown: int) -> Statement:
    """Returns what puts the rating after the race on the boards, unless a later race has been rated."""
    args: tuple[Value, ...] = (player, at, race, shown, board)
    later = _NEXT.format("" if board == ALL_GAMES else "AND n.board = $5")
    return Statement(
        f"UPDATE tally SET rating = $4 WHERE player = $1 AND board = $5 AND NOT EXISTS ({later})", args
    )


def mark_next(player: int, at: int, race: int, board: str) -> Statement:
    """Returns what marks the next rated result of *player* on *board* after the race as stale.

    *board* may be that of all games; then it is the next one of any game.
    """
    args: tuple[Value, ...] = (player, at, race)
    if board == ALL_GAMES:
        following = _NEXT.format("")
    else:
        following, args = _NEXT.format("AND n.board = $4"), (*args, board)
    return Statement(
        f"UPDATE result SET stale = 1, version = version + 1 WHERE player = $1 AND race = ({following})", args
    )


def _competitor(row: Row) -> Competitor:
    _, _, player, place, is_stale, version, *numbers = row
    before, all_before, after, all_after = (
        None if mu is None else Belief(mu, sigma)
        for mu, sigma in zip(numbers[::2], numbers[1::2], strict=True)
    )
    return Competitor(player, place, bool(is_stale), version, before, all_before, after, all_after)
