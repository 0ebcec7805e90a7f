"""One-Handed, Taking Silk and their rulesets."""

from __future__ import annotations

import pytest

from engine import Outcome, find_game, parse_move, parse_state, shuffle


def legal(key: str, text: str) -> list[str]:
    """Returns the legal moves of a position."""
    return [str(move) for move in find_game(key).legal_moves(parse_state(text))]


def play(key: str, text: str, *moves: str) -> str:
    """Returns the position after *moves*."""
    rules, state = find_game(key), parse_state(text)
    for move in moves:
        state = rules.apply(state, parse_move(move))
    return str(state)


def test_deal() -> None:
    state = find_game("one-handed").deal(shuffle("friday"))
    assert str(state["h"]) == "AC2S7H5S"
    assert str(state["s"]).endswith("ksjc7c")
    assert len(state["s"]) == 48
    assert str(state["d"]) == ""


def test_equal_ranks_discard_four() -> None:
    text = "s:2c3c h:KH7C4D9S7H d:"
    assert legal("one-handed", text) == ["hdx4"]
    assert play("one-handed", text, "hdx4") == "s: h:KH3C2C d:7C4D9S7H"


def test_equal_suits_discard_two() -> None:
    text = "s:2c3c h:KH7C4D9S8C d:AS"
    assert legal("one-handed", text) == ["hdx2"]
    assert play("one-handed", text, "hdx2") == "s:2c h:KH7C8C3C d:AS4D9S"


def test_no_match_draws() -> None:
    text = "s:2c3c h:7C4D9S8H d:"
    assert legal("one-handed", text) == ["sh"]
    assert play("one-handed", text, "sh") == "s:2c h:7C4D9S8H3C d:"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("s: h: d:", Outcome.WON),
        ("s: h:7C4D9S8H d:", Outcome.STUCK),
        ("s: h:7C7D d:", Outcome.STUCK),
        ("s: h:7C4D9S7H d:", None),
        ("s:ac h:7C4D9S8H d:", None),
    ],
)
def test_outcome(text: str, outcome: Outcome | None) -> None:
    assert find_game("one-handed").outcome(parse_state(text)) is outcome


def test_recycling() -> None:
    key = "one-handed-recycle"
    start = "s: h:7C4D9S8HTC d:"
    assert legal(key, start) == ["hh"]
    assert legal("one-handed", start) == []
    assert play(key, start, "hh") == "s: h:4D9S8HTC7C d: r:1"
    assert play(key, start, *["hh"] * 2) == "s: h:9S8HTC7C4D d: r:2"
    assert legal(key, "s: h:7C4D9S8HTC d: r:4") == ["hh"]
    assert legal(key, "s: h:7C4D9S8HTC d: r:5") == []
    assert legal(key, "s: h:7C4D9S d:") == []
    assert legal(key, "s:ac h:7C4D9S8H d:") == ["sh"]


def test_a_discard_restarts_recycling() -> None:
    text = "s: h:TS2D3HKC7C4D9S8C d: r:3"
    assert legal("taking-silk-recycle", text) == ["hdx2"]
    assert play("taking-silk-recycle", text, "hdx2") == "s: h:TS2D3HKC7C8C d:4D9S"


def test_a_discard_may_be_declined() -> None:
    assert legal("one-handed-free", "s:ac h:7C4D9S8C d:") == ["hdx2", "sh"]
    assert legal("taking-silk-free", "s:ac h:7C4D9S7H d:") == ["hdx4", "sh"]
    assert legal("taking-silk-free", "s: h:7C4D9S7H d:") == ["hdx4"]


def test_four_of_a_suit() -> None:
    key = "taking-silk-four-suit"
    assert legal(key, "s:ac h:7C4C9C8C d:") == ["hdx2", "hdx4"]
    assert play(key, "s:ac h:7C4C9C8C d:", "hdx4") == "s: h:AC d:7C4C9C8C"
    assert legal(key, "s:ac h:7C4C9D8C d:") == ["hdx2"]


def test_last_three() -> None:
    key = "taking-silk-last-three"
    assert legal(key, "s:ac h:7C4C8D8C d:") == ["hdx2", "hdx3"]
    assert play(key, "s:ac h:7C4C8D8C d:", "hdx3") == "s: h:7CAC d:4C8D8C"
    assert legal(key, "s:ac h:7C4C8D8H d:") == ["sh"]


@pytest.mark.parametrize(
    ("key", "calls"),
    [
        ("one-handed", "sh hdx2 hdx4"),
        ("one-handed-free", "sh hdx2 hdx4"),
        ("one-handed-recycle", "sh hdx2 hdx4 hh"),
        ("taking-silk-four-suit", "sh hdx2 hdx4"),
        ("taking-silk-last-three", "sh hdx2 hdx4 hdx3"),
        ("links", ""),
        ("striptease", ""),
    ],
)
def test_calls(key: str, calls: str) -> None:
    assert " ".join(map(str, find_game(key).calls)) == calls
