"""The page's own connection and files: who may use them, what they show, what can be done through them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio

from bot.playground import Player, Playground
from bot.playground.web import PAGE
from tests.playground.conftest import Connect
from tests.playground.test_interactions import MODAL
from tests.playground.toy import EPHEMERAL, Api, ToyBot, button, command, option, row, text, v2


class Tab:
    """One tab of a browser, without the browser."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self._ws = ws
        self._number = 0
        self.events: list[dict[str, Any]] = []

    async def next(self, kind: str) -> dict[str, Any]:
        """Returns the next event of this kind; others are kept."""
        while True:
            event: dict[str, Any] = await self._ws.receive_json(timeout=30)
            if event["t"] == kind:
                return event
            self.events.append(event)

    async def does(self, op: str, **values: Any) -> dict[str, Any]:
        """Sends an operation and returns its answer, be it good or bad."""
        self._number += 1
        await self._ws.send_json({"op": op, "n": self._number, **values})
        while True:
            event: dict[str, Any] = await self._ws.receive_json(timeout=30)
            if event.get("n") == self._number:
                return event
            self.events.append(event)


class Browser:
    """Opens tabs."""

    def __init__(self, session: aiohttp.ClientSession, playground: Playground) -> None:
        self.session = session
        self.playground = playground
        self.origin = playground.page_url.rstrip("/")

    async def open(self, player: Player | None = None) -> tuple[Tab, dict[str, Any]]:
        """Returns a tab of *player* and what it shows at first."""
        query = f"?player={player.id}" if player else ""
        url = f"{self.playground.page_url}socket{query}"
        tab = Tab(await self.session.ws_connect(url, headers={"Origin": self.origin}))
        return tab, await tab.next("hello")


@pytest_asyncio.fixture
async def browser(playground: Playground) -> AsyncIterator[Browser]:
    async with aiohttp.ClientSession() as session:
        yield Browser(session, playground)


async def react(bot: ToyBot, interaction: discord.Interaction) -> None:
    """Answers with a private message; opens a form where asked to; leaves "silence" unanswered."""
    data: dict[str, Any] = dict(interaction.data or {})
    if interaction.type is discord.InteractionType.autocomplete:
        await bot.api.answer(interaction, 8, {"choices": [{"name": "Links", "value": "links"}]})
    elif data.get("custom_id") == "form":
        await bot.api.answer(interaction, 9, MODAL)
    elif data.get("custom_id") != "silence":
        buttons = row(button("Form", "form"), button("Silence", "silence"))
        said = f"hello <@{interaction.user.id}> {json.dumps(data.get('components', ''))}"
        payload = {**v2(text(said), buttons, flags=EPHEMERAL), "allowed_mentions": {"parse": ["users"]}}
        await bot.api.answer(interaction, 4, payload)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
    ],
)
async def test_foreign_pages_and_names_are_refused(headers: dict[str, str], browser: Browser) -> None:
    page = browser.playground.page_url
    for path in ("", "socket", "gateway", "api/v10/gateway", "page/app.js"):
        async with browser.session.get(page + path, headers=headers) as answer:
            assert answer.status == 403


async def test_the_socket_is_for_browsers(browser: Browser) -> None:
    async with browser.session.get(browser.playground.page_url + "socket") as answer:
        assert answer.status == 403


async def test_the_page_and_its_files(browser: Browser) -> None:
    async with browser.session.get(browser.playground.page_url) as answer:
        assert answer.content_type == "text/html"
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        html = await answer.text()
    for path in sorted(PAGE.iterdir()):
        async with browser.session.get(f"{browser.playground.page_url}page/{path.name}") as answer:
            assert answer.status == 200, path.name
    assert "https://" not in html
    for name in ("nothing.js", "..%2Fserver.py", "%2e%2e/server.py"):
        async with browser.session.get(f"{browser.playground.page_url}page/{name}") as answer:
            assert answer.status == 404


def test_the_page_builds_no_html_from_texts() -> None:
    for path in PAGE.glob("*.js"):
        source = path.read_text()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
            assert word not in source, path.name
        for line in source.splitlines():
            assert not line.startswith("import") or ' from "./' in line or ' "./' in line


