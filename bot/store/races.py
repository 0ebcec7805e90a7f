"""Races and their entrants in the database."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.store import attempts
from bot.store.attempts import AttemptRecord, Purpose, rules_under
from bot.store.database import Database, Row, Statement, Value
from engine import Attempt, EndReason, Entrant, Phase, Race, Result, Rules, UnknownGameError, find_game

TOKEN_LIFE = 14 * 60_000 + 30_000
"""How long an interaction's token is used, in milliseconds; Discord keeps it for 15 minutes."""


@dataclass(frozen=True, slots=True)
class RaceRecord:
    """A race with what is stored around it: where it is played, on which deal, and what has been announced.

    *band* tells how hard the deal is (1 easy, 2 medium, 3 hard), None where it is not certified.
    *revision* is that of the row which was read; writing it checks that nobody else has written since.
    """

    id: int
    guild: int
    channel: int
    rules: Rules
    seed: str
    salt: str
    race: Race
    typed: bool = False
    ranked: bool = False
    band: int | None = None
    message: int | None = None
    posted: int = 0
    outage: int = 0
    made_up: int = 0
    ended_at: int | None = None
    announced: bool = False
    rematch_of: int | None = None
    locale: str = "en-US"
    revision: int = 0

    def with_race(self, race: Race) -> RaceRecord:
        """Returns the record with *race* in place of its own."""
        return replace(self, race=race)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The private message of an entrant that can still be edited.

    *message* is its id, or None where it is the ``@original`` of *token*. *at* is the instant, in ms by Discord's
    clock, of the press that gave the token.
    """

    player: int
    attempt: int
    token: str
    message: int | None
    at: int


_COLUMNS = (
    "id, guild, channel, message, posted, game, ruleset, seed, salt, typed, ranked, host, phase, time_limit, "
    "outage, touched, host_seen, start_at, ended_at, announced, rematch_of, revision, band, locale, "
    "made_up"
)
_LIVE = "phase IN ('open', 'countdown', 'running')"
_ENTRANTS = """
    SELECT e.race, e.player, e.attempt, e.ready, e.removed, a.reason, a.time_taken, a.cards_left, a.moves,
           a.mistakes, a.undos, a.hints
    FROM entrant e LEFT JOIN attempt a ON a.id = e.attempt
    WHERE e.race IN (SELECT id FROM race WHERE {}) ORDER BY e.race, e.position
"""


async def load(db: Database, race: int) -> RaceRecord | None:
    """Returns the race named *race*, or None."""
    found = await _load_where(db, "id = $1", race)
    return found[0] if found else None


async def load_live(db: Database) -> list[RaceRecord]:
    """Returns all races that are still to be decided or announced."""
    return await _load_where(db, f"{_LIVE} OR announced = 0")


async def load_late(db: Database, now: int) -> list[RaceRecord]:
    """Returns the races that count down although their start was before *now*."""
    # Without the words of its index, SQLite would look through all races there have ever been.
    return await _load_where(db, f"{_LIVE} AND phase = 'countdown' AND start_at < $1", now)


async def find_rematch(db: Database, race: int) -> int | None:
    """Returns the open lobby of a rematch of *race*, or None."""
    rows = await db.read("SELECT id FROM race WHERE rematch_of = $1 AND phase = 'open'", race)
    return rows[0][0] if rows else None


async def find_seat(db: Database, guild: int, player: int) -> tuple[int, int] | None:
    """Returns the race and the attempt of *player*'s live race in *guild*, or None."""
    rows = await db.read(
        "SELECT s.race, e.attempt FROM seat s JOIN entrant e ON e.race = s.race AND e.player = s.player "
        "WHERE s.guild = $1 AND s.player = $2",
        guild,
        player,
    )
    return (rows[0][0], rows[0][1]) if rows else None


async def waiting(db: Database, race: int, now: int) -> list[Waiting]:
    """Returns the private messages of *race* whose tokens still live at *now*."""
    rows = await db.read(
        "SELECT player, attempt, token, token_message, token_at FROM entrant "
        "WHERE race = $1 AND removed = 0 AND token IS NOT NULL AND token_at > $2 ORDER BY position",
        race,
        now - TOKEN_LIFE,
    )
    return [Waiting(*row) for row in rows]


async def messages(db: Database, race: int) -> tuple[int | None, int | None]:
    """Returns the public message of *race* and that with its result, None for what is not there yet."""
    rows = await db.read("SELECT message, result_message FROM race WHERE id = $1", race)
    return (rows[0][0], rows[0][1]) if rows else (None, None)


