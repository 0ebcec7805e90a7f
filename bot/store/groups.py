"""Groups of requests: what many callers ask for at one moment is done together, whatever the driver."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from bot.store.database import ConflictError, StoreError, UncertainError, Watch

T = TypeVar("T")
R = TypeVar("R")

Outcomes = Sequence[R | StoreError] | BaseException
"""What became of each request of a group, or why all of it failed."""
Run = Callable[[Sequence[T], Callable[[Outcomes[R]], None]], None]
"""Begins a group; calls its second argument, once and on the loop, when it is done."""


def in_task(run: Callable[[Sequence[T]], Coroutine[Any, Any, Sequence[R | StoreError]]]) -> Run[T, R]:
    """Returns what has *run* do each group in a task of its own: no caller's cancellation can reach it there."""
    tasks: set[asyncio.Task[Sequence[R | StoreError]]] = set()
    """Those under way, to which the loop itself refers but weakly."""

    def begin(group: Sequence[T], done: Callable[[Outcomes[R]], None]) -> None:
        def end(task: asyncio.Task[Sequence[R | StoreError]]) -> None:
            tasks.discard(task)
            if task.cancelled():
                done(asyncio.CancelledError())
            else:
                done(task.exception() or task.result())

        tasks.add(task := asyncio.get_running_loop().create_task(run(group)))
        task.add_done_callback(end)

    return begin


class GroupQueue(Generic[T, R]):
    """Gathers requests while a group is under way and hands them on as the next one.

    *run* does a group. So there is one fsync, and one hop to another thread, for all who wait. It has no task of
    its own: each would have to wait for its turn of a busy loop before a group ends and the next one begins.
    *largest* bounds the requests of a group, and with it how long the first waits for the last. *watch* is told
    of each group.
    """

    __slots__ = ("_closed", "_idle", "_largest", "_run", "_waiting", "_watch")

    def __init__(self, run: Run[T, R], *, largest: int = 256, watch: Watch | None = None) -> None:
        self._run = run
        self._largest = largest
        self._watch = watch
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._idle: asyncio.Future[None] | None = None
        """Is done when nothing waits any more; None where nothing is under way."""
        self._closed = False

    def put(self, request: T) -> asyncio.Future[R]:
        """Returns what is the result of *request* when its group is done.

        It is a StoreError if that failed, for a reason of its own or one of the whole group.

        :raises StoreError: if the queue is closed.
        """
        if self._closed:
            raise StoreError("the database is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[R] = loop.create_future()
        self._waiting.append((request, done))
        if self._idle is None:
            self._idle = loop.create_future()
            loop.call_soon(self._begin)  # with all that is asked for in this turn of the loop
        return done

    async def close(self) -> None:
        """Refuses further requests and returns when those that wait are done."""
        self._closed = True
        if self._idle is not None:
            await asyncio.wait([self._idle])

    def _begin(self) -> None:
        if group := self._take():
            settle = partial(self._settle, group, time.perf_counter())
            try:
                self._run([request for request, _ in group], settle)
            except Exception as error:
                settle(error)
        elif self._idle is not None:
            self._idle.set_result(None)
            self._idle = None

    def _take(self) -> list[tuple[T, asyncio.Future[R]]]:
        group: list[tuple[T, asyncio.Future[R]]] = []
        while self._waiting and len(group) < self._largest:
            request, done = self._waiting.popleft()
            if not done.done():  # else its caller was cancelled before it began
                group.append((request, done))
        return group

    def _settle(self, group: Sequence[tuple[T, asyncio.Future[R]]], begun: float, found: Outcomes[R]) -> None:
        try:
            if isinstance(found, asyncio.CancelledError):  # the loop itself is being torn down
                for _, done in (*group, *self._waiting):
                    done.cancel()
                return
            outcomes = _each(found, len(group))
            for (_, done), outcome in zip(group, outcomes, strict=True):
                if done.done():
                    continue
                if isinstance(outcome, StoreError):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)
            if self._watch is not None:  # last, since a fault of its own is nobody's who waits
                self._watch(len(group), time.perf_counter() - begun, _failure(outcomes))
        finally:
            self._begin()


def _each(found: Outcomes[R], size: int) -> Sequence[R | StoreError]:
    """Returns the outcome of each of *size* requests, where all failed one error each: callers add tracebacks."""
    if not isinstance(found, BaseException):
        return found
    kind = UncertainError if isinstance(found, UncertainError) else StoreError
    return [kind(str(found)) for _ in range(size)]


def _failure(outcomes: Iterable[object]) -> StoreError | None:
    """Returns the first of *outcomes* that is the database's fault and not the request's own."""
    for outcome in outcomes:
        if isinstance(outcome, StoreError) and not isinstance(outcome, ConflictError):
            return outcome
    return None