async def test_a_new_tab_chooses_or_adds_a_player(browser: Browser) -> None:
    tab, hello = await browser.open()
    assert (hello["me"], [player["name"] for player in hello["players"]]) == (None, ["Robin"])
    assert (await tab.does("press", message="1", custom_id="x"))["error"] == "choose a player first"
    assert "1 to 32" in (await tab.does("add_player", name="  "))["error"]
    await tab._ws.send_json({"op": "add_player", "n": 9, "name": " Ada  Lovelace "})
    added = await tab.next("added")
    assert tab.events[-1]["players"][-1]["name"] == "Ada Lovelace"
    ada = browser.playground.player(int(added["id"]))
    _, hello = await browser.open(ada)
    assert hello["me"] == added["id"]
    assert [channel["name"] for channel in hello["channels"]][-1] == "Same Deal"
    assert [role["name"] for role in hello["roles"]] == ["@everyone", "Same Deal", "Moderator"]


async def test_a_player_presses_and_fills_in(browser: Browser, start_bot: Connect) -> None:
    playground = browser.playground
    await start_bot(react)
    ada = playground.add_player("Ada")
    tab, hello = await browser.open(ada)
    other, _ = await browser.open(playground.owner)
    channel = hello["channels"][0]["id"]
    names = {c["name"] for c in hello["commands"][channel]}
    assert names == {"race", "play"}
    answer = await tab.does("slash", channel=channel, path="race new", options={"game": "links"})
    assert (answer["t"], answer["type"]) == ("answer", 4)
    message = next(event["message"] for event in tab.events if event["t"] == "message")
    assert (message["only_you"], message["pinged"]) == (True, True)
    refused = await tab.does("slash", channel=channel, path="race new", options={"game": "poker"})
    assert refused["t"] == "refused"
    opened = await tab.does("press", message=message["id"], custom_id="form")
    assert (opened["type"], opened["form"]["title"]) == (9, "Type moves")
    wrong = await tab.does("submit", opener=opened["opener"], answers={"text": "x"})
    assert wrong["t"] == "refused"
    sent = await tab.does("submit", opener=opened["opener"], answers={"text": "sw wt1"})
    assert sent["type"] == 4
    assert any("sw wt1" in json.dumps(event) for event in tab.events)
    assert (await tab.does("submit", opener="1", answers={}))["t"] == "refused"
    assert (await tab.does("dismiss", message=message["id"]))["t"] == "done"
    assert any(event["t"] == "gone" and event["id"] == message["id"] for event in tab.events)
    assert (await other.does("press", message=message["id"], custom_id="form"))["t"] == "refused"
    assert (await other.does("say", channel=channel, text="hi"))["t"] == "done"
    assert [event["message"]["content"] for event in other.events if event["t"] == "message"] == ["hi"]
    _, again = await browser.open(ada)
    shown = [each["content"] for each in again["messages"][channel]]
    assert shown == ["", "hi"]


async def test_what_nobody_answers_fails(browser: Browser, start_bot: Connect) -> None:
    playground = browser.playground
    playground.interactions.deadline = 0.05
    await start_bot(react)
    ada = playground.add_player("Ada")
    tab, hello = await browser.open(ada)
    playground.interactions.deadline = 3.0
    interaction = await ada.slash("play")
    playground.interactions.deadline = 0.05
    answer = await tab.does("press", message=str(interaction.original_id), custom_id="silence")
    assert answer["t"] == "failed"
    assert hello["me"] == str(ada.id)


async def test_completion_language_and_lists(browser: Browser, api: Api, start_bot: Connect) -> None:
    playground = browser.playground
    await start_bot(react)
    ada = playground.add_player("Ada")
    tab, hello = await browser.open(ada)
    channel = hello["channels"][0]["id"]
    await api.register(command("find", option("word", autocomplete=True)))
    lists = await tab.next("lists")
    assert [c["name"] for c in lists["commands"][channel]] == ["find"]
    answer = await tab.does("complete", channel=channel, path="find", options={"word": "li"}, focused="word")
    assert answer["choices"] == [{"name": "Links", "value": "links"}]
    assert (await tab.does("locale", locale="de"))["t"] == "done"
    assert ada.user.locale == "de"
    assert (await tab.does("dance"))["t"] == "refused"


async def test_nonsense_ends_the_connection(browser: Browser) -> None:
    tab, _ = await browser.open(browser.playground.owner)
    await tab._ws.send_str("{")
    message = await tab._ws.receive(timeout=30)
    assert (message.type, message.data) == (aiohttp.WSMsgType.CLOSE, 1008)
