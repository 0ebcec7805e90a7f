"""Where films are drawn: out of the bot's own process, since pictures by the hundred would hold up its presses."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from collections.abc import Sequence
from typing import Final, Protocol

from bot.render.film import Scene, draw_film
from bot.render.layout import HEAPS, Heaps
from bot.render.palette import Colours
from bot.services.process import environment

PATIENCE: Final = 60.0
"""How many seconds a film may take before its process is given up."""


class StudioError(Exception):
    """A film that could not be drawn."""


class Studio(Protocol):
    """Who draws films."""

    async def draw(self, scenes: Sequence[Scene], colours: Colours, heaps: Heaps = HEAPS) -> bytes:
        """Returns *scenes* as a GIF; *heaps* are called so.

        :raises StudioError: if that fails.
        """


class ThreadStudio:
    """Draws in a thread, for whoever has no process of its own for it."""

    async def draw(self, scenes: Sequence[Scene], colours: Colours, heaps: Heaps = HEAPS) -> bytes:
        """Returns *scenes* as a GIF; *heaps* are called so."""
        return await asyncio.to_thread(draw_film, scenes, colours=colours, heaps=heaps)


class ProcessStudio:
    """Draws in processes that are begun for one film each, one after the other, at the lowest priority."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def draw(self, scenes: Sequence[Scene], colours: Colours, heaps: Heaps = HEAPS) -> bytes:
        """Returns *scenes* as a GIF; *heaps* are called so.

        :raises StudioError: if the process fails or takes too long.
        """
        async with self._turn:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot.filming",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment(os.environ),
            )
            try:
                async with asyncio.timeout(PATIENCE):
                    film, _ = await process.communicate(pickle.dumps((tuple(scenes), colours, heaps)))
            except TimeoutError as error:
                raise StudioError("a film took too long") from error
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode or not film:
            raise StudioError(f"the process that draws a film ended with {process.returncode}")
        return film
