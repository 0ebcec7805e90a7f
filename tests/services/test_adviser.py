"""Hints: the same from a thread as from a process, and none where there is nobody to think."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import NoHintNowError
from bot.services import adviser, process
from bot.services.adviser import NOTHING, ProcessAdviser, ThreadedAdviser, advise_line
from bot.services.process import Process, ProcessError
from engine import find_game, parse_state, shuffle


async def test_a_process_gives_the_hints_that_a_thread_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adviser, "PATIENCE", 60.0)  # the first hint waits for the start of the process
    thread, own = ThreadedAdviser(), ProcessAdviser()
    try:
        for key in ("take-away", "striptease", "links"):
            rules = find_game(key)
            seen = rules.deal(shuffle("friday")).observed()
            move = await own.advise(rules, seen)
            assert move is not None
            assert move == await thread.advise(rules, seen)
            assert rules.is_legal(seen, move)
    finally:
        await own.close()
    with pytest.raises(NoHintNowError):
        await own.advise(rules, seen)


async def test_nothing_is_said_of_hidden_cards_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def ask(self: Process, line: str, *, patience: float) -> str:
        asked.append(line)
        return NOTHING

    monkeypatch.setattr(Process, "ask", ask)
    rules = find_game("links")
    assert await ProcessAdviser().advise(rules, rules.deal(shuffle("friday"))) is None
    assert asked[0].count("??") == 44


def test_a_game_that_is_over_gets_no_hint() -> None:
    over = parse_state("t1: t2: t3: t4: f1:AS f2: f3: f4: f5: f6:")
    assert advise_line(f"take-away {over}") == NOTHING


async def test_a_process_that_fails_rests_before_it_is_begun_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    killed: list[object] = []
    monkeypatch.setattr(asyncio.subprocess.Process, "kill", killed.append)
    monkeypatch.setattr(process, "GRACE", 60.0)
    broken = Process("bot.services.nothing_of_that_name")
    for _ in range(2):
        with pytest.raises(ProcessError):
            await broken.ask("x", patience=60)
    assert len(caplog.records) == 1  # which says how it ended, once
    assert "exit code 1) and rests" in caplog.text
    assert not killed  # it was dead, and to kill it would have cost its exit code
    monkeypatch.setattr(process, "REST", 0.0)
    await broken.close()
