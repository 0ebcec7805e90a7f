"""The composition around the demo: address first, clean ends, clear lines for bad options."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.playground import Playground
from bot.playground.demo import add_demo_arguments, run_demo


class ToyStart:
    """Starts a bot that does nothing, and notes what it was given."""

    def __init__(self, ends: BaseException | None = None) -> None:
        self.addresses: tuple[str, str] | None = None
        self.begun = asyncio.Event()
        self.closed = False
        self._ends = ends

    @contextlib.asynccontextmanager
    async def __call__(self, api_url: str, gateway_url: str) -> AsyncIterator[asyncio.Task[None]]:
        self.addresses = api_url, gateway_url
        task = asyncio.create_task(self._run())
        try:
            yield task
        finally:
            self.closed = True
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        self.begun.set()
        if self._ends is not None:
            raise self._ends
        await asyncio.Event().wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_tells_its_address_and_ends_with_a_signal(number: signal.Signals) -> None:
    said: list[str] = []
    start = ToyStart()
    running = asyncio.create_task(run_demo(start, port=0, announce=said.append))
    await start.begun.wait()
    address = said[0].split()[4]
    assert address.startswith("http://127.0.0.1:")
    assert start.addresses is not None
    assert start.addresses[0] == address + "api/v10"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        assert answer.status == 200
    os.kill(os.getpid(), number)
    assert await running == 0
    assert start.closed


async def test_a_bot_that_fails_ends_it() -> None:
    with pytest.raises(RuntimeError, match="no cards"):
        await run_demo(ToyStart(RuntimeError("no cards")), port=0, announce=lambda line: None)


async def test_a_taken_port_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    async with Playground() as other:
        port = int(other.page_url.rstrip("/").rpartition(":")[2])
        assert await run_demo(ToyStart(), port=port, announce=lambda line: None) == 2
    assert capsys.readouterr().err == f"same-deal: port {port} is taken; choose another one with --port\n"


@pytest.mark.parametrize("port", ["65536", "-1", "http", "٣"])
def test_bad_ports_are_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args([f"--port={port}"])
    assert "is no port: use 0 to 65535" in capsys.readouterr().err
