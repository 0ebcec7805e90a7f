"""The fleet: who has which shards, who does the jobs, and whose turn it is to connect."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.fleet import IDENTIFY_EVERY, Fleet
from bot.shards import Shards
from bot.store import heartbeat
from bot.store.database import Database, DatabaseError, StoreError, open_database

ROOT = Path(__file__).parents[1]
NOW = 1_796_000_000_000
Connect = Callable[[], contextlib.AbstractAsyncContextManager[Database]]


class ManualClock:
    """Time that passes when somebody sleeps, as much as all sleep."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> int:
        return NOW + int(self.ahead * 1000)

    def steady(self) -> int:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        self.ahead += seconds
        await asyncio.sleep(0)


@pytest.fixture
def connect(postgres_url: str) -> Connect:
    @contextlib.asynccontextmanager
    async def opened() -> AsyncIterator[Database]:
        async with await open_database(postgres_url, ROOT / "migrations") as db:
            yield db

    return opened


async def fleet(stack: AsyncExitStack, connect: Connect, shards: Shards | None) -> Fleet:
    return Fleet(await stack.enter_async_context(connect()), shards, ManualClock())


async def test_shards_are_served_by_one_process_each(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        first = await fleet(stack, connect, Shards((0, 1), 4))
        second = await fleet(stack, connect, Shards((2, 3), 4))
        await first.join()
        await second.join()
        for shards in (Shards((1, 2), 4), Shards((3,), 4)):
            with pytest.raises(DatabaseError, match=r"serves shard \d of 4 already") as info:
                await (await fleet(stack, connect, shards)).join()
            assert "\n" not in str(info.value)
        with pytest.raises(DatabaseError, match="needs its SHARD_IDS"):
            await (await fleet(stack, connect, None)).join()
        assert await first.is_member()
        assert await second.is_member()


async def test_one_that_serves_all_leaves_nothing_for_others(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        await (await fleet(stack, connect, None)).join()
        for shards in (None, Shards((3,), 4)):
            with pytest.raises(DatabaseError, match="needs its SHARD_IDS"):
                await (await fleet(stack, connect, shards)).join()


async def test_a_replacement_may_come_as_soon_as_the_first_is_gone(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        second = await fleet(stack, connect, Shards((0,), 2))
        async with AsyncExitStack() as life:
            first = await fleet(life, connect, Shards((0,), 2))
            await first.join()
            assert await first.has_jobs()
            assert not await second.has_jobs()
        await second.join()
        assert await second.has_jobs()


async def test_another_number_of_shards_is_refused_while_one_is_served(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        db = await stack.enter_async_context(connect())
        await db.write(*heartbeat.beat((0, 1), 4, NOW - 1000))
        second = await fleet(stack, connect, Shards((2,), 8))
        with pytest.raises(DatabaseError, match="into 4 shards, this one into 8"):
            await second.join()
        await db.write(*heartbeat.beat((0, 1), 4, NOW - 60_000))
        await second.join()


async def test_slots_rest_between_two_processes(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        first = await fleet(stack, connect, Shards((0, 2), 3))
        second = await fleet(stack, connect, Shards((1,), 3))
        resting = asyncio.Event()
        order: list[int] = []

        class Held(ManualClock):
            async def sleep(self, seconds: float) -> None:
                await (resting.wait() if seconds == IDENTIFY_EVERY else asyncio.sleep(0))

        first._clock = second._clock = Held()

        async def launch(process: Fleet, shard: int) -> None:
            await process.may_identify(shard)
            order.append(shard)
            process.identified(shard)

        await launch(first, 0)
        others = asyncio.gather(launch(first, 2), launch(second, 1))
        done, _ = await asyncio.wait([others], timeout=0.2)
        assert not done
        assert order == [0]
        resting.set()
        await others
        assert sorted(order) == [0, 1, 2]
        await first.close()
        await second.close()


async def test_with_several_slots_nobody_waits(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        first = await fleet(stack, connect, Shards((0,), 2))
        second = await fleet(stack, connect, Shards((1,), 2))
        first.slots = second.slots = 2
        await first.may_identify(0)
        async with asyncio.timeout(60):
            await second.may_identify(1)


async def test_whoever_asks_a_closed_database_is_told(connect: Connect) -> None:
    async with AsyncExitStack() as stack:
        only = await fleet(stack, connect, None)
        await only.join()
        await only._db.close()
        with pytest.raises(StoreError):
            await only.is_member()


def test_an_outage_is_known_by_shard() -> None:
    beats = [heartbeat.Beat(0, 4, 100), heartbeat.Beat(1, 4, 200), heartbeat.Beat(7, 8, 300)]
    assert heartbeat.last_beat(beats, 0, 4) == 100
    assert heartbeat.last_beat(beats, 3, 4) == 300  # never served: since anything was
    assert heartbeat.last_beat(beats, 0, 16) == 300
    assert heartbeat.last_beat([], 0, 4) is None
    assert heartbeat.silent(beats, 4, 150) == (0,)
