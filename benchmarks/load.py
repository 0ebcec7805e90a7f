"""What a press costs: full durable moves of every game against a bot that does nothing, in one run.

Both bots are processes of their own on one core, each on a lean loopback Discord in this process on another core.
They take turns, so that whatever else the machine does hits both alike. A move is loaded, checked, applied,
committed with `synchronous=FULL`, drawn with emoji and buttons, and answered.

    python -m benchmarks.load [--rounds N] [--seconds S] [--games KEY,KEY] [--rate 200] [--spy FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Figure, percentile
from benchmarks.loopback import Loopback
from bot.render.art import emoji_names
from engine import GAMES

IN_FLIGHT, PLAYERS = 64, 256
WARM_UP = 1.5
LEAD_IN = 0.4
"""Seconds at the beginning of a phase that are not measured."""
TICKS = os.sysconf("SC_CLK_TCK")
ROUNDS, SECONDS, RATE = 3, 4.0, 200.0

Press = Callable[[int], Coroutine[Any, Any, float | None]]
"""Presses as the player of this number and returns how many seconds the answer took, None if there was none."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What was measured while presses came in: answers a second, CPU a press, and times to the answer, in ms."""

    presses: int
    lost: int
    rate: float
    cpu: float
    p50: float
    p99: float
    share: float
    """Of a core that the bot used."""
    durable: float = 1.0
    """Of the presses that were saved as a move."""


class Bot:
    """A bot under test: its process, and how to press."""

    def __init__(self, pid: int, press: Press, events: Callable[[], int] = int) -> None:
        self.pid = pid
        self.press = press
        self.events = events

    async def saturated(self, seconds: float, players: int = IN_FLIGHT) -> Phase:
        """Returns the figures while *players* press as fast as they are answered.

        They begin all at once, as nobody would, so that the first moments do not count.
        """
        times: list[float | None] = []
        end = time.perf_counter() + LEAD_IN + seconds

        async def go(player: int) -> None:
            while time.perf_counter() < end:
                times.append(await self.press(player))

        work = asyncio.gather(*map(go, range(players)))
        await asyncio.sleep(LEAD_IN)
        times.clear()
        return await self._measured(times, work)

    async def steady(self, seconds: float, rate: float) -> Phase:
        """Returns the figures while presses come in at random, *rate* a second."""
        chance = random.Random(7)
        times: list[float | None] = []
        idle = list(range(PLAYERS))
        tasks: set[asyncio.Task[None]] = set()

        async def go(player: int) -> None:
            times.append(await self.press(player))
            idle.append(player)

        async def flow() -> None:
            due = begin = time.perf_counter()
            while due < begin + seconds:
                due += chance.expovariate(rate)
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                if idle:
                    task = asyncio.create_task(go(idle.pop(chance.randrange(len(idle)))))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)
            await asyncio.gather(*tasks)

        return await self._measured(times, flow())

    async def _measured(self, times: list[float | None], work: Any) -> Phase:
        events, cpu, begin = self.events(), _cpu(self.pid), time.perf_counter()
        await work
        wall, used = time.perf_counter() - begin, _cpu(self.pid) - cpu
        good = [each * 1000 for each in times if each is not None] or [0.0, 0.0]
        return Phase(
            presses=len(times),
            lost=times.count(None),
            rate=len(times) / wall,
            cpu=used / max(1, len(times)) * 1e6,
            p50=percentile(good, 50),
            p99=percentile(good, 99),
            share=used / wall,
            durable=(self.events() - events) / max(1, len(times)),
        )


def _cpu(pid: int) -> float:
    """Returns the CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _pin(pid: int, core: int) -> None:
    """Keeps a process on one core, where there are two."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


# ------------------------------------------------------------------- the bots


@asynccontextmanager
async def process(*arguments: str, **settings: str) -> AsyncIterator[tuple[Loopback, int]]:
    """Runs a Python program as a bot on a loopback Discord of its own; gives the latter and the process id."""
    server = Loopback()
    await server.start()
    env = {
        **os.environ,
        "DISCORD_API_URL": server.api_url,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DISCORD_TOKEN": "a.b.c",
        "LOG_LEVEL": "ERROR",
        "HEALTH_PORT": "0",
        **settings,
    }
    bot = await asyncio.create_subprocess_exec(sys.executable, *arguments, env=env)
    try:
        _pin(bot.pid, 0)
        async with asyncio.timeout(60):
            await server.ready.wait()
        yield server, bot.pid
    finally:
        if bot.returncode is None:
            bot.terminate()
        await bot.wait()
        await server.stop()


