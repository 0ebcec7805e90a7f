"""What the bot counts and measures of itself, in Prometheus' terms."""

from __future__ import annotations

import time
from enum import StrEnum

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.store.database import StoreError

ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
LAG_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
GROUP_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Outcome(StrEnum):
    """What became of an interaction."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """Answered with a reason why not."""
    REPEATED = "repeated"
    """Delivered twice; the first delivery was answered."""
    FAILED = "failed"
    """Answered with the reference of an unexpected error."""
    LOST = "lost"
    """Not answered: Discord could not be reached in time."""


class Fault(StrEnum):
    """What went wrong between the bot and Discord; most of it is made good by another try."""

    RETRY = "retry"
    SERVER_ERROR = "server_error"
    RESET = "reset"
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    LATE = "late"
    UNANSWERED = "unanswered"
    OUTAGE = "outage"


class Metrics:
    """The counters and gauges of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.store_error: StoreError | None = None
        """What was wrong with the database at the last group of writes, None if all was well."""
        self.last_commit = time.monotonic()
        """When the last group of writes was finished, well or not."""
        self._interactions = Counter(
            "same_deal_interactions",
            "Interactions by what was pressed or called and what became of them.",
            ("kind", "outcome"),
            registry=self.registry,
        )
        self._latency = Histogram(
            "same_deal_answer_seconds",
            "Time from the receipt of an interaction to the end of its answer.",
            buckets=ANSWER_SECONDS,
            registry=self.registry,
        )
        faults = Counter("same_deal_faults", "Faults of the line.", ("kind",), registry=self.registry)
        self._faults = {fault: faults.labels(fault.value) for fault in Fault}
        self._lag = Histogram(
            "same_deal_loop_lag_seconds",
            "How late the event loop is.",
            buckets=LAG_SECONDS,
            registry=self.registry,
        )
        self._worst_lag = Gauge(
            "same_deal_loop_lag_recent_seconds", "The worst of the last ten seconds.", registry=self.registry
        )
        self._commits = Histogram(
            "same_deal_store_commit_seconds",
            "Time that a group of writes took until it was on the disk.",
            buckets=COMMIT_SECONDS,
            registry=self.registry,
        )
        self._groups = Histogram(
            "same_deal_store_group_writes",
            "Writes in a group.",
            buckets=GROUP_SIZES,
            registry=self.registry,
        )
        self._store_failures = Counter(
            "same_deal_store_failed_groups",
            "Groups of writes that the database refused, as a whole or in part.",
            registry=self.registry,
        )
        self._amounts = Gauge(
            "same_deal_stored", "What is in the database now.", ("what",), registry=self.registry
        )
        self._connected = Gauge(
            "same_deal_gateway_connected", "1 while all shards are connected.", registry=self.registry
        )

    def served(self, kind: str, outcome: Outcome) -> None:
        """Counts an interaction of *kind*."""
        self._interactions.labels(kind, outcome.value).inc()

    def answered(self, seconds: float) -> None:
        """Notes that an answer took *seconds* from its interaction's receipt."""
        self._latency.observe(seconds)

    def fault(self, fault: Fault) -> None:
        """Counts a fault."""
        self._faults[fault].inc()

    def lagged(self, seconds: float, worst: float) -> None:
        """Notes that the loop was *seconds* late, and the *worst* of late."""
        self._lag.observe(seconds)
        self._worst_lag.set(worst)

    def committed(self, writes: int, seconds: float, error: StoreError | None) -> None:
        """Notes a group of *writes*; the store calls it."""
        self._groups.observe(writes)
        self._commits.observe(seconds)
        self.store_error = error
        self.last_commit = time.monotonic()
        if error is not None:
            self._store_failures.inc()

    def stored(self, what: str, amount: int) -> None:
        """Notes how much of something there is."""
        self._amounts.labels(what).set(amount)

    def connected(self, yes: bool) -> None:
        """Notes whether the gateway is connected."""
        self._connected.set(yes)

    def text(self) -> bytes:
        """Returns everything as Prometheus reads it."""
        return generate_latest(self.registry)
