"""The process that thinks about hints: it reads a game and a position a line, and writes a move.

It ends when nobody is left to ask it.
"""

from __future__ import annotations

import os
import signal
import sys

from bot.services.adviser import advise_line


def main() -> None:
    """Answers until the standard input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole terminal; the bot ends this process
    try:
        for line in sys.stdin:
            sys.stdout.write(f"{advise_line(line)}\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # nothing is left that could be flushed


if __name__ == "__main__":
    main()
