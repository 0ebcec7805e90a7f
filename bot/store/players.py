"""Players in the database: the name last seen in an interaction, and what they have chosen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from bot.store.database import Database, Statement


class Style(StrEnum):
    """How a player's boards are drawn."""

    EMOJI = "emoji"
    IMAGE = "image"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Taste:
    """How a player likes boards: the *style*, and whether each suit has a colour of its own.

    *tell*: whether the player wants a message when a race has ended. *locale* is the language, as Discord names it.
    """

    style: Style = Style.EMOJI
    four_colours: bool = False
    tell: bool = False
    locale: str = "en-US"


def seen(player: int, name: str, locale: str, at: int) -> Statement:
    """Returns what keeps the *name* under which *player* was seen last."""
    return Statement(
        "INSERT INTO player (id, name, locale, seen) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, locale = excluded.locale, seen = excluded.seen",
        (player, name, locale, at),
    )


def hold(player: int) -> Statement:
    """Returns what has a deletion of *player* wait for this write, or this write for the deletion.

    What follows it in the same write finds everything of the player, or nothing any more.
    """
    return Statement("UPDATE player SET seen = seen WHERE id = $1", (player,))


def keep_style(player: int, style: Style) -> Statement:
    """Returns what keeps the *style* that a *player* who has been seen has chosen."""
    return Statement("UPDATE player SET style = $1 WHERE id = $2", (style.value, player), rows=1)


def keep_colours(player: int, *, four: bool) -> Statement:
    """Returns what keeps whether a *player* who has been seen wants *four* colours."""
    return Statement("UPDATE player SET four_colours = $1 WHERE id = $2", (int(four), player), rows=1)


def keep_tell(player: int, *, tell: bool) -> Statement:
    """Returns what keeps whether a *player* who has been seen wants a message when a race has ended."""
    return Statement("UPDATE player SET tell = $1 WHERE id = $2", (int(tell), player), rows=1)


async def names(db: Database, players: Collection[int]) -> dict[int, str]:
    """Returns the names of those of *players* that are known."""
    if not players:
        return {}
    rows = await db.read(f"SELECT id, name FROM player WHERE id IN ({_marks(players)})", *players)
    return {row[0]: row[1] for row in rows}


async def is_barred(db: Database, player: int) -> bool | None:
    """Tells whether the operator keeps *player* off the world boards, None for one who is not known."""
    rows = await db.read("SELECT barred FROM player WHERE id = $1", player)
    return bool(rows[0][0]) if rows else None


async def tastes(db: Database, players: Collection[int]) -> dict[int, Taste]:
    """Returns the tastes of those of *players* that are known."""
    if not players:
        return {}
    rows = await db.read(
        f"SELECT id, style, four_colours, tell, locale FROM player WHERE id IN ({_marks(players)})", *players
    )
    return {
        id_: Taste(Style(style), bool(four), bool(tell), locale) for id_, style, four, tell, locale in rows
    }


def _marks(players: Collection[int]) -> str:
    return ", ".join(f"${index}" for index in range(1, len(players) + 1))
