"""The daily posts in the database: which servers want one, and what has become of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.store.database import Database, Row, Statement


class Sending(StrEnum):
    """What has become of a post."""

    SENDING = "sending"
    SENT = "sent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Setup:
    """Where and when a server wants its daily post, and whom it pings.

    *hour* is that of the day in the IANA *zone*; *since* is when this was chosen, in milliseconds since 1970;
    *trouble* is why the last post could not be sent.
    """

    guild: int
    channel: int
    hour: int
    zone: str
    role: int | None = None
    since: int = 0
    trouble: str | None = None
    is_on: bool = True


@dataclass(frozen=True, slots=True)
class Post:
    """The daily post of a server for a day.

    *begun_at* and *tried_at* are when the first and the last of its *tries* began, in milliseconds since 1970.
    *has_podium* tells whether it shows how the day before has ended.
    """

    guild: int
    day: int
    channel: int
    begun_at: int
    tried_at: int
    tries: int = 1
    message: int | None = None
    state: Sending = Sending.SENDING
    has_podium: bool = False


_SETUP = "guild, channel, hour, zone, role, since, trouble, switched"
_POST = "guild, day, channel, begun_at, tried_at, tries, message, state, podium"


async def find(db: Database, guild: int) -> Setup | None:
    """Returns what the server *guild* has chosen, or None."""
    rows = await db.read(f"SELECT {_SETUP} FROM daily_setup WHERE guild = $1", guild)
    return _setup(rows[0]) if rows else None


async def without_post(db: Database, day: int) -> list[Setup]:
    """Returns the servers that want posts and for which none has been begun for *day* or a later one."""
    rows = await db.read(
        f"SELECT {_SETUP} FROM daily_setup s WHERE s.switched = 1 "
        "AND NOT EXISTS (SELECT 1 FROM daily_post p WHERE p.guild = s.guild AND p.day >= $1)",
        day,
    )
    return [_setup(row) for row in rows]


async def load(db: Database, guild: int, day: int) -> Post | None:
    """Returns the post of a server for *day*, or None."""
    rows = await db.read(f"SELECT {_POST} FROM daily_post WHERE guild = $1 AND day = $2", guild, day)
    return _post(rows[0]) if rows else None


async def unfinished(db: Database, day: int, before: int) -> list[Post]:
    """Returns the posts of *day* whose newest try began before *before* and has not been heard of since."""
    rows = await db.read(
        f"SELECT {_POST} FROM daily_post WHERE day = $1 AND state = '{Sending.SENDING}' AND tried_at < $2",
        day,
        before,
    )
    return [_post(row) for row in rows]


async def without_podium(db: Database, day: int) -> list[Post]:
    """Returns the posts of *day* that have been sent and do not tell yet how the day before has ended."""
    rows = await db.read(
        f"SELECT {_POST} FROM daily_post WHERE day = $1 AND state = '{Sending.SENT}' AND podium = 0", day
    )
    return [_post(row) for row in rows]


def keep(setup: Setup) -> Statement:
    """Returns what keeps what a server has chosen."""
    return Statement(
        f"INSERT INTO daily_setup ({_SETUP}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) "
        "ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel, hour = excluded.hour, "
        "zone = excluded.zone, role = excluded.role, since = excluded.since, trouble = excluded.trouble, "
        "switched = excluded.switched",
        (
            setup.guild,
            setup.channel,
            setup.hour,
            setup.zone,
            setup.role,
            setup.since,
            setup.trouble,
            int(setup.is_on),
        ),
    )


def note_trouble(guild: int, trouble: str | None) -> Statement:
    """Returns what keeps why the last post of a server could not be sent, or that it could."""
    return Statement("UPDATE daily_setup SET trouble = $1 WHERE guild = $2", (trouble, guild))


def intend(post: Post) -> Statement:
    """Returns what notes that *post* is about to be sent; it fails if somebody has noted that already."""
    return Statement(
        f"INSERT INTO daily_post ({_POST}) VALUES ($1, $2, $3, $4, $5, $6, NULL, '{Sending.SENDING}', 0)",
        (post.guild, post.day, post.channel, post.begun_at, post.tried_at, post.tries),
        rows=1,
    )


def try_again(post: Post, at: int) -> Statement:
    """Returns what notes that *post* is about to be sent once more; it fails if somebody else is at it."""
    return Statement(
        "UPDATE daily_post SET tried_at = $1, tries = tries + 1 "
        f"WHERE guild = $2 AND day = $3 AND tries = $4 AND state = '{Sending.SENDING}'",
        (at, post.guild, post.day, post.tries),
        rows=1,
    )


def settle(post: Post, *, over: int | None) -> Statement:
    """Returns what keeps what has become of *post*; it fails if another message has come in place of *over*."""
    return Statement(
        "UPDATE daily_post SET message = $1, state = $2, podium = $3 "
        "WHERE guild = $4 AND day = $5 AND COALESCE(message, 0) = $6",
        (post.message, post.state.value, int(post.has_podium), post.guild, post.day, over or 0),
        rows=1,
    )


def forget_posts(before: int) -> Statement:
    """Returns what deletes the posts of the days before *before*."""
    return Statement("DELETE FROM daily_post WHERE day < $1", (before,))


def _setup(row: Row) -> Setup:
    return replace(Setup(*row[:7]), is_on=bool(row[7]))


def _post(row: Row) -> Post:
    return replace(Post(*row[:7]), state=Sending(row[7]), has_podium=bool(row[8]))
