"""What every game promises."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    DECK,
    GAMES,
    CardError,
    HiddenCardError,
    IllegalMoveError,
    Move,
    NotationError,
    Outcome,
    Replay,
    Rules,
    SeedError,
    State,
    find_game,
    parse_move,
    parse_replay,
    parse_state,
    shuffle,
)

MAX_PLIES = 200

plies = st.integers(0, MAX_PLIES)
numbers = st.integers(0, 10**9)
positions = settings(max_examples=20, deadline=None)


def position(rules: Rules, number: int, plies: int) -> State:
    """Returns the position after *plies* random moves, or fewer if the game ends; *number* seeds all."""
    random = Random(number)
    state = rules.deal(shuffle(str(number)))
    for _ in range(plies):
        moves = rules.legal_moves(state)
        if not moves:
            break
        state = rules.apply(state, random.choice(moves))
    return state


def all_moves(state: State) -> list[Move]:
    """Returns every move that can be written with the piles of *state*, and one that cannot."""
    routes = product(state.names, state.names, (1, 2, 3, 4))
    return [*(Move(*route) for route in routes), Move("t9", "f9")]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
class TestPosition:
    """Any position that legal play can reach."""

    @given(number=numbers, plies=plies)
    @positions
    def test_legal_moves(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        moves = rules.legal_moves(state)
        assert len(set(moves)) == len(moves)
        assert rules.legal_moves(state.observed()) == moves
        assert all(rules.is_legal(state, move) for move in moves)

    @given(number=numbers, plies=plies)
    @positions
    def test_moves_apply_or_change_nothing(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        before = str(state)
        legal = set(rules.legal_moves(state))
        for move in all_moves(state):
            if move in legal:
                assert rules.apply(state, move) != state
            else:
                with pytest.raises(IllegalMoveError, match=str(move)):
                    rules.apply(state, move)
        assert str(state) == before

    @given(number=numbers, plies=plies)
    @positions
    def test_cards_are_conserved(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        for after in (state, *(rules.apply(state, move) for move in rules.legal_moves(state))):
            assert sorted(card for pile in after.piles for card in pile.cards) == sorted(DECK)
            assert after.names == state.names
            assert all(0 <= i < len(pile) for pile in after.piles for i in pile.face_down)

    @given(number=numbers, plies=plies)
    @positions
    def test_text_round_trips(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        assert parse_state(str(state)) == state
        assert parse_state(str(state.observed())) == state.observed()
        for move in rules.legal_moves(state):
            assert parse_move(str(move)) == move

    @given(number=numbers, plies=plies)
    @positions
    def test_observed_play(self, rules: Rules, number: int, plies: int) -> None:
        """What a player sees plays like the position itself until a card is to be turned up."""
        state = position(rules, number, plies)
        for move in rules.legal_moves(state):
            after = rules.apply(state, move)
            assert rules.reveals(state, after) == (after.hidden < state.hidden)
            if rules.reveals(state, after):
                with pytest.raises(HiddenCardError):
                    rules.apply(state.observed(), move)
            else:
                assert rules.apply(state.observed(), move) == after.observed()

    @given(number=numbers, plies=plies)
    @positions
    def test_preferences(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        for name in state.names:
            moves = [move for move in rules.legal_moves(state) if move.source == name]
            preferred = rules.preferred_move(state, moves)
            assert preferred in moves if preferred else len(moves) != 1
            assert rules.preferred_move(state.observed(), moves) == preferred

    @given(number=numbers, plies=plies)
    @positions
    def test_safe_moves(self, rules: Rules, number: int, plies: int) -> None:
        state = position(rules, number, plies)
        safe = rules.safe_moves(state)
        assert set(safe) <= set(rules.legal_moves(state))
        assert rules.safe_moves(state.observed()) == safe


@given(number=numbers)
@settings(max_examples=10, deadline=None)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
def test_records_round_trip(rules: Rules, number: int) -> None:
    random, replay = Random(number), Replay.start(rules, f"{number} ü%:/")
    for _ in range(60):
        if moves := rules.legal_moves(replay.state):
            replay = replay.push(random.choice(moves))
    assert parse_replay(str(replay)) == replay
    assert replay.pop().push(replay.moves[-1]) == replay


def test_finished_games_have_an_outcome(
    rules: Rules, random_game: Callable[[Rules, int], list[State]]
) -> None:
    for number in range(10):
        states = random_game(rules, number)
        assert all(rules.outcome(state) is None for state in states[:-1])
        outcome = rules.outcome(states[-1])
        assert (outcome is None) == bool(rules.legal_moves(states[-1]))
        assert (outcome is Outcome.WON) == (rules.cards_left(states[-1]) == 0)


def test_calls_are_offered_at_every_turn(
    rules: Rules, random_game: Callable[[Rules, int], list[State]]
) -> None:
    states = [state for number in range(10) for state in random_game(rules, number)]
    if rules.calls:
        assert {move for state in states for move in rules.legal_moves(state)} <= set(rules.calls)


def test_games_describe_themselves() -> None:
    assert len({rules.key for rules in GAMES}) == len(GAMES)
    assert len({rules.name for rules in GAMES}) == len(GAMES)
    for rules in GAMES:
        assert find_game(rules.key) is rules
        assert find_game(rules.base).base == rules.base
        assert rules.key.startswith(rules.base)
        assert rules.version == 1
        assert rules.goal.endswith(".")
        assert "\n" not in rules.goal
        assert all(line.endswith(".") for line in rules.how_to_play)


def test_only_whole_decks_are_dealt(rules: Rules) -> None:
    with pytest.raises(CardError):
        rules.deal(DECK[:51])


@given(st.text() | st.text("abcdefghklnrstwx0123456789:?%-. ", max_size=40))
def test_texts_parse_or_are_refused(text: str) -> None:
    for parse in (parse_move, parse_state, parse_replay):
        with suppress(NotationError):
            parse(text)


@given(key=st.sampled_from([rules.key for rules in GAMES]), rest=st.text(max_size=30))
def test_records_parse_or_are_refused(key: str, rest: str) -> None:
    try:
        replay = parse_replay(f"{key}:{rest}")
    except (NotationError, IllegalMoveError):
        return
    assert parse_replay(str(replay)) == replay


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("", NotationError, "begins with the key"),
        ("links", NotationError, "begins with the key"),
        ("bridge:friday", NotationError, "there is no game 'bridge'"),
        ("links:", SeedError, "at least one character"),
        ("links:%", NotationError, "not percent-encoded"),
        ("links:%zz", NotationError, "not percent-encoded"),
        ("links:%ff", NotationError, "not percent-encoded UTF-8"),
        ("links:%00a", SeedError, "control character"),
        ("links:friday sw 3", NotationError, "'3' is not a move"),
        ("links:friday sw hh", IllegalMoveError, "move 2, 'hh', is not legal there"),
    ],
)
def test_refused_records(text: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        parse_replay(text)


def test_nothing_to_take_back(rules: Rules) -> None:
    with pytest.raises(IndexError):
        Replay.start(rules, "friday").pop()
