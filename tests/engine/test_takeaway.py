"""Take Away, Striptease and their rulesets."""

from __future__ import annotations

import pytest

from engine import (
    RANKS,
    HiddenCardError,
    IllegalMoveError,
    Outcome,
    find_game,
    parse_move,
    parse_state,
    shuffle,
)

TAKE_AWAY = find_game("take-away")
STRIPTEASE = find_game("striptease")


def test_deal() -> None:
    cards = shuffle("friday")
    state = TAKE_AWAY.deal(cards)
    assert state["t1"].cards == cards[0::4]
    assert state["t4"].cards == cards[3::4]
    assert state.hidden == 0
    assert [name for name in state.names if name[0] == "f"] == ["f1", "f2", "f3", "f4", "f5", "f6"]
    assert len(find_game("take-away-5").deal(cards).names) == 9
    assert len(find_game("take-away-4").deal(cards).names) == 8


def test_striptease_deal() -> None:
    cards = shuffle("friday")
    state = STRIPTEASE.deal(cards)
    queens = tuple(card for card in cards if card.rank == 12)
    others = tuple(card for card in cards if card.rank != 12)
    for number in range(4):
        pile = state[f"t{number + 1}"]
        assert pile.cards == (queens[number], *others[number::4])
        assert pile.face_down == {1}
    assert STRIPTEASE.cards_left(state) == 48


@pytest.mark.parametrize(
    ("key", "top", "fitting"),
    [
        ("take-away", "KC", "AQ"),
        ("take-away", "AC", "2K"),
        ("take-away", "7C", "68"),
        ("striptease", "KC", "AJ"),
        ("striptease", "JC", "TK"),
        ("striptease", "AC", "2K"),
    ],
)
def test_neighbours(key: str, top: str, fitting: str) -> None:
    rules = find_game(key)
    tableau = "t1:QS{}H t2:QD t3:QC t4:QH" if key == "striptease" else "t1:{}H t2: t3: t4:"
    for rank in RANKS.replace("Q", "") if key == "striptease" else RANKS:
        state = parse_state(f"{tableau.format(rank)} f1:{top} f2:5S f3:5D f4:4D f5:4S f6:3C")
        assert ("t1f1" in map(str, rules.legal_moves(state))) == (rank in fitting)


def test_queens_stay() -> None:
    state = parse_state("t1:QH t2:QC t3:QD t4:QSAS f1: f2: f3: f4: f5: f6:KH")
    assert {move.source for move in STRIPTEASE.legal_moves(state)} == {"t4"}
    state = STRIPTEASE.apply(state, parse_move("t4f6"))
    assert STRIPTEASE.outcome(state) is Outcome.WON
    assert STRIPTEASE.cards_left(state) == 0


def test_face_down_cards_turn_up_together() -> None:
    state = parse_state("t1:QH2c t2:QC3c t3:QD4c t4:QS5cAS8S f1:9H f2: f3: f4: f5: f6:KH")
    with pytest.raises(IllegalMoveError):
        STRIPTEASE.apply(state, parse_move("t1f2"))
    state = STRIPTEASE.apply(state, parse_move("t4f1"))
    assert state.hidden == 4
    before, state = state, STRIPTEASE.apply(state, parse_move("t4f6"))
    assert str(state) == "t1:QH2C t2:QC3C t3:QD4C t4:QS5C f1:9H8S f2: f3: f4: f5: f6:KHAS"
    assert STRIPTEASE.reveals(before, state)
    with pytest.raises(HiddenCardError):
        STRIPTEASE.apply(before.observed(), parse_move("t4f6"))


def test_outcome() -> None:
    assert TAKE_AWAY.outcome(parse_state("t1: t2: t3: t4: f1:AC f2: f3: f4: f5: f6:")) is Outcome.WON
    stuck = "t1:AC t2: t3: t4: f1:5S f2:5H f3:5D f4:5C f5:4C f6:4D"
    assert TAKE_AWAY.outcome(parse_state(stuck)) is Outcome.STUCK
    assert TAKE_AWAY.outcome(parse_state(stuck.replace("5S", "KS"))) is None


@pytest.mark.parametrize(
    ("foundations", "target"),
    [
        ("f1: f2: f3: f4: f5: f6:", "f1"),
        ("f1:2C f2: f3: f4: f5: f6:", "f2"),
        ("f1: f2:6C f3: f4: f5: f6:", "f2"),
        ("f1: f2:6C f3:8C f4: f5: f6:", None),
        ("f1:2C f2:2D f3:2H f4:3C f5:3D f6:3H", None),
    ],
)
def test_preferred_move(foundations: str, target: str | None) -> None:
    state = parse_state(f"t1:7C t2: t3: t4: {foundations}")
    preferred = TAKE_AWAY.preferred_move(state, TAKE_AWAY.legal_moves(state))
    assert (preferred and preferred.target) == target
    assert TAKE_AWAY.preferred_move(state, ()) is None


def test_safe_moves() -> None:
    state = parse_state("t1:7C t2:2C t3: t4: f1:8C f2:KC f3:KD f4:KH f5: f6:")
    assert [str(move) for move in TAKE_AWAY.safe_moves(state)] == ["t1f1", "t1f5", "t1f6", "t2f5", "t2f6"]
    state = parse_state("t1:7C t2:2C t3:JD t4: f1:8C f2:KC f3:KD f4:KH f5: f6:")
    assert TAKE_AWAY.safe_moves(state) == ()
