"""The application's own routes: commands and emoji."""

from __future__ import annotations

import base64
from typing import Any

import aiohttp
import pytest

from bot.playground import Playground
from tests.playground.test_messages import PNG
from tests.playground.toy import Api, button, command, option, row, text, v2


def image(data: bytes = PNG) -> str:
    """Returns a picture as a data URI."""
    return "data:image/png;base64," + base64.b64encode(data).decode()


async def test_about_the_application(api: Api) -> None:
    for path in ("/applications/@me", "/oauth2/applications/@me"):
        assert (await api.call("GET", path))[1]["name"] == "Same Deal"
    assert (await api.call("GET", "/users/@me"))[1]["bot"] is True
    status, body = await api.call("GET", "/gateway/bot")
    assert (status, body["url"], body["shards"]) == (200, api.playground.gateway_url, 1)
    assert (await api.call("GET", "/gateway"))[1] == {"url": api.playground.gateway_url}


async def test_commands_keep_their_ids_and_translations(api: Api) -> None:
    german = {"name_localizations": {"de": "spielen"}, "description_localizations": {"de": "Spielt"}}
    _, first = await api.register(command("play", **german), command("help"))
    _, second = await api.register(command("play", **german))
    assert [c["id"] for c in second] == [first[0]["id"]]
    assert second[0]["name_localizations"] == {"de": "spielen"}
    assert (await api.call("GET", f"{api.app}/commands"))[1] == second
    one = f"{api.app}/commands/{second[0]['id']}"
    assert (await api.call("GET", one))[1] == second[0]
    status, added = await api.call("POST", f"{api.app}/commands", command("rules"))
    assert (status, added["name"]) == (201, "rules")
    assert (await api.call("DELETE", one))[0] == 204
    status, body = await api.call("GET", one)
    assert (status, body["code"]) == (404, 10063)
    assert [c["name"] for c in api.playground.commands.listed(None)] == ["rules"]


async def test_commands_of_a_server_come_before_global_ones(api: Api, playground: Playground) -> None:
    scope = f"{api.app}/guilds/{playground.guild.id}/commands"
    status, body = await api.call("PUT", scope, [command("play", description="Here")])
    assert (status, body[0]["guild_id"]) == (200, str(playground.guild.id))
    offered = playground.commands.offered(playground.guild, 0)
    assert [(c["name"], c["description"]) for c in offered] == [("play", "Here")]
    assert [c["description"] for c in playground.commands.offered(None, 0)] == ["About play"]
    status, body = await api.call("GET", f"{api.app}/guilds/1/commands")
    assert (status, body["code"]) == (403, 50001)
    status, body = await api.call("GET", "/applications/1/commands")
    assert (status, body["code"]) == (404, 10002)


@pytest.mark.parametrize(
    ("commands", "path", "code"),
    [
        ([command("Play")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ([command("a b")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        ([command("x" * 33)], "0.name", "BASE_TYPE_BAD_LENGTH"),
        ([command("x", description="x" * 101)], "0.description", "BASE_TYPE_BAD_LENGTH"),
        ([command("x"), command("x")], "1.name", "APPLICATION_COMMANDS_DUPLICATE_NAME"),
        ([command("x", *[option(f"o{n}") for n in range(26)])], "0.options", "BASE_TYPE_MAX_LENGTH"),
        (
            [command("x", option("a"), option("b", required=True))],
            "0.options.1",
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        ),
        (
            [command("x", option("a", choices=[{"name": "x" * 101, "value": "x"}]))],
            "0.options.0.choices.0.name",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            [command("x", description_localizations={"de": "x" * 101})],
            "0.description_localizations.de",
            "BASE_TYPE_BAD_LENGTH",
        ),
    ],
)
async def test_commands_have_limits(commands: list[Any], path: str, code: str, api: Api) -> None:
    status, body = await api.register(*commands)
    assert (status, body["code"]) == (400, 50035)
    errors = body["errors"]
    for part in path.split("."):
        errors = errors[part]
    assert errors["_errors"][0]["code"] == code


async def test_there_can_be_too_many_commands(api: Api) -> None:
    status, body = await api.register(*[command(f"c{n}") for n in range(101)])
    assert (status, body["code"]) == (400, 30032)
    status, body = await api.call("PUT", f"{api.app}/commands", {"name": "x"})
    assert (status, body["code"]) == (400, 50035)


async def test_a_command_can_be_too_large(api: Api) -> None:
    choices = [{"name": f"{n:0100}", "value": f"{n:0100}"} for n in range(25)]
    status, body = await api.register(command("x", *[option(f"o{n}", choices=choices) for n in range(2)]))
    assert (status, body["errors"]["0"]["_errors"][0]["code"]) == (400, "APPLICATION_COMMAND_TOO_LARGE")


async def test_emoji_are_kept_and_served(api: Api, playground: Playground) -> None:
    path = f"{api.app}/emojis"
    status, emoji = await api.call("POST", path, {"name": "c_7H", "image": image()})
    assert (status, emoji["name"]) == (201, "c_7H")
    assert (await api.call("GET", path))[1] == {"items": [emoji]}
    one = f"{path}/{emoji['id']}"
    status, renamed = await api.call("PATCH", one, {"name": "c_7S"})
    assert (status, renamed["name"]) == (200, "c_7S")
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{playground.page_url}cdn/emojis/{emoji['id']}.png") as answer,
    ):
        assert (answer.content_type, await answer.read()) == ("image/png", PNG)
    interaction = playground.owner.slash("play")
    with_emoji = {**button("", "go"), "emoji": {"id": emoji["id"], "name": "c_7S"}}
    assert (await api.answer(interaction, 4, v2(text("x"), row(with_emoji))))[0] == 200
    assert interaction.message is not None
    assert playground.owner.press(interaction.message, "c_7S").data["custom_id"] == "go"
    assert (await api.call("DELETE", one))[0] == 204
    status, body = await api.call("GET", one)
    assert (status, body["code"]) == (404, 10014)


async def test_emoji_have_limits(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"{api.app}/emojis"
    await api.call("POST", path, {"name": "c_7H", "image": image()})
    for body, field, code in [
        ({"name": "c_7H", "image": image()}, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"),
        ({"name": "7♥", "image": image()}, "name", "STRING_TYPE_REGEX"),
        ({"name": "x" * 33, "image": image()}, "name", "STRING_TYPE_REGEX"),
        ({"name": "big", "image": image(bytes(256 * 1024 + 1))}, "image", "BINARY_TYPE_MAX_SIZE"),
        ({"name": "odd", "image": "data:text/plain;base64,AAAA"}, "image", "IMAGE_INVALID"),
    ]:
        status, answer = await api.call("POST", path, body)
        assert (status, answer["errors"][field]["_errors"][0]["code"]) == (400, code)
    monkeypatch.setattr("bot.playground.routes_application.MAX_EMOJI", 1)
    status, answer = await api.call("POST", path, {"name": "more", "image": image()})
    assert (status, answer["code"]) == (400, 30008)
