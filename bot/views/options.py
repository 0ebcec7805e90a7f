"""A board and what can be done on it, worked out once for all its buttons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.attempts import AttemptRecord
from engine import Attempt, Move, Role, State, role
from engine.selection import partner_piles, pressable_piles


@dataclass(frozen=True, slots=True)
class Board:
    """What is shown: the attempt, which pile is *picked*, a *note* on what has just happened, a *hint*.

    On a *free* board no card goes anywhere by itself: a press picks it, and the next press says where it goes.
    """

    record: AttemptRecord
    picked: str | None = None
    note: str | None = None
    hint: Move | None = None
    free: bool = False

    @property
    def id(self) -> int:
        """The name of the attempt."""
        return self.record.id

    @property
    def attempt(self) -> Attempt:
        """The attempt."""
        return self.record.attempt


@dataclass(frozen=True, slots=True)
class Options:
    """What can be done: the *legal* moves, the piles that can be pressed, those that are marked.

    *state* is the position as the player sees it. *selected* is the pile whose card is picked or hinted at,
    *targets* are the piles to which it may go. *safe* tells whether there are safe moves, *finishes* whether they
    win the game.
    """

    state: State
    legal: tuple[Move, ...] = ()
    pressable: frozenset[str] = frozenset()
    selected: str | None = None
    targets: frozenset[str] = frozenset()
    safe: bool = False
    finishes: bool = False


def options_of(board: Board) -> Options:
    """Returns what can be done on *board*; nothing if the attempt is over."""
    attempt = board.attempt
    rules, state = attempt.rules, attempt.state
    seen = state.observed()
    if attempt.is_over:
        return Options(seen)
    legal = tuple(rules.legal_moves(state))
    if rules.calls:
        return Options(seen, legal)
    safe, end = rules.safe_line(state)
    # the stock is dealt by a button of its own
    played = tuple(move for move in legal if role(move.source) is not Role.STOCK)
    pressable = pressable_piles(played, board.picked)
    if board.picked is not None:
        selected, targets = board.picked, partner_piles(played, board.picked)
    elif board.hint is not None:
        selected, targets = board.hint.source, frozenset((board.hint.target,))
    else:
        selected, targets = None, frozenset[str]()
    return Options(seen, legal, pressable, selected, targets, bool(safe), rules.cards_left(end) == 0)