@asynccontextmanager
async def floor_bot() -> AsyncIterator[Bot]:
    """Gives the floor bot; every player has a message with 25 buttons."""
    async with process("-m", "benchmarks.floor") as (server, pid):
        boards = [server.message(_floor_rows()) for _ in range(PLAYERS)]

        async def press(player: int) -> float | None:
            return await server.press(player, boards[player], "m:1:b0")

        yield Bot(pid, press)


def _floor_rows() -> list[dict[str, Any]]:
    return [
        {
            "type": 1,
            "id": 100 + start,
            "components": [
                {"type": 2, "id": 200 + n, "style": 2, "label": str(n), "custom_id": f"m:1:b{n}"}
                for n in range(start, start + 5)
            ],
        }
        for start in range(0, 25, 5)
    ]


class Solo:
    """Players who practise *game*, each alone, with any move that their board offers; then the next deal."""

    def __init__(self, server: Loopback, game: str, first: int, count: int = PLAYERS) -> None:
        self.count = count
        self._server = server
        self._chance = random.Random(game)
        self._game = game
        self._first = first
        self._boards: dict[int, dict[str, Any]] = {}

    async def begin(self) -> None:
        """Gives every player a board."""
        for player in range(self.count):
            await self._deal(player)

    def player(self, number: int) -> int:
        """Returns the player of this *number* as the server knows them."""
        return self._first + number

    def board(self, number: int) -> dict[str, Any]:
        """Returns the message that holds the board of the player of this *number*."""
        return self._boards[number]

    def moves(self, number: int) -> list[str]:
        """Returns the custom ids of the moves that this player's board offers."""
        return _moves(self._boards[number])

    async def press(self, player: int) -> float | None:
        """Makes one press of a move and returns how long its answer took."""
        while not (moves := self.moves(player)):
            await self._deal(player)
        custom_id = self._chance.choice(moves)
        return await self._server.press(self._first + player, self._boards[player], custom_id)

    async def _deal(self, player: int) -> None:
        self._boards[player] = await self._server.slash(self._first + player, "play", {"game": self._game})


def _moves(board: dict[str, Any]) -> list[str]:
    """Returns the custom ids of the buttons of *board* that play a card; if one is picked, of its places only."""
    found = [each["custom_id"].split(":") for each in _buttons(board["components"])]
    places = [each for each in found if each[3] == "pile" and len(each) > 5 and each[4] != each[5]]
    plays = [each for each in found if each[3] in ("pile", "call")]
    return [":".join(each) for each in places or plays]


def _buttons(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in components:
        if each["type"] == 2:
            if not each.get("disabled") and each["custom_id"].startswith("b:"):
                yield each
        else:
            yield from _buttons(each.get("components", []))
            if "accessory" in each:
                yield from _buttons([each["accessory"]])


class SameDealBot:
    """The real bot, whose emoji are all there, on its *server*, with the database *file*."""

    def __init__(self, server: Loopback, pid: int, file: Path) -> None:
        self.server = server
        self.pid = pid
        self._file = file
        self._players = 0

    async def solo(self, game: str) -> Bot:
        """Returns the bot under the presses of players of *game*."""
        players = Solo(self.server, game, self._players)
        self._players += PLAYERS
        await players.begin()
        return Bot(self.pid, players.press, self._events)

    def _events(self) -> int:
        """Returns how many moves are saved."""
        with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as connection:
            query = "SELECT COUNT(*) FROM event WHERE kind IN ('move', 'mistake')"
            return int(connection.execute(query).fetchone()[0])


@asynccontextmanager
async def same_deal(folder: Path, **settings: str) -> AsyncIterator[SameDealBot]:
    """Runs the real bot with a database in *folder*."""
    file = folder / "bot.db"
    async with process("-m", "bot", "run", DATABASE_URL=f"sqlite:///{file}", **settings) as (server, pid):
        async with asyncio.timeout(120):
            await server.has_emoji(len(emoji_names()))
        yield SameDealBot(server, pid, file)


# ---------------------------------------------------------------- the figures


def measure() -> Iterator[Figure]:
    """Yields the figures of the base games."""
    for game, rounds in asyncio.run(run(_base_games(), ROUNDS, SECONDS, RATE)).items():
        yield from _figures(game, rounds)


def _base_games() -> list[str]:
    return [rules.key for rules in GAMES if rules.key == rules.base]


Round = tuple[Phase, Phase, Phase, Phase]
"""Of the floor and of the bot, saturated; of the floor and of the bot, at a steady rate."""


async def run(
    games: list[str], rounds: int, seconds: float, rate: float, spy: Path | None = None
) -> dict[str, list[Round]]:
    """Returns what was measured, by game, and prints each phase as it ends."""
    _pin(0, 1)
    found: dict[str, list[Round]] = {game: [] for game in games}
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()))
        floor = await stack.enter_async_context(floor_bot())
        ours = await stack.enter_async_context(same_deal(Path(folder)))
        bots = {game: await ours.solo(game) for game in games}
        await floor.saturated(WARM_UP)
        for bot in bots.values():
            await bot.saturated(WARM_UP)
        for _ in range(rounds):
            for game, bot in bots.items():
                recorder = await _spy(bot.pid, seconds, spy)
                phases = (
                    await floor.saturated(seconds),
                    await bot.saturated(seconds),
                    await floor.steady(seconds, rate),
                    await bot.steady(seconds, rate),
                )
                if recorder is not None:
                    await recorder.wait()
                found[game].append(phases)
                for name, phase in zip(
                    ("floor", game, "floor steady", f"{game} steady"), phases, strict=True
                ):
                    print(_line(name, phase), file=sys.stderr, flush=True)
    return found


