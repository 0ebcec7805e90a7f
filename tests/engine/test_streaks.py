"""Days in a row and the freeze of a month."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from engine.streaks import Streak, streak

EPOCH = date(1970, 1, 1)


def day(text: str) -> int:
    """Returns a date as a number."""
    return (date.fromisoformat(text) - EPOCH).days


def month_of(number: int) -> int:
    """Returns the number of the calendar month of a day."""
    here = EPOCH + timedelta(days=number)
    return here.year * 12 + here.month


def of(*played: str, today: str) -> Streak:
    """Returns the streak of one who has played on these dates."""
    return streak(map(day, played), day(today), month_of)


def test_nobody_has_a_streak_before_the_first_day() -> None:
    assert of(today="2026-11-30") == Streak()


def test_days_in_a_row_count_and_today_is_not_missed_before_it_is_over() -> None:
    played = ("2026-11-28", "2026-11-29")
    assert of(*played, today="2026-11-29").days == 2
    assert of(*played, today="2026-11-30") == Streak(2, 2, day("2026-11-29"))
    assert of(*played, "2026-11-30", today="2026-11-30").days == 3


def test_a_day_played_twice_counts_once() -> None:
    assert of("2026-11-28", "2026-11-28", today="2026-11-28").days == 1


def test_one_missed_day_a_month_is_frozen() -> None:
    played = ("2026-11-01", "2026-11-02", "2026-11-04")
    assert of(*played, today="2026-11-04") == Streak(3, 3, day("2026-11-04"), frozen=day("2026-11-03"))
    assert of("2026-11-01", "2026-11-02", today="2026-11-04").days == 2
    assert of("2026-11-01", "2026-11-02", today="2026-11-04").frozen == day("2026-11-03")


def test_the_second_missed_day_of_a_month_ends_the_streak() -> None:
    after = of("2026-11-01", "2026-11-03", "2026-11-05", today="2026-11-05")
    assert after == Streak(1, 2, day("2026-11-05"), frozen=day("2026-11-02"), ended=2)
    assert of("2026-11-01", "2026-11-03", today="2026-11-05") == Streak(
        0, 2, day("2026-11-03"), frozen=day("2026-11-02"), ended=2
    )


def test_two_days_in_a_row_have_the_freezes_of_two_months_or_none() -> None:
    assert of("2026-10-30", "2026-11-02", today="2026-11-02").days == 2
    within = of("2026-11-10", "2026-11-13", today="2026-11-13")
    assert (within.days, within.ended, within.frozen) == (1, 1, None)


def test_a_gap_that_ends_a_streak_uses_no_freeze() -> None:
    after = of("2026-11-01", "2026-11-04", "2026-11-06", today="2026-11-06")
    assert (after.days, after.frozen) == (2, day("2026-11-05"))


def test_a_streak_goes_over_the_leap_day_and_the_years_end() -> None:
    assert of("2028-02-28", "2028-02-29", "2028-03-01", today="2028-03-01").days == 3
    assert of("2027-02-28", "2027-03-01", today="2027-03-01").days == 2
    frozen = of("2028-02-28", "2028-03-01", today="2028-03-01")
    assert (frozen.days, frozen.frozen) == (2, day("2028-02-29"))
    assert of("2026-12-31", "2027-01-01", today="2027-01-01").days == 2


def test_a_long_absence_ends_it_and_the_length_is_kept() -> None:
    played = [f"2026-10-{number:02}" for number in range(1, 31)]
    assert of(*played, today="2036-11-30") == Streak(0, 30, day("2026-10-30"), ended=30)


def test_days_on_which_nobody_could_play_are_not_missed() -> None:
    away = {day("2026-11-03"), day("2026-11-04"), day("2026-11-05")}
    played = (day("2026-11-01"), day("2026-11-02"), day("2026-11-06"))
    found = streak(played, day("2026-11-06"), month_of, barred=away)
    assert found == Streak(3, 3, day("2026-11-06"))
    assert streak(played[:2], day("2026-11-06"), month_of, barred=away).days == 2
    assert streak(played[:2], day("2026-11-08"), month_of, barred=away).days == 0


@given(st.sets(st.integers(20_000, 20_120), min_size=1), st.integers(20_120, 20_200))
def test_it_is_what_walking_day_by_day_comes_to(played: set[int], today: int) -> None:
    """Walks through all days and ends the streak at a missed day that no freeze covers, looking ahead for the gap."""
    days, longest, frozen = 0, 0, set[int]()
    here = min(played)
    while here < today or here in played:
        if here in played:
            days, here = days + 1, here + 1
            longest = max(longest, days)
            continue
        gap = [here]
        while gap[-1] + 1 < today and gap[-1] + 1 not in played:
            gap.append(gap[-1] + 1)
        months = [month_of(each) for each in gap]
        if len(set(months)) == len(months) and not frozen & set(months):
            frozen |= set(months)
        else:
            days = 0
        here = gap[-1] + 1
    found = streak(played, today, month_of)
    assert (found.days, found.longest, found.last_day) == (days, longest, max(played))
