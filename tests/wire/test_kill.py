"""kill -9 at any moment: every answered move is there, once, and the race goes on."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
import sys
from pathlib import Path

import pytest

from bot.playground import Interaction, Message, Player, Playground, UnansweredError, buttons, text_of
from bot.playground.process import bot_process
from engine import Attempt, EndReason, Event, EventKind, find_game, parse_move
from tests.wire.conftest import is_board

ROUNDS = 50
PLAYERS = 8


@pytest.mark.slow
async def test_kill_9_under_load_loses_no_answered_move_and_doubles_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(9)
    database = tmp_path / "bot.db"
    answered: dict[int, Interaction] = {}
    async with Playground() as server:
        players = [server.add_player(f"Player {number}") for number in range(PLAYERS)]
        latecomer = server.add_player("Latecomer")
        boards: dict[int, Message] = {}
        async with bot_process(server, database):
            opened = await players[0].slash("race new", {"game": "links", "minutes": 120})
            assert opened.message is not None
            for player in players[1:]:
                await player.press(opened.message, "Join")
            await players[0].press(opened.message, "Start")
            for player in players:
                boards[player.id] = await player.sees(is_board, seconds=30)

        for round_ in range(ROUNDS):
            async with bot_process(server, database) as process:
                for player in players:
                    before = text_of(boards[player.id])
                    shown = await player.slash("board", {})
                    assert shown.message is not None
                    _check_same_or_further(before, text_of(shown.message))
                    boards[player.id] = shown.message
                if round_ == 0:
                    # A countdown that the first kill interrupts; it has to end in a board all the same.
                    lobby = await latecomer.slash("race new", {"game": "take-away"})
                    assert lobby.message is not None
                    await latecomer.press(lobby.message, "Start")
                work = [asyncio.create_task(_play(player, boards[player.id], answered)) for player in players]
                await asyncio.sleep(0.1 + chance.random() * 0.4)
                process.kill()
                await process.wait()
                for task in work:
                    task.cancel()
                await asyncio.gather(*work, return_exceptions=True)
            _check_database(database, answered)
        async with bot_process(server, database):
            assert is_board(await latecomer.sees(is_board, seconds=30))
    assert len(answered) > ROUNDS
    with capsys.disabled():
        sys.stdout.write(f"\n{ROUNDS} kills, {len(answered)} answered moves: none lost, none doubled\n")


async def _play(player: Player, board: Message, answered: dict[int, Interaction]) -> None:
    """Presses move after move as fast as the bot answers; notes each press that was answered with a new board."""
    chance = random.Random(player.id)
    while True:
        usable = [str(each["custom_id"]) for each in buttons(board) if not each.get("disabled")]
        # Cards are dealt only where nothing else goes, so that no game comes to its end before the test does.
        moves = [each for each in usable if ":pile:" in each] or [each for each in usable if ":call:" in each]
        if not moves:
            return
        custom_id = chance.choice(moves)
        try:
            press = await player.press(board, custom_id)
        except UnansweredError:
            return
        if press.type == 7 and _seq(board) == _seq_of(custom_id) + 1:
            answered[press.id] = press


def _seq_of(custom_id: str) -> int:
    return int(custom_id.split(":")[2])


def _seq(board: Message) -> int:
    return next((_seq_of(str(each["custom_id"])) for each in buttons(board)), -1)


def _check_same_or_further(before: str, after: str) -> None:
    """A board after a restart is the last one shown, or one whose answer was cut off."""
    moves = [int(text.split(" move")[0].split()[-1]) for text in (before, after)]
    assert moves[1] >= moves[0]
    if moves[0] == moves[1]:
        assert _cards(before) == _cards(after)


def _cards(text: str) -> list[str]:
    """Returns the cards on a board in their order, be they emoji or text; marks of what was picked are no cards."""
    found = re.findall(r"<:c[24]_(\w\w)_\w+:\d+>|\b(10|[2-9AJQK])([cdhs])\b", text)
    return [emoji or rank.replace("10", "T") + suit.upper() for emoji, rank, suit in found]


def _event(seq: int, kind: str, detail: str, at: int) -> Event:
    if kind == EventKind.END:
        return Event(seq, EventKind.END, at, reason=EndReason(detail))
    return Event(seq, EventKind(kind), at, move=parse_move(detail))


def _check_database(database: Path, answered: dict[int, Interaction]) -> None:
    with sqlite3.connect(database) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        handled = {row[0] for row in db.execute("SELECT interaction FROM press")}
        missing = answered.keys() - handled
        assert not missing, f"{len(missing)} answered moves are lost"
        events = db.execute(
            "SELECT attempt, seq, kind, detail, at FROM event ORDER BY attempt, seq"
        ).fetchall()
        for attempt, game, seed, start in db.execute("SELECT id, game, seed, start_at FROM attempt"):
            own = [row[1:] for row in events if row[0] == attempt]
            assert [row[0] for row in own] == list(range(1, len(own) + 1))
            record = Attempt.begin(find_game(game), seed, start=start)
            record.extend(_event(*row) for row in own)
        instants = {(row[0], row[4]) for row in events}
        for press in answered.values():
            attempt = int(str(press.data["custom_id"]).split(":")[1])
            assert (attempt, (press.id >> 22) + 1_420_070_400_000) in instants
    db.close()
