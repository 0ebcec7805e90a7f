"""What one press of a pile means: a card is played at one press where there is a sensible place for it, else at
two, the card and the place in either order."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import IllegalMoveError
from engine.moves import Move
from engine.rules import Rules
from engine.state import State


def press_pile(rules: Rules, state: State, pile: str, selected: str | None = None) -> Move | str | None:
    """Returns what a press of *pile* comes to while *selected* is picked.

    That is the move to play, or the name of the pile that is picked now, or None where the picked one is let go.

    :raises IllegalMoveError: if the pile has nothing to do with any legal move.
    """
    if pile == selected:
        return None
    legal = rules.legal_moves(state)
    if selected is not None:
        for move in legal:
            if (move.source, move.target) in ((selected, pile), (pile, selected)):
                return move
        raise IllegalMoveError(f"no move goes between {selected!r} and {pile!r}")
    mine = [move for move in legal if move.source == pile]
    preferred = rules.preferred_move(state, mine)
    if preferred is not None:
        return preferred
    if mine or any(move.target == pile for move in legal):
        return pile
    raise IllegalMoveError(f"no move goes from or to {pile!r}")


def pressable_piles(legal: Sequence[Move], selected: str | None = None) -> frozenset[str]:
    """Returns the piles that a press does something with while *selected* is picked and *legal* moves are open."""
    if selected is None:
        return frozenset(name for move in legal for name in (move.source, move.target))
    return partner_piles(legal, selected) | {selected}


def partner_piles(legal: Sequence[Move], selected: str) -> frozenset[str]:
    """Returns the piles between which and *selected* a *legal* move goes, in either direction."""
    return frozenset(
        name
        for move in legal
        if selected in (move.source, move.target)
        for name in (move.source, move.target)
        if name != selected
    )
