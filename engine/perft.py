"""Counting the lines of play, to check and to time the rules."""

from __future__ import annotations

from engine.rules import Rules
from engine.state import State


def perft(rules: Rules, state: State, depth: int) -> int:
    """Returns how many sequences of *depth* legal moves there are from *state*."""
    moves = rules.legal_moves(state)
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(perft(rules, rules.apply(state, move), depth - 1) for move in moves)
