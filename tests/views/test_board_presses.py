"""What the buttons of a board reach, and in how many presses."""

from __future__ import annotations

import pytest

from benchmarks.presses import FREELY, over_deals, presses
from engine import GAMES, Rules
from tests.views.boards import extremes, reached, record_of

EACH_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)


@EACH_GAME
def test_every_legal_move_can_be_made_with_the_buttons(rules: Rules) -> None:
    states = [*extremes(rules), *list(reached(rules, 3))[::12]]
    for state in states:
        if rules.outcome(state) is None:
            record = record_of(rules, state)
            assert all(presses(record, move) <= FREELY + 2 for move in rules.legal_moves(state))


def test_one_press_is_one_action_in_the_hand_games() -> None:
    assert over_deals("one-handed", 4) == 1
    assert over_deals("taking-silk", 2) == 1


@pytest.mark.parametrize(("game", "most"), [("take-away", 1.25), ("links", 1.2)])
def test_most_moves_take_one_press(game: str, most: float) -> None:
    assert 1 <= over_deals(game, 5) <= most
