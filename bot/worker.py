"""What processes have in common that work for the bot beside it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable


def ignore_interrupts() -> None:
    """Lets Ctrl-C pass, which reaches the whole terminal: the bot ends its processes itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def step_back() -> None:
    """Lets everything else on this machine go first: the lowest priority, and only idle time where there is such."""
    os.nice(19)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # not everywhere is a process allowed to choose
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def answer_lines(answer: Callable[[str], str]) -> None:
    """Writes the *answer* to each line of the standard input, until that ends or nobody reads any more."""
    try:
        for line in sys.stdin:
            sys.stdout.write(f"{answer(line)}\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # nothing is left that could be flushed
