"""Messages of the bot's own accord: permissions, nonces, files, mentions, old messages, rate limits."""

from __future__ import annotations

import base64
from typing import Any

import aiohttp
import pytest

from bot.playground import Permission, Playground
from tests.playground.toy import EPHEMERAL, V2, Api, Clock, text, v2

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
IMAGE = {"type": 12, "items": [{"media": {"url": "attachment://table.png"}, "description": "The table"}]}


@pytest.fixture
def path(playground: Playground) -> str:
    """The messages of the first channel."""
    return f"/channels/{playground.channel('race-track').id}/messages"


async def test_posts_edits_reads_and_deletes(api: Api, path: str) -> None:
    status, body = await api.call("POST", path, v2(text("lobby")))
    assert status == 200
    one = f"{path}/{body['id']}"
    status, body = await api.call("PATCH", one, {"components": [text("running")]})
    assert (status, body["components"][0]["content"]) == (200, "running")
    assert body["edited_timestamp"] is not None
    assert (await api.call("GET", one))[1] == body
    assert (await api.call("GET", path, limit="1"))[1] == [body]
    assert await api.call("DELETE", one) == (204, None)
    for method in ("GET", "PATCH", "DELETE"):
        status, body = await api.call(method, one, {"components": [text("x")]})
        assert (status, body["code"]) == (404, 10008)


async def test_what_is_not_there(api: Api, playground: Playground, path: str) -> None:
    for place, code in [
        ("/channels/1", 10003),
        ("/guilds/1", 10004),
        ("/users/1", 10013),
        (f"/guilds/{playground.guild.id}/members/1", 10013),
        ("/nonsense", 0),
        (f"{path}/nonsense", 0),
    ]:
        status, body = await api.call("GET", place)
        assert (status, body["code"]) == (404, code), place


async def test_servers_members_and_users(api: Api, playground: Playground) -> None:
    ada = playground.add_player("Ada")
    stranger = playground.add_player("Stranger", guild=playground.add_guild("Other"))
    status, body = await api.call("GET", f"/guilds/{playground.guild.id}/members/{stranger.id}")
    assert (status, body["code"]) == (404, 10007)
    guild = f"/guilds/{playground.guild.id}"
    assert (await api.call("GET", guild))[1]["name"] == "Patience Club"
    assert len((await api.call("GET", f"{guild}/channels"))[1]) == 3
    assert (await api.call("GET", f"{guild}/members/{ada.id}"))[1]["user"]["global_name"] == "Ada"
    assert (await api.call("GET", f"/users/{ada.id}"))[1]["username"] == "ada"


@pytest.mark.parametrize(
    ("denied", "code"),
    [(Permission.VIEW_CHANNEL, 50001), (Permission.SEND_MESSAGES, 50013)],
)
async def test_missing_permissions_are_refused(
    denied: Permission, code: int, api: Api, playground: Playground, path: str
) -> None:
    channel = playground.channel("race-track")
    playground.allow(channel, deny=denied)
    status, body = await api.call("POST", path, v2(text("lobby")))
    assert (status, body["code"]) == (403, code)
    playground.allow(channel)
    assert (await api.call("POST", path, v2(text("lobby"))))[0] == 200


async def test_files_need_a_permission(api: Api, playground: Playground, path: str) -> None:
    playground.allow(playground.channel("race-track"), deny=Permission.ATTACH_FILES)
    status, body = await api.upload("POST", path, v2(IMAGE), ("table.png", PNG))
    assert (status, body["code"]) == (403, 50013)


async def test_a_player_does_not_see_a_closed_channel(playground: Playground) -> None:
    ada = playground.add_player("Ada")
    lounge = playground.channel("lounge")
    playground.owner.says("psst", channel=lounge)
    assert len(ada.messages(lounge)) == 1
    playground.allow(lounge, deny=Permission.VIEW_CHANNEL, player=ada)
    assert ada.messages(lounge) == []
    with pytest.raises(ValueError, match="cannot write"):
        ada.says("hello", channel=lounge)


