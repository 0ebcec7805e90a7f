"""The doctor against a loopback Discord, and against none."""

from __future__ import annotations

import itertools
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot import doctor
from bot.doctor import Finding, Grade
from bot.playground import Fault, Playground
from bot.playground.permissions import Permission
from bot.settings import Secret
from bot.store.database import open_database
from bot.store.migrations import load_migrations

MIGRATIONS = Path(__file__).parents[1] / "migrations"


async def examine(server: Playground, database: str, token: str = "a.b.c") -> dict[str, list[Finding]]:
    found = await doctor.examine(
        Secret(token), server.api_url, server.gateway_url, database, load_migrations(MIGRATIONS)
    )
    parts: dict[str, list[Finding]] = {}
    for finding in found:
        assert token not in str(finding)
        parts.setdefault(finding.part, []).append(finding)
    return parts


def grades(parts: dict[str, list[Finding]], grade: Grade) -> set[str]:
    return {part for part, found in parts.items() for each in found if each.grade is grade}


async def test_all_is_well(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/bot.db"
    async with Playground(token="a.b.c") as server, await open_database(url, MIGRATIONS):
        parts = await examine(server, url)
    assert grades(parts, Grade.BAD) == set()
    assert grades(parts, Grade.GOOD) == {
        "token", "clock", "intents", "installation", "permissions", "gateway", "database",
    }  # fmt: skip
    assert grades(parts, Grade.NOTE) == {"commands", "emoji"}  # the running bot sees to them
    assert "sound" in parts["database"][0].text


async def test_a_token_that_is_refused(tmp_path: Path) -> None:
    async with Playground(token="x.y.z") as server:
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert [each.text for each in parts["token"]] == ["Discord does not take DISCORD_TOKEN: make a new one"]
    assert "gateway" not in parts
    assert "will be made" in parts["database"][0].text


async def test_a_discord_that_cannot_be_reached(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        found = await doctor.examine(Secret("a.b.c"), url, None, f"sqlite:///{tmp_path}/none/bot.db", ())
    assert [(each.grade, each.part) for each in found] == [(Grade.BAD, "network"), (Grade.BAD, "database")]
    assert "No such file or directory" in found[1].text


@pytest.mark.parametrize(("status", "body"), [(404, {}), (200, {}), (403, {"code": 50001})])
async def test_an_address_where_something_else_answers(
    tmp_path: Path, status: int, body: dict[str, Any]
) -> None:
    async with Playground() as server:
        server.faults.add(Fault("GET /applications/@me", status=status, body=body))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert list(parts) == ["network", "database"]
    assert f"not Discord's API (status {status})" in parts["network"][0].text


async def test_a_discord_in_trouble(tmp_path: Path) -> None:
    async with Playground() as server:
        server.faults.add(Fault("GET /applications/@me", status=503))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
        assert parts["token"][0].text == "Discord answered 503; try again later"
        server.faults.add(Fault("GET /gateway/bot", drop=True, times=2), Fault(r"GET /.*/emojis", status=500))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts["gateway"][0].grade is Grade.BAD
    assert parts["emoji"][0].grade is Grade.NOTE


@pytest.mark.parametrize(
    ("seconds", "grade", "words"),
    [
        (0, Grade.GOOD, "within 2 s"),
        (-9, Grade.NOTE, "s behind"),
        (3600, Grade.BAD, "ahead of"),
    ],
)
async def test_a_clock_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, grade: Grade, words: str
) -> None:
    class Shifted:
        @staticmethod
        def time() -> float:
            return time.time() + seconds

    async with Playground() as server:
        monkeypatch.setattr(doctor, "time", Shifted)
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts["clock"][0].grade is grade
    assert words in parts["clock"][0].text


async def test_a_slow_answer_is_no_wrong_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        """Of which four minutes pass between two looks."""

        looks = itertools.count()

        @classmethod
        def time(cls) -> float:
            return time.time() + 240 * (next(cls.looks) % 2)

    async with Playground() as server:
        monkeypatch.setattr(doctor, "time", Slow)
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts["clock"][0].grade is Grade.GOOD


async def test_missing_permissions_are_named(tmp_path: Path) -> None:
    async with Playground() as server:
        for role in server.guild.roles.values():
            role.permissions &= ~Permission.ATTACH_FILES
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
        assert parts["permissions"][1].text.startswith(
            f"server {server.guild.id} does not grant Attach Files"
        )
        server.guild.members.pop(server.world.bot.id)
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert "invite it" in parts["permissions"][0].text


async def test_it_is_said_that_more_servers_may_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PAGE", 1)
    async with Playground() as server:
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts["permissions"][0].text == "granted in 1 of the first 1 servers"


@pytest.mark.parametrize(
    ("body", "part", "grade"),
    [
        ({"integration_types_config": {"0": {}}}, "installation", Grade.NOTE),
        ({"integration_types_config": {"1": {}}}, "installation", Grade.BAD),
        ({"interactions_endpoint_url": "https://x"}, "application", Grade.BAD),
    ],
)
async def test_how_the_application_is_set_up(
    tmp_path: Path, body: dict[str, Any], part: str, grade: Grade
) -> None:
    async with Playground() as server:
        full = {"id": str(server.world.bot.id), "integration_types_config": {"0": {}, "1": {}}, **body}
        server.faults.add(Fault("GET /applications/@me", status=200, body=full))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts[part][0].grade is grade


async def test_no_connection_left_today(tmp_path: Path) -> None:
    limit = {"total": 1000, "remaining": 0, "reset_after": 3_600_000, "max_concurrency": 1}
    async with Playground() as server:
        body = {"url": server.gateway_url, "shards": 1, "session_start_limit": limit}
        server.faults.add(Fault("GET /gateway/bot", status=200, body=body))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert "in 60 minutes" in parts["gateway"][0].text


async def test_a_database_server(postgres_url: str, tmp_path: Path) -> None:
    async with Playground() as server:
        new = (await examine(server, postgres_url))["database"][0]
        async with await open_database(postgres_url, MIGRATIONS):
            made = (await examine(server, postgres_url))["database"][0]
    assert (new.grade, made.grade) == (Grade.GOOD, Grade.GOOD)
    assert "schema 0, " in new.text
    assert "to come" in new.text
    assert "to come" not in made.text


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://u:secret@127.0.0.1:1/d", "cannot be reached"),
        ("postgresql://u:secret@127.0.0.1:d", "its URL"),
        ("sqlite:///", "the path of a file"),
    ],
)
async def test_a_database_that_cannot_be_used(url: str, words: str) -> None:
    async with Playground() as server:
        (found,) = (await examine(server, url))["database"]
    assert found.grade is Grade.BAD
    assert words in found.text
    assert "secret" not in found.text


