"""The process that proves deals: it reads a game and a seed a line, and writes what it has found out.

It runs at the lowest priority and ends when nobody is left to ask it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from bot.services.prover import prove_line


def step_back() -> None:
    """Lets everything else on this machine go first: the lowest priority, and only idle time where there is such."""
    os.nice(19)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # not everywhere is a process allowed to choose
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Answers until the standard input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole terminal; the bot ends this process
    step_back()
    try:
        for line in sys.stdin:
            sys.stdout.write(f"{prove_line(line)}\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # nothing is left that could be flushed


if __name__ == "__main__":
    main()