async def test_messages_of_others_are_not_the_bots(api: Api, playground: Playground, path: str) -> None:
    message = playground.owner.says("mine")
    status, body = await api.call("PATCH", f"{path}/{message.id}", {"content": "yours"})
    assert (status, body["code"]) == (403, 50005)
    status, body = await api.call("DELETE", f"{path}/{message.id}")
    assert (status, body["code"]) == (403, 50013)
    playground.allow(playground.channel("race-track"), grant=Permission.MANAGE_MESSAGES)
    assert (await api.call("DELETE", f"{path}/{message.id}"))[0] == 204


async def test_an_enforced_nonce_posts_once(api: Api, clock: Clock, path: str) -> None:
    daily = {**v2(text("daily")), "nonce": "daily-1", "enforce_nonce": True}
    _, first = await api.call("POST", path, daily)
    _, second = await api.call("POST", path, daily)
    assert (first["id"], first["nonce"]) == (second["id"], "daily-1")
    _, third = await api.call("POST", path, {**daily, "enforce_nonce": False})
    assert third["id"] != first["id"]
    clock.ahead += 301
    _, fourth = await api.call("POST", path, daily)
    assert fourth["id"] not in (first["id"], third["id"])
    status, body = await api.call("POST", path, {**daily, "nonce": "x" * 26})
    assert (status, body["code"]) == (400, 50035)


async def test_ephemeral_is_for_interactions(api: Api, path: str) -> None:
    status, body = await api.call("POST", path, v2(text("psst"), flags=EPHEMERAL))
    assert (status, body["code"]) == (400, 50035)


async def test_private_messages(api: Api, playground: Playground) -> None:
    ada = playground.add_player("Ada")
    status, channel = await api.call("POST", "/users/@me/channels", {"recipient_id": str(ada.id)})
    assert (status, channel["type"]) == (200, 1)
    again = await api.call("POST", "/users/@me/channels", {"recipient_id": str(ada.id)})
    assert again[1]["id"] == channel["id"]
    path = f"/channels/{channel['id']}/messages"
    assert (await api.call("POST", path, v2(text("the race is over"))))[0] == 200
    assert len(ada.messages(ada.private)) == 1
    assert playground.owner.messages(ada.private) == []
    ada.user.accepts_messages = False
    status, body = await api.call("POST", path, v2(text("again")))
    assert (status, body["code"]) == (403, 50007)
    assert (await api.call("POST", "/users/@me/channels", {"recipient_id": "1"}))[0] == 400


async def test_files_are_served_and_kept_as_the_edit_says(
    api: Api, playground: Playground, path: str
) -> None:
    described = {"attachments": [{"id": "0", "description": "Cards"}]}
    status, body = await api.upload("POST", path, {**v2(IMAGE), **described}, ("table.png", PNG))
    assert status == 200
    attachment = body["attachments"][0]
    assert (attachment["width"], attachment["description"]) == (1, "Cards")
    media = body["components"][0]["items"][0]["media"]
    assert (media["attachment_id"], media["url"]) == (attachment["id"], attachment["url"])
    async with aiohttp.ClientSession() as session:
        async with session.get(attachment["url"]) as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", PNG)
        async with session.get(attachment["url"].partition("?")[0]) as answer:
            assert answer.status == 404
        one = f"{path}/{body['id']}"
        log = {"type": 13, "file": {"url": "attachment://log.html"}}
        edit = {"components": [IMAGE, log], "attachments": [{"id": attachment["id"]}, {"id": "0"}]}
        status, body = await api.upload("PATCH", one, edit, ("log.html", b"<script>"))
        assert status == 200
        assert [item["filename"] for item in body["attachments"]] == ["table.png", "log.html"]
        assert body["components"][1]["size"] == 8
        async with session.get(body["attachments"][1]["url"]) as answer:
            assert answer.content_type == "application/octet-stream"
            assert answer.headers["Content-Disposition"].startswith("attachment")
        edit = {"components": [log], "attachments": [{"id": body["attachments"][1]["id"]}]}
        assert (await api.call("PATCH", one, edit))[0] == 200
        async with session.get(attachment["url"]) as answer:
            assert answer.status == 404
        assert (await api.call("PATCH", one, {"components": [IMAGE]}))[1]["code"] == 50035
        assert (await api.call("PATCH", one, {"components": [text("x")], "attachments": []}))[0] == 200
    assert playground.world.files == {}


