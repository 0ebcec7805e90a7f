"""Moves and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.errors import NotationError

PILE_NAME: Final = "[swhd]|t[1-9]|f[1-9cdhs]"
"""A regular expression for the name of a pile: stock, waste, hand, discard, tableau, foundation."""

_MOVE: Final = re.compile(f"(?P<source>{PILE_NAME})(?P<target>{PILE_NAME})(?:x(?P<count>[2-9]))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Move:
    """*count* cards that go from the pile *source* to the pile *target*: ``t1f2``, ``sw``, ``hdx4``."""

    source: str
    target: str
    count: int = 1

    def __str__(self) -> str:
        times = "" if self.count == 1 else f"x{self.count}"
        return f"{self.source}{self.target}{times}"


def parse_move(text: str) -> Move:
    """Returns the move that *text* names; upper and lower case are alike.

    :raises NotationError: if it names none.
    """
    found = _MOVE.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        raise NotationError(f"{text!r} is not a move: write two piles, as in 't1f2', 'sw' or 'hdx4'")
    return Move(found["source"], found["target"], int(found["count"] or 1))
