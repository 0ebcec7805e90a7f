"""Boards as messages: milliseconds and bytes a board, for every game in emoji and in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import orjson

from benchmarks.figures import Figure, percentile, seconds
from bot.render.art import emoji_names
from bot.render.inline import EmojiText
from bot.render.palette import Colours
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.players import Style
from bot.views.board import Board, board
from bot.views.faces import EmojiFaces
from bot.views.look import Look
from engine import GAMES, Attempt, Rules

GAMES_PLAYED = 5
MOST_MOVES = 100
MOST_MS = 1.0
IDS = {key: str(1_400_000_000_000_000_000 + place) for place, key in enumerate(emoji_names())}
FACES = EmojiFaces(EmojiText(IDS, Colours.TWO))


def measure() -> Iterator[Figure]:
    """Yields the figures."""
    for rules in GAMES:
        if rules.key == rules.base:
            for style in (Style.EMOJI, Style.TEXT):
                yield from _boards(rules, Look(style, Colours.TWO, FACES))


def main() -> None:
    """Prints the figures."""
    for figure in measure():
        print(figure)


def _boards(rules: Rules, look: Look) -> Iterator[Figure]:
    boards = list(_played(rules))
    times = [1000 * seconds(partial(board, shown, look)) for shown in boards]
    sizes = [len(orjson.dumps(board(shown, look).body(edit=True))) for shown in boards]
    name = f"{rules.key}, {look.style}"
    yield Figure(f"{name}: a board, median", percentile(times, 50), "ms", most=MOST_MS)
    yield Figure(f"{name}: a board, 99 %", percentile(times, 99), "ms")
    yield Figure(f"{name}: largest message", max(sizes) / 1024, "KiB")


def _played(rules: Rules) -> Iterator[Board]:
    """Yields the boards of random games."""
    random = Random(1)
    for seed in range(GAMES_PLAYED):
        attempt = Attempt.begin(rules, str(seed), start=1_790_000_000_000)
        for _ in range(MOST_MOVES):
            yield Board(AttemptRecord(1_400_000_000_000_000_000, 1, Purpose.RACE, attempt))
            if attempt.is_over:
                break
            move = random.choice(list(rules.legal_moves(attempt.state)))
            attempt = attempt.extend(attempt.play(move, attempt.start + 1000))


if __name__ == "__main__":
    main()
