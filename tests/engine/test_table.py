"""Positions as lines of text for a terminal."""

from __future__ import annotations

from engine import parse_state
from engine.table import table


def test_tableau() -> None:
    state = parse_state("s:2c3c w:AC t1:QHtd9C t2: fc: fd:AD2D")
    assert table(state) == "s   (2)\nw   (1) AC\nt1  QH ?? 9C\nt2  --\nfc --   fd 2D"


def test_hand() -> None:
    assert table(parse_state("s: h:AC2C3C4C5C d:6C7C")) == "s   (0)\nh   AC [2C 3C 4C 5C]\nd   (2) 6C 7C"


def test_long_piles_are_cut() -> None:
    state = parse_state("w:ACADAH2C2D2H3C3D3H4C4D4H5C")
    assert table(state) == "w   (13) … AD AH 2C 2D 2H 3C 3D 3H 4C 4D 4H 5C"
