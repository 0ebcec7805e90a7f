"""Moves in one to three processes on one PostgreSQL, over the playground's loopback Discord, and what each costs."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, percentile
from bot.playground import Message, Player, Playground, UnansweredError, buttons
from tests.cluster.play import Club, add_club
from tests.cluster.process import Process, add_guild_on
from tests.postgres import postgres_database, postgres_server

PLAYERS = 24  # in all, each with one press under way at any time
ROUNDS = 5
SECONDS = 2.5  # of each load in a round
SHARDS = 3
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Load:
    """What players saw, how many seconds each move took, and the CPU seconds meanwhile: bots, database, loopback."""

    times: list[float] = field(default_factory=list)
    cpu: tuple[float, float, float] = (0.0, 0.0, 0.0)
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Moves per second."""
        return len(self.times) / self.seconds

    @property
    def p99(self) -> float:
        """The time within which 99 of 100 moves were answered, in ms."""
        return 1000 * percentile(self.times, 99)


@dataclass(frozen=True, slots=True)
class Site:
    """A loopback Discord with a club on each shard, and the processes that serve them."""

    clubs: list[Club]
    processes: list[Process]
    postmaster: int | None


def measure() -> Iterator[Figure]:
    """Yields what one to three processes do, as ratios to one, and where the CPU goes.

    All are measured by turns, so that whatever else the machine does disturbs them alike.
    """
    with (
        postgres_server() as server,
        postgres_database(server) as url,
        TemporaryDirectory(prefix="same-deal-") as folder,
    ):
        loads = asyncio.run(_measure(f"sqlite:///{folder}/bot.db", url, _postmaster(server)))
    for name in ("SQLite, 1 process", *(f"PostgreSQL, {number} of 3 processes" for number in (1, 2, 3))):
        rounds = loads[name]
        moves = sum(len(load.times) for load in rounds)
        bots, database, discord = (
            sum(part) * 1000 / moves for part in zip(*(load.cpu for load in rounds), strict=True)
        )
        yield Figure(name, median(load.rate for load in rounds), "moves/s")
        yield Figure("  99 of 100 moves within", median(load.p99 for load in rounds), "ms")
        yield Figure("  CPU of a move in the bots", bots, "ms")
        yield Figure("  CPU of a move in the database", database, "ms")
        yield Figure("  CPU of a move in the loopback Discord", discord, "ms")
        busy = sum(sum(load.cpu) for load in rounds) / sum(load.seconds for load in rounds)
        yield Figure("  cores busy with it", busy, f"of {os.cpu_count()}")
    one = loads["PostgreSQL, 1 of 3 processes"]
    yield from _ratios("PostgreSQL against SQLite, one process each", one, loads["SQLite, 1 process"])
    yield from _ratios("two processes against one", loads["PostgreSQL, 2 of 3 processes"], one)
    yield from _ratios("three processes against one", loads["PostgreSQL, 3 of 3 processes"], one)


def _ratios(name: str, some: list[Load], others: list[Load]) -> Iterator[Figure]:
    pairs = list(zip(some, others, strict=True))
    yield Figure(f"{name}: moves", median(a.rate / b.rate for a, b in pairs), "times")
    yield Figure("  99th percentile", median(a.p99 / b.p99 for a, b in pairs), "times")


async def _measure(sqlite: str, url: str, postmaster: int) -> dict[str, list[Load]]:
    loads: dict[str, list[Load]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        alone = await _site(stack, sqlite, 1, None)
        fleet = await _site(stack, url, SHARDS, postmaster)
        for number in range(-1, ROUNDS):
            for name, site, processes in (
                ("SQLite, 1 process", alone, 1),
                *((f"PostgreSQL, {count} of 3 processes", fleet, count) for count in (1, 2, 3)),
            ):
                load = await _load(site, processes)
                if number >= 0:  # the first round warms up
                    loads[name].append(load)
    return loads


async def _site(stack: AsyncExitStack, url: str, shards: int, postmaster: int | None) -> Site:
    server = await stack.enter_async_context(Playground(shards=shards, record=100))
    clubs = [add_club(server, add_guild_on(server, shard, shards), PLAYERS) for shard in range(shards)]
    processes = [Process(server, url, shard_ids=str(shard), shard_count=shards) for shard in range(shards)]
    for process in processes:
        stack.push_async_callback(process.kill)
        await process.start()
    await asyncio.gather(*(club.race() for club in clubs))
    return Site(clubs, processes, postmaster)


async def _load(site: Site, processes: int) -> Load:
    """Returns what PLAYERS do for a while who belong to the clubs of the first so many *processes*."""
    load = Load()
    before, begun = _cpu(site), time.perf_counter()
    await asyncio.gather(
        *(
            _press(club, player, load, begun + SECONDS)
            for club in site.clubs[:processes]
            for player in club.players[: PLAYERS // processes]
        )
    )
    load.seconds = time.perf_counter() - begun
    bots, database, discord = (after - earlier for after, earlier in zip(_cpu(site), before, strict=True))
    load.cpu = (bots, database, discord)
    return load


async def _press(club: Club, player: Player, load: Load, until: float) -> None:
    chance = random.Random(player.id)
    board = club.boards[player.id]
    while (begun := time.perf_counter()) < until:
        try:
            await player.press(board, _any_button(board, chance))
        except UnansweredError:
            continue
        load.times.append(time.perf_counter() - begun)


def _any_button(board: Message, chance: random.Random) -> str:
    """Returns a button that takes a move back, or else one that plays: so no board ever ends."""
    usable = [str(each["custom_id"]) for each in buttons(board) if not each.get("disabled")]
    back = [each for each in usable if ":undo" in each]
    return chance.choice(back or [each for each in usable if ":call:" in each or ":pile:" in each])


def _cpu(site: Site) -> tuple[float, float, float]:
    """Returns the CPU seconds of the bots, of the database and of this process so far."""
    bots = sum(_seconds(process.process.pid) for process in site.processes)
    family = [] if site.postmaster is None else [site.postmaster, *_children(site.postmaster)]
    return bots, sum(map(_seconds, family)), time.process_time()


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def _postmaster(server: str) -> int:
    """Returns the process of the server that listens at the port in its address *server*."""
    port = server.rpartition(":")[2].partition("/")[0]
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            command = (folder / "cmdline").read_bytes().split(b"\0")
            if command[0].endswith(b"/postgres") and port.encode() in command:
                return int(folder.name)
    raise LookupError(f"no PostgreSQL of ours listens at {port}")
