"""Everything that is stored about one player: to hand it out, and to cut it off from the person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.store import standings
from bot.store.database import Database, Statement, Value

Record = dict[str, Value]
TABLES: Final = (
    ("seat", "player"),
    ("entrant", "player"),
    ("attempt", "player"),
    ("audit", "player"),
    ("audit", "moderator"),
)
"""Where a player's id stands beside races and the tables of standings."""

_RACE: Final = (
    "r.id, r.guild, r.channel, r.game, r.ranked, r.phase, "
    "r.start_at, r.ended_at, r.host, r.host_seen, r.voided"
)
_SEALED: Final = (
    "(a.ended_at IS NULL OR EXISTS (SELECT 1 FROM race r WHERE r.id = a.race AND r.phase <> 'finished') "
    "OR EXISTS (SELECT 1 FROM daily d WHERE d.day = a.day AND d.game = a.game AND d.closed_at IS NULL))"
)
"""Whether the deal of an attempt is still a secret for its own player, or for others to whom it could be told."""


async def account(db: Database, player: int) -> list[Record]:
    """Returns what is stored about *player* as a person: the name, the settings."""
    columns = "id, name, locale, seen, style, four_colours, tell, listed, barred"
    return await _records(db, columns, "player WHERE id = $1", player)


async def races(db: Database, player: int) -> list[Record]:
    """Returns the races in which *player* was, with the own part in them."""
    own = "e.attempt, e.position, e.ready, e.removed, e.place, e.disqualified"
    source = "entrant e JOIN race r ON r.id = e.race WHERE e.player = $1 ORDER BY r.id"
    found = await _records(db, f"{_RACE}, {own}", source, player)
    for record in found:  # whose race it was is that person's affair
        record["hosted"] = int(record.pop("host") == player)
        if not record["hosted"]:
            record["host_seen"] = None
    return found


async def attempts(db: Database, player: int) -> list[Record]:
    """Returns the attempts of *player*; where the deal is still a secret, without its seed."""
    columns = (
        "a.id, a.purpose, a.ranked, a.race, a.day, a.guild, a.game, a.ruleset, "
        f"CASE WHEN {_SEALED} THEN NULL ELSE a.seed END AS seed, a.start_at, a.time_limit, a.ended_at, a.reason, "
        "a.time_taken, a.cards_left, a.moves, a.mistakes, a.undos, a.hints, a.disqualified"
    )
    return await _records(db, columns, "attempt a WHERE a.player = $1 ORDER BY a.id", player)


async def events(db: Database, attempts: Sequence[int]) -> list[Record]:
    """Returns what was done in *attempts*, but for those whose deal is still a secret."""
    marks = ", ".join(f"${index}" for index in range(1, len(attempts) + 1))
    source = (
        "event e JOIN attempt a ON a.id = e.attempt "
        f"WHERE e.attempt IN ({marks}) AND NOT {_SEALED} ORDER BY e.attempt, e.seq"
    )
    return await _records(db, "e.attempt, e.seq, e.kind, e.detail, e.at", source, *attempts)


async def standing(db: Database, player: int) -> dict[str, list[Record]]:
    """Returns what follows from *player*'s results: ratings, dailies, the streak, servers, lines on boards; and
    which dailies were begun before a deletion.
    """
    return {
        "results": await _records(
            db,
            "race, attempt, guild, board, at, aged, place, counted, won, best, rated, mu, sigma, rating, gain, "
            "all_mu, all_sigma, all_rating",
            "result WHERE player = $1 ORDER BY at, race",
            player,
        ),
        "dailies": await _records(
            db,
            "day, game, board, attempt, place, field, points",
            "daily_result WHERE player = $1 ORDER BY day, game",
            player,
        ),
        "streak": await _records(db, "days, longest, last_day, frozen", "streak WHERE player = $1", player),
        "servers": await _records(db, "guild", "member WHERE player = $1 ORDER BY guild", player),
        "boards": await _records(
            db,
            "board, period, guild, listed, races, wins, best, rating, deals, points, mean, streak, longest",
            "tally WHERE player = $1 ORDER BY board, period, guild",
            player,
        ),
        "spent": await _records(db, "day, game", "spent WHERE player = $1 ORDER BY day, game", player),
    }


async def judgements(db: Database, player: int) -> list[Record]:
    """Returns the judgements about *player*, and those that *player* has made."""
    return await _records(
        db,
        "id, guild, action, race, day, game, reason, at, CASE WHEN moderator = $1 THEN 1 ELSE 0 END AS own",
        "audit WHERE player = $1 OR moderator = $1 ORDER BY id",
        player,
    )


