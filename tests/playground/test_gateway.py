"""discord.py at the loopback gateway: login, events, lost connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord
import pytest

from bot.playground import Playground
from tests.playground.conftest import Connect
from tests.playground.toy import Api, ToyBot, button, connect, row, text, v2


async def greet(bot: ToyBot, interaction: discord.Interaction) -> None:
    """Answers with a message that has a button; a press on it with an update."""
    kind = 7 if interaction.type is discord.InteractionType.component else 4
    await bot.api.answer(interaction, kind, v2(text(f"hello {len(bot.seen)}"), row(button("Go", "go"))))


async def test_logs_in_syncs_commands_and_answers(playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    assert bot.user is not None
    assert bot.user.name == "samedeal"
    assert [guild.name for guild in bot.guilds] == ["Patience Club"]
    assert [channel.name for channel in bot.guilds[0].text_channels] == ["race-track", "daily-deal", "lounge"]
    assert {command["name"] for command in playground.commands.listed(None)} == {"race", "play"}
    ada = playground.add_player("Ada")

    interaction = await ada.slash("race new", {"game": "links"})

    assert interaction.type == 4
    message = await ada.sees("hello 1")
    assert interaction.message is message
    assert bot.seen[0].user.display_name == "Ada"
    assert bot.seen[0].user.created_at < discord.utils.utcnow()
    pressed = await ada.press(message, "Go")
    assert pressed.type == 7
    assert pressed.message is message
    assert (await ada.sees("hello 2")) is message


@pytest.mark.parametrize("compress", [True, False])
async def test_compression_is_optional(
    compress: bool, playground: Playground, start_bot: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playground.gateway, "compress", compress)
    await start_bot(greet)
    await playground.add_player("Ada").slash("play")


async def test_resume_replays_what_was_missed(playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    ada = playground.add_player("Ada")
    playground.gateway.shut()
    missed = [ada.slash("play") for _ in range(3)]
    playground.gateway.reopen()
    for interaction in missed:
        await interaction
    assert len(bot.seen) == 3
    assert (playground.gateway.identifies, playground.gateway.resumes) == (1, 1)


@pytest.mark.parametrize("fault", ["reconnect", "close", "reset", "resumable"])
async def test_resumes_after(fault: str, playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    gateway = playground.gateway
    match fault:
        case "reconnect":
            gateway.reconnect()
        case "close":
            gateway.close(4000)
        case "reset":
            gateway.reset()
        case _:
            gateway.invalidate(resumable=True)
    await asyncio.wait_for(bot.resumed.wait(), 30)
    await playground.add_player("Ada").slash("play")
    assert (gateway.identifies, gateway.resumes) == (1, 1)


async def test_identifies_anew_after_an_invalid_session(playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    bot.up.clear()
    gateway = playground.gateway
    gateway.invalidate()
    await asyncio.wait_for(bot.up.wait(), 30)
    assert (gateway.identifies, gateway.resumes) == (2, 0)
    await playground.add_player("Ada").slash("play")


async def test_identifies_anew_after_a_refused_resume(playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    bot.up.clear()
    gateway = playground.gateway
    gateway.reset()
    gateway.forget()
    await asyncio.wait_for(bot.up.wait(), 30)
    assert (gateway.identifies, gateway.resumes) == (2, 0)
    await playground.add_player("Ada").slash("play")


async def test_delivers_an_interaction_twice(playground: Playground, start_bot: Connect) -> None:
    bot = await start_bot(greet)
    playground.gateway.repeats = 1
    ada = playground.add_player("Ada")
    interaction = await ada.slash("play")
    await playground.signal.until(lambda: len(playground.record.find("callback")) == 2)
    assert [request.code for request in playground.record.find("callback")] == [0, 40060]
    playground.redeliver(interaction)
    await playground.signal.until(lambda: len(playground.record.find("callback")) == 3)
    assert [seen.id for seen in bot.seen] == [interaction.id] * 3


async def test_each_shard_sees_its_own_servers(playground: Playground, api: Api) -> None:
    other = playground.add_guild("Other")
    while (other.id >> 22) % 2 == (playground.guild.id >> 22) % 2:
        other = playground.add_guild("Other")
    guilds = {(guild.id >> 22) % 2: guild for guild in (playground.guild, other)}
    bots = [ToyBot(greet, api, shard=(number, 2)) for number in (0, 1)]
    tasks = [await connect(bot) for bot in bots]
    for number, bot in enumerate(bots):
        assert {guild.id for guild in bot.guilds} >= {guilds[number].id}
        player = playground.add_player("Ada", guild=guilds[number])
        await player.slash("play")
        assert len(bot.seen) == 1
    await playground.owner.slash("play", channel=playground.owner.private)
    assert len(bots[0].seen) == 2
    for bot in bots:
        await bot.close()
    await asyncio.gather(*tasks)


@pytest.mark.parametrize(
    ("payloads", "code"),
    [
        ([{"op": 3, "d": {}}], 4003),
        ([{"op": 2, "d": {"token": "wrong", "intents": 1}}], 4004),
        ([{"op": 2, "d": {"token": "right", "intents": 1}}] * 2, 4005),
        ([{"op": 2, "d": {"token": "right", "intents": 1, "shard": [2, 2]}}], 4010),
        ([{"op": 2, "d": {"token": "right", "intents": 1 << 15}}], 4014),
        (["nonsense"], 4002),
    ],
)
async def test_closes_with_a_code(payloads: list[object], code: int) -> None:
    async with (
        Playground(token="right") as server,
        aiohttp.ClientSession() as session,
        session.ws_connect(server.gateway_url) as ws,
    ):
        for payload in payloads:
            await ws.send_str(payload if isinstance(payload, str) else json.dumps(payload))
        async for _ in ws:
            pass
        assert ws.close_code == code


async def test_closes_a_silent_connection() -> None:
    async with (
        Playground(heartbeat=0.02) as server,
        aiohttp.ClientSession() as session,
        session.ws_connect(server.gateway_url) as ws,
    ):
        assert (await ws.receive_json())["d"]["heartbeat_interval"] == 20
        message = await ws.receive()
        assert (message.type, message.data) == (aiohttp.WSMsgType.CLOSE, 4009)


async def test_messages_reach_a_bot_that_asks_for_them(playground: Playground, api: Api) -> None:
    bot = ToyBot(greet, api, intents=1 | 1 << 9)
    heard: asyncio.Queue[discord.Message] = asyncio.Queue()
    bot.event(_listener(heard))
    task = await connect(bot)
    playground.owner.says("good morning")
    assert (await heard.get()).author.id == playground.owner.id
    await bot.close()
    await task


def _listener(
    heard: asyncio.Queue[discord.Message],
) -> Callable[[discord.Message], Coroutine[Any, Any, None]]:
    async def on_message(message: discord.Message) -> None:
        heard.put_nowait(message)

    return on_message
