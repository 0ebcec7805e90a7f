"""What the pool of certified deals does to presses: the time to an answer with and without a process that proves.

The bot is a process of its own, on one core, and plays at a steady rate. The process that proves deals runs on the
same core, without any pause, which is many times what the pool asks for.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.load import Phase, same_deal
from bot.services.pool import DEPTH, is_certifiable
from bot.services.prover import Worker
from bot.store import deals
from bot.store.database import open_database
from bot.store.deals import Ready
from engine import GAMES, random_seed

GAME, RATE, SECONDS, ROUNDS = "links", 50.0, 3.0, 12
WARM_UP = 2.0
MOST_SLOWER = 1.5
"""How many times as long the slowest press in a hundred may take."""


def measure() -> Iterator[Figure]:
    """Yields the times to an answer, and how many deals were proved meanwhile."""
    rounds = asyncio.run(_run())
    alone, beside = [each[0] for each in rounds], [each[1] for each in rounds]
    for name, phases in (("alone", alone), ("while deals are proved", beside)):
        yield Figure(f"{GAME}: a press, median, {name}", median(each.p50 for each in phases), "ms")
        yield Figure(f"{GAME}: a press, 99 %, {name}", median(each.p99 for each in phases), "ms")
    ratios = [with_it.p99 / without.p99 for without, with_it in zip(alone, beside, strict=True)]
    yield Figure("  99 %, ratio in the median round", median(ratios), "times", most=MOST_SLOWER)
    lost = sum(each.lost for each in (*alone, *beside))
    yield Figure("  presses without an answer in time", lost, "", most=0)
    yield Figure("  deals proved a second meanwhile", median(each[2] for each in rounds) / SECONDS, "")


async def _run() -> list[tuple[Phase, Phase, int]]:
    """Returns for each round the presses alone, those beside the proofs, and the number of proofs."""
    _keep_on(0, 1)
    found = []
    with TemporaryDirectory(prefix="same-deal-", dir=Path.cwd()) as folder:
        await _stock(Path(folder))
        async with same_deal(Path(folder)) as real:
            bot = await real.solo(GAME)
            await bot.steady(WARM_UP, RATE)
            for _ in range(ROUNDS):
                alone = await bot.steady(SECONDS, RATE)
                async with _proving() as proved:
                    beside = await bot.steady(SECONDS, RATE)
                found.append((alone, beside, len(proved)))
    return found


async def _stock(folder: Path) -> None:
    """Fills the pool of the bot's database beforehand, so that the bot itself proves nothing."""
    migrations = Path(__file__).parents[1] / "migrations"
    async with await open_database(f"sqlite:///{folder}/bot.db", migrations) as db:
        for rules in GAMES:
            if is_certifiable(rules):
                made = [
                    deals.keep(rules, Ready(random_seed(secrets.randbelow), 1), 0) for _ in range(2 * DEPTH)
                ]
                await db.write(*made)


@contextlib.asynccontextmanager
async def _proving() -> AsyncIterator[list[str]]:
    """Proves deals of all games that have certificates on the bot's core meanwhile; gives the seeds."""
    worker, proved = Worker(), list[str]()
    games = [rules for rules in GAMES if is_certifiable(rules)]
    await worker.prove(games[0], "warm-up")
    assert worker.pid is not None
    _keep_on(worker.pid, 0)

    async def go() -> None:
        while True:
            for rules in games:
                seed = random_seed(secrets.randbelow)
                await worker.prove(rules, seed)
                proved.append(seed)

    task = asyncio.create_task(go())
    try:
        yield proved
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await worker.close()


def _keep_on(process: int, core: int) -> None:
    """Keeps a process, 0 being this one, on one core, where there are two."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(process, {core})


def main() -> None:
    """Prints the figures."""
    for figure in measure():
        print(figure, flush=True)


if __name__ == "__main__":
    main()
