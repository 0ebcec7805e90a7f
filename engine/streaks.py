"""Streaks: days in a row, with one day in a calendar month that may be missed.

A day that was missed lies between two that were played. It is bridged by the freeze of its month if that has not
been used yet; a gap that cannot be bridged as a whole ends the streak and uses nothing.
Days and months are numbers that grow by one; who knows the calendar tells the month of a day.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

MonthOf = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's days in a row.

    *days* counts those that were played in the streak that goes on, 0 where it has ended; *longest* is the best
    one ever. *last_day* is the last day that was played, *frozen* the last one that a freeze has bridged. *ended*
    is how long the streak was that ended last, 0 if none ever has.
    """

    days: int = 0
    longest: int = 0
    last_day: int | None = None
    frozen: int | None = None
    ended: int = 0


def streak(
    played: Iterable[int], today: int, month_of: MonthOf, *, barred: Collection[int] = frozenset()
) -> Streak:
    """Returns the streak of one who has *played* on these days, as it stands on the day *today*.

    *today* itself is not missed before it is over, and the *barred* days are not missed at all: on these nobody
    could play. A streak that only a freeze keeps alive goes on, with that day already counted as frozen.
    *month_of* gives a number to the calendar month of a day, another one to each.
    """

    def bridge(after: int, before: int) -> bool:
        missed = (day for day in range(after + 1, before) if day not in barred)
        return _bridge(missed, frozen, month_of)

    days, longest, ended = 0, 0, 0
    last: int | None = None
    frozen: dict[int, int] = {}
    for day in sorted(set(played)):
        if last is not None and not bridge(last, day):
            ended, days = days, 0
        days, last = days + 1, day
        longest = max(longest, days)
    if last is not None and not bridge(last, today):
        ended, days = days, 0
    return Streak(days, longest, last, max(frozen.values(), default=None), ended)


def _bridge(missed: Iterable[int], frozen: dict[int, int], month_of: MonthOf) -> bool:
    """Tells whether each *missed* day has the freeze of its month to itself, and if so notes them as used."""
    used: dict[int, int] = {}
    for day in missed:
        month = month_of(day)
        if month in frozen or month in used:
            return False
        used[month] = day
    frozen |= used
    return True
