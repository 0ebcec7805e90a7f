"""The rules: lists of legal moves and whole games per second."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess

from benchmarks.figures import Figure, seconds
from engine import Rules, State, find_game, shuffle

GAMES = 100
PLIES = 100
DEALS = 1000


def measure() -> Iterator[Figure]:
    """Yields the figures."""
    boards, states = chess_positions(), links_positions()
    links = find_game("links")
    ours = len(states) / seconds(lambda: [links.legal_moves(state) for state in states])
    theirs = len(boards) / seconds(lambda: [list(board.legal_moves) for board in boards])
    yield Figure("python-chess: lists of legal moves", theirs, "a second")
    yield Figure("links: lists of legal moves", ours, "a second")
    yield Figure("links: lists of legal moves, ratio to python-chess", ours / theirs, "times", least=3)
    one_handed = find_game("one-handed")
    time = seconds(lambda: [play_out(one_handed, str(seed)) for seed in range(DEALS)], rounds=3)
    yield Figure("one-handed: whole games from seed to end", DEALS / time, "a second")


def chess_positions() -> list[chess.Board]:
    """Returns the positions of random games of chess."""
    random, boards = Random(1), []
    for _ in range(GAMES):
        board = chess.Board()
        for _ in range(PLIES):
            boards.append(board.copy(stack=False))
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
    return boards


def links_positions() -> list[State]:
    """Returns the positions of random games of Links."""
    random, states, rules = Random(1), [], find_game("links")
    for seed in range(GAMES):
        state = rules.deal(shuffle(str(seed)))
        for _ in range(PLIES):
            states.append(state)
            moves = rules.legal_moves(state)
            if not moves:
                break
            state = rules.apply(state, random.choice(moves))
    return states


def play_out(rules: Rules, seed: str) -> State:
    """Returns the last position of a game in which every move is forced."""
    state = rules.deal(shuffle(seed))
    while moves := rules.legal_moves(state):
        state = rules.apply(state, moves[0])
    return state
