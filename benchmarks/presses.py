"""Presses a move takes on the board: games are played through the buttons that the boards really have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.figures import Figure
from bot.render.palette import Colours
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.players import Style
from bot.views.board import Board, board
from bot.views.faces import CodeFaces
from bot.views.ids import split_id
from bot.views.look import Look
from bot.views.payload import walk
from engine import Attempt, Move, Rules, find_game, shuffle
from engine.search import Verdict
from engine.selection import press_pile
from engine.solver import solve
from tools.scenes import play

DEALS = 100
LOOK = Look(Style.EMOJI, Colours.TWO, CodeFaces())
FREELY = 2
"""Presses that lead to the board on which no card goes anywhere by itself."""


def measure() -> Iterator[Figure]:
    """Yields the presses a card or a move, the median over deals."""
    yield Figure("take-away: presses a card", over_deals("take-away", DEALS), "presses", most=1.25)
    yield Figure("links: presses a move", over_deals("links", DEALS), "presses", most=1.2)
    yield Figure("one-handed: presses an action", over_deals("one-handed", DEALS), "presses", least=1, most=1)


def over_deals(game: str, deals: int) -> float:
    """Returns the median presses a move over so many deals."""
    rules = find_game(game)
    return median(a_move(rules, f"presses {number}") for number in range(deals))


def a_move(rules: Rules, seed: str) -> float:
    """Returns the presses a move of one game."""
    line = game_of(rules, seed)
    attempt, pressed = Attempt.begin(rules, seed, start=0), 0
    for move in line:
        record = AttemptRecord(1, 1, Purpose.RACE, attempt)
        pressed += presses(record, move)
        attempt = attempt.extend(attempt.play(move, 0))
    return pressed / len(line)


def game_of(rules: Rules, seed: str) -> Sequence[Move]:
    """Returns the moves of a game of *rules* as the solver wins it, or a simple player plays it if it cannot be won."""
    solution = solve(rules, rules.deal(shuffle(seed)))
    return solution.moves if solution.verdict is Verdict.WON else play(rules, seed)


def presses(record: AttemptRecord, move: Move) -> int:
    """Returns the least number of presses of open buttons that plays *move*."""
    rules, state = record.attempt.rules, record.attempt.state
    shown = _open(Board(record))
    if f"call:{move}" in shown:
        return 1
    ends = ((move.source, move.target), (move.target, move.source))
    for first, second in ends:
        if f"pile:{first}" not in shown:
            continue
        meant = press_pile(rules, state, first)
        if meant == move:
            return 1
        if meant == first and _goes(record, second, first, move):
            return 2
    freely = _open(Board(record, free=True))
    if f"pick:{move.source}" in freely and _goes(record, move.target, move.source, move):
        return FREELY + 2
    raise AssertionError(f"no button plays {move} in {state}")


def _goes(record: AttemptRecord, pile: str, picked: str, move: Move) -> bool:
    """Tells whether a press of *pile* plays *move* while *picked* is picked."""
    open_now = f"pile:{pile}:{picked}" in _open(Board(record, picked=picked))
    return open_now and press_pile(record.attempt.rules, record.attempt.state, pile, picked) == move


def _open(shown: Board) -> set[str]:
    """Returns the verbs of the buttons that can be pressed."""
    parts = (part for part in walk(board(shown, LOOK).components) if part["type"] == 2)
    return {":".join(split_id(part["custom_id"])[1][2:]) for part in parts if not part.get("disabled")}


if __name__ == "__main__":
    for figure in measure():
        print(figure)
