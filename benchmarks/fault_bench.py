"""A board on the real bot under faults, and the lines of the table that `benchmarks.faults` prints."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.playground import Fault, Interaction, Message, Player, Playground, UnansweredError, buttons, text_of

CALLBACK = r"POST /interactions/\d+/[^/]+/callback"
LATEST = 2800.0
"""Milliseconds within which an answer has to come whatever happens."""
GONE = {"message": "Unknown interaction", "code": 10062}


@dataclass(frozen=True, slots=True)
class Result:
    """A line of the table. *milliseconds* is the time to the answer, where one was waited for."""

    requirement: str
    fault: str
    outcome: str
    good: bool
    milliseconds: float | None = None

    def __str__(self) -> str:
        took = "" if self.milliseconds is None else f"{self.milliseconds:6.0f} ms"
        return f"{self.requirement:>4}  {self.fault:46} {took:>9}  {self.outcome}{'' if self.good else '  FAILED'}"


class Bench:
    """A player with a board on the real bot, whose database is *file*."""

    def __init__(self, server: Playground, player: Player, board: Message, file: Path) -> None:
        self.server = server
        self.player = player
        self.board = board
        self.file = file

    @property
    def moves(self) -> int:
        """How many moves of the board's attempt are saved."""
        attempt = next(str(each["custom_id"]) for each in buttons(self.board)).split(":")[1]
        with closing(sqlite3.connect(self.file)) as connection:
            query = "SELECT COUNT(*) FROM event WHERE attempt = ?"
            return int(connection.execute(query, (attempt,)).fetchone()[0])

    def press(self) -> Interaction:
        """Deals a card."""
        label = next(
            text for each in buttons(self.board) if (text := str(each.get("label"))).startswith("Deal")
        )
        return self.player.press(self.board, label)

    async def pressed(
        self, requirement: str, fault: str, *meanwhile: Callable[[], Awaitable[object]]
    ) -> Result:
        """Returns what becomes of one press under a fault, while something else happens."""
        before = self.moves
        press = self.press()
        for step in meanwhile:
            await step()
        try:
            await press
        except UnansweredError:
            return Result(requirement, fault, "not answered", False)
        saved, took = self.moves - before, (press.seconds or 0.0) * 1000
        shown = f"{before + saved} move" in text_of(self.board)
        outcome = f"answered, {saved} move saved" + ("" if shown else ", not shown")
        return Result(requirement, fault, outcome, saved == 1 and shown and took < LATEST, took)

    async def lost_then_shown(self, fault: str) -> Result:
        """Returns whether a move whose answer could not be given is there at the next press, once."""
        before = self.moves
        self.server.faults.add(Fault(CALLBACK, status=404, body=GONE))
        lost = self.press()
        await self.server.signal.until(lambda: not self.server.faults.pending)
        answer = await self.press()
        good = self.moves == before + 1 and lost.answered_at is None and answer.answered_at is not None
        return Result("17", fault, "saved once, shown at the next press", good)
