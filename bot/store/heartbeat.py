"""The last moment at which each shard was served, so that an outage is known after a crash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.store.database import Database, Statement, Value


@dataclass(frozen=True, slots=True)
class Beat:
    """The instant *at*, in ms since 1970, at which *shard* of *count* was served last."""

    shard: int
    count: int
    at: int


def beat(shards: Iterable[int], count: int, at: int) -> list[Statement]:
    """Returns what notes that *shards* of *count* are served at the instant *at*."""
    args: list[Value] = [count, at]
    rows = []
    for shard in shards:
        args.append(shard)
        rows.append(f"(${len(args)}, $1, $2)")
    if not rows:
        return []
    return [
        Statement(
            f"INSERT INTO heartbeat (shard, shards, at) VALUES {', '.join(rows)} "
            "ON CONFLICT (shard) DO UPDATE SET shards = excluded.shards, at = excluded.at",
            tuple(args),
        )
    ]


async def beats(db: Database) -> list[Beat]:
    """Returns when each shard was served last, those of an earlier number of shards too."""
    return [Beat(*row) for row in await db.read("SELECT shard, shards, at FROM heartbeat")]


def last_beat(beats: Iterable[Beat], shard: int, count: int) -> int | None:
    """Returns when *shard* of *count* was served last, None if nothing was ever.

    Where there was another number of shards before, that is taken to be the newest moment of all.
    """
    known = {each.shard: each.at for each in beats if each.count == count}
    return known.get(shard, max((each.at for each in beats), default=None))


def silent(beats: Iterable[Beat], count: int, since: int) -> tuple[int, ...]:
    """Returns the shards out of *count* that have not been served *since* that instant."""
    return tuple(each.shard for each in beats if each.count == count and each.at < since)