async def live_channel(db: Database, player: int) -> int | None:
    """Returns the channel of a live race in which *player* is, or None."""
    rows = await db.read(
        "SELECT r.channel FROM seat s JOIN race r ON r.id = s.race WHERE s.player = $1 LIMIT 1", player
    )
    return rows[0][0] if rows else None


async def attempt_ids(db: Database, player: int) -> list[int]:
    """Returns the names of all attempts of *player*."""
    rows = await db.read("SELECT id FROM attempt WHERE player = $1", player)
    return [row[0] for row in rows]


async def has_spent(db: Database, player: int, day: int, game: str) -> bool:
    """Tells whether *player* began this daily before having everything deleted."""
    rows = await db.read(
        "SELECT 1 FROM spent WHERE player = $1 AND day = $2 AND game = $3", player, day, game
    )
    return bool(rows)


def cut_off(player: int, pseudonym: int) -> list[Statement]:
    """Returns what cuts everything about *player* off from the person: results live on under the *pseudonym*.

    It fails if there is nothing, or if the player is in a live race. What has to be known a little longer stays:
    which dailies of these hours were begun, so that nobody begins one twice; that the operator keeps this account
    off the world boards.

    What others write of the player meanwhile comes before all of this or after it, whole: their writes begin with a
    row that is changed here first, be it the player's (:func:`bot.store.players.hold`), or a race or daily, whose
    revision they name. So they find what they have read out of date, and this one sees all that they have written.
    """
    return [
        # Two statements: the second one sees the seat that was taken while the first one waited for the row.
        Statement("UPDATE player SET seen = 0 WHERE id = $1", (player,), rows=1),
        Statement(
            "UPDATE player SET seen = 0 WHERE id = $1 "
            "AND NOT EXISTS (SELECT 1 FROM seat s WHERE s.player = player.id)",
            (player,),
            rows=1,
        ),
        Statement("UPDATE race SET host = $1, revision = revision + 1 WHERE host = $2", (pseudonym, player)),
        Statement(
            "UPDATE race SET revision = revision + 1 WHERE id IN (SELECT race FROM entrant WHERE player = $1)",
            (player,),
        ),
        Statement(
            "UPDATE daily SET revision = revision + 1 WHERE EXISTS (SELECT 1 FROM attempt a "
            "WHERE a.purpose = 'daily' AND a.player = $1 AND a.day = daily.day AND a.game = daily.game)",
            (player,),
        ),
        Statement(
            "INSERT INTO spent (player, day, game) SELECT a.player, a.day, a.game FROM attempt a "
            "JOIN daily d ON d.day = a.day AND d.game = a.game "
            "WHERE a.player = $1 AND a.purpose = 'daily' AND d.closed_at IS NULL "
            "ON CONFLICT (player, day, game) DO NOTHING",
            (player,),
        ),
        Statement(
            "UPDATE player SET name = '', locale = 'en-US', style = 'emoji', four_colours = 0, tell = 0, listed = 0 "
            "WHERE id = $1 AND barred = 1",
            (player,),
        ),
        Statement("DELETE FROM player WHERE id = $1 AND barred = 0", (player,)),
        Statement(
            "UPDATE entrant SET token = NULL, token_at = NULL, token_message = NULL WHERE player = $1",
            (player,),
        ),
        *(
            Statement(f"UPDATE {table} SET {column} = $1 WHERE {column} = $2", (pseudonym, player))
            for table, column in TABLES
        ),
        *standings.rename(player, pseudonym),
        Statement(
            "UPDATE tally SET listed = 0 WHERE player = $1 AND guild = $2", (pseudonym, standings.EVERYWHERE)
        ),
    ]


def forget_spent(now_day: int) -> Statement:
    """Returns what forgets the dailies that deleted players began, once they are over."""
    return Statement(
        "DELETE FROM spent WHERE day < $1 AND NOT EXISTS (SELECT 1 FROM daily d "
        "WHERE d.day = spent.day AND d.game = spent.game AND d.closed_at IS NULL)",
        (now_day,),
    )


async def _records(db: Database, columns: str, source: str, *args: Value) -> list[Record]:
    rows = await db.read(f"SELECT {columns} FROM {source}", *args)
    names = [column.split()[-1].rpartition(".")[2] for column in columns.split(",")]
    return [dict(zip(names, row, strict=True)) for row in rows]
