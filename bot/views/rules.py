"""How a game is played: its goal, its rules, and the picture of an example."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from bot.render.inline import card_label
from bot.render.layout import Heaps, suit_of_pile
from bot.render.palette import Colours
from bot.render.table import draw_table
from bot.render.words import alt_text, heap_words, pile_words
from bot.text import rules as rules_text
from bot.text import say, translate
from bot.text.board import call_label
from bot.text.games import game_goal, game_name, game_rules
from bot.views.payload import File, Inner, Message, container, gallery
from bot.views.payload import text as words
from engine import Move, Role, Rules, State, role, shuffle

ACCENT = 0x5865F2
EXAMPLE_SEED = "an example"
EXAMPLE_PLIES = (30, 60)
"""How many moves the example is into its game: at least, and at most."""


def rules_card(rules: Rules, colours: Colours) -> Message:
    """Returns how *rules* are played, with a picture of a game under way in which one move is marked."""
    state, move = example(rules)
    seen, (selected, targets) = state.observed(), _marks(move)
    alt = alt_text(seen, selected=selected, targets=targets, say=translate)
    file = File(f"rules-{rules.key}.png", _picture(rules, colours, heap_words(translate)), alt)
    lines = [
        say(rules_text.TITLE, game=game_name(rules)),
        game_goal(rules),
        *(f"- {line}" for line in game_rules(rules)),
    ]
    parts: list[Inner] = [
        words("\n".join(lines)),
        words(_caption(state, move)),
        gallery(f"attachment://{file.name}", file.description),
    ]
    return Message.of(container(parts, ACCENT), files=[file])


@lru_cache(maxsize=64)
def example(rules: Rules) -> tuple[State, Move]:
    """Returns a position of a game under way and a legal move there that shows what the game is about.

    The game is one that is played without much thought; it is the same one each time.
    """
    random = Random(EXAMPLE_SEED)
    state = rules.deal(shuffle(EXAMPLE_SEED))
    shown = state, rules.legal_moves(state)[0]
    for ply in range(EXAMPLE_PLIES[1]):
        moves = rules.legal_moves(state)
        if not moves:
            break
        telling = [move for move in moves if _is_telling(state, move)]
        if telling:
            shown = state, random.choice(telling)
            if ply >= EXAMPLE_PLIES[0]:
                break
        state = rules.apply(state, _next(state, moves, telling, random))
    return shown


def _next(state: State, moves: Sequence[Move], telling: Sequence[Move], random: Random) -> Move:
    """Returns a move that gets on: to a foundation for its suit, a telling one, from the stock, or any."""
    home = [move for move in moves if suit_of_pile(move.target) is not None]
    lone = [move for move in telling if role(move.target) is not Role.TABLEAU or len(state[move.source]) == 1]
    dealt = [move for move in moves if role(move.source) is Role.STOCK]
    return random.choice(next(each for each in (home, lone, dealt, moves) if each))


@lru_cache(maxsize=64)
def _picture(rules: Rules, colours: Colours, heaps: Heaps) -> bytes:
    state, move = example(rules)
    selected, targets = _marks(move)
    return draw_table(state.observed(), colours=colours, selected=selected, targets=targets, heaps=heaps)


def _marks(move: Move) -> tuple[str | None, tuple[str, ...]]:
    """Returns the pile that is marked as picked and those marked as places: none for a call."""
    return (None, ()) if role(move.source) is Role.HAND else (move.source, (move.target,))


def _is_telling(state: State, move: Move) -> bool:
    """Tells whether *move* is a discard from a hand, or puts a card onto another one."""
    if role(move.source) is Role.HAND:
        return role(move.target) is Role.DISCARD
    return role(move.source) is Role.TABLEAU and len(state[move.target]) > 0


def _caption(state: State, move: Move) -> str:
    if role(move.source) in (Role.HAND, Role.STOCK):
        return say(rules_text.EXAMPLE_CALL, call=call_label(move))
    exposed = state[move.source].exposed
    card = card_label(exposed) if exposed is not None else "?"
    return say(
        rules_text.EXAMPLE_MOVE,
        card=card,
        source=pile_words(move.source, translate),
        target=pile_words(move.target, translate),
    )
