"""Measured figures and the bars they are held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured *value* in *unit*; *least* and *most* are the bars, where there are any."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool:
        """Tells whether the value clears its bars."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    def __str__(self) -> str:
        bar = "".join(
            f"{sign} {_short(bar)}" for sign, bar in (("≥", self.least), ("≤", self.most)) if bar is not None
        )
        missed = "" if self.is_met else "  MISSED"
        return f"{self.name:56} {_short(self.value):>10} {self.unit:12} {bar:>9}{missed}"


def _short(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def seconds(work: Callable[[], object], *, rounds: int = 5) -> float:
    """Returns the least time that *work* took in some rounds: what it costs when nothing else disturbs it."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def percentile(values: Sequence[float], percent: int) -> float:
    """Returns the value below which *percent* of the values lie."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]
