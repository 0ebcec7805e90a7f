"""Whether the bot's memory grows, and how late its event loop is, under load.

Memory: 100,000 presses over 5,000 attempts, after as many presses as fill what the bot keeps at hand. SQLite's page
caches fill last (16 MiB for each of two connections): by 0.14 MiB in 1,000 presses, until the file is as large.
Loop: 64 players press as fast as they are answered, while the pool of deals is filled, others have their boards
drawn as pictures, and films of replays are made.

    python -m benchmarks.memory [--presses N] [--attempts N] [--seconds S]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from benchmarks.figures import Figure
from benchmarks.load import IN_FLIGHT, SameDealBot, Solo, same_deal
from engine import GAMES

PRESSES, WARM_UP, ATTEMPTS = 100_000, 150_000, 5_000
SECONDS = 30.0
GROWTH = 5.0
"""The most by which memory may grow, in percent."""
LAG = 50.0
"""How late the loop may be, in milliseconds."""
PAINTERS = 4
FILMED = 40
"""How many presses the game has of which films are made."""
PORT = 18_093
PAGE = os.sysconf("SC_PAGE_SIZE")


def measure() -> Iterator[Figure]:
    """Yields growth and delays."""
    yield from asyncio.run(run(PRESSES, ATTEMPTS, SECONDS))


async def run(presses: int, attempts: int, seconds: float) -> list[Figure]:
    """Returns all figures."""
    games = [rules.key for rules in GAMES if rules.key == rules.base]
    figures: list[Figure] = []
    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as folder:
        async with same_deal(Path(folder), HEALTH_PORT=str(PORT)) as bot:
            if seconds:
                figures += await _delays(bot, seconds)
            if presses:
                players = [
                    Solo(bot.server, game, 1_000_000 * number, attempts // len(games))
                    for number, game in enumerate(games, 1)
                ]
                for each in players:
                    await each.begin()
                warm_up = presses * WARM_UP // PRESSES
                await _play(players, warm_up)
                before = _memory(bot.pid)
                begin = time.perf_counter()
                await _play(players, presses)
                rate, after = presses / (time.perf_counter() - begin), _memory(bot.pid)
                figures += [
                    Figure(f"memory after {warm_up:,} presses over {attempts:,} attempts", before, "MiB"),
                    Figure(f"  after {presses:,} more", after, "MiB"),
                    Figure("  growth", (after / before - 1) * 100, "%", most=GROWTH),
                    Figure("  presses a second meanwhile", rate, "/s"),
                ]
    return figures


async def _play(players: list[Solo], presses: int) -> None:
    """Spreads *presses* evenly over all attempts of *players*, so many at once as a busy bot has."""
    turns = iter(range(presses))

    async def go() -> None:
        for turn in turns:
            solo = players[turn % len(players)]
            await solo.press(turn // len(players) % solo.count)

    await asyncio.gather(*(go() for _ in range(IN_FLIGHT)))


async def _delays(bot: SameDealBot, seconds: float) -> list[Figure]:
    """Returns how late the loop was while everything is at work."""
    solo = Solo(bot.server, "links", 1, IN_FLIGHT)
    painted = Solo(bot.server, "take-away", 10_001, PAINTERS)
    await solo.begin()
    for painter in range(PAINTERS):
        await bot.server.select(painted.player(painter), "s:style", "image")
    await painted.begin()
    filmed = Solo(bot.server, "links", 20_001, 1)
    replay = await _played(bot, filmed)
    end = time.perf_counter() + seconds
    worst: list[float] = []

    async def go(player: int) -> None:
        while time.perf_counter() < end:
            await solo.press(player)

    async def paint(painter: int) -> None:
        while time.perf_counter() < end:
            await painted.press(painter)
            await asyncio.sleep(0.5)

    async def film() -> None:
        """Asks for one film after the other; while one is made, a further wish is refused."""
        while time.perf_counter() < end:
            await bot.server.press(filmed.player(0), filmed.board(0), replay)
            await asyncio.sleep(0.5)

    async def look() -> None:
        async with aiohttp.ClientSession() as session:
            while time.perf_counter() < end:
                async with session.get(f"http://127.0.0.1:{PORT}/metrics") as answer:
                    found = re.search(r"^same_deal_loop_lag_recent_seconds (\S+)", await answer.text(), re.M)
                worst.append(float(found[1]) * 1000 if found else 0.0)
                await asyncio.sleep(1)

    await asyncio.gather(look(), film(), *map(go, range(IN_FLIGHT)), *map(paint, range(PAINTERS)))
    return [
        Figure(f"longest delay of the loop in {seconds:.0f} s of load", max(worst[3:]), "ms", most=LAG),
        Figure("  median of the worst of ten seconds", sorted(worst)[len(worst) // 2], "ms"),
    ]


async def _played(bot: SameDealBot, solo: Solo) -> str:
    """Plays some moves of a game, gives it up, and returns the custom id of the button that makes a film of it."""
    await solo.begin()
    for _ in range(FILMED):
        await solo.press(0)
    _, attempt, seq, *_ = solo.moves(0)[0].split(":")
    await bot.server.press(solo.player(0), solo.board(0), f"b:{attempt}:{seq}:end")
    return f"v:film:{attempt}:0:0"


def _memory(pid: int) -> float:
    """Returns the resident memory of a process, in MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20


def main() -> int:
    """Measures what the command line asks for and returns 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description="Memory and delays.")
    parser.add_argument("--presses", type=int, default=PRESSES, help="0: do not measure the memory")
    parser.add_argument("--attempts", type=int, default=ATTEMPTS)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of load; 0: do not measure the delays"
    )
    asked = parser.parse_args()
    figures = asyncio.run(run(asked.presses, asked.attempts, asked.seconds))
    for figure in figures:
        print(figure)
    return int(not all(figure.is_met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
