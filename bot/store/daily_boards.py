"""How the players of a daily stand, in the database: places, lines, and how many did how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.dailies import ENDS, MINE, RESULT, result_of
from bot.store.database import Database
from engine import Result

_PLACED = f"{MINE} AND a.ended_at IS NOT NULL AND a.disqualified = 0"
_MERIT = (
    "CASE WHEN a.reason = 'won' THEN 0 WHEN a.reason IN ('stuck', 'dead') THEN 1 ELSE 2 END",
    f"CASE WHEN a.reason IN ({ENDS}) THEN a.cards_left ELSE 0 END",
    f"CASE WHEN a.reason IN ({ENDS}) THEN a.moves + a.mistakes ELSE 0 END",
    f"CASE WHEN a.reason IN ({ENDS}) THEN a.time_taken ELSE 0 END",
)
"""The key of :func:`engine.scoring.daily_merit` in SQL, filled up with zeros."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings: a name, and how the *attempt* went."""

    player: int
    name: str
    attempt: int
    result: Result


@dataclass(frozen=True, slots=True)
class Rank:
    """Where one stands in a *field*: how many are *better*, and how many are *equal*, oneself left out."""

    better: int
    equal: int
    field: int


async def lines(
    db: Database,
    day: int,
    game: str,
    *,
    limit: int,
    skip: int = 0,
    guild: int | None = None,
    played_out: bool = False,
) -> list[Line]:
    """Returns a part of the standings of a daily, the best first; with *played_out* nobody who came to no end.

    They are those of the server *guild*, else those of everywhere with nobody who has not asked to be listed there.
    """
    who = " AND p.listed = 1 AND p.barred = 0" if guild is None else _at_home("$5")
    if played_out:
        who += f" AND a.reason IN ({ENDS})"
    rows = await db.read(
        f"SELECT a.player, COALESCE(p.name, ''), a.id, {RESULT} FROM attempt a "
        "LEFT JOIN player p ON p.id = a.player "
        f"WHERE {_PLACED}{who} ORDER BY {', '.join(_MERIT)}, a.player LIMIT $3 OFFSET $4",
        day,
        game,
        limit,
        skip,
        *(() if guild is None else (guild,)),
    )
    return [Line(player, name, attempt, result_of(result)) for player, name, attempt, *result in rows]


async def rank(db: Database, day: int, game: str, merit: Sequence[int], *, guild: int | None = None) -> Rank:
    """Returns where one with this *merit* stands among those who are done, everywhere or on the server *guild*.

    It is counted as one of them.
    """
    key = (*merit, 0, 0, 0)[: len(_MERIT)]
    marks = [f"${index}" for index in range(3, 3 + len(_MERIT))]
    better = " OR ".join(
        "("
        + " AND ".join([*(f"{_MERIT[i]} = {marks[i]}" for i in range(n)), f"{_MERIT[n]} < {marks[n]}"])
        + ")"
        for n in range(len(_MERIT))
    )
    equal = " AND ".join(f"{column} = {mark}" for column, mark in zip(_MERIT, marks, strict=True))
    where = "" if guild is None else _at_home(f"${3 + len(_MERIT)}")
    rows = await db.read(
        f"SELECT COUNT(*), COALESCE(SUM(CASE WHEN {better} THEN 1 ELSE 0 END), 0), "
        f"COALESCE(SUM(CASE WHEN {equal} THEN 1 ELSE 0 END), 0) FROM attempt a WHERE {_PLACED}{where}",
        day,
        game,
        *key,
        *(() if guild is None else (guild,)),
    )
    field, ahead, same = rows[0]
    return Rank(ahead, max(0, same - 1), field)


async def count_at_home(db: Database, day: int, game: str, guild: int) -> int:
    """Returns how many of the server *guild* are done with a daily."""
    rows = await db.read(f"SELECT COUNT(*) FROM attempt a WHERE {_PLACED}{_at_home('$3')}", day, game, guild)
    return int(rows[0][0])


async def cards_left(db: Database, day: int, game: str) -> dict[int, int]:
    """Returns how many players have ended a daily with how many cards left; who gave up is left out."""
    rows = await db.read(
        f"SELECT a.cards_left, COUNT(*) FROM attempt a WHERE {_PLACED} AND a.reason IN ({ENDS}) GROUP BY a.cards_left",
        day,
        game,
    )
    return {row[0]: row[1] for row in rows}


async def times(db: Database, day: int, game: str, cards: int) -> list[int]:
    """Returns the times, in milliseconds, of those who have ended a daily with so many *cards* left."""
    rows = await db.read(
        f"SELECT a.time_taken FROM attempt a WHERE {_PLACED} AND a.reason IN ({ENDS}) AND a.cards_left = $3",
        day,
        game,
        cards,
    )
    return [row[0] for row in rows]


def _at_home(mark: str) -> str:
    return f" AND EXISTS (SELECT 1 FROM member m WHERE m.player = a.player AND m.guild = {mark})"
