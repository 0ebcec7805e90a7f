"""How the bot is: ``/healthz`` and ``/metrics`` on a port of their own, and the watch over the event loop."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.metrics import Metrics
from bot.probe import DEFAULT_PORT
from bot.store.database import StoreError

_log = logging.getLogger(__name__)

STEP = 0.05
"""Seconds between two looks at how late the loop is."""
WINDOW = 10.0
"""Seconds for which the worst delay is remembered."""
SLOW = 1.0
"""From this delay on, in seconds, the bot is not well: heartbeats and answers begin to suffer."""
SILENT = 15.0
"""The bot writes every second; after so many seconds without a commit the database is stuck."""

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class HealthError(Exception):
    """The port for health and metrics cannot be used; one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Health:
    """What is wrong, by part; an empty text where all is well."""

    gateway: str
    database: str
    loop: str

    @property
    def is_well(self) -> bool:
        """Tells whether nothing is wrong."""
        return not (self.gateway or self.database or self.loop)

    def parts(self) -> dict[str, str]:
        """Returns each part with "ok" or what is wrong with it."""
        return {
            "gateway": self.gateway or "ok",
            "database": self.database or "ok",
            "loop": self.loop or "ok",
        }


class LoopWatch:
    """Measures how late the event loop calls what is due. Needs to be started, since it never ends by itself."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._recent: deque[tuple[float, float]] = deque()
        self._next: asyncio.TimerHandle | None = None

    @property
    def worst(self) -> float:
        """The longest delay of the last seconds, in seconds."""
        return self._recent[0][1] if self._recent else 0.0

    def start(self) -> None:
        """Begins to measure."""
        loop = asyncio.get_running_loop()
        due = loop.time() + STEP
        self._next = loop.call_at(due, self._look, loop, due)

    def stop(self) -> None:
        """Ends the measuring."""
        if self._next is not None:
            self._next.cancel()

    def note(self, now: float, lag: float) -> None:
        """Notes a delay of *lag* seconds, measured at *now*.

        The deque falls from left to right: what is older and smaller than a new delay can never be the worst again.
        """
        while self._recent and self._recent[0][0] < now - WINDOW:
            self._recent.popleft()
        while self._recent and self._recent[-1][1] <= lag:
            self._recent.pop()
        self._recent.append((now, lag))
        self._metrics.lagged(lag, self.worst)

    def _look(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self.note(now, max(0.0, now - due))
        self.start()


def database_trouble(error: StoreError | None, silence: float) -> str:
    """Returns what is wrong with the database, after *silence* seconds without a group of writes."""
    if error is not None:
        return f"nothing is saved: {error}"
    return f"no write was finished for {silence:.0f} s" if silence > SILENT else ""


def loop_trouble(worst: float) -> str:
    """Returns what is wrong with the event loop whose longest recent delay is *worst*, in seconds."""
    return f"stood still for {worst:.1f} s" if worst >= SLOW else ""


class HealthServer:
    """Serves ``/healthz`` and ``/metrics`` while its block runs.

    *port* 0 serves nothing; None takes the usual one, and does without where another bot has it. *look* tells how
    the bot is, *amounts* what is stored.

    :raises HealthError: on entering, if the port that was asked for cannot be had, or none on *host*.
    """

    def __init__(
        self,
        host: str,
        port: int | None,
        metrics: Metrics,
        *,
        look: Callable[[], Health],
        amounts: Callable[[], Awaitable[Mapping[str, int]]],
    ) -> None:
        self.host = host
        self.port = DEFAULT_PORT if port is None else port
        self._is_asked_for = port is not None
        self._metrics = metrics
        self._look = look
        self._amounts = amounts
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        if not self.port:
            return self
        app = web.Application()
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/metrics", self._show)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self.host, self.port).start()
        except OSError as error:
            await self._runner.cleanup()
            # What asyncio says of a port names the address once more.
            reason = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
            told = f"HEALTH_PORT {self.port} on HEALTH_HOST {self.host} cannot be used ({reason})"
            if self._is_asked_for or error.errno != errno.EADDRINUSE:
                raise HealthError(f"{told}: choose another one, or 0 for none") from error
            _log.warning("%s: there is no /healthz and no /metrics", told)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _healthz(self, request: web.Request) -> web.Response:
        health = self._look()
        return web.json_response(health.parts(), status=200 if health.is_well else 503)

    async def _show(self, request: web.Request) -> web.Response:
        self._metrics.connected(not self._look().gateway)
        try:
            for what, amount in (await self._amounts()).items():
                self._metrics.stored(what, amount)
        except StoreError:
            pass  # the rest is worth the more while the database does not answer
        return web.Response(body=self._metrics.text(), headers={"Content-Type": PROMETHEUS})
