"""Players who press as fast as they are answered, and what must be in the database afterwards."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

import asyncpg

from bot.playground import (
    Channel,
    Guild,
    Interaction,
    Message,
    Player,
    Playground,
    UnansweredError,
    buttons,
    find_button,
    text_of,
)
from engine import Attempt, EndReason, Event, EventKind, find_game, parse_move
from tests.wire.conftest import is_board


@dataclass
class Club:
    """A server whose members race; *answered* are the presses that led to a new board, by their ids."""

    guild: Guild
    channel: Channel
    players: list[Player]
    boards: dict[int, Message] = field(default_factory=dict)
    answered: dict[int, Interaction] = field(default_factory=dict)

    async def open(self, *, minutes: int = 120) -> Message:
        """Opens a race and returns its public message, which comes later where the answer does."""
        host = self.players[0]
        await host.slash("race new", {"game": "take-away", "minutes": minutes}, channel=self.channel)
        return await host.sees(lambda message: find_button(message, "Join"), channel=self.channel)

    async def race(self, *, minutes: int = 120) -> None:
        """Begins a race in which all are."""
        host, *others = self.players
        lobby = await self.open(minutes=minutes)
        for player in others:
            await player.press(lobby, "Join")
        await host.press(lobby, "Start")
        for player in self.players:
            self.boards[player.id] = await player.sees(is_board, channel=self.channel, seconds=30)

    async def reopen(self) -> None:
        """Asks for all boards anew, as players do whose board does not answer."""
        for player in self.players:
            async with asyncio.timeout(60):
                while not await self._is_reopened(player):
                    pass

    async def _is_reopened(self, player: Player) -> bool:
        """Asks for *player*'s board, and tells whether there was an answer, be it late."""
        try:
            shown = (await player.slash("board", {}, channel=self.channel)).message
        except UnansweredError:
            return False
        self.boards[player.id] = await player.sees(
            lambda message: message is shown and is_board(message), channel=self.channel
        )
        return True

    async def play(self, seconds: float) -> int:
        """Presses for a while; returns how many presses were answered with a new board.

        The last presses are waited for: one that is still under way when others follow would make them stale.
        """
        before = len(self.answered)
        end = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*(self._play(player, end) for player in self.players))
        return len(self.answered) - before

    async def moves(self, seconds: float = 1) -> None:
        """Presses for a while, and on until somebody has been answered with a new board."""
        async with asyncio.timeout(60):
            while not await self.play(seconds):
                pass

    async def _play(self, player: Player, end: float) -> None:
        """Plays a card and takes it back, over and over: such a game lasts as long as it is needed."""
        chance = random.Random(player.id)
        board = self.boards[player.id]
        while asyncio.get_running_loop().time() < end:
            usable = [str(each["custom_id"]) for each in buttons(board) if not each.get("disabled")]
            back = [each for each in usable if ":undo" in each]
            moves = back or [each for each in usable if ":pile:" in each]
            assert moves, f"{player.name} has nothing to press:\n{text_of(board)}"
            custom_id = chance.choice(moves)
            try:
                press = await player.press(board, custom_id)
            except UnansweredError:
                return
            if press.type == 7 and seq_of(board) == int(custom_id.split(":")[2]) + 1:
                self.answered[press.id] = press


def add_club(server: Playground, guild: Guild, players: int) -> Club:
    """Returns a club of so many new players in *guild*."""
    people = [server.add_player(f"{guild.name[-1]}{number}", guild=guild) for number in range(players)]
    return Club(guild, server.channel("race-track", guild=guild), people)


def seq_of(board: Message) -> int:
    """Returns the number of the last event that *board* shows."""
    return next((int(str(each["custom_id"]).split(":")[2]) for each in buttons(board)), -1)


async def check(url: str, answered: dict[int, Interaction]) -> int:
    """Finds each answered press in the database once, all events in order and legal; returns how many events."""
    db = await asyncpg.connect(url)
    try:
        handled = {row[0] for row in await db.fetch("SELECT interaction FROM press")}
        events = await db.fetch("SELECT attempt, seq, kind, detail, at FROM event ORDER BY attempt, seq")
        attempts = await db.fetch("SELECT id, game, seed, start_at, time_limit FROM attempt")
    finally:
        await db.close()
    missing = answered.keys() - handled
    assert not missing, f"{len(missing)} answered presses are lost"
    assert {row[0] for row in events} <= {row[0] for row in attempts}
    for attempt, game, seed, start, limit in attempts:
        own = [tuple(row)[1:] for row in events if row[0] == attempt]
        assert [row[0] for row in own] == list(range(1, len(own) + 1)), "an event is missing or doubled"
        record = Attempt.begin(find_game(game), seed, start=start, limit=limit)
        record.extend(_event(*row) for row in own)
    instants = Counter((row[0], row[4]) for row in events)
    for press in answered.values():
        attempt = int(str(press.data["custom_id"]).split(":")[1])
        assert instants[attempt, (press.id >> 22) + 1_420_070_400_000] == 1
    return len(events)


def _event(seq: int, kind: str, detail: str, at: int) -> Event:
    if kind == EventKind.END.value:
        return Event(seq, EventKind.END, at, reason=EndReason(detail))
    return Event(seq, EventKind(kind), at, parse_move(detail) if detail else None)
