"""Records of play: a game, a seed and moves make a position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from engine.deal import canonical_seed, shuffle
from engine.errors import IllegalMoveError, NotationError
from engine.games import find_game
from engine.moves import Move, parse_move
from engine.rules import Rules
from engine.state import State

_BROKEN_ESCAPE: Final = re.compile("%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Replay:
    """The moves made so far in a deal and the position to which they led."""

    rules: Rules
    seed: str
    moves: tuple[Move, ...]
    state: State

    @classmethod
    def start(cls, rules: Rules, seed: str) -> Replay:
        """Returns the deal before the first move. Any spelling of *seed* will do.

        :raises SeedError: if the seed has no canonical form.
        """
        return cls(rules, canonical_seed(seed), (), rules.deal(shuffle(seed)))

    def push(self, move: Move) -> Replay:
        """Returns the replay after one more move.

        :raises IllegalMoveError: if it is not legal.
        """
        return Replay(self.rules, self.seed, (*self.moves, move), self.rules.apply(self.state, move))

    def extend(self, moves: Iterable[Move]) -> Replay:
        """Returns the replay after all of *moves*; the error for an illegal one names its place.

        :raises IllegalMoveError: if one of them is not legal.
        """
        made, state = list(self.moves), self.state
        for move in moves:
            if not self.rules.is_legal(state, move):
                raise IllegalMoveError(f"move {len(made) + 1}, {str(move)!r}, is not legal there")
            state = self.rules.apply(state, move)
            made.append(move)
        return Replay(self.rules, self.seed, tuple(made), state)

    def pop(self) -> Replay:
        """Returns the replay before its last move.

        :raises IndexError: if there is none.
        """
        if not self.moves:
            raise IndexError("pop from a replay without moves")
        return Replay.start(self.rules, self.seed).extend(self.moves[:-1])

    def __str__(self) -> str:
        return " ".join([f"{self.rules.key}:{quote(self.seed, safe='')}", *map(str, self.moves)])


def parse_replay(text: str) -> Replay:
    """Returns the replay that *text* records: ``<key>:<seed> move move …``, the seed percent-encoded.

    :raises NotationError: if it is no record.
    :raises IllegalMoveError: if one of its moves is not legal.
    """
    parts = text.split()
    if not parts or ":" not in parts[0]:
        raise NotationError("a record begins with the key of a game and a seed, as in 'links:friday'")
    key, seed = parts[0].split(":", 1)
    rules = find_game(key)
    moves = [parse_move(part) for part in parts[1:]]
    return Replay.start(rules, _decode(seed)).extend(moves)


def _decode(seed: str) -> str:
    if _BROKEN_ESCAPE.search(seed):
        raise NotationError(f"the seed {seed!r} is not percent-encoded")
    try:
        return unquote(seed, errors="strict")
    except UnicodeDecodeError:
        raise NotationError(f"the seed {seed!r} is not percent-encoded UTF-8") from None
