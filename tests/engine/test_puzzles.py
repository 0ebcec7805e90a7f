"""The compact positions of the solver against the plain rules."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Move, Rules, State, find_game, shuffle
from engine.games.links_puzzle import LinksPuzzle
from engine.games.takeaway import NEIGHBOURS, TakeAwayRules
from engine.games.takeaway_puzzle import TakeAwayPuzzle
from engine.search import Meter

numbers = st.integers(0, 10**9)


def tops(state: State) -> list[int]:
    """Returns the ranks with which the foundations end, in order."""
    return sorted(pile.cards[-1].rank if pile.cards else 0 for pile in state.piles[4:])


def heights(state: State) -> list[int]:
    """Returns how many cards the piles of the tableau hold."""
    return [len(pile) for pile in state.piles[:4]]


def played(rules: Rules, state: State, moves: tuple[Move, ...]) -> State:
    """Returns the position after *moves*."""
    for move in moves:
        state = rules.apply(state, move)
    return state


@pytest.mark.parametrize("key", ["take-away", "take-away-4", "striptease", "striptease-4"])
@given(number=numbers, plies=st.integers(0, 45))
@settings(max_examples=25, deadline=None)
def test_take_away(key: str, number: int, plies: int) -> None:
    """The next layer holds what the legal moves make, but for lost positions and new foundations without need."""
    rules, random = find_game(key), Random(number)
    assert isinstance(rules, TakeAwayRules)
    state = rules.deal(shuffle(str(number)))
    for _ in range(plies):
        if moves := rules.legal_moves(state):
            state = rules.apply(state, random.choice(moves))
    puzzle = TakeAwayPuzzle(state, rules.fixed, NEIGHBOURS[rules.fixed], Meter(1))
    after = puzzle.after([puzzle.start], 0)
    found = {
        (*heights(end), *tops(end)) for end in (played(rules, state, puzzle.moves(each)) for each in after)
    }
    assert len(found) == len(after)
    moves = rules.legal_moves(state)
    fitting = {move.source for move in moves if state[move.target].cards}
    expected = [
        rules.apply(state, move) for move in moves if state[move.target].cards or move.source not in fitting
    ]
    made = {(*heights(end), *tops(end)): end for end in expected}
    assert found <= made.keys()
    assert not any(can_lie(rules, end) for key, end in made.items() if key not in found)


def can_lie(rules: TakeAwayRules, state: State) -> bool:
    """Tells whether all cards of the tableau, and all but the covered ones, find cards of their own to lie on."""
    piles = [[card.rank for card in pile.cards if card.rank != rules.fixed] for pile in state.piles[:4]]
    covered = 1 if any(pile.face_down for pile in state.piles) else 0
    return all(
        is_matched([rank for pile in piles for rank in pile[first:]], tops(state), NEIGHBOURS[rules.fixed])
        for first in {0, covered}
    )


def is_matched(ranks: list[int], ends: list[int], neighbours: tuple[frozenset[int], ...]) -> bool:
    """Tells whether each of *ranks* can have one of *ends* or of the others to itself that it fits on."""
    places = [*ends, *ranks]
    taken: dict[int, int] = {}

    def settle(card: int, tried: set[int]) -> bool:
        for place, rank in enumerate(places):
            if place not in tried and (rank == 0 or rank in neighbours[ranks[card]]):
                tried.add(place)
                if place not in taken or settle(taken[place], tried):
                    taken[place] = card
                    return True
        return False

    return all(settle(card, set()) for card in range(len(ranks)))


@given(number=numbers, plies=st.integers(0, 200), stepwise=st.booleans(), sweep=st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_links(number: int, plies: int, stepwise: bool, sweep: int) -> None:
    """Each position of the next layer is what the plain rules make of the moves to it."""
    rules, random = find_game("links"), Random(number)
    state = rules.deal(shuffle(str(number)))
    for _ in range(plies):
        if moves := rules.legal_moves(state):
            state = rules.apply(state, random.choice(moves))
    puzzle = LinksPuzzle(state, Meter(1), stepwise=stepwise)
    for position in puzzle.after([puzzle.start], sweep):
        dealt, waste, piles, foundations = position
        moves = puzzle.moves(position)
        is_won = puzzle.won([position]) is not None
        end = played(rules, state, moves[: len(moves) - sum(map(len, piles))] if is_won else moves)
        assert dealt == len(state["s"]) - len(end["s"])
        assert waste == tuple(card.rank << 2 | card.suit for card in end["w"].cards)
        tableau = [tuple(card.rank << 2 | card.suit for card in pile.cards) for pile in end.piles[2:10]]
        assert piles == tuple(sorted(filter(None, tableau)))
        assert foundations == tuple(map(len, end.piles[10:]))


@given(number=numbers)
@settings(max_examples=10, deadline=None)
def test_stepwise_moves_never_repeat(number: int) -> None:
    """Stock, waste, piles in use, cards in the tableau: one of them gets less and those before it no more."""
    rules = find_game("links")
    state = rules.deal(shuffle(str(number)))
    for move in rules.suggest(state, Meter(1000)).moves:
        before, state = state, rules.apply(state, move)
        assert progress(state) < progress(before)


def progress(state: State) -> tuple[int, int, int, int]:
    """Returns what gets less with every stepwise move of Links."""
    tableau = state.piles[2:10]
    in_use = sum(1 for pile in tableau if pile.cards)
    return len(state["s"]), len(state["w"]), in_use, sum(map(len, tableau))