@pytest.mark.parametrize("setting", ["default_transaction_read_only=on", "search_path=nowhere"])
async def test_a_database_server_that_the_bot_could_not_use(postgres_url: str, setting: str) -> None:
    async with Playground() as server:
        (found,) = (await examine(server, f"{postgres_url.partition('?')[0]}?{setting}"))["database"]
    assert found.grade is Grade.BAD


async def test_little_space_and_migrations_to_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/bot.db"
    first = tmp_path / "first"
    first.mkdir()
    (first / "0001_initial.sql").write_bytes((MIGRATIONS / "0001_initial.sql").read_bytes())
    async with Playground() as server, await open_database(url, first):
        assert "to come" in (await examine(server, url))["database"][0].text
        monkeypatch.setattr(doctor, "LITTLE_SPACE", 2**60)
        assert "MiB are free" in (await examine(server, url))["database"][0].text


@pytest.mark.parametrize("answer", [None, "what?", "[1]", b"x"])
async def test_a_gateway_that_is_not_discords(answer: str | bytes | None, tmp_path: Path) -> None:
    async def speak(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if isinstance(answer, str):
            await socket.send_str(answer)
        elif answer is not None:
            await socket.send_bytes(answer)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/", speak)
    async with Playground() as discord, TestServer(app) as other:
        body = {"url": str(other.make_url("/")).replace("http:", "ws:"), "shards": 1} | {
            "session_start_limit": {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        }
        discord.faults.add(Fault("GET /gateway/bot", status=200, body=body))
        found = await doctor.examine(
            Secret("a.b.c"), discord.api_url, None, f"sqlite:///{tmp_path}/bot.db", ()
        )
    (gateway,) = (each for each in found if each.part == "gateway")
    assert gateway.grade is Grade.BAD
    assert "not Discord's" in gateway.text


async def test_answers_of_discord_that_lack_something(tmp_path: Path) -> None:
    async with Playground() as server:
        server.faults.add(
            Fault("GET /gateway/bot", status=200, body={}), Fault(r"GET /.*/emojis", status=200, body={})
        )
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert grades(parts, Grade.BAD) == {"gateway", "emoji"}


async def test_a_limit_of_discords(tmp_path: Path) -> None:
    async with Playground() as server:
        server.faults.add(Fault("GET /applications/@me", status=429, body={"retry_after": 9}))
        parts = await examine(server, f"sqlite:///{tmp_path}/bot.db")
    assert parts["token"][0].text == "Discord answered 429; try again later"
