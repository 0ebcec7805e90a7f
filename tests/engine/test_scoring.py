"""Match points, means and ratings as numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.attempt import EndReason, Result
from engine.scoring import (
    UNITS,
    daily_merit,
    drawn_mean,
    in_units,
    match_points,
    places,
    season_mean,
    shown_rating,
)

fields = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("mu", "sigma", "shown"),
    [
        (25.0, 25 / 3, 833),
        (10.0, 8.0, 0),
        (30.0, 2.0, 2600),
        (20.005, 0.0, 2001),
        (-3.0, 1.0, 0),
    ],
)
def test_a_rating_is_shown_as_what_is_all_but_certain(mu: float, sigma: float, shown: int) -> None:
    assert shown_rating(mu, sigma) == shown


def test_match_points_of_a_small_field() -> None:
    assert list(match_points([(1,), (2,), (2,), (3,)])) == [100, 50, 50, 0]
    assert list(match_points([(3,), (1,)])) == [0, 100]
    assert list(match_points([(0, 7), (0, 7), (0, 7)])) == [50, 50, 50]


def test_match_points_are_exact() -> None:
    assert match_points([(place,) for place in range(8)])[1] == Fraction(600, 7)


def test_a_field_of_one_has_none() -> None:
    assert match_points([(1,)]) == (None,)
    assert match_points([]) == ()


@given(fields)
def test_match_points_average_fifty(merits: list[tuple[int, int]]) -> None:
    points = [each for each in match_points(merits) if each is not None]
    assert sum(points) == 50 * len(merits)
    assert all(0 <= each <= 100 for each in points)


@given(fields)
def test_match_points_follow_their_definition(merits: list[tuple[int, int]]) -> None:
    for own, (merit, points) in enumerate(zip(merits, match_points(merits), strict=True)):
        others = [each for index, each in enumerate(merits) if index != own]
        beaten, tied = sum(each > merit for each in others), sum(each == merit for each in others)
        assert points == 100 * (beaten + Fraction(tied, 2)) / len(others)


def test_kept_points_are_rounded_to_a_millionth_of_a_per_cent() -> None:
    assert in_units(Fraction(100)) == 100 * UNITS
    assert in_units(Fraction(600, 7)) == 85_714_286
    assert in_units(Fraction(1, 2 * UNITS)) == 1


def test_the_mean_is_drawn_towards_fifty() -> None:
    assert season_mean([100 * UNITS] * 4) is None
    assert season_mean([100 * UNITS] * 5) == 75 * UNITS
    assert season_mean([100 * UNITS] * 95) == 97_500_000
    assert season_mean([50 * UNITS] * 9) == 50 * UNITS


@given(st.lists(st.integers(0, 100 * UNITS), min_size=5, max_size=50))
def test_the_mean_lies_between_the_players_own_and_fifty(points: list[int]) -> None:
    mean, own = season_mean(points), Fraction(sum(points), len(points))
    assert mean is not None
    middle = Fraction(50 * UNITS)
    assert min(own, middle) - 1 <= mean <= max(own, middle)
    assert mean == drawn_mean(sum(points), len(points))


def outcome(
    reason: EndReason, *, cards: int = 0, moves: int = 130, mistakes: int = 0, time: int = 60_000
) -> Result:
    """Returns a result of a daily."""
    return Result(reason, time, cards, moves, mistakes, undos=0, hints=0)


def test_a_daily_is_ranked_by_win_then_cards_then_moves_then_time() -> None:
    ordered = [
        outcome(EndReason.WON, moves=128, time=900_000),
        outcome(EndReason.WON, moves=128, time=900_001),
        outcome(EndReason.WON, moves=128, mistakes=1, time=1),
        outcome(EndReason.STUCK, cards=2, moves=200),
        outcome(EndReason.DEAD, cards=2, moves=200, time=60_001),
        outcome(EndReason.DEAD, cards=4, moves=100),
        outcome(EndReason.FORFEIT, cards=1, time=1),
    ]
    merits = [daily_merit(each) for each in ordered]
    assert merits == sorted(merits)
    assert places(merits) == (1, 2, 3, 4, 5, 6, 7)
    assert daily_merit(outcome(EndReason.TIME, cards=0)) == daily_merit(outcome(EndReason.FORFEIT, cards=50))


def test_equal_results_share_a_place() -> None:
    assert places([(1,), (0,), (1,), (2,)]) == (2, 1, 2, 4)
    assert places([]) == ()
