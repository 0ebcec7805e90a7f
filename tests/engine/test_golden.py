"""Playthroughs made by another implementation of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import Outcome, State, find_game, parse_card, parse_move

GOLDEN = sorted((Path(__file__).parent / "data" / "golden").glob("*.json"))


def playthroughs() -> list[Any]:
    """Returns (key, game) for each recorded game, named by file and number."""
    parameters = []
    for path in GOLDEN:
        data = json.loads(path.read_text())
        for number, game in enumerate(data["games"]):
            parameters.append(pytest.param(data["game"], game, id=f"{path.stem}-{number}"))
    return parameters


def names(state: State) -> dict[str, list[str]]:
    """Returns the cards of each pile, as the recorded games write them."""
    return {name: [str(card) for card in state[name].cards] for name in state.names}


@pytest.mark.parametrize(("key", "game"), playthroughs())
def test_playthrough(key: str, game: dict[str, Any]) -> None:
    rules = find_game(key)
    state = rules.deal([parse_card(text) for text in game["deck"]])
    for ply, legal in enumerate(game["legal"]):
        assert sorted(map(str, rules.legal_moves(state))) == legal
        assert rules.cards_left(state) == game["cards_left"][ply]
        if piles := game["piles"].get(str(ply)):
            assert names(state) == piles
        if observed := game["observed"].get(str(ply)):
            assert names(state.observed()) == observed
        if ply < len(game["moves"]):
            assert rules.outcome(state) is None
            state = rules.apply(state, parse_move(game["moves"][ply]))
    outcome = rules.outcome(state)
    assert (outcome is Outcome.WON) == game["won"]
    assert (outcome is not None) == game["over"]
