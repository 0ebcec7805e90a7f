"""Results in the database: what each entrant of a finished race counts for, and which races are still to count."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.store.database import Database, Statement

ALL_GAMES = "all"
"""The board of all games together."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """An entrant of a finished race.

    *board* is the game with the version of its rules, *at* when the race ended (ms since 1970), *place* None for
    one who was disqualified. *is_counted* and *is_rated* tell what it counts for, *is_win* whether as a win;
    *best* is the time in ms where the deal was won and it counts. *is_aged*: the account was old enough for
    ratings when the race began, which is kept since a deleted player's id tells it no more.
    """

    race: int
    player: int
    attempt: int
    guild: int
    board: str
    at: int
    is_aged: bool
    place: int | None
    is_counted: bool
    is_win: bool
    best: int | None
    is_rated: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands about a race beside the play: whether it is *voided*, has been *counted*, who is out of it."""

    is_voided: bool
    is_counted: bool
    disqualified: frozenset[int]


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of a player on the board of the game after a race; *gain* is None for the first one."""

    rating: int
    gain: int | None


async def uncounted(db: Database, limit: int) -> list[int]:
    """Returns finished races whose results have not been entered yet, the oldest first."""
    rows = await db.read(
        "SELECT id FROM race WHERE phase = 'finished' AND counted = 0 ORDER BY id LIMIT $1", limit
    )
    return [row[0] for row in rows]


async def standing(db: Database, race: int) -> Standing | None:
    """Returns what stands about *race*, or None if there is none."""
    rows = await db.read(
        "SELECT r.voided, r.counted, e.player FROM race r "
        "LEFT JOIN entrant e ON e.race = r.id AND e.disqualified = 1 WHERE r.id = $1",
        race,
    )
    if not rows:
        return None
    out = frozenset(row[2] for row in rows if row[2] is not None)
    return Standing(bool(rows[0][0]), bool(rows[0][1]), out)


async def ages(db: Database, race: int) -> dict[int, bool]:
    """Returns for each player with a result of *race* whether the account was old enough for ratings."""
    rows = await db.read("SELECT player, aged FROM result WHERE race = $1", race)
    return {row[0]: bool(row[1]) for row in rows}


async def ratings(db: Database, race: int) -> dict[int, Rated]:
    """Returns the ratings after *race* of those for whom it is rated."""
    rows = await db.read(
        "SELECT player, rating, gain FROM result WHERE race = $1 AND rating IS NOT NULL", race
    )
    return {row[0]: Rated(row[1], row[2]) for row in rows}


async def non_members(db: Database, guild: int, players: Collection[int]) -> set[int]:
    """Returns those of *players* who have never been noted as having played on *guild*."""
    marks = ", ".join(f"${index}" for index in range(2, len(players) + 2))
    rows = await db.read(
        f"SELECT player FROM member WHERE guild = $1 AND player IN ({marks})", guild, *players
    )
    return set(players) - {row[0] for row in rows}


async def has_dailies(db: Database, players: Collection[int]) -> set[int]:
    """Returns those of *players* who have a result of a daily or a streak."""
    if not players:
        return set()
    marks = ", ".join(f"${index}" for index in range(1, len(players) + 1))
    rows = await db.read(
        f"SELECT player FROM streak WHERE player IN ({marks}) "
        f"UNION SELECT player FROM daily_result WHERE player IN ({marks})",
        *players,
    )
    return {row[0] for row in rows}


def join(player: int, guild: int) -> Statement:
    """Returns what notes that *player* has played on *guild*."""
    return Statement(
        "INSERT INTO member (player, guild) VALUES ($1, $2) ON CONFLICT (player, guild) DO NOTHING",
        (player, guild),
    )


def mark_counted(race: int, revision: int) -> Statement:
    """Returns what marks the results of *race* as entered.

    It fails if they have been entered already, or the race has changed since *revision* was read.
    """
    return Statement(
        "UPDATE race SET counted = 1 WHERE id = $1 AND revision = $2 AND counted = 0",
        (race, revision),
        rows=1,
    )


def insert(row: ResultRow) -> Statement:
    """Returns what enters a result; its ratings are still to be computed."""
    return Statement(
        "INSERT INTO result (race, player, attempt, guild, board, at, aged, place, counted, won, best, rated, stale, "
        "version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, 0)",
        (
            row.race,
            row.player,
            row.attempt,
            row.guild,
            row.board,
            row.at,
            int(row.is_aged),
            row.place,
            int(row.is_counted),
            int(row.is_win),
            row.best,
            int(row.is_rated),
        ),
        rows=1,
    )


def change(row: ResultRow) -> list[Statement]:
    """Returns what a result counts for from now on; its ratings are to be computed anew or are no more."""
    forget = "mu = NULL, sigma = NULL, rating = NULL, gain = NULL, all_mu = NULL, all_sigma = NULL, all_rating = NULL"
    return [
        Statement(
            "UPDATE result SET place = $1, counted = $2, won = $3, best = $4, rated = $5, "
            f"stale = $5, version = version + 1, {forget} WHERE race = $6 AND player = $7",
            (
                row.place,
                int(row.is_counted),
                int(row.is_win),
                row.best,
                int(row.is_rated),
                row.race,
                row.player,
            ),
            rows=1,
        ),
        Statement(
            "UPDATE entrant SET place = $1 WHERE race = $2 AND player = $3", (row.place, row.race, row.player)
        ),
    ]


def revise(race: int, revision: int) -> Statement:
    """Returns what notes a change of *race*; it fails if it has changed since *revision* was read."""
    return Statement(
        "UPDATE race SET revision = revision + 1 WHERE id = $1 AND revision = $2", (race, revision), rows=1
    )


def set_voided(race: int, *, voided: bool) -> Statement:
    """Returns what voids or restores *race*; it fails if it is so already."""
    return Statement(
        "UPDATE race SET voided = $1 WHERE id = $2 AND voided <> $1", (int(voided), race), rows=1
    )


def set_disqualified(race: int, player: int, *, disqualified: bool) -> Statement:
    """Returns what takes *player* out of *race* or back into it; it fails if it is so already."""
    return Statement(
        "UPDATE entrant SET disqualified = $1 WHERE race = $2 AND player = $3 AND removed = 0 AND disqualified <> $1",
        (int(disqualified), race, player),
        rows=1,
    )
