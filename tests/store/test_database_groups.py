"""The queue that gathers requests, without a database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.store.database import ConflictError, StoreError
from bot.store.groups import GroupQueue, in_task


class Machine:
    """Doubles numbers, group by group, when *open* says so; 13 is an error of its own, 99 fails its group."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.begun = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    async def run(self, group: Sequence[int]) -> list[int | StoreError]:
        self.groups.append(list(group))
        self.begun.set()
        await self.open.wait()
        if 99 in group:
            raise OSError("the machine is broken")
        return [ConflictError(0, "unlucky") if number == 13 else 2 * number for number in group]


async def test_requests_of_one_moment_form_a_group() -> None:
    machine = Machine()
    queue = GroupQueue(in_task(machine.run))
    assert await asyncio.gather(*map(queue.put, range(5))) == [0, 2, 4, 6, 8]
    assert machine.groups == [[0, 1, 2, 3, 4]]


async def test_what_comes_meanwhile_forms_the_next_group() -> None:
    machine = Machine()
    machine.open.clear()
    queue = GroupQueue(in_task(machine.run))
    first = asyncio.ensure_future(queue.put(1))
    await machine.begun.wait()
    others = [asyncio.ensure_future(queue.put(number)) for number in (2, 3)]
    machine.open.set()
    assert await first == 2
    assert [await other for other in others] == [4, 6]
    assert machine.groups == [[1], [2, 3]]


async def test_groups_are_bounded() -> None:
    machine = Machine()
    queue = GroupQueue(in_task(machine.run), largest=4)
    assert await asyncio.gather(*map(queue.put, range(10))) == list(range(0, 20, 2))
    assert [len(group) for group in machine.groups] == [4, 4, 2]


async def test_an_error_is_its_own_requests_only() -> None:
    queue = GroupQueue(in_task(Machine().run))
    first, unlucky, last = await asyncio.gather(*map(queue.put, (1, 13, 2)), return_exceptions=True)
    assert (first, last) == (2, 4)
    assert isinstance(unlucky, ConflictError)


async def test_a_failed_group_tells_everybody_and_the_next_is_tried() -> None:
    queue = GroupQueue(in_task(Machine().run))
    outcomes = await asyncio.gather(*map(queue.put, (1, 99, 13)), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["the machine is broken"] * 3
    assert {type(outcome) for outcome in outcomes} == {StoreError}
    assert len(set(map(id, outcomes))) == 3
    assert await queue.put(5) == 10


async def test_a_fault_of_the_watch_is_nobodys_who_waits() -> None:
    def watch(*_: object) -> None:
        raise ArithmeticError

    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
    queue = GroupQueue(in_task(Machine().run), watch=watch)
    async with asyncio.timeout(60):
        assert await queue.put(1) == 2
        assert await queue.put(2) == 4
        await queue.close()
    assert [type(error) for error in told] == [ArithmeticError] * 2


async def test_closing_waits_for_what_was_asked() -> None:
    queue = GroupQueue(in_task(Machine().run))
    asked = [asyncio.ensure_future(queue.put(number)) for number in (1, 2)]
    await asyncio.gather(asyncio.sleep(0), queue.close())
    assert [await result for result in asked] == [2, 4]
    with pytest.raises(StoreError, match="closed"):
        await queue.put(3)


async def test_nobody_waits_for_ever_if_the_loop_is_torn_down() -> None:
    machine = Machine()
    machine.open.clear()
    queue = GroupQueue(in_task(machine.run))
    before = asyncio.all_tasks()
    under_way = asyncio.ensure_future(queue.put(1))
    await machine.begun.wait()
    waiting = asyncio.ensure_future(queue.put(2))
    await asyncio.sleep(0)
    for task in asyncio.all_tasks() - before - {under_way, waiting}:
        task.cancel()
    outcomes = await asyncio.gather(under_way, waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError] * 2
