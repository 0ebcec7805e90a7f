"""The bot's clock, and how far it is from Discord's."""

from __future__ import annotations

import time

import pytest

from bot.clock import WINDOW, Skew, SystemClock

HOUR = 3_600_000


def test_a_clock_that_is_set_runs_on_steadily(monkeypatch: pytest.MonkeyPatch) -> None:
    here = SystemClock()
    before = here.now(), here.steady()
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + HOUR * 1_000_000)
    assert here.now() - before[0] >= HOUR
    assert here.steady() - before[1] < HOUR


def test_the_least_difference_of_late_counts() -> None:
    skew = Skew()
    assert skew.ms is None
    for received, ahead in ((WINDOW, 300), (WINDOW + 1, 200), (WINDOW + 2, 900)):
        skew.learn(received - ahead, received)
    assert skew.ms == 200
    skew.learn(2 * WINDOW - 700, 2 * WINDOW)
    assert skew.ms == 200
    skew.learn(3 * WINDOW - 800, 3 * WINDOW)
    assert skew.ms == 700
