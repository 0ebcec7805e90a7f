"""The answers of the REST routes have the shape that Discord's own OpenAPI description gives them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import Playground
from tests.payloads import DESCRIPTION, NO_DESCRIPTION, check_described
from tests.playground.test_application import image
from tests.playground.test_messages import PNG
from tests.playground.toy import Api, button, command, option, row, text, v2

pytestmark = pytest.mark.skipif(not DESCRIPTION.exists(), reason=NO_DESCRIPTION)

PICTURE = {"media": {"url": "attachment://t.png"}}
OPTIONS = [{"label": "A", "value": "a"}]
PARTS: list[dict[str, Any]] = [
    text("words"),
    {"type": 9, "components": [text("words")], "accessory": button("Go", "go")},
    {"type": 9, "components": [text("words")], "accessory": {"type": 11, **PICTURE}},
    {"type": 12, "items": [PICTURE]},
    {"type": 14},
    {"type": 13, "file": PICTURE["media"]},
    row({"type": 3, "custom_id": "style", "options": OPTIONS}),
    row({"type": 5, "custom_id": "user"}),
    row(button("Stop", "stop", 4), {"type": 2, "style": 5, "label": "Site", "url": "https://example.org"}),
]


async def test_messages(api: Api, playground: Playground) -> None:
    path = f"/channels/{playground.channel('lounge').id}/messages"
    payload = v2({"type": 17, "components": PARTS}, *PARTS[:1])
    status, message = await api.upload("POST", path, payload, ("t.png", PNG))
    assert status == 200
    check_described("MessageResponse", message)
    interaction = playground.owner.slash("play")
    _, answer = await api.answer(interaction, 4, v2(text("words")))
    check_described("InteractionCallbackResponse", answer)
    _, answer = await api.call("POST", api.hook(interaction), v2(text("more")))
    check_described("MessageResponse", answer)


async def test_everything_else(api: Api, playground: Playground) -> None:
    await api.register(command("play", option("game", choices=[{"name": "Links", "value": "links"}])))
    await api.call("POST", f"{api.app}/emojis", {"name": "c_7H", "image": image()})
    guild, owner = f"/guilds/{playground.guild.id}", playground.owner
    for schema, path in [
        ("PrivateApplicationResponse", "/applications/@me"),
        ("GatewayBotResponse", "/gateway/bot"),
        ("GuildChannelResponse", f"/channels/{playground.channel('lounge').id}"),
        ("PrivateChannelResponse", f"/channels/{owner.private.id}"),
        ("GuildMemberResponse", f"{guild}/members/{owner.id}"),
        ("UserResponse", f"/users/{owner.id}"),
        ("ListApplicationEmojisResponse", f"{api.app}/emojis"),
    ]:
        status, body = await api.call("GET", path)
        assert status == 200
        check_described(schema, body)
    for registered in (await api.call("GET", f"{api.app}/commands"))[1]:
        check_described("ApplicationCommandResponse", registered)
