"""Who thinks about hints, where it disturbs nobody."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from bot.errors import NoHintNowError
from bot.services.process import Process, ProcessError
from engine import Move, Rules, State, find_game, parse_move, parse_state
from engine.hints import hint

_log = logging.getLogger(__name__)

PATIENCE: Final = 2.0
"""How many seconds a hint may take, so that the press is answered in time."""
NOTHING: Final = "-"


class Adviser(Protocol):
    """Who gives hints."""

    async def advise(self, rules: Rules, seen: State) -> Move | None:
        """Returns a good move in what a player sees, or None.

        :raises NoHintNowError: if it cannot be found out at the moment.
        """

    async def close(self) -> None:
        """Lets go of what it needs."""


class ThreadedAdviser:
    """Thinks in a thread, for whoever has no process of its own for it."""

    async def advise(self, rules: Rules, seen: State) -> Move | None:
        """Returns a good move in what a player sees, or None."""
        return await asyncio.to_thread(hint, rules, seen)

    async def close(self) -> None:
        """Does nothing: a thread ends with its hint."""


class ProcessAdviser:
    """Thinks in a process of its own, about one position after the other."""

    def __init__(self) -> None:
        self._process = Process("bot.advise")

    async def advise(self, rules: Rules, seen: State) -> Move | None:
        """Returns a good move in what a player sees, or None.

        :raises NoHintNowError: if the process fails or others keep it busy.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._process.ask(f"{rules.key} {seen.observed()}", patience=PATIENCE)
        except (ProcessError, TimeoutError) as error:
            _log.warning("there was no hint: %s", error)
            raise NoHintNowError from error
        return None if answer == NOTHING else parse_move(answer)

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


def advise_line(line: str) -> str:
    """Returns the answer of the process to a request: the move, or that there is none."""
    key, _, text = line.strip().partition(" ")
    move = hint(find_game(key), parse_state(text))
    return NOTHING if move is None else str(move)
