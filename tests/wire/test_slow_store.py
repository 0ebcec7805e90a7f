"""A store that another program holds up: each press is acknowledged in time, and its answer follows."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from bot import respond, transport
from bot.errors import UnavailableError
from bot.playground import Fault, Interaction, Message, Request, find_button, text_of
from bot.respond import PATIENCE
from bot.store.players import Style
from tests.wire.conftest import AMPLE, Wire, is_board

HOOK = r" /webhooks/"
CALLBACK = r"POST /interactions/.*/callback"
SILENCE = Fault(CALLBACK, delay=60, after=True)
"""Discord takes the callback, but is not heard before it is too late."""
LATER_MESSAGE, LATER_CHANGE = 5, 6


class Lock:
    """Another program that holds the writer's lock of the database, while the bot has little *patience*, in seconds."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._monkeypatch = monkeypatch

    def take(self, *, patience: float = 0.02) -> None:
        self._monkeypatch.setattr(respond, "PATIENCE", patience)
        self._connection.execute("BEGIN IMMEDIATE")

    def release(self) -> None:
        self._monkeypatch.setattr(respond, "PATIENCE", AMPLE)
        self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def lock(wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lock]:
    lock = Lock(tmp_path / "bot.db", monkeypatch)
    yield lock
    lock.close()


async def acknowledged(wire: Wire, press: Interaction, lock: Lock) -> int:
    """Waits for the acknowledgement of *press*, lets go of the *lock*, and returns the type of the former."""
    await press
    lock.release()
    assert press.type is not None
    return press.type


def sent_after(wire: Wire, press: Interaction) -> list[Request]:
    """Returns what was sent through the token of *press* after its acknowledgement."""
    return wire.discord.record.find(f"{HOOK}.*{press.token}")


async def changes(wire: Wire, press: Interaction, message: Message, wanted: str) -> None:
    """Waits until *message* tells *wanted*, and checks that one request after *press* did that."""
    await wire.discord.signal.until(lambda: wanted in text_of(message))
    assert [each.method for each in sent_after(wire, press)] == ["PATCH"]


async def test_a_late_move_is_shown_on_the_same_board(wire: Wire, lock: Lock) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    lock.take()
    press = ada.press(board, "Deal (44)")
    assert await acknowledged(wire, press, lock) == LATER_CHANGE
    await changes(wire, press, board, "1 move")
    assert b'same_deal_faults_total{kind="late"} 1.0' in generate_latest(wire.bot.metrics.registry)
    await ada.press(board, "Deal (43)")
    assert "2 moves" in text_of(board)


async def test_a_late_join_gets_a_private_message_that_becomes_the_board(wire: Wire, lock: Lock) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    lock.take()
    press = ben.press(lobby, "Join")
    assert await acknowledged(wire, press, lock) == LATER_CHANGE
    seat = await ben.sees("You are in")
    assert seat.audience == ben.id
    lock.take()
    press = ben.press(lobby, "Open my board")
    await acknowledged(wire, press, lock)
    newer = await ben.sees(lambda message: "You are in" in text_of(message) and message is not seat)
    lock.take()
    press = ben.press(newer, "Ready")
    await acknowledged(wire, press, lock)
    await changes(wire, press, newer, "You are **ready**")
    await ada.press(lobby, "Start")
    with wire.clock.skip():
        assert await ben.sees(is_board) is newer
    assert find_button(lobby, "Open my board"), "the public message stays what it is"


async def test_a_late_lobby_is_public_and_its_host_is_seated_in_private(wire: Wire, lock: Lock) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lock.take()
    press = ada.slash("race new", {"game": "links"})
    assert await acknowledged(wire, press, lock) == LATER_MESSAGE
    lobby = await ben.sees("a race")
    seat = await ada.sees("You are in")
    assert (lobby.audience, seat.audience) == (None, ada.id)
    assert not [message for message in ada.messages() if message.loading]
    await ada.press(lobby, "Start")
    with wire.clock.skip():
        assert await ada.sees(is_board) is seat
    assert len([message for message in ada.messages() if message.audience is None]) == 1


