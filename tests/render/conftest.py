"""What the tests of pictures and words share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from engine import DECK, GAMES, Pile, Rules, State, parse_state, shuffle


@dataclass(frozen=True, slots=True)
class Position:
    """A position with a selection: a source of legal moves and where it may go."""

    state: State
    selected: str | None
    targets: tuple[str, ...]


@pytest.fixture(params=GAMES, ids=lambda rules: rules.key)
def rules(request: pytest.FixtureRequest) -> Rules:
    """Each game in turn."""
    game: Rules = request.param
    return game


@pytest.fixture(scope="session")
def positions() -> Callable[[Rules], list[Position]]:
    """A function that returns positions of random games, with random selections: every fifth one and the last."""
    kept: dict[str, list[Position]] = {}

    def play(rules: Rules) -> list[Position]:
        if rules.key not in kept:
            kept[rules.key] = [position for number in range(4) for position in _positions(rules, number)]
        return kept[rules.key]

    return play


def _positions(rules: Rules, number: int) -> list[Position]:
    random = Random(number)
    state = rules.deal(shuffle(f"render {number}"))
    found = []
    for ply in range(200):
        moves = rules.legal_moves(state)
        if ply % 5 == 0 or not moves:
            selected = random.choice(moves).source if moves and random.random() < 0.7 else None
            targets = tuple(dict.fromkeys(move.target for move in moves if move.source == selected))
            found.append(Position(state, selected, targets))
        if not moves:
            break
        state = rules.apply(state, random.choice(moves))
    return found


@pytest.fixture
def extremes() -> dict[str, State]:
    """Positions with more cards in one place than random games show."""
    cards = [str(card) for card in shuffle("extremes")]
    runs = ["".join(f"{rank}{suit}" for rank in "KQJT98765432A") for suit in "CDHS"]
    nothing = " ".join(f"t{number}:" for number in range(5, 9))
    return {
        "the whole deck in the hand": parse_state(f"s: h:{''.join(cards)} d:"),
        "all cards discarded": parse_state(f"s: h: d:{''.join(cards)}"),
        "four runs from king to ace": parse_state(
            "s: w: "
            + " ".join(f"t{n + 1}:{run}" for n, run in enumerate(runs))
            + f" {nothing} fc: fd: fh: fs:"
        ),
        "the whole stock in the waste": parse_state(
            f"s: w:{''.join(cards[8:])} "
            + " ".join(f"t{n + 1}:{card}" for n, card in enumerate(cards[:8]))
            + " fc: fd: fh: fs:"
        ),
    }


@pytest.fixture
def stirred() -> Callable[[State, int], State]:
    """A function that deals the cards of a position that lie face down anew among their places."""

    def stir(state: State, number: int) -> State:
        hidden = [
            pile.cards[place] for pile in state.piles for place in range(len(pile)) if place in pile.face_down
        ]
        assert all(card in DECK for card in hidden)
        Random(number).shuffle(hidden)
        rest = iter(hidden)
        piles = tuple(
            Pile(
                tuple(
                    next(rest) if place in pile.face_down else card for place, card in enumerate(pile.cards)
                ),
                pile.face_down,
            )
            for pile in state.piles
        )
        return State(state.names, piles, state.recycled)

    return stir
