"""What the engine's tests share."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine import GAMES, Rules, State, shuffle


@pytest.fixture(params=GAMES, ids=lambda rules: rules.key)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Each game in turn."""
    game: Rules = request.param
    return game


@pytest.fixture
def random_game() -> Callable[[Rules, int], list[State]]:
    """A function that returns the positions of a game of at most 300 random moves; a number seeds it."""

    def play(rules: Rules, number: int) -> list[State]:
        random = Random(number)
        states = [rules.deal(shuffle(str(number)))]
        while len(states) <= 300 and (moves := rules.legal_moves(states[-1])):
            states.append(rules.apply(states[-1], random.choice(moves)))
        return states

    return play
