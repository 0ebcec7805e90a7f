"""One press where there is a sensible place, two otherwise; every legal move can be pressed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES, IllegalMoveError, Move, Rules, State, shuffle
from engine.selection import press_pile, pressable_piles

PILED = [rules for rules in GAMES if not rules.calls]


@pytest.mark.parametrize("rules", PILED, ids=lambda rules: rules.key)
@settings(max_examples=25)
@given(seed=st.text("abc123", min_size=1), data=st.data())
def test_what_can_be_pressed_is_legal_and_all_else_is_refused(
    rules: Rules, seed: str, data: st.DataObject
) -> None:
    state = rules.deal(shuffle(seed))
    for _ in range(data.draw(st.integers(0, 40))):
        legal = rules.legal_moves(state)
        if not legal:
            break
        state = rules.apply(state, data.draw(st.sampled_from(list(legal))))
    _check(rules, state)


def _check(rules: Rules, state: State) -> None:
    legal = rules.legal_moves(state)
    open_piles = pressable_piles(rules, state)
    for name in state.names:
        if name not in open_piles:
            with pytest.raises(IllegalMoveError):
                press_pile(rules, state, name)
            continue
        meant = press_pile(rules, state, name)
        if isinstance(meant, Move):
            assert meant in legal
            continue
        assert meant == name
        partners = pressable_piles(rules, state, name)
        assert press_pile(rules, state, name, name) is None
        for partner in state.names:
            if partner == name:
                continue
            if partner in partners:
                assert press_pile(rules, state, partner, name) in legal
            else:
                with pytest.raises(IllegalMoveError):
                    press_pile(rules, state, partner, name)


def test_a_name_that_is_no_pile_is_refused() -> None:
    rules = PILED[0]
    state = rules.deal(shuffle("friday"))
    for pile, picked in (("t99", None), ("t1", "t99"), ("zz", "t1")):
        with pytest.raises(IllegalMoveError):
            press_pile(rules, state, pile, picked)
