"""Shards: the parts into which Discord divides a bot's servers, and those that one process serves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

MOST = 4096
"""More shards than any bot has; a larger number is a slip of the finger."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards *ids*, in order, out of *count*. Without settings all servers are in the one shard 0."""

    ids: tuple[int, ...] = (0,)
    count: int = 1

    def __contains__(self, guild: int) -> bool:
        """Tells whether the server *guild* (0 for private conversations) is in one of these shards."""
        return self.of(guild) in self.ids

    def __str__(self) -> str:
        return f"{_ranges(self.ids)} of {self.count}"

    def of(self, guild: int) -> int:
        """Returns the shard of the server *guild*: Discord's formula, for the shards of all processes alike."""
        return (guild >> 22) % self.count


def parse_shards(ids: str, count: str) -> Shards:
    """Returns the shards *ids* as in ``0-3,8``, or all if it is empty, out of *count*.

    :raises ValueError: with a reason that names the settings.
    """
    if not re.fullmatch(r"\d{1,4}", count, re.ASCII) or not 1 <= int(count) <= MOST:
        raise ValueError(f"SHARD_COUNT must be a number from 1 to {MOST}, the same for all processes")
    total = int(count)
    found: list[int] = []
    for part in ids.replace(" ", "").split(",") if ids.strip() else [f"0-{total - 1}"]:
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", part, re.ASCII)
        if match is None:
            raise ValueError("SHARD_IDS must be numbers and ranges like 0-3,8")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise ValueError(f"SHARD_IDS has the range {first}-{last}, which runs backwards")
        found += range(first, last + 1)
    if len(set(found)) < len(found):
        raise ValueError("SHARD_IDS names a shard twice")
    if max(found) >= total:
        raise ValueError(f"SHARD_IDS must be below SHARD_COUNT: there is no shard {max(found)} of {total}")
    return Shards(tuple(sorted(found)), total)


def _ranges(ids: Iterable[int]) -> str:
    def parts() -> Iterator[str]:
        for _, group in groupby(enumerate(ids), key=lambda pair: pair[1] - pair[0]):
            run = [number for _, number in group]
            yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"

    return ",".join(parts())
