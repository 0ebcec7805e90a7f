"""Groups of requests: what many callers ask for at one moment is done together, whatever the driver."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, TypeVar

from bot.store.database import ConflictError, StoreError, UncertainError, Watch

T = TypeVar("T")
R = TypeVar("R")


class GroupQueue(Generic[T, R]):
    """Gathers requests while a group is under way and hands them on as the next one.

    *run* does a group and returns an outcome for each request in it (the result, or its own error), or raises
    if the group failed as a whole. So there is one fsync, and one hop to another thread, for all who wait.
    *largest* bounds the requests of a group, and with it how long the first waits for the last. *watch* is told
    of each group.
    """

    __slots__ = ("_closed", "_largest", "_run", "_task", "_waiting", "_watch")

    def __init__(
        self,
        run: Callable[[Sequence[T]], Awaitable[Sequence[R | StoreError]]],
        *,
        largest: int = 256,
        watch: Watch | None = None,
    ) -> None:
        self._run = run
        self._largest = largest
        self._watch = watch
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def put(self, request: T) -> R:
        """Returns the result of *request* when its group is done.

        :raises StoreError: if it failed, for a reason of its own or one of the whole group.
        """
        if self._closed:
            raise StoreError("the database is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[R] = loop.create_future()
        self._waiting.append((request, done))
        if self._task is None:
            # A task of its own: no caller's cancellation can reach the group that it happens to be in.
            self._task = loop.create_task(self._drain())
        return await done

    async def close(self) -> None:
        """Refuses further requests and returns when those that wait are done."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        group: list[tuple[T, asyncio.Future[R]]] = []
        try:
            while group := self._take():
                await self._settle(group)
        finally:
            self._task = None
            for _, done in (*group, *self._waiting):  # left over only if the loop itself is being torn down
                done.cancel()
            self._waiting.clear()

    def _take(self) -> list[tuple[T, asyncio.Future[R]]]:
        group: list[tuple[T, asyncio.Future[R]]] = []
        while self._waiting and len(group) < self._largest:
            request, done = self._waiting.popleft()
            if not done.done():  # else its caller was cancelled before it began
                group.append((request, done))
        return group

    async def _settle(self, group: list[tuple[T, asyncio.Future[R]]]) -> None:
        outcomes: Sequence[R | StoreError]
        begun = time.perf_counter()
        try:
            outcomes = await self._run([request for request, _ in group])
        except Exception as error:
            # One exception each, since every caller adds its own traceback.
            kind = UncertainError if isinstance(error, UncertainError) else StoreError
            outcomes = [kind(str(error)) for _ in group]
        if self._watch is not None:
            self._watch(len(group), time.perf_counter() - begun, _failure(outcomes))
        for (_, done), outcome in zip(group, outcomes, strict=True):
            if done.done():
                continue
            if isinstance(outcome, StoreError):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)


def _failure(outcomes: Iterable[object]) -> StoreError | None:
    """Returns the first of *outcomes* that is the database's fault and not the request's own."""
    for outcome in outcomes:
        if isinstance(outcome, StoreError) and not isinstance(outcome, ConflictError):
            return outcome
    return None
