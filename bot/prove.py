"""The process that proves deals: it reads a game and a seed a line, and writes what it has found out.

It runs at the lowest priority and ends when nobody is left to ask it.
"""

from __future__ import annotations

import os
import signal
import sys

from bot.services.prover import prove_line


def main() -> None:
    """Answers until the standard input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole terminal; the bot ends this process
    os.nice(19)
    try:
        for line in sys.stdin:
            sys.stdout.write(f"{prove_line(line)}\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # nothing is left that could be flushed


if __name__ == "__main__":
    main()
