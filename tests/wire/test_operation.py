"""What an operator may do to the bot, and what the machine may: stops, pauses, full and locked databases."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.playground import Message, Playground, UnansweredError, buttons, text_of
from bot.playground.process import bot_process
from bot.store.sqlite import SqliteDatabase
from tests.ports import free_port
from tests.wire.conftest import Wire, is_board

STOP = 5.0
"""How many seconds a stop may take."""


@contextmanager
def full_disk() -> Iterator[None]:
    """Makes every write beyond the first 8 KiB of a file fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def deal(board: Message) -> str:
    """Returns the label of the board's button that deals."""
    return next(label for each in buttons(board) if (label := str(each.get("label"))).startswith("Deal"))


async def test_a_full_disk_is_told_and_nothing_is_claimed(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    before = text_of(board)
    with full_disk():
        refused = await ada.press(board, "Deal (44)")
        assert refused.message is not None
        assert refused.message is not board
        assert "nothing was changed" in text_of(refused.message)
        assert text_of(board) == before
        assert "not saved" in caplog.text
        assert (await wire.attempt(board)).seq == 0
    await ada.press(board, "Deal (44)")
    assert "1 move" in text_of(board)
    assert (await wire.attempt(board)).seq == 1


async def test_a_read_only_database_is_told_and_recovers(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    assert isinstance(wire.db, SqliteDatabase)
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    await wire.db._writer.execute("PRAGMA query_only = ON")
    refused = await ada.press(board, "Deal (44)")
    assert refused.message is not board
    assert "SQLITE_READONLY" in caplog.text
    new = await ada.slash("race new", {"game": "links"})
    assert new.message is not None
    assert new.message.audience == ada.id
    await wire.db._writer.execute("PRAGMA query_only = OFF")
    await ada.press(board, "Deal (44)")
    assert "1 move" in text_of(board)


async def test_the_operator_sees_a_full_disk_and_its_end(tmp_path: Path) -> None:
    """As a process of its own, whose background work notices by itself."""
    port = str(free_port())
    async with Playground() as server, aiohttp.ClientSession() as session:

        async def health() -> tuple[int, dict[str, str]]:
            async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
                return answer.status, await answer.json()

        async def becomes(status: int) -> dict[str, str]:
            async with asyncio.timeout(60):
                while (found := await health())[0] != status:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                return found[1]

        async with bot_process(
            server, tmp_path / "bot.db", HEALTH_PORT=port, LOG_LEVEL="CRITICAL"
        ) as process:
            await becomes(200)
            # Of a file system as full as that of a database that may not grow.
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            assert "nothing is saved" in (await becomes(503))["database"]
            resource.prlimit(
                process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            )
            await becomes(200)
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                assert "same_deal_gateway_connected 1.0" in await answer.text()


@pytest.mark.slow
async def test_sigterm_answers_what_is_under_way_and_ends_in_time(tmp_path: Path) -> None:
    database = tmp_path / "bot.db"
    async with Playground() as server:
        players = [server.add_player(f"Player {number}") for number in range(8)]
        async with bot_process(server, database) as process:
            boards = []
            for player in players:
                opened = await player.slash("play", {"game": "links"})
                assert opened.message is not None
                boards.append(opened.message)
            # A foreign lock holds all of them up, so that they are under way for certain.
            with closing(sqlite3.connect(database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                presses = [
                    player.press(board, deal(board)) for player, board in zip(players, boards, strict=True)
                ]
                for press in presses:
                    await press  # acknowledged, so that the bot has them
                process.send_signal(signal.SIGTERM)
                told = time.monotonic()
                await asyncio.sleep(0.5)
                other.execute("ROLLBACK")
            await server.signal.until(lambda: all("1 move" in text_of(board) for board in boards))
            await asyncio.wait_for(process.wait(), STOP)
            assert time.monotonic() - told < STOP
            assert process.returncode == 0
            assert server.gateway.sessions == {} or all(
                each.connection is None for each in server.gateway.sessions.values()
            )
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("SELECT COUNT(*) FROM event").fetchone() == (8,)
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["stopped", "cut off"])
async def test_an_outage_of_more_than_five_seconds_gives_the_time_back(tmp_path: Path, gone: str) -> None:
    async with Playground() as server:
        ada = server.add_player("Ada")
        async with bot_process(server, tmp_path / "bot.db") as process:
            opened = await ada.slash("race new", {"game": "links", "minutes": 2})
            lobby = opened.message
            assert lobby is not None
            await ada.press(lobby, "Start")
            board = await ada.sees(is_board, seconds=30)
            limit, began = _limit(tmp_path / "bot.db"), time.monotonic()
            if gone == "stopped":
                process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(7)
                process.send_signal(signal.SIGCONT)
            else:
                server.gateway.shut()
                await asyncio.sleep(7)
                server.gateway.reopen()
                await server.gateway.ready(seconds=60)
            await server.signal.until(lambda: "The bot was away" in text_of(_newest(server)), 60)
            gone_for = 1000 * (time.monotonic() - began)
            assert 6_000 <= _limit(tmp_path / "bot.db") - limit <= gone_for
            try:
                await ada.press(board, deal(board))
            except UnansweredError:
                pytest.fail("a press after the outage was not answered")


def _limit(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("SELECT time_limit FROM race").fetchone()[0])


def _newest(server: Playground) -> Message:
    return [each for each in server.owner.messages() if "Links" in text_of(each)][-1]
