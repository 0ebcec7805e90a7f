"""The positions of which screenshots are taken: games played to some point by a simple scripted player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine import GAMES, Move, Role, Rules, State, find_game, role, shuffle
from engine.selection import press_pile

SEED = "screenshots"
WON = {"links": "s39"}
"""Seeds of deals that the scripted player wins, where it would go on for ever with the usual one."""
FINISH = (130, (), "s213")
"""After so many plies of this seed stock and waste are empty, so that the game can be finished in one press."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A board to look at: so many *plies* into a game, after presses with the verbs *presses*.

    Or, where there is one, what a *command* answers.
    """

    name: str
    game: str
    plies: int = 0
    presses: tuple[str, ...] = ()
    seed: str = SEED
    command: str = ""


def scenes() -> Iterator[Scene]:
    """Yields the scenes: every game at its start, in the middle, with a card picked where that happens, at its end."""
    for rules in GAMES:
        line = play(rules, SEED)
        yield Scene(f"{rules.key}-1-start", rules.key, 0)
        yield Scene(f"{rules.key}-2-middle", rules.key, len(line) // 2)
        if rules.key != rules.base:
            continue
        picked = _picked(rules, line)
        if picked is not None:
            yield picked
        if not rules.calls:
            yield Scene(f"{rules.key}-8-hint", rules.key, len(line) // 3, ("hint",))
        yield Scene(f"{rules.key}-4-more", rules.key, len(line) // 2, ("more",))
        seed = WON.get(rules.key, SEED)
        yield Scene(f"{rules.key}-5-end", rules.key, len(play(rules, seed)), seed=seed)
        yield Scene(f"{rules.key}-6-rules", rules.key, command="rules")
    yield Scene("links-7-finish", "links", *FINISH)
    yield Scene("forfeit", "links", 30, ("forfeit",))
    yield Scene("settings", "links", command="settings")


def play(rules: Rules, seed: str, *, most: int = 200) -> list[Move]:
    """Returns the moves of a game played by simple preferences, at most so many."""
    random, state, line = Random(seed), rules.deal(shuffle(seed)), list[Move]()
    seen = {state}
    while len(line) < most and rules.outcome(state) is None:
        moves = [move for move in rules.legal_moves(state) if rules.apply(state, move) not in seen]
        if not moves:
            break
        best = max(_worth(state, move) for move in moves)
        move = random.choice([each for each in moves if _worth(state, each) == best])
        line.append(move)
        state = rules.apply(state, move)
        seen.add(state)
    return line


def position(rules: Rules, seed: str, line: list[Move]) -> State:
    """Returns where the moves *line* lead."""
    state = rules.deal(shuffle(seed))
    for move in line:
        state = rules.apply(state, move)
    return state


def _worth(state: State, move: Move) -> int:
    """Returns how good a move looks: foundations that have cards, discards, runs; the stock and empty places last."""
    if role(move.target) is Role.FOUNDATION:
        return 4 if len(state[move.target]) or "w" in state.names else 1
    if role(move.source) is Role.HAND:
        return 3
    if role(move.target) is Role.TABLEAU and len(state[move.target]):
        return 3 if role(move.source) is Role.WASTE or len(state[move.source]) == 1 else 0
    return 2 if role(move.source) is Role.STOCK else 1


def _picked(rules: Rules, line: list[Move]) -> Scene | None:
    """Returns the scene in which a press picks a card, as late in the first half of the game as there is one."""
    if rules.calls:
        return None
    for plies in range(len(line) // 2, -1, -1):
        state = position(rules, SEED, line[:plies])
        for pile in state.names:
            targets = [move for move in rules.legal_moves(state) if move.source == pile]
            if len(targets) > 1 and press_pile(rules, state, pile) == pile:
                return Scene(f"{rules.key}-3-picked", rules.key, plies, (f"pile:{pile}",))
    return None


def find_rules(scene: Scene) -> Rules:
    """Returns the rules of the game of *scene*."""
    return find_game(scene.game)