async def _spy(pid: int, seconds: float, file: Path | None) -> asyncio.subprocess.Process | None:
    if file is None:
        return None
    tool = Path(sys.executable).with_name("py-spy")
    span = str(int(seconds * 4))
    options = ("-p", str(pid), "-f", "raw", "-r", "250", "-d", span, "-o", str(file), "--nonblocking")
    return await asyncio.create_subprocess_exec(str(tool), "record", *options)


def _line(name: str, phase: Phase) -> str:
    return (
        f"{name:22} {phase.presses:6} presses {phase.lost:3} lost {phase.rate:7.0f}/s {phase.cpu:6.0f} µs CPU "
        f"p50 {phase.p50:6.1f} p99 {phase.p99:6.1f} ms  core {phase.share:4.0%}  durable {phase.durable:4.0%}"
    )


def _figures(game: str, rounds: list[Round]) -> Iterator[Figure]:
    def middle(ratio: Callable[[Round], float]) -> float:
        return median(map(ratio, rounds))

    cpus = [bot.cpu / floor.cpu for floor, bot, _, _ in rounds]
    yield Figure(f"{game}: CPU of a move", middle(lambda r: r[1].cpu), "µs")
    yield Figure(f"{game}: the same, to the floor's", median(cpus), "times", most=1.0)
    yield Figure(f"{game}:   lowest of {len(rounds)} rounds", min(cpus), "times")
    yield Figure(f"{game}:   highest", max(cpus), "times")
    yield Figure(f"{game}: throughput", middle(lambda r: r[1].rate / r[0].rate), "times", least=1.2)
    yield Figure(f"{game}: p99, saturated", middle(lambda r: r[1].p99 / r[0].p99), "times", most=0.6)
    yield Figure(f"{game}: p50 at {RATE:.0f}/s", middle(lambda r: r[3].p50 / r[2].p50), "times", most=2.0)
    yield Figure(f"{game}: p99 at {RATE:.0f}/s", middle(lambda r: r[3].p99 / r[2].p99), "times", most=2.0)
    yield Figure(f"{game}: presses that were saved as moves", middle(lambda r: r[1].durable) * 100, "%")


def main() -> int:
    """Measures what the command line asks for and returns 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="What a press costs.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each phase")
    parser.add_argument("--games", default=",".join(_base_games()))
    parser.add_argument("--rate", type=float, default=RATE, help="presses a second in the steady phases")
    parser.add_argument("--spy", type=Path, help="where py-spy writes its samples, in its raw form")
    asked = parser.parse_args()
    found = asyncio.run(run(asked.games.split(","), asked.rounds, asked.seconds, asked.rate, asked.spy))
    figures = [figure for game, rounds in found.items() for figure in _figures(game, rounds)]
    for figure in figures:
        print(figure)
    return int(not all(figure.is_met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