def insert(record: RaceRecord) -> list[Statement]:
    """Returns what stores a new race with its entrants."""
    race = record.race
    values = (
        record.id,
        record.guild,
        record.channel,
        record.message,
        record.posted,
        record.rules.key,
        record.rules.version,
        record.seed,
        record.salt,
        int(record.typed),
        int(record.ranked),
        race.host,
        race.phase.value,
        race.limit,
        record.outage,
        race.touched,
        race.host_seen,
        race.start_at,
        record.ended_at,
        int(record.announced),
        record.rematch_of,
        record.revision,
        record.band,
        record.locale,
        record.made_up,
    )
    marks = ", ".join(f"${index}" for index in range(1, len(values) + 1))
    return [
        Statement(f"INSERT INTO race ({_COLUMNS}) VALUES ({marks})", values, rows=1),
        *(_add_entrant(record, entrant, index) for index, entrant in enumerate(race.entrants)),
        *(_take_seat(record, entrant.player) for entrant in race.entrants),
    ]


def update(before: RaceRecord, after: RaceRecord) -> list[Statement]:
    """Returns what turns the stored *before* into *after*; it fails if somebody else has written since."""
    race = after.race
    return [
        Statement(
            "UPDATE race SET message = $1, posted = $2, host = $3, phase = $4, time_limit = $5, outage = $6, "
            "touched = $7, host_seen = $8, start_at = $9, ended_at = $10, announced = $11, made_up = $12, "
            "ruleset = $13, revision = revision + 1 WHERE id = $14 AND revision = $15",
            (
                after.message,
                after.posted,
                race.host,
                race.phase.value,
                race.limit,
                after.outage,
                race.touched,
                race.host_seen,
                race.start_at,
                after.ended_at,
                int(after.announced),
                after.made_up,
                after.rules.version,
                after.id,
                before.revision,
            ),
            rows=1,
        ),
        *_change_entrants(before, after),
        *_begin_attempts(before, after),
    ]


def keep_result(race: int, message: int, *, over: int | None) -> list[Statement]:
    """Returns what keeps the *message* in which the result of *race* stands, so that it has been announced.

    It fails if another one has come in place of *over*.
    """
    kept = Statement(
        "UPDATE race SET result_message = $1 WHERE id = $2 AND COALESCE(result_message, 0) = $3",
        (message, race, over or 0),
        rows=1,
    )
    if over is not None:
        return [kept]
    return [
        kept,
        # One that was given up unannounced, and told of after all when it was judged, has changed in nothing else.
        Statement(
            "UPDATE race SET announced = 1, revision = revision + 1 WHERE id = $1 AND announced = 0", (race,)
        ),
    ]


def keep_token(race: int, player: int, token: str, at: int, message: int | None) -> Statement:
    """Returns what keeps the newest token of an entrant's private message."""
    return Statement(
        "UPDATE entrant SET token = $1, token_at = $2, token_message = $3 WHERE race = $4 AND player = $5",
        (token, at, message, race, player),
    )


def forget_tokens(now: int) -> Statement:
    """Returns what deletes the tokens that are dead at *now*."""
    return Statement(
        "UPDATE entrant SET token = NULL, token_at = NULL, token_message = NULL "
        "WHERE token_at IS NOT NULL AND token_at <= $1",
        (now - TOKEN_LIFE,),
    )


def forget_tokens_of(race: int) -> Statement:
    """Returns what deletes the tokens of *race*."""
    return Statement(
        "UPDATE entrant SET token = NULL, token_at = NULL, token_message = NULL WHERE race = $1", (race,)
    )


def leave_seat(race: int, player: int) -> Statement:
    """Returns what frees *player* for another race."""
    return Statement("DELETE FROM seat WHERE race = $1 AND player = $2", (race, player))


def _take_seat(record: RaceRecord, player: int) -> Statement:
    return Statement(
        "INSERT INTO seat (guild, player, race) VALUES ($1, $2, $3)",
        (record.guild, player, record.id),
        rows=1,
    )


def _add_entrant(record: RaceRecord, entrant: Entrant, position: int) -> Statement:
    return Statement(
        "INSERT INTO entrant (race, player, attempt, position, ready, removed) VALUES ($1, $2, $3, $4, $5, 0)",
        (record.id, entrant.player, entrant.attempt, position, int(entrant.ready)),
        rows=1,
    )


