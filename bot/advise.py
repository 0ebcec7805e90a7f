"""The process that thinks about hints: it reads a game and a position a line, and writes a move.

It ends when nobody is left to ask it.
"""

from __future__ import annotations

from bot.services.adviser import advise_line
from bot.worker import answer_lines, ignore_interrupts


def main() -> None:
    """Answers until the standard input ends."""
    ignore_interrupts()
    answer_lines(advise_line)


if __name__ == "__main__":
    main()
