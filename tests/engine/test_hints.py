"""Hints."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine import (
    UNKNOWN,
    Move,
    Outcome,
    Pile,
    Rules,
    State,
    Verdict,
    find_game,
    hint,
    parse_state,
    shuffle,
    solve,
)


def permuted(state: State, number: int) -> State:
    """Returns *state* with its face-down cards in another order."""
    down = [card for pile in state.piles for i, card in enumerate(pile.cards) if i in pile.face_down]
    Random(number).shuffle(down)
    piles = [
        Pile(
            tuple(down.pop() if i in pile.face_down else card for i, card in enumerate(pile.cards)),
            pile.face_down,
        )
        for pile in state.piles
    ]
    return State(state.names, tuple(piles), state.recycled)


def test_hints_do_not_depend_on_hidden_cards(
    rules: Rules, random_game: Callable[[Rules, int], list[State]]
) -> None:
    states = random_game(rules, 7)
    for state in (states[0], states[len(states) // 3]):
        expected = hint(rules, state.observed())
        assert hint(rules, state) == expected
        for number in range(2):
            assert hint(rules, permuted(state, number)) == expected
        if expected is None:
            assert solve(rules, state, budget=100_000).verdict is Verdict.LOST
        else:
            assert expected in rules.legal_moves(state)


@pytest.mark.parametrize(
    ("key", "begun"), [("take-away", 0), ("take-away", 10), ("striptease", 0), ("links", 100)]
)
def test_hints_win(key: str, begun: int) -> None:
    """From where the solver's first moves have led, by hints alone."""
    rules = find_game(key)
    state = rules.deal(shuffle("hints"))
    for begin in solve(rules, state).moves[:begun]:
        state = rules.apply(state, begin)
    while (move := hint(rules, state.observed())) is not None:
        state = rules.apply(state, move)
    assert rules.outcome(state) is Outcome.WON


def test_hints_never_go_in_circles() -> None:
    """From where most of the stock was dealt without care, until nothing can be done any more."""
    rules = find_game("links")
    state = rules.deal(shuffle("circles"))
    for _ in range(40):
        state = rules.apply(state, Move("s", "w"))
    seen = {state}
    while (move := hint(rules, state.observed())) is not None:
        state = rules.apply(state, move)
        assert state not in seen
        seen.add(state)
    assert rules.outcome(state) or rules.is_dead(state)


def test_no_hint_when_nothing_helps() -> None:
    links = find_game("links")
    dead = parse_state("s: w:ACKC t1:KD t2:KH t3:KS t4:9C t5:9D8C t6:9H t7:9S t8:5S fc: fd: fh: fs:")
    assert links.legal_moves(dead)
    assert hint(links, dead) is None
    stuck = parse_state("t1:AC t2: t3: t4: f1:5S f2:5H f3:5D f4:5C f5:4C f6:4D")
    assert hint(find_game("take-away"), stuck) is None


def test_a_shuffle_that_helps() -> None:
    """Only after 7D has gone to 8C can 8S go to a nine, which frees a pile."""
    links = find_game("links")
    state = parse_state("s: w:ACKC t1:KD t2:KH t3:KS t4:9C t5:9D8C t6:9H t7:8S7D t8:5S fc: fd: fh: fs:")
    assert hint(links, state) == Move("t7", "t5")
    state = links.apply(state, Move("t7", "t5"))
    move = hint(links, state)
    assert move is not None
    assert move.source == "t7"


def test_safe_moves_come_first() -> None:
    links = find_game("links")
    state = links.deal(shuffle("friday"))
    assert hint(links, state) == Move("t1", "fc")


def test_striptease_knows_its_hidden_cards_by_elimination() -> None:
    """The last foundations are kept for the cards that are known to lie face down."""
    rules = find_game("striptease")
    state = parse_state("t1:QC9c4S t2:QD9d t3:QH9h t4:QS9s f1:8C f2:3C f3:5H f4:2C f5:2D f6:TC")
    seen = state.observed()
    assert seen.hidden == 4
    assert UNKNOWN in seen["t1"].cards
    move = hint(rules, seen)
    assert move is not None
    assert move.source == "t1"


def test_lost_games_get_hints_too() -> None:
    rules = find_game("one-handed-free")
    state = parse_state("s:2c3c h:7C4D9S7H d:")
    assert hint(rules, state) == Move("h", "d", 4)
