"""Days, weeks, months and seasons."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.periods import DAY, Period, Span, day_of, passed_keys, period_of, periods_of

EPOCH = date(1970, 1, 1)
days = st.integers(min_value=400, max_value=60_000)


def number(day: date) -> int:
    return (day - EPOCH).days


@pytest.mark.parametrize(
    ("span", "here", "first", "after"),
    [
        (Span.DAY, date(2024, 2, 29), date(2024, 2, 29), date(2024, 3, 1)),
        (Span.WEEK, date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 7)),
        (Span.WEEK, date(2027, 1, 3), date(2026, 12, 28), date(2027, 1, 4)),
        (Span.MONTH, date(2026, 12, 31), date(2026, 12, 1), date(2027, 1, 1)),
        (Span.MONTH, date(2028, 2, 5), date(2028, 2, 1), date(2028, 3, 1)),
        (Span.SEASON, date(2026, 11, 30), date(2026, 10, 1), date(2027, 1, 1)),
        (Span.SEASON, date(2026, 3, 31), date(2026, 1, 1), date(2026, 4, 1)),
    ],
)
def test_a_period_has_the_days_of_the_calendar(span: Span, here: date, first: date, after: date) -> None:
    assert period_of(span, number(here)) == Period(span, number(first), number(after))


@given(days)
def test_every_day_lies_in_one_period_of_each_span(day: int) -> None:
    for period in periods_of(day):
        assert period.first <= day
        assert period.after is None or day < period.after
        assert period_of(period.span, period.first) == period
        if period.after is not None:
            assert period_of(period.span, period.after).first == period.after


@given(days)
def test_keys_are_different_and_those_of_periods_that_are_over_are_found(day: int) -> None:
    now, later = list(periods_of(day)), list(periods_of(day + 100))
    assert len({period.key for period in now}) == len(Span)
    for period in now:
        passed = any(low <= period.key < high for low, high in passed_keys(day + 100))
        assert passed == (period.span is not Span.ALL)
        assert not any(low <= period.key < high for low, high in passed_keys(day))
    assert all(before.key <= after.key for before, after in zip(now, later, strict=True))


def test_a_day_begins_at_midnight_utc() -> None:
    midnight = int(datetime(2026, 11, 30, tzinfo=UTC).timestamp() * 1000)
    assert day_of(midnight) == day_of(midnight + DAY - 1) == day_of(midnight - 1) + 1
    period = period_of(Span.DAY, day_of(midnight))
    assert (period.start, period.end) == (midnight, midnight + DAY)
    assert period_of(Span.ALL, 7).end is None
