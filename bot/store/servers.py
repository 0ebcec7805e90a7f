"""What servers have chosen for their races, which ones have been welcomed, and how many races they have open."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.database import Database, Statement


@dataclass(frozen=True, slots=True)
class Choices:
    """What a server has chosen: in which *channels* races may be opened and which *games* raced, all where empty.

    *minutes* is the time limit of a race that names none, *role* who may open races (None: everybody), *language*
    that of the public messages, as Discord names it (None: the server's own).
    """

    channels: tuple[int, ...] = ()
    games: tuple[str, ...] = ()
    minutes: int | None = None
    role: int | None = None
    language: str | None = None


async def load(db: Database, guild: int) -> Choices:
    """Returns what *guild* has chosen."""
    rows = await db.read(
        "SELECT channels, games, minutes, role, language FROM server WHERE guild = $1", guild
    )
    if not rows:
        return Choices()
    channels, games, *rest = rows[0]
    return Choices(tuple(map(int, channels.split())), tuple(games.split()), *rest)


def save(guild: int, choices: Choices) -> Statement:
    """Returns what keeps the *choices* of *guild*."""
    return Statement(
        "INSERT INTO server (guild, channels, games, minutes, role, language) VALUES ($1, $2, $3, $4, $5, $6) "
        "ON CONFLICT (guild) DO UPDATE SET channels = excluded.channels, games = excluded.games, "
        "minutes = excluded.minutes, role = excluded.role, language = excluded.language",
        (
            guild,
            " ".join(map(str, choices.channels)),
            " ".join(choices.games),
            choices.minutes,
            choices.role,
            choices.language,
        ),
        rows=1,
    )


def mark_welcomed(guild: int, at: int) -> Statement:
    """Returns what notes that *guild* is being welcomed; it fails if it has been before."""
    return Statement("INSERT INTO welcome (guild, at) VALUES ($1, $2)", (guild, at), rows=1)


async def count_lobbies(db: Database, guild: int) -> int:
    """Returns how many races of *guild* wait for their start."""
    rows = await db.read("SELECT COUNT(*) FROM race WHERE phase = 'open' AND guild = $1", guild)
    return int(rows[0][0])


async def count_opened(db: Database, guild: int, since: int) -> int:
    """Returns how many races were opened on *guild* after the one that could be named *since*."""
    rows = await db.read("SELECT COUNT(*) FROM race WHERE guild = $1 AND id > $2", guild, since)
    return int(rows[0][0])


async def count_hosted(db: Database, player: int, since: int) -> int:
    """Returns how many races *player* has hosted, of those after the one that could be named *since*."""
    rows = await db.read("SELECT COUNT(*) FROM race WHERE host = $1 AND id > $2", player, since)
    return int(rows[0][0])
