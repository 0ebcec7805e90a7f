"""Hints: what to do next, going by what the player can see."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.cards import DECK, UNKNOWN
from engine.deal import shuffle
from engine.moves import Move
from engine.rules import Rules
from engine.search import Meter, Verdict
from engine.state import Pile, State

BUDGET: Final = 3000
"""How many positions are looked at for a hint: under 0.2 s."""


def hint(rules: Rules, observed: State) -> Move | None:
    """Returns a good move in what a player sees, None if there is none: the game is over or as good as lost.

    Where cards are hidden, the move is the one that most often begins a win in a number of guesses at them. It
    never depends on the hidden cards themselves, and the same position gives the same hint.
    """
    seen = observed.observed()
    legal = rules.legal_moves(seen)
    if not legal or rules.is_dead(seen):
        return None
    if len(legal) == 1:
        return legal[0]
    if safe := rules.safe_moves(seen):
        return safe[0]
    count = rules.guesses if seen.hidden else 1
    solutions = [rules.suggest(_guess(seen, number), Meter(BUDGET // count)) for number in range(count)]
    votes = Counter(solution.moves[0] for solution in solutions if solution.verdict is Verdict.WON)
    votes = votes or Counter(solution.moves[0] for solution in solutions if solution.moves)
    return votes.most_common(1)[0][0] if votes else None


def _guess(seen: State, number: int) -> State:
    """Returns the position with the unseen cards of the deck, in an order that *number* gives, as the hidden ones."""
    known = {card for pile in seen.piles for card in pile.cards}
    cards = iter(shuffle(f"guess {number}", [card for card in DECK if card not in known]))
    piles = (
        Pile(tuple(next(cards) if card == UNKNOWN else card for card in pile.cards), pile.face_down)
        for pile in seen.piles
    )
    return State(seen.names, tuple(piles), seen.recycled)
