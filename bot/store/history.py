"""What has been played: finished races of a server or of a player, and the attempts that can be watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.store.database import Database, Row


@dataclass(frozen=True, slots=True)
class Finisher:
    """An entrant of a finished race; *place* is None for one who was disqualified."""

    player: int
    place: int | None
    is_forfeit: bool = False


@dataclass(frozen=True, slots=True)
class PastRace:
    """A finished race of a list; *message* is the public one, None where it is not known."""

    id: int
    game: str
    ended_at: int
    channel: int
    message: int | None
    is_voided: bool
    finishers: tuple[Finisher, ...] = ()


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row with a daily: those that go on, 0 if none do, and the most there ever were."""

    days: int
    longest: int


_RACE = "r.id, r.game, r.ended_at, r.channel, COALESCE(r.result_message, r.message), r.voided"


async def of_guild(db: Database, guild: int, *, limit: int, skip: int) -> list[PastRace]:
    """Returns finished races of *guild*, the newest first."""
    rows = await db.read(
        f"SELECT {_RACE} FROM race r WHERE r.guild = $1 AND r.phase = 'finished' ORDER BY r.id DESC "
        "LIMIT $2 OFFSET $3",
        guild,
        limit,
        skip,
    )
    return await _with_finishers(db, list(map(_past_race, rows)))


async def of_player(db: Database, guild: int, player: int, *, limit: int, skip: int) -> list[PastRace]:
    """Returns finished races of *guild* in which *player* was, the newest first."""
    rows = await db.read(
        f"SELECT {_RACE} FROM (SELECT race, at FROM result WHERE player = $1 AND guild = $2 "
        "ORDER BY at DESC, race DESC LIMIT $3 OFFSET $4) x JOIN race r ON r.id = x.race "
        "ORDER BY x.at DESC, x.race DESC",
        player,
        guild,
        limit,
        skip,
    )
    return await _with_finishers(db, list(map(_past_race, rows)))


async def count_of_guild(db: Database, guild: int) -> int:
    """Returns how many races of *guild* are finished."""
    rows = await db.read("SELECT COUNT(*) FROM race WHERE guild = $1 AND phase = 'finished'", guild)
    return int(rows[0][0])


async def count_of_player(db: Database, guild: int, player: int) -> int:
    """Returns in how many finished races of *guild* *player* was."""
    rows = await db.read("SELECT COUNT(*) FROM result WHERE player = $1 AND guild = $2", player, guild)
    return int(rows[0][0])


async def count_everywhere(db: Database, player: int) -> int:
    """Returns in how many finished races *player* was, ranked or not."""
    rows = await db.read("SELECT COUNT(*) FROM result WHERE player = $1", player)
    return int(rows[0][0])


async def streak(db: Database, player: int) -> Streak | None:
    """Returns the streak of *player*, or None for one who has never had any."""
    rows = await db.read("SELECT days, longest FROM streak WHERE player = $1", player)
    return Streak(*rows[0]) if rows else None


async def race_of_message(db: Database, message: int) -> int | None:
    """Returns the race whose public message or result *message* is, or None."""
    rows = await db.read(
        "SELECT id FROM race WHERE message = $1 UNION SELECT id FROM race WHERE result_message = $1", message
    )
    return rows[0][0] if rows else None


async def newest_attempt(db: Database, player: int) -> int | None:
    """Returns the newest attempt of *player* that has ended, or None."""
    rows = await db.read(
        "SELECT id FROM attempt WHERE player = $1 AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1", player
    )
    return rows[0][0] if rows else None


async def newest_raced(db: Database, player: int, guild: int) -> int | None:
    """Returns the attempt of *player* in the newest finished race of *guild*, or None."""
    rows = await db.read(
        "SELECT attempt FROM result WHERE player = $1 AND guild = $2 ORDER BY at DESC, race DESC LIMIT 1",
        player,
        guild,
    )
    return rows[0][0] if rows else None


async def is_known_to(db: Database, player: int, guild: int | None) -> bool:
    """Tells whether *player* has played on *guild* or stands on the world boards."""
    rows = await db.read(
        "SELECT 1 FROM member WHERE player = $1 AND guild = $2 "
        "UNION ALL SELECT 1 FROM player WHERE id = $1 AND listed = 1 AND barred = 0",
        player,
        guild or 0,
    )
    return bool(rows)


def _past_race(row: Row) -> PastRace:
    race, game, ended_at, channel, message, voided = row
    return PastRace(race, game, ended_at, channel, message, bool(voided))


async def _with_finishers(db: Database, races: Sequence[PastRace]) -> list[PastRace]:
    if not races:
        return []
    marks = ", ".join(f"${index}" for index in range(1, len(races) + 1))
    rows = await db.read(
        "SELECT e.race, e.player, CASE WHEN e.disqualified = 0 THEN e.place END, a.reason = 'forfeit' "
        f"FROM entrant e JOIN attempt a ON a.id = e.attempt WHERE e.race IN ({marks}) AND e.removed = 0 "
        "ORDER BY e.race, e.place, e.position",
        *(race.id for race in races),
    )
    found: dict[int, list[Finisher]] = {race.id: [] for race in races}
    for race, player, place, is_forfeit in rows:
        found[race].append(Finisher(player, place, bool(is_forfeit)))
    return [replace(race, finishers=tuple(found[race.id])) for race in races]
