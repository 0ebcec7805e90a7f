"""Counts of the lines of play from fixed deals, as data: a change in the rules shows here first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import find_game, shuffle
from engine.perft import perft

COUNTS: dict[str, list[int]] = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())


@pytest.mark.parametrize("code", COUNTS)
def test_counts(code: str) -> None:
    key, seed = code.split(":")
    rules = find_game(key)
    state = rules.deal(shuffle(seed))
    assert [perft(rules, state, depth) for depth in range(len(COUNTS[code]))] == COUNTS[code]
