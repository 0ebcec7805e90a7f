"""Attempts and their events in the database. The position is never stored: it follows from the events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.store.database import Database, Statement
from engine import Attempt, EndReason, Event, EventKind, Rules, find_game, parse_move
from engine.cards import DECK

_COUNT: Final = "(SELECT COUNT(*) FROM event e WHERE e.attempt = attempt.id AND e.kind = '{}')"
_COUNTED: Final = {
    "moves": EventKind.MOVE,
    "mistakes": EventKind.MISTAKE,
    "undos": EventKind.UNDO,
    "hints": EventKind.HINT,
}


class Purpose(StrEnum):
    """What an attempt is for."""

    RACE = "race"
    DAILY = "daily"
    ARCHIVE = "archive"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """An attempt with what is stored around it.

    *race* and *day* (in days since 1970, UTC) are None where it belongs to none. A *ranked* one allows no hints.
    """

    id: int
    player: int
    purpose: Purpose
    attempt: Attempt
    ranked: bool = False
    race: int | None = None
    day: int | None = None

    def with_attempt(self, attempt: Attempt) -> AttemptRecord:
        """Returns the record with *attempt* in place of its own."""
        return replace(self, attempt=attempt)


def rules_under(key: str, version: int) -> Rules:
    """Returns the game with this *key*, named after the *version* of the rules under which its results stand.

    Nothing is played by one of an older version.

    :raises UnknownGameError: if there is no such game.
    """
    rules = find_game(key)
    return rules if rules.version == version else replace(rules, version=version)


async def load(db: Database, attempt: int) -> AttemptRecord | None:
    """Returns the attempt named *attempt* with all its events, or None.

    :raises UnknownGameError: if it was played under rules that have been corrected since.
    :raises EngineError: if its record does not replay.
    """
    rows = await db.read(
        "SELECT player, purpose, ranked, race, day, game, ruleset, seed, start_at, time_limit FROM attempt "
        "WHERE id = $1",
        attempt,
    )
    if not rows:
        return None
    player, purpose, ranked, race, day, game, ruleset, seed, start_at, limit = rows[0]
    begun = Attempt.begin(find_game(game, ruleset), seed, start=start_at, limit=limit)
    return AttemptRecord(
        attempt,
        player,
        Purpose(purpose),
        begun.extend(await events(db, attempt)),
        ranked=bool(ranked),
        race=race,
        day=day,
    )


async def has_played(db: Database, player: int) -> bool:
    """Tells whether there is any attempt of *player*."""
    return bool(await db.read("SELECT 1 FROM attempt WHERE player = $1 LIMIT 1", player))


async def events(db: Database, attempt: int, *, after: int = 0) -> list[Event]:
    """Returns the events of *attempt* that follow the one numbered *after*."""
    rows = await db.read(
        "SELECT seq, kind, detail, at FROM event WHERE attempt = $1 AND seq > $2 ORDER BY seq", attempt, after
    )
    return [_event(*row) for row in rows]


async def time_limit(db: Database, attempt: int) -> int | None:
    """Returns the time limit of *attempt* as it stands, since an outage makes it longer."""
    rows = await db.read("SELECT time_limit FROM attempt WHERE id = $1", attempt)
    return rows[0][0] if rows else None


async def is_open(db: Database, attempt: int) -> bool:
    """Tells whether nothing has ended *attempt* yet."""
    return bool(await db.read("SELECT 1 FROM attempt WHERE id = $1 AND ended_at IS NULL", attempt))


async def overdue(db: Database, now: int) -> list[tuple[int, int | None, int]]:
    """Returns the attempts whose time limit had passed at *now* although nothing has ended them.

    Each comes with its race, None if it belongs to none, and the server on which it is played, 0 if it is on none.
    """
    rows = await db.read(
        "SELECT a.id, a.race, COALESCE(r.guild, 0) FROM attempt a LEFT JOIN race r ON r.id = a.race "
        "WHERE a.ended_at IS NULL AND a.time_limit IS NOT NULL AND a.start_at + a.time_limit < $1",
        now,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def newest_alone(db: Database, player: int) -> int | None:
    """Returns the newest attempt of *player* that goes on and belongs to no race, or None.

    Where none goes on it is the newest that is over and counts for nothing.
    """
    rows = await db.read(
        "SELECT id FROM attempt WHERE player = $1 AND race IS NULL AND ended_at IS NULL ORDER BY id DESC LIMIT 1",
        player,
    ) or await db.read(
        "SELECT id FROM attempt WHERE player = $1 AND race IS NULL AND purpose IN ($2, $3) ORDER BY id DESC LIMIT 1",
        player,
        Purpose.PRACTICE,
        Purpose.ARCHIVE,
    )
    return rows[0][0] if rows else None


def insert(record: AttemptRecord) -> Statement:
    """Returns what stores a new attempt without events."""
    attempt = record.attempt
    return Statement(
        "INSERT INTO attempt (id, player, purpose, ranked, race, day, game, ruleset, seed, start_at, time_limit) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        (
            record.id,
            record.player,
            record.purpose.value,
            int(record.ranked),
            record.race,
            record.day,
            attempt.rules.key,
            attempt.rules.version,
            attempt.seed,
            attempt.start,
            attempt.limit,
        ),
        rows=1,
    )


def note_guild(attempt: int, guild: int) -> Statement:
    """Returns what notes the server on which *attempt* was begun: its moderators may judge it."""
    return Statement("UPDATE attempt SET guild = $1 WHERE id = $2", (guild, attempt), rows=1)


def append(record: AttemptRecord, new: Iterable[Event], after: Attempt) -> list[Statement]:
    """Returns what stores the *new* events that lead to *after*; it fails if others have been stored since."""
    statements = [
        Statement(
            "INSERT INTO event (attempt, seq, kind, detail, at) VALUES ($1, $2, $3, $4, $5)",
            (record.id, event.seq, event.kind.value, _detail(event), event.at),
            rows=1,
        )
        for event in new
    ]
    if (result := after.result) is not None and after.end is not None:
        # No end by a limit that has been made longer meanwhile.
        is_late = result.reason is EndReason.TIME and after.limit is not None
        statements.append(
            Statement(
                "UPDATE attempt SET ended_at = $1, reason = $2, time_taken = $3, cards_left = $4, moves = $5, "
                "mistakes = $6, undos = $7, hints = $8 WHERE id = $9 AND ended_at IS NULL"
                + (" AND time_limit = $10" if is_late else ""),
                (
                    after.end.at,
                    result.reason.value,
                    result.time,
                    result.cards_left,
                    result.moves,
                    result.mistakes,
                    result.undos,
                    result.hints,
                    record.id,
                    *((after.limit,) if is_late else ()),
                ),
                rows=1,
            )
        )
    return statements


def end_unplayed(attempt: int, now: int) -> list[Statement]:
    """Returns what ends an attempt by its time limit without its position, as if all cards were left.

    It fails if the attempt is over already, or its limit had not passed at *now*.
    """
    counts = ", ".join(f"{column} = {_COUNT.format(kind)}" for column, kind in _COUNTED.items())
    return [
        Statement(
            "UPDATE attempt SET ended_at = start_at + time_limit, reason = $1, time_taken = time_limit, "
            f"cards_left = $2, {counts} WHERE id = $3 AND ended_at IS NULL AND start_at + time_limit < $4",
            (EndReason.TIME.value, len(DECK), attempt, now),
            rows=1,
        ),
        Statement(
            "INSERT INTO event (attempt, seq, kind, detail, at) SELECT a.id, "
            "(SELECT COALESCE(MAX(e.seq), 0) + 1 FROM event e WHERE e.attempt = a.id), "
            f"'{EventKind.END}', a.reason, a.ended_at FROM attempt a WHERE a.id = $1",
            (attempt,),
            rows=1,
        ),
        Statement(
            "DELETE FROM seat WHERE EXISTS (SELECT 1 FROM attempt a "
            "WHERE a.id = $1 AND a.race = seat.race AND a.player = seat.player)",
            (attempt,),
        ),
    ]


def handle(interaction: int, at: int) -> Statement:
    """Returns what marks *interaction* as handled; it fails if it has been handled already."""
    return Statement("INSERT INTO press (interaction, at) VALUES ($1, $2)", (interaction, at), rows=1)


def forget_presses(before: int) -> Statement:
    """Returns what deletes the marks of interactions made before the instant *before*."""
    return Statement("DELETE FROM press WHERE at < $1", (before,))


async def is_handled(db: Database, interaction: int) -> bool:
    """Tells whether *interaction* has been handled."""
    return bool(await db.read("SELECT 1 FROM press WHERE interaction = $1", interaction))


def _detail(event: Event) -> str:
    if event.move is not None:
        return str(event.move)
    return event.reason.value if event.reason is not None else ""


def _event(seq: int, kind: str, detail: str, at: int) -> Event:
    match EventKind(kind):
        case EventKind.MOVE | EventKind.MISTAKE as known:
            return Event(seq, known, at, move=parse_move(detail))
        case EventKind.END:
            return Event(seq, EventKind.END, at, reason=EndReason(detail))
        case other:
            return Event(seq, other, at)
