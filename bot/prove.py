"""The process that proves deals: it reads a game and a seed a line, and writes what it has found out.

It runs at the lowest priority and ends when nobody is left to ask it.
"""

from __future__ import annotations

from bot.services.prover import prove_line
from bot.worker import answer_lines, ignore_interrupts, step_back


def main() -> None:
    """Answers until the standard input ends."""
    ignore_interrupts()
    step_back()
    answer_lines(prove_line)


if __name__ == "__main__":
    main()
