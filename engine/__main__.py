"""The engine on the command line: ``python -m engine deal | replay | verify | play | solve | perft``."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from engine.cards import Card, check_deck, parse_cards
from engine.deal import commitment, deal_code, random_seed, shuffle
from engine.errors import EngineError, NotationError
from engine.games import GAMES, find_game
from engine.hints import hint
from engine.moves import Move, parse_move
from engine.perft import perft
from engine.replay import Replay
from engine.rules import Outcome, Rules
from engine.search import Verdict
from engine.selection import press_pile
from engine.solver import BUDGET, difficulty, solve
from engine.state import State
from engine.table import table

Command: TypeAlias = Callable[[argparse.Namespace], int]

_MOVES_A_LINE = 12

OK, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: REFUSED for what cannot be read or is not legal, FAILED for what can but is not so."""

_PLAY_HELP = """\
Type moves as source and target: t1f2, sw, hdx2. Of several at once all are made or none.
A source alone goes where it fits, if there is one such place.
  moves   list the legal moves
  hint    what to do next
  undo    take the last move back, unless it turned up a card
  rules   how the game is played
  quit    leave (so does the end of the input)"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that *argv* names and returns the exit code."""
    arguments = _parser().parse_args(argv)
    command: Command = arguments.command
    try:
        code = command(arguments)
        sys.stdout.flush()
        return code
    except EngineError as error:
        print(f"python -m engine: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone; what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="Same Deal's games in a terminal.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    keys = ", ".join(rules.key for rules in GAMES)
    game = argparse.ArgumentParser(add_help=False)
    game.add_argument("key", metavar="KEY", nargs="?", help=f"the game; one of: {keys}")
    game.add_argument("--game", metavar="KEY", help="the same as an option")
    seed = argparse.ArgumentParser(add_help=False)
    seed.add_argument("--seed", metavar="TEXT", help="the seed of the deal; a random one if left out")

    def add(
        name: str, command: Command, text: str, *parents: argparse.ArgumentParser
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=text, description=text, parents=[game, *parents], allow_abbrev=False
        )
        made.set_defaults(command=command)
        return made

    deal = add("deal", _deal, "Show a deal.", seed)
    deal.add_argument("--json", action="store_true", help="print one JSON object")

    replay = add("replay", _replay, "Make moves and show the positions.")
    source = replay.add_mutually_exclusive_group(required=True)
    source.add_argument("--seed", metavar="TEXT", help="the seed of the deal")
    source.add_argument("--deck", metavar="CARDS", help="the deal itself: 52 cards, as in '7H KS …'")
    replay.add_argument("--moves", metavar="MOVES", default="", help="the moves, as in 'sw wt3 …'")
    replay.add_argument("--json", action="store_true", help="print one JSON object a position")

    verify = add("verify", _verify, "Check a deal against the commitment that was shown before the race.")
    verify.add_argument("--seed", metavar="TEXT", required=True, help="the seed shown with the result")
    verify.add_argument("--salt", metavar="TEXT", required=True, help="the salt shown with the result")
    verify.add_argument("--commitment", metavar="HASH", required=True, help="the hash shown in the lobby")

    add("play", _play, "Play in the terminal.", seed)

    solve = add("solve", _solve, "Find out whether a deal can be won, knowing all cards, and how.", seed)
    solve.add_argument("--moves", metavar="MOVES", default="", help="moves to make before")
    solve.add_argument(
        "--budget", metavar="N", type=int, default=BUDGET, help="positions to look at (default: %(default)s)"
    )
    solve.add_argument("--json", action="store_true", help="print one JSON object")

    count = add("perft", _perft, "Count the lines of legal moves, depth by depth.", seed)
    count.add_argument("--depth", metavar="N", type=int, default=3, help="how deep (default: %(default)s)")
    return parser


def _game(arguments: argparse.Namespace) -> Rules:
    key = arguments.game or arguments.key
    if key is None:
        raise NotationError("which game? write its key, as in 'links'")
    return find_game(key)


def _seed(arguments: argparse.Namespace) -> str:
    return random_seed(secrets.randbelow) if arguments.seed is None else str(arguments.seed)


def _deal(arguments: argparse.Namespace) -> int:
    rules, seed = _game(arguments), _seed(arguments)
    state = rules.deal(shuffle(seed))
    if arguments.json:
        print(json.dumps({"deal": deal_code(rules.key, seed), **_describe(rules, state, 0, None)}))
    else:
        print(deal_code(rules.key, seed), table(state), state, sep="\n\n")
    return OK


def _replay(arguments: argparse.Namespace) -> int:
    rules = _game(arguments)
    deck = shuffle(arguments.seed) if arguments.deck is None else check_deck(parse_cards(arguments.deck))
    moves = [parse_move(text) for text in arguments.moves.split()]
    return (_replay_json if arguments.json else _replay_text)(rules, deck, moves)


def _replay_json(rules: Rules, deck: Sequence[Card], moves: Sequence[Move]) -> int:
    state = rules.deal(deck)
    print(json.dumps(_describe(rules, state, 0, None)))
    for ply, move in enumerate(moves, start=1):
        if not rules.is_legal(state, move):
            print(json.dumps({"error": "illegal move", "ply": ply, "move": str(move)}))
            return REFUSED
        state = rules.apply(state, move)
        print(json.dumps(_describe(rules, state, ply, move)))
    return OK


def _describe(rules: Rules, state: State, ply: int, move: Move | None) -> dict[str, object]:
    outcome = rules.outcome(state)
    return {
        "ply": ply,
        "move": None if move is None else str(move),
        "piles": _names(state),
        "observed": _names(state.observed()),
        "legal": sorted(map(str, rules.legal_moves(state))),
        "won": outcome is Outcome.WON,
        "over": outcome is not None,
        "cards_left": rules.cards_left(state),
    }


def _names(state: State) -> dict[str, list[str]]:
    return {
        name: [str(card) for card in pile.cards] for name, pile in zip(state.names, state.piles, strict=True)
    }


def _replay_text(rules: Rules, deck: Sequence[Card], moves: Sequence[Move]) -> int:
    state = rules.deal(deck)
    print(table(state))
    for ply, move in enumerate(moves, start=1):
        state = rules.apply(state, move)
        print(f"\n{ply}. {move}", table(state), sep="\n")
    print(f"\n{_verdict(rules, state)}")
    return OK


def _verdict(rules: Rules, state: State) -> str:
    left = rules.cards_left(state)
    match rules.outcome(state):
        case Outcome.WON:
            return "Won."
        case Outcome.STUCK:
            return f"No move is left; cards left: {left}."
        case _:
            return f"Cards left: {left}." + (" The game is lost." if rules.is_dead(state) else "")


def _verify(arguments: argparse.Namespace) -> int:
    rules = _game(arguments)
    matches = commitment(rules.key, arguments.seed, arguments.salt) == arguments.commitment.strip().lower()
    print(
        "The deal is the one that was committed to." if matches else "The deal is NOT the one committed to."
    )
    return OK if matches else FAILED


def _solve(arguments: argparse.Namespace) -> int:
    replay = Replay.start(_game(arguments), _seed(arguments))
    replay = replay.extend(parse_move(text) for text in arguments.moves.split())
    solution = solve(replay.rules, replay.state, budget=arguments.budget, report=_Progress())
    band = difficulty(solution)
    moves = [str(move) for move in solution.moves] if solution.verdict is Verdict.WON else []
    if arguments.json:
        found = {
            "deal": deal_code(replay.rules.key, replay.seed),
            "verdict": solution.verdict.value,
            "moves": moves,
            "positions": solution.positions,
            "difficulty": band.value if band else None,
        }
        print(json.dumps(found))
        return OK
    print(f"{replay}: {solution.verdict.value}; {solution.positions:,} positions looked at.")
    if band:
        print(f"{len(moves)} moves, {band.value}:")
    for start in range(0, len(moves), _MOVES_A_LINE):
        print(
            f"{start + 1:4}  {' '.join(f'{move:5}' for move in moves[start : start + _MOVES_A_LINE]).rstrip()}"
        )
    return OK


class _Progress:
    """Tells on a line of standard error, once a second, how many positions have been looked at."""

    def __init__(self) -> None:
        self._next = perf_counter() + 1

    def __call__(self, positions: int) -> None:
        if perf_counter() >= self._next:
            self._next = perf_counter() + 1
            print(f"{positions:,} positions …", end="\r", file=sys.stderr, flush=True)


def _perft(arguments: argparse.Namespace) -> int:
    rules = _game(arguments)
    if arguments.depth < 1:
        raise NotationError("the depth is at least 1")
    seed = _seed(arguments)
    state = rules.deal(shuffle(seed))
    print(deal_code(rules.key, seed))
    for depth in range(1, arguments.depth + 1):
        start = perf_counter()
        lines = perft(rules, state, depth)
        print(f"{depth:3} {lines:15,} {perf_counter() - start:9.3f} s", flush=True)
    return OK


def _play(arguments: argparse.Namespace) -> int:
    rules = _game(arguments)
    replay = Replay.start(rules, _seed(arguments))
    print(f"{rules.name}, {deal_code(rules.key, replay.seed)}. {rules.goal}\nType help for help.")
    while True:
        print(f"\n{table(replay.state)}\n")
        if rules.outcome(replay.state):
            print(_verdict(rules, replay.state), replay, sep="\n")
            return OK
        try:
            typed = input("> ").strip().lower()
        except EOFError:
            print(f"\n{replay}")
            return OK
        match typed:
            case "quit" | "q":
                print(replay)
                return OK
            case "help" | "?":
                print(_PLAY_HELP)
            case "rules":
                print(*rules.how_to_play, sep="\n")
            case "hint":
                print(hint(rules, replay.state.observed()) or "Nothing can be done any more.")
            case "moves":
                print(*rules.legal_moves(replay.state))
            case _:
                try:
                    replay = _take_back(replay) if typed in ("undo", "u") else _push_typed(replay, typed)
                except EngineError as error:
                    print(f"{error}.")


def _take_back(replay: Replay) -> Replay:
    if not replay.moves:
        raise EngineError("there is no move to take back")
    before = replay.pop()
    if replay.rules.reveals(before.state, replay.state):
        raise EngineError("that move turned up a card, so it stands")
    return before


def _push_typed(replay: Replay, typed: str) -> Replay:
    for text in typed.split():
        move: Move | str | None = text
        if text in replay.state.names:
            move = press_pile(replay.rules, replay.state, text)
        replay = replay.push(move if isinstance(move, Move) else parse_move(text))
    return replay


if __name__ == "__main__":
    sys.exit(main())
