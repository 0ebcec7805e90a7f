"""Days, weeks, months and seasons, all of them in UTC: when they begin, when they end, and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

DAY: Final = 86_400_000
"""Milliseconds."""
ALL_TIME: Final = 0
"""The key of the period that never ends."""
_EPOCH: Final = date(1970, 1, 1)
_STEP: Final = 1_000_000


class Span(StrEnum):
    """How long a period is. A week begins on Monday; a season is a quarter of a year."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    ALL = "all"


_PLACE: Final = {span: place for place, span in enumerate(Span, start=1)}


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of whole days: from *first* until before *after*, in days since 1970; no end where that is None."""

    span: Span
    first: int
    after: int | None

    @property
    def key(self) -> int:
        """A number that is this period's alone: 0 for all time, else a million for each longer span, and the day."""
        return ALL_TIME if self.span is Span.ALL else _PLACE[self.span] * _STEP + self.first

    @property
    def start(self) -> int:
        """The instant at which it begins, in milliseconds since 1970."""
        return self.first * DAY

    @property
    def end(self) -> int | None:
        """The instant at which it is over, in milliseconds since 1970, or None."""
        return None if self.after is None else self.after * DAY


def day_of(instant: int) -> int:
    """Returns the day of *instant*, in days since 1970; *instant* is in milliseconds since 1970."""
    return instant // DAY


def period_of(span: Span, day: int) -> Period:
    """Returns the period of this *span* in which *day* lies."""
    here = _EPOCH + timedelta(days=day)
    match span:
        case Span.DAY:
            return Period(span, day, day + 1)
        case Span.WEEK:
            first = day - here.weekday()
            return Period(span, first, first + 7)
        case Span.MONTH:
            return _months(span, here.replace(day=1), 1)
        case Span.SEASON:
            return _months(span, date(here.year, (here.month - 1) // 3 * 3 + 1, 1), 3)
        case Span.ALL:
            return Period(span, 0, None)


def periods_of(day: int) -> Iterator[Period]:
    """Yields the period of each span in which *day* lies."""
    for span in Span:
        yield period_of(span, day)


def passed_keys(day: int) -> Iterator[tuple[int, int]]:
    """Yields a range of keys for each span, the last one left out: of the periods that were over before *day*."""
    for period in periods_of(day):
        if period.span is not Span.ALL:
            yield _PLACE[period.span] * _STEP, period.key


def _months(span: Span, begin: date, count: int) -> Period:
    months = begin.month - 1 + count
    end = date(begin.year + months // 12, months % 12 + 1, 1)
    return Period(span, (begin - _EPOCH).days, (end - _EPOCH).days)


def date_of(day: int) -> date:
    """Returns the date of *day*, in days since 1970."""
    return _EPOCH + timedelta(days=day)


def day_on(here: date) -> int:
    """Returns the day of a date, in days since 1970."""
    return (here - _EPOCH).days
