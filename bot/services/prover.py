"""Whether a deal can be won, found out where it disturbs nobody."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from bot.services.process import Process, ProcessError
from engine import Rules, find_game, shuffle
from engine.search import Verdict
from engine.solver import Difficulty, difficulty, solve

_log = logging.getLogger(__name__)

BUDGET: Final = 1_000_000
"""How many positions are looked at for a proof: twice what the hardest of 28,000 deals needed."""
PATIENCE: Final = 60.0
"""How many seconds a proof may take before its process is given up: many times what the budget allows."""


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


_WINNABLE: Final = {
    Verdict.WON: Winnable.YES,
    Verdict.LOST: Winnable.NO,
    Verdict.UNKNOWN: Winnable.UNKNOWN,
}
_BANDS: Final = {Difficulty.EASY: 1, Difficulty.MEDIUM: 2, Difficulty.HARD: 3}


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
    """Proves in a process of its own at the lowest priority, one deal after the other."""

    def __init__(self) -> None:
        self._process = Process("bot.prove")

    @property
    def pid(self) -> int | None:
        """The id of the process, None before the first request and after its end."""
        return self._process.pid

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns what can be found out about a deal within the budget, nothing if the process fails."""
        try:
            return _parse(await self._process.ask(f"{rules.key} {seed.encode().hex()}", patience=PATIENCE))
        except ProcessError as error:
            _log.debug("nothing was found out about a deal: %s", error)
            return Proof()

    async def close(self) -> None:
        """Ends the process."""
        await self._process.close()


def prove_line(line: str) -> str:
    """Returns the answer of the process to a request."""
    key, seed = line.split()
    proof = prove_deal(key, bytes.fromhex(seed).decode())
    return f"{proof.winnable} {proof.band or 0}"


def prove_deal(key: str, seed: str) -> Proof:
    """Returns what can be found out about a deal of the game *key* within the budget. It takes its time."""
    rules = find_game(key)
    solution = solve(rules, rules.deal(shuffle(seed)), budget=BUDGET)
    # Where the game calls every move, how long the search takes tells nothing of how hard the deal is to play.
    hard = None if rules.calls else difficulty(solution)
    return Proof(_WINNABLE[solution.verdict], None if hard is None else _BANDS[hard])


def _parse(answer: str) -> Proof:
    winnable, band = answer.split()
    return Proof(Winnable(winnable), int(band) or None)
