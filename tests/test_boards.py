"""Boards on their way to Discord: what a slow picture may and may not show."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot import respond
from bot.boards import Boards
from bot.receive import PRESSED
from bot.store.players import Style, Taste
from bot.views.board import Board
from bot.views.faces import CodeFaces
from bot.views.look import Look
from bot.views.payload import Message
from engine import find_game, shuffle
from tests.views.boards import record_of

RULES = find_game("links")


class Wires:
    """What reaches Discord, and a brush that draws only when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acknowledged: list[int] = []
        self.shown: list[tuple[str, str | None]] = []
        self.gates: dict[str | None, asyncio.Event] = {}
        emoji = SimpleNamespace(faces=lambda colours: CodeFaces())
        self.boards = Boards(SimpleNamespace(), emoji)  # type: ignore[arg-type]
        monkeypatch.setattr(self.boards, "draw", self.draw)
        monkeypatch.setattr(respond, "acknowledge", self.acknowledge)
        monkeypatch.setattr(respond, "follow", self.follow)

    async def acknowledge(self, interaction: Any, *, new: bool = False) -> None:
        self.acknowledged.append(interaction.id)

    async def draw(self, shown: Board, look: Look) -> Message:
        await self.gates.setdefault(shown.note, asyncio.Event()).wait()
        return Message.of({"type": 10, "content": shown.note or "-"})

    async def follow(self, interaction: Any, message: Message) -> None:
        self.shown.append((interaction.token, message.components[0].get("content")))  # type: ignore[arg-type]

    def press(self, number: int, note: str) -> asyncio.Task[None]:
        interaction = SimpleNamespace(id=number, token=f"token {number}", extras={PRESSED: 7})
        board = Board(record_of(RULES, RULES.deal(shuffle("x"))), note=note)
        look = self.boards.look(Taste(Style.IMAGE))
        return asyncio.create_task(self.boards.update(interaction, board, look))  # type: ignore[arg-type]

    def open(self, note: str) -> None:
        self.gates.setdefault(note, asyncio.Event()).set()


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> Wires:
    return Wires(monkeypatch)


async def test_an_older_picture_never_covers_a_newer_one(wires: Wires) -> None:
    first, second = wires.press(1, "first"), wires.press(2, "second")
    wires.open("second")
    await second
    wires.open("first")
    await first
    assert wires.acknowledged == [1, 2]
    assert wires.shown == [("token 2", "second")]


async def test_pictures_that_come_in_order_are_all_shown(wires: Wires) -> None:
    wires.open("first")
    await wires.press(1, "first")
    wires.open("second")
    await wires.press(2, "second")
    assert [text for _, text in wires.shown] == ["first", "second"]
    assert not wires.boards._turns


async def test_a_new_message_always_gets_its_picture(wires: Wires) -> None:
    interaction = SimpleNamespace(id=1, token="token 1", extras={})
    board = Board(record_of(RULES, RULES.deal(shuffle("x"))), note="first")
    look = wires.boards.look(Taste(Style.IMAGE))
    answer = asyncio.create_task(wires.boards.answer(interaction, board, look))  # type: ignore[arg-type]
    wires.open("second")
    await wires.press(2, "second")
    wires.open("first")
    await answer
    assert [token for token, _ in wires.shown] == ["token 2", "token 1"]
