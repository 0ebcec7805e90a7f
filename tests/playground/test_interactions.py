"""Answers to interactions and the messages behind their tokens, refused and accepted as at Discord."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground import Interaction, Playground, UnansweredError, text_of
from tests.playground.toy import EPHEMERAL, V2, Api, Clock, button, command, option, row, text, v2

MODAL = {
    "custom_id": "moves",
    "title": "Type moves",
    "components": [
        {"type": 10, "content": "In the notation of the rules."},
        {
            "type": 18,
            "label": "Moves",
            "component": {"type": 4, "custom_id": "text", "style": 2, "min_length": 2, "max_length": 20},
        },
        {
            "type": 18,
            "label": "Speed",
            "component": {
                "type": 3,
                "custom_id": "speed",
                "required": False,
                "options": [
                    {"label": "Fast", "value": "f"},
                    {"label": "Slow", "value": "s", "default": True},
                ],
            },
        },
        {"type": 18, "label": "Sure?", "component": {"type": 23, "custom_id": "sure"}},
    ],
}


async def posted(api: Api, *, flags: int = 0) -> Interaction:
    """Returns an answered command whose message has a button."""
    interaction = api.playground.add_player("Ada").slash("play")
    status, _ = await api.answer(interaction, 4, v2(text("board"), row(button("Go", "go")), flags=flags))
    assert status == 200
    return interaction


async def test_answer_describes_the_message(api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    status, body = await api.answer(interaction, 4, v2(text("board"), flags=EPHEMERAL))
    assert status == 200
    about = body["interaction"]
    assert about["response_message_ephemeral"] is True
    message = body["resource"]["message"]
    assert about["response_message_id"] == message["id"]
    assert message["flags"] == V2 | EPHEMERAL
    assert message["interaction_metadata"]["name"] == "play"
    assert message["components"] == [{"type": 10, "id": 1, "content": "board"}]
    assert (await interaction).seconds is not None


async def test_answer_without_a_wish_for_it_says_nothing(api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    assert await api.call("POST", path, {"type": 5}) == (204, None)


async def test_second_answer_is_refused(api: Api) -> None:
    interaction = await posted(api)
    status, body = await api.answer(interaction, 4, v2(text("again")))
    assert (status, body["code"]) == (400, 40060)


async def test_late_answer_is_refused(api: Api, clock: Clock) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    clock.ahead += 3.1
    status, body = await api.answer(interaction, 4, v2(text("late")))
    assert (status, body["code"]) == (404, 10062)
    with pytest.raises(UnansweredError):
        await interaction


async def test_unknown_interaction_is_refused(api: Api) -> None:
    status, body = await api.call("POST", "/interactions/1/token/callback", {"type": 4})
    assert (status, body["code"]) == (404, 10062)


async def test_a_refused_answer_leaves_room_for_another(api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    status, body = await api.answer(interaction, 4, v2(text("x" * 4001)))
    assert (status, body["code"]) == (400, 50035)
    assert "_errors" in body["errors"]["data"]["components"]["0"]["content"]
    assert (await api.answer(interaction, 4, v2(text("x" * 4000))))[0] == 200


@pytest.mark.parametrize("kind", [6, 7, 8, 1, "4"])
async def test_commands_take_no_such_answer(kind: Any, api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    status, body = await api.answer(interaction, kind, v2(text("board")))
    assert (status, body["code"]) == (400, 50035)


async def test_tokens_die_after_fifteen_minutes(api: Api, clock: Clock) -> None:
    interaction = await posted(api)
    hook = api.hook(interaction, "@original")
    clock.ahead += 15 * 60 - 1
    assert (await api.call("PATCH", hook, {"components": [text("in time")]}))[0] == 200
    clock.ahead += 2
    status, body = await api.call("PATCH", hook, {"components": [text("too late")]})
    assert (status, body["code"]) == (401, 50027)
    ada = api.playground.player(interaction.user.id)
    assert interaction.message is not None
    pressed = ada.press(interaction.message, "go", force=True)
    assert (await api.answer(pressed, 6))[0] == 200
    status, _ = await api.call("PATCH", api.hook(pressed, "@original"), {"components": [text("renewed")]})
    assert (status, text_of(interaction.message)) == (200, "renewed")


async def test_unanswered_and_unknown_tokens_have_no_webhook(api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    for path in (api.hook(interaction, "@original"), f"/webhooks/{api.playground.world.bot.id}/abc"):
        status, body = await api.call("POST" if path.endswith("abc") else "GET", path, v2(text("x")))
        assert (status, body["code"]) == (404, 10015)


async def test_a_deferred_answer_is_filled_in(api: Api) -> None:
    ada = api.playground.add_player("Ada")
    interaction = ada.slash("play")
    _, body = await api.answer(interaction, 5, {"flags": EPHEMERAL})
    assert body["interaction"]["response_message_loading"] is True
    assert (await interaction).message is not None
    assert interaction.message is not None
    assert interaction.message.loading
    status, body = await api.call("PATCH", api.hook(interaction, "@original"), v2(text("done")))
    assert (status, body["flags"], body["edited_timestamp"]) == (200, V2 | EPHEMERAL, None)
    assert not interaction.message.loading


async def test_the_first_follow_up_of_a_deferred_answer_fills_it_in(api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    await api.answer(interaction, 5)
    status, body = await api.call("POST", api.hook(interaction), v2(text("done"), flags=EPHEMERAL))
    assert (status, int(body["id"]), body["flags"]) == (200, interaction.original_id, V2)


async def test_follow_ups_are_private_to_their_player_and_token(api: Api, playground: Playground) -> None:
    interaction = await posted(api)
    ada, ben = playground.player(interaction.user.id), playground.add_player("Ben")
    _, body = await api.call("POST", api.hook(interaction), v2(text("secret"), flags=EPHEMERAL))
    secret = playground.world.messages[int(body["id"])]
    assert secret in ada.messages()
    assert secret not in ben.messages()
    assert (await api.call("GET", api.hook(interaction, secret.id)))[0] == 200
    other = ben.slash("play")
    await api.answer(other, 4, v2(text("board")))
    for path in (api.hook(other, secret.id), f"/channels/{secret.channel_id}/messages/{secret.id}"):
        status, body = await api.call("GET", path)
        assert (status, body["code"]) == (404, 10008)
    with pytest.raises(ValueError, match="does not see"):
        ben.press(secret, "go")
    ada.dismiss(secret)
    assert secret not in ada.messages()
    assert (await api.call("DELETE", api.hook(interaction, secret.id)))[0] == 204
    status, body = await api.call("PATCH", api.hook(interaction, secret.id), v2(text("x")))
    assert (status, body["code"]) == (404, 10008)


async def test_an_update_changes_the_pressed_message(api: Api, playground: Playground) -> None:
    interaction = await posted(api, flags=EPHEMERAL)
    assert interaction.message is not None
    ada = playground.player(interaction.user.id)
    pressed = ada.press(interaction.message, "Go")
    status, body = await api.answer(pressed, 7, {"components": [text("moved")]})
    assert (status, body["resource"]["message"]["id"]) == (200, str(interaction.message.id))
    assert text_of(interaction.message) == "moved"
    assert interaction.message.is_v2
    with pytest.raises(ValueError, match="has no 'Go'"):
        ada.press(interaction.message, "Go")
    assert ada.press(interaction.message, "go", force=True).data["custom_id"] == "go"


async def test_a_form_is_filled_in_and_submitted(api: Api, playground: Playground) -> None:
    interaction = await posted(api)
    ada = playground.player(interaction.user.id)
    assert interaction.message is not None
    opener = ada.press(interaction.message, "go")
    assert (await api.answer(opener, 9, MODAL))[0] == 200
    await opener
    with pytest.raises(ValueError, match="2 to 20"):
        ada.submit(opener, {"text": "s"})
    with pytest.raises(ValueError, match="does not offer"):
        ada.submit(opener, {"text": "sw", "speed": ["x"]})
    with pytest.raises(ValueError, match="no field"):
        ada.submit(opener, {"txt": "sw"})
    sent = ada.submit(opener, {"text": "sw wt1"})
    assert sent.payload["message"]["id"] == str(interaction.message.id)
    fields = [item.get("component") for item in sent.data["components"]]
    assert fields[1] == {"type": 4, "id": 102, "custom_id": "text", "value": "sw wt1"}
    assert (fields[2]["values"], fields[3]["value"]) == (["s"], False)
    assert (await api.answer(sent, 7, {"components": [text("typed")]}))[0] == 200


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"title": "x" * 46}, ["title"]),
        ({"custom_id": ""}, ["custom_id"]),
        ({"components": []}, ["components"]),
        ({"components": [text("x")] * 6}, ["components"]),
        ({"components": [{**MODAL["components"][1], "label": "x" * 46}]}, ["components", "0", "label"]),  # type: ignore[dict-item]
        ({"components": [row(button("Go", "go"))]}, ["components", "0"]),
    ],
)
async def test_forms_have_limits(changes: dict[str, Any], path: list[str], api: Api) -> None:
    interaction = api.playground.add_player("Ada").slash("play")
    status, body = await api.answer(interaction, 9, {**MODAL, **changes})
    assert (status, body["code"]) == (400, 50035)
    errors = body["errors"]["data"]
    for part in path:
        errors = errors[part]
    assert errors


async def test_completion(api: Api, playground: Playground) -> None:
    await api.register(command("play", option("game", autocomplete=True, required=True)))
    ada = playground.add_player("Ada")
    asked = ada.autocomplete("play", {"game": "li"}, "game")
    assert asked.data["options"] == [{"type": 3, "name": "game", "value": "li", "focused": True}]
    choices = [{"name": "Links", "value": "links"}]
    status, body = await api.answer(asked, 8, {"choices": choices * 26})
    assert (status, body["code"]) == (400, 50035)
    assert (await api.answer(asked, 8, {"choices": choices}))[0] == 200
    assert (await asked).answer["choices"] == choices


async def test_commands_are_checked_as_a_client_checks_them(api: Api, playground: Playground) -> None:
    choices = [{"name": "Links", "value": "links"}]
    new = option("new", 1, options=[option("game", choices=choices), option("minutes", 4, max_value=120)])
    await api.register(command("race", new), command("setup", default_member_permissions="32", contexts=[0]))
    ada = playground.add_player("Ada")
    for path, options, complaint in [
        ("chess", {}, "no command /chess"),
        ("race", {}, "needs a subcommand"),
        ("race old", {}, "no 'old'"),
        ("race new", {"game": "poker"}, "does not offer"),
        ("race new", {"minutes": 121}, "above 120"),
        ("race new", {"minutes": 1.5}, "takes a number"),
        ("race new", {"colour": "red"}, "no option"),
        ("setup", {}, "no command /setup"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            ada.slash(path, options)  # type: ignore[arg-type]
    sent = ada.slash("race new", {"game": "poker"}, force=True)
    assert sent.metadata["name"] == "race new"
    assert sent.data["options"][0]["options"] == [{"type": 3, "name": "game", "value": "poker"}]
    moderator = playground.add_player("Mo", moderator=True)
    assert moderator.slash("setup").payload["member"]["permissions"]
    with pytest.raises(ValueError, match="no command /setup"):
        moderator.slash("setup", channel=moderator.private)


async def test_private_conversations_have_no_member(api: Api, playground: Playground) -> None:
    ada = playground.add_player("Ada", locale="de")
    sent = ada.slash("play", channel=ada.private)
    assert sent.payload["context"] == 1
    assert sent.payload["user"]["id"] == str(ada.id)
    assert sent.payload["locale"] == "de"
    assert "guild_id" not in sent.payload


async def test_users_are_resolved(api: Api, playground: Playground) -> None:
    await api.register(command("profile", option("user", 6)))
    ada, ben = playground.add_player("Ada"), playground.add_player("Ben")
    sent = ada.slash("profile", {"user": ben.id})
    assert sent.data["options"][0]["value"] == str(ben.id)
    assert sent.data["resolved"]["users"][str(ben.id)]["global_name"] == "Ben"
    assert "user" not in sent.data["resolved"]["members"][str(ben.id)]


async def test_roles_are_resolved(api: Api, playground: Playground) -> None:
    await api.register(command("setup", option("role", 8)))
    role = next(each for each in playground.guild.roles.values() if each.name == "Moderator")
    sent = playground.owner.slash("setup", {"role": role.id})
    assert sent.data["resolved"]["roles"][str(role.id)]["name"] == "Moderator"
    _, answer = await api.answer(sent, 4, v2(row({"type": 6, "custom_id": "who"})))
    shown = playground.world.message(int(answer["resource"]["message"]["id"]))
    chosen = playground.owner.select(shown, "who", [role.id])
    assert chosen.data["resolved"]["roles"][str(role.id)]["name"] == "Moderator"


async def test_old_interactions_are_kept_without_their_payloads(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.playground.interactions._WHOLE", 1)
    monkeypatch.setattr("bot.playground.interactions._KEPT", 2)
    old, newer, newest = [await posted(api) for _ in range(3)]
    assert (old.payload, newer.answer) == ({}, {})
    assert newest.payload
    with pytest.raises(ValueError, match="is forgotten"):
        api.playground.redeliver(newer)
    assert (await api.call("GET", api.hook(newer, "@original")))[0] == 200
    assert (await api.call("GET", api.hook(old, "@original")))[1]["code"] == 10015


async def test_old_messages_are_forgotten(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.playground.world.MESSAGES_KEPT", 2)
    old, *_ = [await posted(api) for _ in range(3)]
    assert old.message is None
    assert len(api.playground.owner.messages()) == 2
