"""The probe, which asks a running bot how it is: where it looks for it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping

import pytest

from bot.health import Health, HealthServer
from bot.metrics import Metrics
from tests.ports import free_port
from tests.test_health import WELL, nothing


async def probe(settings: Mapping[str, str]) -> tuple[int | None, str]:
    """Returns the exit code of a probe with *settings*, and what it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.probe", env={**os.environ, **settings}, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    return process.returncode, said.decode()


@pytest.mark.parametrize(
    ("host", "more"),
    [
        ("127.0.0.1", {}),
        ("0.0.0.0", {}),
        ("127.0.0.2", {}),
        ("127.0.0.1", {"http_proxy": "http://127.0.0.1:1"}),
    ],
    ids=["here", "everywhere", "another address", "a proxy for the world outside"],
)
async def test_the_bot_is_found(host: str, more: dict[str, str]) -> None:
    port = free_port()
    async with HealthServer(host, port, Metrics(), look=lambda: WELL, amounts=nothing):
        code, said = await probe({"HEALTH_HOST": host, "HEALTH_PORT": str(port), **more})
    assert (code, '"gateway": "ok"' in said) == (0, True)


async def test_a_bot_that_is_not_well() -> None:
    port, ill = free_port(), Health("not connected yet", "", "")
    async with HealthServer("127.0.0.1", port, Metrics(), look=lambda: ill, amounts=nothing):
        code, said = await probe({"HEALTH_PORT": str(port)})
    assert (code, "not connected yet" in said) == (1, True)


@pytest.mark.parametrize(("port", "expected"), [("0", 0), ("eight", 1)])
async def test_ports_where_no_bot_is(port: str, expected: int) -> None:
    code, said = await probe({"HEALTH_PORT": port})
    assert (code, bool(said)) == (expected, True)
