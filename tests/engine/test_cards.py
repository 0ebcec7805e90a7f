"""Cards, moves and positions as text."""

from __future__ import annotations

import pytest

from engine import (
    DECK,
    UNKNOWN,
    Card,
    CardError,
    Move,
    NotationError,
    Pile,
    Role,
    State,
    check_deck,
    parse_card,
    parse_cards,
    parse_move,
    parse_state,
    role,
)
from engine.errors import HiddenCardError

HEARTS_TEN = Card(10, 2)


def test_cards_round_trip() -> None:
    assert str(HEARTS_TEN) == "TH"
    for card in (*DECK, UNKNOWN):
        assert parse_card(str(card)) == card
    assert [parse_card(text) for text in ("th", "Th", "tH")] == [HEARTS_TEN] * 3


@pytest.mark.parametrize(
    "text", ["", "T", "10H", "1H", "HT", "TX", "TH ", "ＴH", "Kſ", "\u212ah", "?", "???"]
)
def test_not_a_card(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


def test_parse_cards() -> None:
    assert parse_cards(" AC\n2c ") == (Card(1, 0), Card(2, 0))
    with pytest.raises(CardError, match="'X' is not a card"):
        parse_cards("AC X")


def test_check_deck() -> None:
    assert check_deck(reversed(DECK)) == DECK[::-1]
    with pytest.raises(CardError, match="KS is missing"):
        check_deck(DECK[:-1])
    with pytest.raises(CardError, match="AC is missing"):
        check_deck(DECK[1:] + DECK[1:2])
    with pytest.raises(CardError, match="52 cards, not 53"):
        check_deck(DECK + DECK[:1])


@pytest.mark.parametrize("text", ["sw", "t1f2", "wfh", "t3fs", "hdx2", "hdx4", "hh", "t8t1", "sh"])
def test_moves_round_trip(text: str) -> None:
    assert str(parse_move(text)) == text
    assert parse_move(text.upper()) == parse_move(text)


def test_parse_move() -> None:
    assert parse_move("T1F2") == Move("t1", "f2")
    assert parse_move("hdx2") == Move("h", "d", 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "t1",
        "t1f",
        "t0f1",
        "tt",
        "t1 f2",
        "sw ",
        "hdx1",
        "hdx0",
        "hdx",
        "hdx22",
        "hd2",
        "ſw",
        "t１f2",
        "t10f1",
    ],
)
def test_not_a_move(text: str) -> None:
    with pytest.raises(NotationError, match="is not a move"):
        parse_move(text)


def test_state_text() -> None:
    text = "s:??kd t1:QHtd9C t2: f1:AS r:3"
    state = parse_state(text)
    assert str(state) == text
    assert state.names == ("s", "t1", "t2", "f1")
    assert state.recycled == 3
    assert state.hidden == 3
    assert state["t1"] == Pile((Card(12, 2), Card(10, 1), Card(9, 0)), frozenset({1}))
    assert str(state.observed()) == "s:???? t1:QH??9C t2: f1:AS r:3"
    assert parse_state(str(state.observed())) == state.observed()
    assert parse_state("") == State((), ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("t1", "'t1' is not a pile"),
        ("x:AC", "'x:AC' is not a pile"),
        ("t1:A", "'t1:A' is not a pile"),
        ("t1:AX", "'AX' is not a card"),
        ("t1:Ad", None),
        ("t1:Td", "'Td' is neither face up"),
        ("t1:tD", "'tD' is neither face up"),
        ("t1:AC t1:2C", "the pile 't1' comes twice"),
        ("t1:AC t2:AC", "the card AC comes twice"),
        ("t1:ACac", "the card AC comes twice"),
        ("r:3 t1:AC", "'r:3' is not a pile"),
        ("t1:AC r:x", "'r:x' is not a pile"),
        ("t1:AC r:-1", "'r:-1' is not a pile"),
        ("t1:AC r:100", "'r:100' is not a pile"),
        ("t1:猫猫", "'猫猫' is not a card"),
    ],
)
def test_not_a_state(text: str, reason: str | None) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_state(text)


def test_piles() -> None:
    pile = parse_state("t1:QHtd9C")["t1"]
    assert pile.exposed == Card(9, 0)
    assert Pile(pile.cards[:2], pile.face_down).exposed is None
    assert Pile().exposed is None
    assert len(pile) == 3
    assert Pile.hidden(pile.cards).face_down == {0, 1, 2}


def test_no_such_pile() -> None:
    with pytest.raises(KeyError):
        parse_state("t1:AC")["t2"]


def test_unknown_cards_do_not_turn_up() -> None:
    state = parse_state("s:AC?? w:")
    with pytest.raises(HiddenCardError, match="next card of 's'"):
        state.carry("s", "w")
    with pytest.raises(HiddenCardError):
        state["s"].turned_up()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("s", Role.STOCK),
        ("w", Role.WASTE),
        ("h", Role.HAND),
        ("d", Role.DISCARD),
        ("t8", Role.TABLEAU),
        ("f2", Role.FOUNDATION),
        ("fs", Role.FOUNDATION),
    ],
)
def test_role(name: str, expected: Role) -> None:
    assert role(name) is expected
