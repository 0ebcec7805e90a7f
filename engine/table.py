"""A position as lines of text, for a terminal."""

from __future__ import annotations

from typing import Final

from engine.games.hand import FAN
from engine.state import Pile, Role, State, role

_SHOWN: Final = 12
"""How many cards of a pile that only its last card matters of are shown."""


def table(state: State) -> str:
    """Returns what a player sees of the position, a line a pile and one for all foundations."""
    seen = state.observed()
    piles = dict(zip(seen.names, seen.piles, strict=True))
    lines = [
        f"{name:2}  {_line(role(name), pile)}"
        for name, pile in piles.items()
        if role(name) is not Role.FOUNDATION
    ]
    tops = [f"{name} {pile.exposed or '--'}" for name, pile in piles.items() if role(name) is Role.FOUNDATION]
    return "\n".join([*lines, "   ".join(tops)] if tops else lines)


def _line(kind: Role, pile: Pile) -> str:
    cards = [str(card) for card in pile.cards]
    match kind:
        case Role.STOCK:
            return f"({len(cards)})"
        case Role.HAND:
            return " ".join([*cards[:-FAN], f"[{' '.join(cards[-FAN:])}]"])
        case Role.WASTE | Role.DISCARD:
            return " ".join([f"({len(cards)})", *["…"][: len(cards) > _SHOWN], *cards[-_SHOWN:]])
        case _:
            return " ".join(cards) or "--"