async def test_large_files_are_refused(api: Api, path: str) -> None:
    status, body = await api.upload("POST", path, v2(IMAGE), ("table.png", bytes(10 * 2**20 + 1)))
    assert (status, body["code"]) == (413, 40005)
    status, body = await api.upload("POST", path, v2(IMAGE), ("table.png", bytes(27 * 2**20)))
    assert (status, body["code"]) == (413, 40005)


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, {"user", "role", "everyone"}),
        ({"parse": []}, set()),
        ({"parse": ["users"]}, {"user"}),
        ({"parse": ["everyone"]}, {"everyone"}),
        ({"parse": [], "roles": ["role"]}, {"role"}),
    ],
)
async def test_allowed_mentions(
    allowed: dict[str, Any] | None, pinged: set[str], api: Api, playground: Playground, path: str
) -> None:
    ada = playground.add_player("Ada")
    role = next(role.id for role in playground.guild.roles.values() if role.name == "Moderator")
    numbers = {"user": ada.id, "role": role, "everyone": 0}
    if allowed and "roles" in allowed:
        allowed = {**allowed, "roles": [str(role)]}
    payload = {**v2(text(f"<@{ada.id}> <@&{role}> @everyone")), "allowed_mentions": allowed}
    _, body = await api.call("POST", path, payload)
    message = playground.world.messages[int(body["id"])]
    assert message.pinged == {numbers[name] for name in pinged}
    assert body["mention_everyone"] is ("everyone" in pinged)
    assert bool(body["mentions"]) is ("user" in pinged)


async def test_old_messages_can_be_edited_only_a_little(api: Api, clock: Clock, path: str) -> None:
    _, body = await api.call("POST", path, v2(text("lobby")))
    one = f"{path}/{body['id']}"
    clock.ahead += 3599
    for _ in range(5):
        assert (await api.call("PATCH", one, {"components": [text("x")]}))[0] == 200
    clock.ahead += 2
    answers = [await api.call("PATCH", one, {"components": [text("x")]}) for _ in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[-1][1]["code"] == 30046


async def test_edits_and_tokens_have_rate_limits(api: Api, clock: Clock, path: str) -> None:
    playground = api.playground
    playground.limits.enabled = True
    _, body = await api.call("POST", path, v2(text("lobby")))
    one = f"{path}/{body['id']}"
    answers = [await api.call("PATCH", one, {"components": [text("x")]}) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert 0 < answers[-1][1]["retry_after"] <= 5
    clock.ahead += 5
    assert (await api.call("PATCH", one, {"components": [text("x")]}))[0] == 200
    interaction = playground.owner.slash("play")
    await api.answer(interaction, 5)
    hook = api.hook(interaction, "@original")
    statuses = [(await api.call("PATCH", hook, v2(text("x"))))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]


async def test_requests_without_the_token_are_refused(api: Api, path: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.post(api.playground.api_url + path, json=v2(text("x"))) as answer,
    ):
        assert answer.status == 401
    async with (
        aiohttp.ClientSession(headers={"Authorization": "Bot toy"}) as session,
        session.post(api.playground.api_url + path, data=b"{") as answer,
    ):
        assert (answer.status, (await answer.json())["code"]) == (400, 50109)


async def test_v2_is_for_good(api: Api, path: str) -> None:
    _, body = await api.call("POST", path, v2(text("lobby")))
    one = f"{path}/{body['id']}"
    changes: list[dict[str, Any]] = [
        {"content": "x"},
        {"embeds": [{"title": "x"}]},
        {"flags": 0},
        {"components": []},
    ]
    for change in changes:
        status, answer = await api.call("PATCH", one, change)
        assert (status, answer["code"]) == (400, 50006 if "components" in change else 50035), change
    assert (await api.call("GET", one))[1]["components"] == body["components"]
    _, plain = await api.call("POST", path, {"content": "plain"})
    change = {"content": None, "flags": V2, "components": [text("rich")]}
    status, answer = await api.call("PATCH", f"{path}/{plain['id']}", change)
    assert (status, answer["flags"], answer["content"]) == (200, V2, "")
