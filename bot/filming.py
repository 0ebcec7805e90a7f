"""The process that draws one film: it reads the scenes from the bot that has begun it, and writes the GIF."""

from __future__ import annotations

import os
import pickle
import sys

from bot.render.film import draw_film
from bot.worker import ignore_interrupts


def main() -> None:
    """Draws at the lowest priority what the standard input has, and writes it to the standard output."""
    ignore_interrupts()
    os.nice(19)
    scenes, colours, heaps = pickle.load(sys.stdin.buffer)  # from the bot's own pipe, nobody else's
    sys.stdout.buffer.write(draw_film(scenes, colours=colours, heaps=heaps))


if __name__ == "__main__":
    main()
