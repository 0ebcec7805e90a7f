"""What the bot makes of faults: the lines 3 to 9 and 17 to 22 of the requirements, full disks, stops, bad databases.

The bot runs as a process of its own on the playground, whose line is made to fail in every way that Discord's does.
Each line of the table says what was done, what became of the press, and how long its answer took.

    python -m benchmarks.faults
"""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.fault_bench import CALLBACK, LATEST, Bench, Result
from benchmarks.figures import Figure
from benchmarks.machine_faults import free_port, full_disk, loop_lag, refused_start, refused_starts, stop
from bot.playground import Fault, Playground, UnansweredError, buttons, text_of
from bot.playground.process import bot_process

LOCKED = 4  # seconds

LINES = {
    "503 once": [Fault(CALLBACK, status=503)],
    "503 twice": [Fault(CALLBACK, status=503, times=2)],
    "500, 502 and 504": [Fault(CALLBACK, status=status) for status in (500, 502, 504)],
    "connection reset before the answer": [Fault(CALLBACK, drop=True)],
    "connection reset three times": [Fault(CALLBACK, drop=True, times=3)],
    "answer taken, connection reset": [Fault(CALLBACK, drop=True, after=True)],
    "answer taken, 502 returned": [Fault(CALLBACK, status=502, after=True)],
    "429, 0.3 s": [Fault.rate_limited(CALLBACK, 0.3)],
    "Discord takes 2 s to answer": [Fault(CALLBACK, delay=2.0)],
}
ELSEWHERE = {
    "4": ("a public message of more than 50 minutes", "tests/wire/test_live_race.py", "old"),
    "9": ("races over their time, idle lobbies", "tests/discord", "limit or silent or idle"),
    "7": ("a database that turns read-only, and back", "tests/wire/test_operation.py", "read_only"),
}


async def run() -> list[Result]:
    """Returns the table, and prints each line as it is known."""
    found: list[Result] = []

    def note(result: Result) -> None:
        print(result, flush=True)
        found.append(result)

    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as folder:
        file = Path(folder) / "bot.db"
        async with Playground() as server:
            port = free_port()
            async with bot_process(server, file, HEALTH_PORT=str(port)) as process:
                bench = await _seated(server, file)
                for result in [
                    await bench.pressed("3", "no fault"),
                    await _locked(bench),
                    await _foreign(bench),
                    await _twice(bench),
                    await _quick(bench),
                ]:
                    note(result)
                for name, faults in LINES.items():
                    server.faults.add(*faults)
                    note(await bench.pressed("17", name))
                note(await bench.lost_then_shown("404, the token is dead"))
                for name, trouble in _troubles(server).items():
                    note(await _through(bench, name, trouble))
                note(await _calls(bench))
                for result in await full_disk(bench, process.pid, port):
                    note(result)
                note(
                    await asyncio.to_thread(
                        refused_start, "20", "a second process", file, "in use by process"
                    )
                )
                note(await loop_lag(port))
                before = bench.moves
                last = await bench.press()
                process.send_signal(signal.SIGKILL)
                await process.wait()
            async with bot_process(server, file) as process:
                good = last.answered_at is not None and bench.moves == before + 1
                note(await bench.pressed("8", "kill -9 after an answered move; then a press"))
                note(Result("8", "  the answered move before the kill", "there, once", good))
                note(await stop(bench, process))
        for result in await asyncio.to_thread(list, refused_starts(file)):
            note(result)
    for requirement, (fault, path, words) in ELSEWHERE.items():
        note(await asyncio.to_thread(_tested, requirement, fault, path, words))
    print("  22  memory, and the loop under load: python -m benchmarks memory")
    return found


async def _seated(server: Playground, file: Path) -> Bench:
    ada = server.add_player("Ada")
    opened = await ada.slash("play", {"game": "links", "seed": "faults"})
    assert opened.message is not None
    return Bench(server, ada, opened.message, file)


async def _locked(bench: Bench) -> Result:
    fault, before = f"another program locks the database for {LOCKED} s", bench.moves
    with closing(sqlite3.connect(bench.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        press = bench.press()
        try:
            await press
        except UnansweredError:
            return Result("7", fault, "not answered", False)
        await asyncio.sleep(LOCKED - (press.seconds or 0.0))
        other.execute("ROLLBACK")
        await bench.server.signal.until(lambda: f"{before + 1} move" in text_of(bench.board))
    saved, took = bench.moves - before, (press.seconds or 0.0) * 1000
    outcome = f"acknowledged, then answered, {saved} move saved"
    return Result("7", fault, outcome, saved == 1 and took < LATEST, took)


async def _foreign(bench: Bench) -> Result:
    ben = bench.server.add_player("Ben")
    before = bench.moves
    press = await ben.press(bench.board, next(str(b["custom_id"]) for b in buttons(bench.board)), force=True)
    private = press.message is not None and press.message.audience == ben.id
    took = (press.seconds or 0.0) * 1000
    good = private and bench.moves == before
    return Result("5", "somebody else's button", "told privately whose it is", good, took)


async def _twice(bench: Bench) -> Result:
    bench.server.gateway.repeats = 1
    return await bench.pressed("6", "one press delivered twice")


async def _quick(bench: Bench) -> Result:
    before = bench.moves
    presses = [bench.press() for _ in range(10)]
    for press in presses:
        await press
    took = max((press.seconds or 0.0) * 1000 for press in presses)
    good = bench.moves == before + 1
    return Result(
        "6", "ten presses at one moment", f"{bench.moves - before} applied, all answered", good, took
    )


def _troubles(server: Playground) -> dict[str, Callable[[], None]]:
    gateway = server.gateway
    return {
        "opcode 7, reconnect": gateway.reconnect,
        "close 4000": lambda: gateway.close(4000),
        "close 1000": lambda: gateway.close(1000),
        "TCP reset": gateway.reset,
        "invalid session, resumable": lambda: gateway.invalidate(resumable=True),
        "invalid session": lambda: gateway.invalidate(resumable=False),
    }


async def _through(bench: Bench, name: str, trouble: Callable[[], None]) -> Result:
    """Returns whether a press is answered after a *trouble* of the session."""
    begin = time.perf_counter()
    connects = bench.server.gateway.identifies + bench.server.gateway.resumes
    trouble()
    gateway = bench.server.gateway
    await gateway.signal.until(lambda: gateway.identifies + gateway.resumes > connects, 30)
    await gateway.ready(seconds=30)
    back = (time.perf_counter() - begin) * 1000
    return await bench.pressed("18", f"{name} (back in {back:.0f} ms)")


async def _calls(bench: Bench) -> Result:
    bench.server.record.clear()
    for _ in range(5):
        await bench.press()
    calls = len(bench.server.record.requests)
    return Result("21", "five moves", f"{calls} calls to Discord", calls == 5)


def _tested(requirement: str, fault: str, path: str, words: str) -> Result:
    command = [sys.executable, "-m", "pytest", "-q", path, "-k", words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = done.stdout.strip().splitlines()[-1] if done.stdout else "no tests"
    return Result(requirement, fault, f"{path}: {summary}", done.returncode == 0)


def measure() -> Iterator[Figure]:
    """Yields how many lines of the table failed."""
    results = asyncio.run(run())
    yield Figure("faults tried", len(results), "lines")
    yield Figure("  that were not survived", sum(not each.good for each in results), "lines", most=0)


def main() -> int:
    """Prints the table and returns 1 if a line failed."""
    return int(not all(each.good for each in asyncio.run(run())))


if __name__ == "__main__":
    sys.exit(main())
