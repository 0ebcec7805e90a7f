"""A machine whose clock is set while people race."""

from __future__ import annotations

import asyncio
import datetime
from types import SimpleNamespace

import pytest

from tests.wire.conftest import Wire


@pytest.mark.parametrize("hours", [1, -1])
async def test_a_clock_that_is_set_ends_no_race(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    ann, bob = wire.discord.add_player("Ann"), wire.discord.add_player("Bob")
    boards = await wire.race(ann, bob)
    right = wire.clock.now
    monkeypatch.setattr(wire.clock, "now", lambda: right() + hours * 3_600_000)
    await wire.bot.desk.tick()
    assert not (await wire.attempt(boards[ann.id])).is_over


async def test_the_time_is_given_back_for_which_the_machine_was_suspended(wire: Wire) -> None:
    ann = wire.discord.add_player("Ann")
    board = (await wire.race(ann))[ann.id]
    limit = (await wire.attempt(board)).limit
    assert limit is not None
    wire.bot._ticked = wire.clock.steady()
    wire.clock.ahead += 60  # while nothing ran, not even the monotonic clock
    assert await wire.bot._tick()
    lengthened = (await wire.attempt(board)).limit
    assert lengthened is not None
    assert lengthened - limit >= 60_000


@pytest.mark.parametrize("hours", [1, -1])
async def test_what_is_due_is_done_at_the_same_pace_when_the_clock_is_set(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    class Set(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Set:
            return super().now(tz) + datetime.timedelta(hours=hours)

    shifted = SimpleNamespace(**{**vars(datetime), "datetime": Set})
    ticks: list[float] = []
    enough = asyncio.Event()

    async def tick(*, shard_count: int) -> None:
        ticks.append(asyncio.get_running_loop().time())
        for module in ("discord.utils", "discord.ext.tasks"):  # discord.py's loops go by theirs
            monkeypatch.setattr(f"{module}.datetime", shifted)
        if len(ticks) == 3:
            enough.set()

    monkeypatch.setattr("bot.app.TICK", 0.1)
    monkeypatch.setattr(wire.bot.desk, "tick", tick)
    ticking = asyncio.create_task(wire.bot._tick_on())
    async with asyncio.timeout(60):
        await enough.wait()
    ticking.cancel()
    assert ticks[-1] - ticks[0] > 0.19
