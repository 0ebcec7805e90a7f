"""The start of a race on the wire: how far apart the boards of its entrants leave the bot."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from bot.playground import Playground, text_of
from bot.playground.process import bot_process

ENTRANTS = 25
STARTS = 3
BAR = 50.0  # ms


def measure() -> Iterator[Figure]:
    """Yields the time between the first board and the last, and how late the first one is."""
    spreads, delays = zip(*asyncio.run(_starts()), strict=True)
    name = f"{ENTRANTS} boards of one start, the first to the last, worst of {STARTS}"
    yield Figure(name, max(spreads), "ms", most=BAR)
    yield Figure("  the first board after the start instant, worst", max(delays), "ms")


async def _starts() -> list[tuple[float, float]]:
    with TemporaryDirectory(prefix="same-deal-") as folder:
        async with Playground() as server, bot_process(server, Path(folder) / "bot.db"):
            return [await _start(server, round_) for round_ in range(STARTS)]


async def _start(server: Playground, round_: int) -> tuple[float, float]:
    """Returns the milliseconds between the first board and the last, and from the start instant to the first."""
    players = [server.add_player(f"Player {round_} {number}") for number in range(ENTRANTS)]
    opened = await players[0].slash("race new", {"game": "links"})
    assert opened.message is not None
    for player in players[1:]:
        await player.press(opened.message, "Join")
    server.record.clear()
    press = await players[0].press(opened.message, "Start")
    edits = r"PATCH /webhooks/"
    # everybody is told of the countdown first, then shown the board
    await server.signal.until(lambda: len(server.record.find(edits)) >= 2 * ENTRANTS, seconds=15)
    arrivals = [request.at for request in server.record.find(edits)][ENTRANTS:]
    start = int(re.findall(r"<t:(\d+):T>", text_of(opened.message))[0]) * 1000
    pressed = (press.id >> 22) + 1_420_070_400_000
    late = (arrivals[0] - press.sent_at) * 1000 - (start - pressed)
    return (max(arrivals) - min(arrivals)) * 1000, late
