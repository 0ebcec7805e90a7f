"""Links."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import Outcome, Rules, State, find_game, parse_move, parse_state, shuffle

LINKS = find_game("links")


def table(*, s: str = "", w: str = "", tableau: str = "", f: str = "") -> State:
    """Returns a position from the tableau's piles and the foundations' last cards, by white space."""
    ranks = "A23456789TJQK"
    tops = {card[1]: ranks.index(card[0]) for card in f.split()}
    foundations = {
        suit: "".join(rank + suit for rank in ranks[: tops[suit] + 1]) if suit in tops else ""
        for suit in "CDHS"
    }
    piles = tableau.split()
    names = [f"t{number}:{pile}" for number, pile in enumerate(piles + [""] * (8 - len(piles)), start=1)]
    rest = [f"f{suit.lower()}:{cards}" for suit, cards in foundations.items()]
    return parse_state(" ".join([f"s:{s}", f"w:{w}", *names, *rest]))


def legal(state: State) -> str:
    """Returns the legal moves in alphabetical order."""
    return " ".join(sorted(map(str, LINKS.legal_moves(state))))


def test_deal() -> None:
    cards = shuffle("friday")
    state = LINKS.deal(cards)
    assert [state[f"t{number}"].cards for number in range(1, 9)] == [(card,) for card in cards[:8]]
    assert state["s"].cards == cards[:7:-1]
    assert state.hidden == 44
    after = LINKS.apply(state, parse_move("sw"))
    assert after["w"].cards == (cards[8],)
    assert LINKS.reveals(state, after)
    assert LINKS.cards_left(state) == 52


def test_building() -> None:
    state = table(w="7C", tableau="8D 8SAC 7H 9H 5C KD 2C QC", f="AS")
    assert legal(state) == "t1t4 t2fc t2t7 t3t1 t8t6 wt1"
    state = table(w="7C", tableau="7H KD 2C 2D 2H 3S TC 5D")
    assert legal(state) == "t3t6 t4t6 t5t6"


def test_empty_piles() -> None:
    lone = table(w="7C", tableau="KD KH", f="AC")
    assert legal(lone) == "wt3 wt4 wt5 wt6 wt7 wt8"
    pair = table(tableau="9D8D KH", s="2c")
    assert legal(pair) == "sw t1t3 t1t4 t1t5 t1t6 t1t7 t1t8"


def test_foundations_build_up_in_suit() -> None:
    state = table(w="3C", tableau="AD 2H KC QS JD TD 9D 8D", f="2C AH")
    assert {"wfc", "t1fd", "t2fh"} <= set(legal(state).split())
    assert "wfd" not in legal(state)


def test_kings_do_not_go_onto_aces() -> None:
    assert legal(table(w="KC", tableau="AD AH AS TC TD TH TS 5C", f="AC")) == "t1fd t2fh t3fs"


def test_outcome() -> None:
    won = table(f="KC KD KH KS")
    assert LINKS.outcome(won) is Outcome.WON
    assert LINKS.cards_left(won) == 0
    stuck = table(w="AC2C", tableau="KC KD KH KS QC QD QH 5S")
    assert LINKS.outcome(stuck) is None
    stuck = table(w="ACKC", tableau="KD KH KS 4C 4D 4H 4S 9S")
    assert LINKS.outcome(stuck) is Outcome.STUCK


@pytest.mark.parametrize(
    ("state", "source", "target"),
    [
        (table(w="3C", tableau="4D", f="2C"), "w", "fc"),
        (table(w="3C", tableau="5D 4D 9H", f="AC"), "w", "t2"),
        (table(w="3C", tableau="4S 4D 9H", f="AC"), "w", None),
        (table(w="3C", tableau="5S 5D 9H", f="AC"), "w", "t4"),
        (table(w="3C", tableau="5S 5D 9H TC TD TH TS KH", f="AC"), "w", None),
        (table(w="3C", tableau="5S 5D 9H", f="AC"), "t1", None),
        (table(w="3C", tableau="5S4S 9H", f="AC"), "t1", "t3"),
        (table(s="9d", w="3C"), "s", "w"),
        (table(s="9d"), "s", "w"),
        (table(w="3C"), "s", None),
    ],
)
def test_preferred_move(state: State, source: str, target: str | None) -> None:
    moves = [move for move in LINKS.legal_moves(state) if move.source == source]
    preferred = LINKS.preferred_move(state, moves)
    assert (preferred and preferred.target) == target


def test_safe_moves() -> None:
    state = table(s="9d", w="3C", tableau="2D 4H AS", f="2C AD 3H")
    assert [str(move) for move in LINKS.safe_moves(state)] == ["t1fd", "t3fs"]
    state = table(s="9d", w="3C", tableau="2D 4H", f="2C AD 3H AS")
    assert [str(move) for move in LINKS.safe_moves(state)] == ["t1fd", "wfc"]


def test_safe_moves_finish_the_game() -> None:
    state = table(tableau="KCQDJC KDQCJD KHQSJH KSQHJS", f="TC TD TH TS")
    while moves := LINKS.safe_moves(state):
        state = LINKS.apply(state, moves[0])
    assert LINKS.outcome(state) is Outcome.WON


def test_piles_run_down(random_game: Callable[[Rules, int], list[State]]) -> None:
    """The fact on which so much rests: each pile is one unbroken run."""
    for state in random_game(LINKS, 1):
        for pile in state.piles[2:10]:
            ranks = [card.rank for card in pile.cards]
            assert ranks == list(range(ranks[0], ranks[0] - len(ranks), -1)) if ranks else True