def _change_entrants(before: RaceRecord, after: RaceRecord) -> list[Statement]:
    old = {entrant.player: entrant for entrant in before.race.entrants}
    new = {entrant.player: entrant for entrant in after.race.entrants}
    changes: list[Statement] = []
    for player in old.keys() - new.keys():
        changes.append(leave_seat(after.id, player))
        if player in after.race.removed:
            changes.append(
                Statement(
                    "UPDATE entrant SET removed = 1 WHERE race = $1 AND player = $2", (after.id, player)
                )
            )
        else:
            changes.append(
                Statement("DELETE FROM entrant WHERE race = $1 AND player = $2", (after.id, player))
            )
    for player, entrant in new.items():
        if player not in old:
            position = "(SELECT COALESCE(MAX(position), 0) + 1 FROM entrant WHERE race = $1)"
            changes += [
                _take_seat(after, player),
                Statement(
                    "INSERT INTO entrant (race, player, attempt, position, ready, removed) "
                    f"VALUES ($1, $2, $3, {position}, $4, 0)",
                    (after.id, player, entrant.attempt, int(entrant.ready)),
                    rows=1,
                ),
            ]
        elif entrant.ready != old[player].ready:
            changes.append(
                Statement(
                    "UPDATE entrant SET ready = $1 WHERE race = $2 AND player = $3",
                    (int(entrant.ready), after.id, player),
                    rows=1,
                )
            )
    if not after.race.phase.is_live and before.race.phase.is_live:
        changes.append(Statement("DELETE FROM seat WHERE race = $1", (after.id,)))
        changes += [
            Statement(
                "UPDATE entrant SET place = $1 WHERE race = $2 AND player = $3",
                (standing.place, after.id, standing.entrant.player),
            )
            for standing in after.race.standings
            if standing.entrant.result is not None
        ]
    return changes


def _begin_attempts(before: RaceRecord, after: RaceRecord) -> list[Statement]:
    if after.race.phase is not Phase.RUNNING:
        return []
    if before.race.phase is Phase.RUNNING:
        if before.race.limit == after.race.limit:
            return []
        return [
            Statement(
                "UPDATE attempt SET time_limit = $1 WHERE race = $2 AND ended_at IS NULL",
                (after.race.limit, after.id),
            )
        ]
    start = after.race.start_at
    assert start is not None
    return [
        attempts.insert(
            AttemptRecord(
                entrant.attempt,
                entrant.player,
                Purpose.RACE,
                Attempt.begin(after.rules, after.seed, start=start, limit=after.race.limit),
                ranked=after.ranked,
                race=after.id,
            )
        )
        for entrant in after.race.entrants
    ]


async def _load_where(db: Database, condition: str, *args: Value) -> list[RaceRecord]:
    rows = await db.read(f"SELECT {_COLUMNS} FROM race WHERE {condition} ORDER BY id", *args)
    if not rows:
        return []
    entrants: dict[int, list[Row]] = {}
    for each in await db.read(_ENTRANTS.format(condition), *args):
        entrants.setdefault(each[0], []).append(each)
    records = []
    for row in rows:
        try:
            # One that has not begun is played by the rules of its start.
            is_ahead = Phase(row[12]) in (Phase.OPEN, Phase.COUNTDOWN)
            rules = find_game(row[5]) if is_ahead else rules_under(row[5], row[6])
        except UnknownGameError:
            continue
        records.append(_record(row, rules, entrants.get(row[0], [])))
    return records


def _record(row: Row, rules: Rules, entrants: list[Row]) -> RaceRecord:
    race = Race(
        host=row[11],
        entrants=tuple(
            Entrant(each[1], each[2], bool(each[3]), _result(each[5:])) for each in entrants if not each[4]
        ),
        phase=Phase(row[12]),
        limit=row[13],
        touched=row[15],
        host_seen=row[16],
        start_at=row[17],
        removed=frozenset(each[1] for each in entrants if each[4]),
    )
    return RaceRecord(
        id=row[0],
        guild=row[1],
        channel=row[2],
        message=row[3],
        posted=row[4],
        rules=rules,
        seed=row[7],
        salt=row[8],
        race=race,
        typed=bool(row[9]),
        ranked=bool(row[10]),
        band=row[22],
        locale=row[23],
        made_up=row[24],
        outage=row[14],
        ended_at=row[18],
        announced=bool(row[19]),
        rematch_of=row[20],
        revision=row[21],
    )


def _result(row: Row) -> Result | None:
    reason, *counts = row
    return None if reason is None else Result(EndReason(reason), *counts)
