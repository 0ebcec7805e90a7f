"""Whether a deal can be won, found out where it disturbs nobody."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from engine import Outcome, Rules, find_game, shuffle

_log = logging.getLogger(__name__)

PATIENCE: Final = 60.0
"""How many seconds a proof may take before its process is given up: many times what the budget allows."""
REST: Final = 60.0
"""How many seconds no process is begun after one has failed."""


class Winnable(StrEnum):
    """Whether a deal can be won."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of a deal, and how hard it is where it can be won (1 easy, 2 medium, 3 hard)."""

    winnable: Winnable = Winnable.UNKNOWN
    band: int | None = None


class Prover(Protocol):
    """Who finds out whether deals can be won."""

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns what can be found out about a deal within the budget."""

    async def close(self) -> None:
        """Lets go of what it needs."""


class Threaded:
    """Proves in a thread, for whoever has no process of its own for it."""

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns what can be found out about a deal within the budget."""
        return await asyncio.to_thread(prove_deal, rules.key, seed)

    async def close(self) -> None:
        """Does nothing: a thread ends with its proof."""


class Worker:
    """Proves in a process of its own, one deal after the other, at the lowest priority.

    The process reads its requests from a pipe: it ends when that is closed, even if the bot was killed. It is
    begun at the first request, and anew after it has failed.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._rests_until = 0.0
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """The process, None before the first request and after the end."""
        return None if self._process is None else self._process.pid

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns what can be found out about a deal within the budget, nothing if the process fails."""
        async with self._turn:
            if self._closed or asyncio.get_running_loop().time() < self._rests_until:
                return Proof()
            try:
                async with asyncio.timeout(PATIENCE):
                    return _parse(await self._ask(f"{rules.key} {seed.encode().hex()}\n"))
            except (OSError, TimeoutError, ValueError) as error:
                _log.warning("the process that proves deals has failed: %s", error)
                self._rests_until = asyncio.get_running_loop().time() + REST
                await self._end()
            except asyncio.CancelledError:
                await self._end()  # its answer to the request that was given up must not reach the next one
                raise
        return Proof()

    async def close(self) -> None:
        """Ends the process."""
        self._closed = True
        await self._end()

    async def _ask(self, line: str) -> str:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot.prove",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=_environment(os.environ),
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line.encode())
        await process.stdin.drain()
        return (await process.stdout.readline()).decode()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def prove_deal(key: str, seed: str) -> Proof:
    """Returns what can be found out about a deal of the game *key* within the budget. It takes its time."""
    rules = find_game(key)
    state = rules.deal(shuffle(seed))
    while len(moves := rules.legal_moves(state)) == 1:
        state = rules.apply(state, moves[0])
    match rules.outcome(state):
        case Outcome.WON:
            return Proof(Winnable.YES)
        case Outcome.STUCK:
            return Proof(Winnable.NO)
        case _:
            return Proof()


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    """Returns what the process needs of the bot's *own* environment: not the token."""
    kept = {name: own[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in own}
    return {**kept, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def _parse(line: str) -> Proof:
    """Returns the proof that the process has written.

    :raises ValueError: if it has written something else, or has ended.
    """
    winnable, band = line.split()
    return Proof(Winnable(winnable), int(band) or None)
