"""Solving: against exhaustive search under the plain rules, and on deals whose verdict is known."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import (
    DECK,
    GAMES,
    Difficulty,
    HiddenCardError,
    Move,
    Outcome,
    Pile,
    Rules,
    Solution,
    State,
    Verdict,
    difficulty,
    find_game,
    parse_state,
    shuffle,
    solve,
)
from engine.search import Meter, depth_first

DECIDED = {
    "one-handed": "L L L L L L L L L L",
    "one-handed-recycle": "L L L L L L L L L L",
    "one-handed-free": "L L L L L L L L L L",
    "taking-silk-four-suit": "L L L L L L L L L L",
    "take-away": "W W W W W W W W W W",
    "take-away-4": "W W W W W W W W W W",
    "striptease": "W W W W W W W W W W",
    "striptease-4": "W W W W W L W L L W",
    "links": "W W W W W W W W W W",
}
"""Verdicts on the seeds 0 to 9."""

numbers = st.integers(0, 10**9)


def brute_force(rules: Rules, state: State, budget: int = 200_000) -> Verdict:
    """Returns the verdict of an exhaustive search under the plain rules."""
    if rules.cards_left(state) == 0:
        return Verdict.WON
    return depth_first(rules, state, Meter(budget)).verdict


def replayed(rules: Rules, state: State, solution: Solution) -> State:
    """Returns the position after the moves of *solution*."""
    for move in solution.moves:
        state = rules.apply(state, move)
    return state


@pytest.mark.parametrize("key", DECIDED)
def test_verdicts(key: str) -> None:
    rules = find_game(key)
    for seed, expected in enumerate(DECIDED[key].split()):
        state = rules.deal(shuffle(str(seed)))
        solution = solve(rules, state)
        assert solution.verdict is {"W": Verdict.WON, "L": Verdict.LOST}[expected], seed
        if solution.verdict is Verdict.WON:
            assert rules.outcome(replayed(rules, state, solution)) is Outcome.WON


@pytest.mark.parametrize(
    ("key", "seed", "verdict"),
    [("links", "hard15369", Verdict.WON), ("striptease", "st2090", Verdict.LOST)],
)
def test_hard_deals(key: str, seed: str, verdict: Verdict) -> None:
    """One of the few deals of Links that need many sweeps, and one of the few lost ones of Striptease."""
    rules = find_game(key)
    assert solve(rules, rules.deal(shuffle(seed)), budget=60_000).verdict is verdict


def test_any_position_can_be_solved(rules: Rules, random_game: Callable[[Rules, int], list[State]]) -> None:
    for number in range(3):
        for state in random_game(rules, number)[::25]:
            solution = solve(rules, state, budget=2000)
            after = replayed(rules, state, solution)
            assert (rules.outcome(after) is Outcome.WON) == (solution.verdict is Verdict.WON)
            assert solve(rules, state, budget=2000) == solution


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
def test_finished_games(rules: Rules) -> None:
    won = parse_state(
        {
            "h": "s: h: d:",
            "t": "t1: t2: t3: t4: f1: f2: f3: f4: f5: f6:",
            "s": "t1:QC t2:QD t3:QH t4:QS f1: f2: f3: f4: f5: f6:",
            "l": "s: w: t1: t2: t3: t4: t5: t6: t7: t8: "
            + " ".join(
                f"f{suit.lower()}:" + "".join(rank + suit for rank in "A23456789TJQK") for suit in "CDHS"
            ),
        }["h" if rules.calls else rules.key[0]]
    )
    assert solve(rules, won) == Solution(Verdict.WON)


def test_stuck_is_lost() -> None:
    stuck = parse_state("t1:AC t2: t3: t4: f1:5S f2:5H f3:5D f4:5C f5:4C f6:4D")
    assert solve(find_game("take-away"), stuck) == Solution(Verdict.LOST)


def test_unknown_cards(rules: Rules) -> None:
    state = rules.deal(shuffle("friday")).observed()
    if state.hidden:
        with pytest.raises(HiddenCardError):
            solve(rules, state)


def test_the_budget_is_kept() -> None:
    rules = find_game("striptease-4")
    state = rules.deal(shuffle("0"))
    reported: list[int] = []
    solution = solve(rules, state, budget=40, report=reported.append)
    assert solution.verdict is Verdict.UNKNOWN
    assert solution.positions in range(40, 60)
    assert reported == sorted(reported)
    assert reported[-1] == solution.positions
    assert (
        solve(find_game("taking-silk"), find_game("taking-silk").deal(shuffle("0")), budget=3).positions == 3
    )


@pytest.mark.parametrize(
    ("positions", "band"), [(52, Difficulty.EASY), (121, Difficulty.MEDIUM), (701, Difficulty.HARD)]
)
def test_difficulty(positions: int, band: Difficulty) -> None:
    assert difficulty(Solution(Verdict.WON, (Move("s", "w"),), positions)) is band
    assert difficulty(Solution(Verdict.LOST, (), positions)) is None


@given(number=numbers, foundations=st.integers(4, 6), fixed=st.sampled_from(["take-away", "striptease"]))
@settings(max_examples=60, deadline=None)
def test_take_away_against_brute_force(number: int, foundations: int, fixed: str) -> None:
    """Small positions with few foundations free, so that many are lost."""
    random = Random(number)
    rules = find_game({6: fixed, 5: "take-away-5", 4: f"{fixed}-4"}[foundations])
    cards = [card for card in DECK if card.rank != 12]
    random.shuffle(cards)
    queens = [card for card in DECK if card.rank == 12]
    is_striptease = rules.base == "striptease"
    tableau = [
        Pile(
            ((queens[i],) if is_striptease else ()) + tuple(cards.pop() for _ in range(random.randint(1, 3))),
            frozenset({1} if is_striptease else ()),
        )
        for i in range(4)
    ]
    free = random.randint(0, 2)
    tops = [Pile((cards.pop(),)) for _ in range(foundations - free)] + [Pile()] * free
    names = ("t1", "t2", "t3", "t4", *(f"f{i + 1}" for i in range(foundations)))
    state = State(names, (*tableau, *tops))
    assert solve(rules, state).verdict is brute_force(rules, state)


@given(number=numbers, size=st.integers(8, 24), held=st.integers(4, 8), high=st.sampled_from([5, 7, 13]))
@settings(max_examples=60, deadline=None)
def test_chart_against_brute_force(number: int, size: int, held: int, high: int) -> None:
    rules = find_game("one-handed-free")
    cards = [card for card in DECK if card.rank <= high]
    Random(number).shuffle(cards)
    cards = cards[:size]
    held = min(held, len(cards))
    state = State(
        ("s", "h", "d"), (Pile.hidden(tuple(cards[: held - 1 : -1])), Pile(tuple(cards[:held])), Pile())
    )
    assert solve(rules, state).verdict is brute_force(rules, state)


def test_chart_from_the_middle_of_a_game(random_game: Callable[[Rules, int], list[State]]) -> None:
    rules = find_game("taking-silk-free")
    for number in range(6):
        for state in random_game(rules, number)[-12::3]:
            assert solve(rules, state).verdict is brute_force(rules, state)


def late_links(number: int) -> State:
    """Returns a position of Links with an empty stock, come to by playing the waste where it goes."""
    rules, random = find_game("links"), Random(number)
    state = rules.deal(shuffle(f"late {number}"))
    while state["s"].cards:
        moves = rules.legal_moves(state)
        useful = [move for move in moves if move.source == "w" or move.target[0] == "f"]
        state = rules.apply(state, random.choice(useful if useful and random.random() < 0.8 else moves))
    return state


@given(number=numbers)
@example(number=30)
@example(number=44)
@settings(max_examples=12, deadline=None)
def test_dead_positions_of_links_are_lost(number: int) -> None:
    rules, state = find_game("links"), late_links(number)
    dead = rules.is_dead(state)
    assert rules.is_dead(state.observed()) == dead
    if dead:
        assert brute_force(rules, state, 2000) is not Verdict.WON
        assert rules.search(state, Meter(2000)).verdict is not Verdict.WON
        assert solve(rules, state).verdict is Verdict.LOST
    elif brute_force(rules, state, 2000) is Verdict.WON:
        assert solve(rules, state, budget=2000).verdict is not Verdict.LOST


def can_go_on(state: State) -> bool:
    """Tells whether tableau moves lead to where a card can leave the tableau or the waste; tries all of them."""
    rules, seen, untried = find_game("links"), {state}, [state]
    while untried:
        here = untried.pop()
        moves = rules.legal_moves(here)
        if any(move.source == "w" or move.target[0] == "f" for move in moves):
            return True
        after = {rules.apply(here, move) for move in moves} - seen
        seen |= after
        untried += after
    return False


@pytest.mark.parametrize("number", range(60))
def test_dead_exactly(number: int) -> None:
    """Where all has been played that can be, with the waste piled up on the way."""
    rules, random = find_game("links"), Random(number)
    state = rules.deal(shuffle(f"dead {number}"))
    while True:
        moves = rules.legal_moves(state)
        useful = [move for move in moves if move.source == "w" or move.target[0] == "f"]
        if state["s"].cards and (not useful or random.random() < 0.3):
            useful = [Move("s", "w")]
        if not useful:
            break
        state = rules.apply(state, random.choice(useful))
    if rules.outcome(state) is None:
        assert rules.is_dead(state) == (not can_go_on(state))


def test_dead() -> None:
    rules = find_game("links")
    dead = parse_state("s: w:ACKC t1:KD t2:KH t3:KS t4:9C t5:9D8C t6:9H t7:9S t8:5S fc: fd: fh: fs:")
    assert rules.outcome(dead) is None
    assert rules.is_dead(dead)
    alive = parse_state("s: w:ACKC t1:KD t2:KH t3:KS t4:9C t5:9D8C t6:9H t7:8S7D t8:5S fc: fd: fh: fs:")
    assert not rules.is_dead(alive), "7D goes to 8C, 8S to a nine, and a pile is free"
    assert not rules.is_dead(parse_state(str(dead).replace("s: ", "s:2c ")))
    assert not rules.is_dead(parse_state(str(dead).replace("w:ACKC", "w:AC")))
    assert not rules.is_dead(parse_state(str(dead).replace("w:ACKC", "w:")))
