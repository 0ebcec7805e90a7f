"""Faults to inject into the REST routes, and the record of all requests."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.playground.composing import Upload
from bot.playground.errors import Json


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to the next *times* requests whose "METHOD /path" *match* finds.

    Without *status* and *drop* the request is only held up for *delay* seconds. *after*: the request takes
    effect first, and only its answer is held up, replaced or lost.
    """

    match: str
    status: int | None = None
    body: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1
    delay: float = 0.0
    drop: bool = False
    """The connection is reset instead of an answer."""
    after: bool = False

    @classmethod
    def rate_limited(
        cls, match: str, retry_after: float, *, times: int = 1, whole_bot: bool = False
    ) -> Fault:
        """Returns the fault of Discord's 429 answer; *retry_after* in seconds."""
        body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": whole_bot}
        headers = {
            "Via": "1.1 google",
            "Retry-After": str(retry_after),
            "X-RateLimit-Scope": "global" if whole_bot else "user",
        }
        return cls(match, 429, body, headers, times)


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the bot."""

    at: float
    """When it arrived, in seconds of `time.perf_counter`."""
    method: str
    path: str
    status: int
    """The answer's status; 0 if the connection was cut instead."""
    code: int
    """Discord's error code in the answer, 0 without an error."""
    payload: Any
    """The JSON body (of a multipart request its ``payload_json``), None without one."""
    uploads: tuple[Upload, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path} -> {self.status}" + (f" ({self.code})" if self.code else "")


class Faults:
    """The faults that wait for their requests."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Fault, int]] = []

    def add(self, *faults: Fault) -> None:
        """Adds faults; where several match, the one added first comes first."""
        self._waiting += [(fault, fault.times) for fault in faults]

    def clear(self) -> None:
        """Forgets all faults that have not happened."""
        self._waiting.clear()

    @property
    def pending(self) -> Sequence[Fault]:
        """The faults that have not happened as often as they should."""
        return [fault for fault, _ in self._waiting]

    def take(self, method: str, path: str) -> Fault | None:
        """Returns the fault that this request meets, and counts it."""
        for position, (fault, left) in enumerate(self._waiting):
            if re.search(fault.match, f"{method} {path}"):
                self._waiting[position : position + 1] = [(fault, left - 1)] if left > 1 else []
                return fault
        return None


class Record:
    """The last requests of the bot, oldest first."""

    def __init__(self, kept: int) -> None:
        self.requests: deque[Request] = deque(maxlen=kept)
        self.count = 0
        """All requests ever, the forgotten ones included."""
        self.watch: Callable[[Request], None] | None = None
        """Called with each request after it was answered."""

    def add(self, request: Request) -> None:
        """Adds a request."""
        self.requests.append(request)
        self.count += 1
        if self.watch is not None:
            self.watch(request)

    def clear(self) -> None:
        """Forgets all requests."""
        self.requests.clear()

    def find(self, match: str) -> list[Request]:
        """Returns the requests whose "METHOD /path" *match* finds."""
        return [r for r in self.requests if re.search(match, f"{r.method} {r.path}")]

    @property
    def errors(self) -> list[Request]:
        """The requests that were refused."""
        return [request for request in self.requests if request.status >= 400]
