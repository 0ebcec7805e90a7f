"""What the bot makes of its machine: full disks, stops under load, databases that it must not touch."""

from __future__ import annotations

import asyncio
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import aiohttp

from benchmarks.fault_bench import Bench, Result
from bot.playground import Interaction, Player, text_of

STOP = 5.0
"""Seconds that a stop may take."""
CROWD = 32
"""How many play without pause while the bot is stopped."""
STILL = 0.25
"""Seconds for which the event loop may stand still at most while all of this happens on a shared machine."""


async def full_disk(bench: Bench, pid: int, port: int) -> list[Result]:
    """Returns what becomes of a press while no file may grow, what the operator is told, and of one after that."""
    fault, before, shown = "a full disk", bench.moves, text_of(bench.board)
    free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    try:
        press = await bench.press()
        told = press.message is not None and "nothing was changed" in text_of(press.message)
        status, health = await _health(port, 503)
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, free)
    is_honest = told and bench.moves == before and text_of(bench.board) == shown
    outcome = f"refused: nothing was changed; {bench.moves - before} moves saved"
    well, _ = await _health(port, 200)
    return [
        Result("7", fault, outcome, is_honest, (press.seconds or 0.0) * 1000),
        Result("7", "  what the operator is told", f"/healthz {status}: {health}", status == 503),
        Result("7", "  room again, without a restart", f"/healthz {well}", well == 200),
        await bench.pressed("7", "  and a press"),
    ]


async def _health(port: int, wanted: int) -> tuple[int, str]:
    """Returns the status of the bot and what it says of its database, once the status is the one that is *wanted*."""
    status, told = 0, ""
    async with aiohttp.ClientSession() as session:
        for _ in range(100):
            async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                status, told = answer.status, (await answer.json())["database"]
            if status == wanted:
                break
            await asyncio.sleep(0.1)
    return status, told


async def loop_lag(port: int) -> Result:
    """Returns how long the event loop stood still at most during all of the above, as the bot's own metrics tell."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        found = re.findall(r'loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)', await answer.text())
    worst = next(float(bound) for bound, count in found if count == found[-1][1])
    outcome = f"never above {worst * 1000:.0f} ms during the lines above"
    return Result("19", "how long the event loop stood still", outcome, worst <= STILL)


async def stop(bench: Bench, process: asyncio.subprocess.Process) -> Result:
    """Returns whether all that was answered is saved, once, when the bot is stopped under load."""
    server, before = bench.server, _events(bench.file)
    presses: list[Interaction] = []

    async def play(player: Player) -> None:
        opened = await player.slash("play", {"game": "links"})
        assert opened.message is not None
        seat = Bench(server, player, opened.message, bench.file)
        while process.returncode is None:
            presses.append(seat.press())
            await presses[-1]

    crowd = [asyncio.create_task(play(server.add_player(f"Player {n}"))) for n in range(CROWD)]
    await server.signal.until(lambda: len(presses) > 8 * CROWD, 30)
    process.send_signal(signal.SIGTERM)
    begin = time.perf_counter()
    await asyncio.wait_for(process.wait(), 3 * STOP)
    took = time.perf_counter() - begin
    await asyncio.gather(*crowd, return_exceptions=True)
    answered = sum(each.answered_at is not None for each in presses)
    saved = _events(bench.file) - before
    left = sum(each.connection is not None for each in server.gateway.sessions.values())
    outcome = (
        f"{answered} moves answered, {saved} saved, {left} connections left, exit code {process.returncode}"
    )
    good = answered == saved and not left and process.returncode == 0 and took < STOP
    return Result("", f"SIGTERM under {CROWD} players without pause", outcome, good, took * 1000)


def _events(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM event").fetchone()[0])


def free_port() -> int:
    """Returns a port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def refused_start(requirement: str, fault: str, file: Path, words: str) -> Result:
    """Returns whether a start on the database *file* is refused with one line that has *words*."""
    env = {
        "DATABASE_URL": f"sqlite:///{file}",
        "DISCORD_TOKEN": "a.b.c",
        "HEALTH_PORT": "0",
        "PATH": "/usr/bin:/bin",
    }
    command = [sys.executable, "-m", "bot", "run"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=30)
    lines = done.stderr.strip().splitlines()
    good = done.returncode == 2 and len(lines) == 1 and words in lines[0]
    return Result(requirement, f"a start: {fault}", f'refused in one line: "… {words} …"', good)


def refused_starts(file: Path) -> Iterator[Result]:
    """Yields what is said to a start on copies of the database *file* that the bot must not touch."""
    for name, (spoil, said) in BROKEN.items():
        broken = Path(shutil.copy(file, file.with_name("broken.db")))
        spoil(broken)
        yield refused_start("", name, broken, said)


def _damage(file: Path) -> None:
    file.write_bytes(b"x" * 8192)


def _age(file: Path) -> None:
    _execute(file, "INSERT INTO migration VALUES (9999, 'future', 'x', 0)")


def _estrange(file: Path) -> None:
    _execute(file, "ALTER TABLE migration RENAME TO guitars")


def _execute(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(sql)


BROKEN: Mapping[str, tuple[Callable[[Path], None], str]] = {
    "a damaged database": (_damage, "restore a backup"),
    "a database of a newer version": (_age, "newer than this program's"),
    "another program's database": (_estrange, "another program's"),
}
"""What is made of a database before a start, and what the refusal says."""