async def test_a_late_picture_comes_where_it_belongs(wire: Wire, lock: Lock) -> None:
    ada = wire.discord.add_player("Ada")
    shown = (await ada.slash("settings")).message
    assert shown is not None
    await ada.select(shown, "s:style", [Style.IMAGE.value])
    board = (await wire.race(ada))[ada.id]
    lock.take()
    press = ada.press(board, "Deal (44)")
    await acknowledged(wire, press, lock)
    await changes(wire, press, board, "1 move")
    assert sent_after(wire, press)[0].uploads


async def test_an_answer_follows_an_acknowledgement_that_discord_never_confirmed(
    wire: Wire, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    monkeypatch.setattr(transport, "DEADLINE", 0.5)
    lock.take()
    wire.discord.faults.add(SILENCE)
    press = ada.press(board, "Deal (44)")
    assert await acknowledged(wire, press, lock) == LATER_CHANGE
    await changes(wire, press, board, "1 move")
    lock.take()
    wire.discord.faults.add(SILENCE)
    asked = ada.slash("play", {"game": "links"})
    assert await acknowledged(wire, asked, lock) == LATER_MESSAGE
    assert asked.message is not None
    await changes(wire, asked, asked.message, "Links")


async def test_an_answer_is_lost_with_its_acknowledgement(
    wire: Wire, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What never reached Discord cannot be followed: it is counted, and the next press shows the board."""
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    monkeypatch.setattr(transport, "DEADLINE", 0.5)
    lock.take()
    wire.discord.faults.add(Fault(CALLBACK, drop=True, times=9))
    press = ada.press(board, "Deal (44)")
    await wire.discord.signal.until(lambda: len(wire.discord.record.find(str(press.token))) > 1)
    lock.release()
    await wire.discord.signal.until(lambda: sent_after(wire, press))
    assert [(each.method, each.status) for each in sent_after(wire, press)] == [("PATCH", 404)]
    wire.discord.faults.clear()
    monkeypatch.setattr(transport, "DEADLINE", AMPLE)
    await ada.press(board, "Deal (44)")
    assert "1 move" in text_of(board)
    assert b'same_deal_faults_total{kind="unanswered"} 1.0' in generate_latest(wire.bot.metrics.registry)


async def test_a_late_refusal_is_private(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    opened = asyncio.Event()

    async def fail(*_: object) -> None:
        await opened.wait()
        raise UnavailableError

    monkeypatch.setattr(wire.bot.desk.races, "join", fail)
    monkeypatch.setattr(respond, "PATIENCE", 0.02)
    press = ben.press(lobby, "Join")
    assert (await press).type == LATER_CHANGE
    opened.set()
    refused = await ben.sees("cannot save anything")
    assert refused.audience == ben.id
    assert "a race" in text_of(lobby)


@pytest.mark.slow
async def test_a_lock_of_four_seconds_loses_no_move_and_no_answer(wire: Wire, lock: Lock) -> None:
    players = [wire.discord.add_player(f"Player {number}") for number in range(5)]
    boards = await wire.race(*players)
    lock.take(patience=PATIENCE)
    until = asyncio.get_running_loop().time() + 4
    presses = [player.press(boards[player.id], "Deal (44)") for player in players]
    assert [(await press).type for press in presses] == [LATER_CHANGE] * len(presses)
    await asyncio.sleep(until - asyncio.get_running_loop().time())
    lock.release()
    for player, press in zip(players, presses, strict=True):
        await changes(wire, press, boards[player.id], "1 move")


async def test_a_stop_gives_up_what_the_store_does_not_let_go_on(
    wire: Wire, lock: Lock, caplog: pytest.LogCaptureFixture
) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    lock.take()
    press = ada.press(board, "Deal (44)")
    await press
    await wire.bot._presses.finish(0.05)
    lock.release()
    await wire.db.read("SELECT 1")
    assert "could not be finished before the stop: 1" in caplog.text
    assert "unexpected error" not in caplog.text
    assert sent_after(wire, press) == []
    # Saved or not, the board tells after the next start.
    wire.bot._presses._is_open = True
    await ada.press(board, "Deal (44)")
    assert "1 move" in text_of(board)
