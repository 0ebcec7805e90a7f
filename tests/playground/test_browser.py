"""The page in a real browser, with a toy bot behind it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, Route, async_playwright, expect

from bot.playground import Player, Playground
from tests.playground.conftest import Connect
from tests.playground.test_interactions import MODAL
from tests.playground.toy import EPHEMERAL, Api, ToyBot, button, row, text, v2

CHROMIUM = Path("/usr/bin/chromium")
WIDTHS = [390, 1100]

expect.set_options(timeout=30_000)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and not os.environ.get("CI"), reason=f"there is no Chromium at {CHROMIUM}"
    ),
]

SCRIPT = "<img src=x onerror=\"document.title='taken over'\">"
OPTIONS = [{"label": name, "value": name.lower()} for name in ("Emoji", "Picture", "Words")]
SELECT = {"type": 3, "custom_id": "style", "placeholder": "Board style", "options": OPTIONS}


@pytest_asyncio.fixture
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        await browser.close()


async def react(bot: ToyBot, interaction: discord.Interaction) -> None:
    """Shows a lobby for a command; each button of it does something else."""
    data: dict[str, Any] = dict(interaction.data or {})
    match data.get("custom_id"):
        case "silence":
            return
        case "form":
            await bot.api.answer(interaction, 9, MODAL)
        case "count":
            lines = text(f"## counted {len(bot.seen)}"), row(button("Count", "count", 1))
            await bot.api.answer(interaction, 7, {"components": [{"type": 17, "components": lines}]})
        case None:
            lines = (
                text(f"### Lobby of **{interaction.user.display_name}**\n{SCRIPT}"),
                row(button("Private", "private", 3), button("Form", "form"), button("Silence", "silence", 4)),
            )
            lobby = {"type": 17, "accent_color": 0x2F9D7C, "components": [*lines, row(SELECT)]}
            await bot.api.answer(interaction, 4, v2(lobby))
        case "private":
            lines = text("## nothing counted"), row(button("Count", "count", 1))
            board = v2({"type": 17, "components": lines}, flags=EPHEMERAL)
            await bot.api.answer(interaction, 4, board)
        case _:
            said = str(data.get("values") or data.get("components"))
            await bot.api.answer(interaction, 4, v2(text(f"got {said}"), flags=EPHEMERAL))


async def open_page(chromium: Browser, playground: Playground, player: Player | None, width: int) -> Page:
    """Returns the page of *player*; errors on its console fail the test."""
    context = await chromium.new_context(viewport={"width": width, "height": 800})
    page = await context.new_page()
    page.set_default_timeout(30_000)
    page.on("console", _complain)
    query = f"?player={player.id}" if player else ""
    await page.goto(playground.page_url + query)
    return page


def said(page: Page) -> Locator:
    """Returns the list of messages."""
    return page.get_by_role("list", name="Messages")


def _complain(message: ConsoleMessage) -> None:
    assert message.type != "error", message.text


@pytest.mark.parametrize("width", WIDTHS)
async def test_two_players_in_two_tabs(
    width: int, chromium: Browser, playground: Playground, start_bot: Connect
) -> None:
    bot = await start_bot(react)
    playground.interactions.deadline = 60.0
    ben = playground.add_player("Ben")
    first = await open_page(chromium, playground, None, width)
    await first.get_by_label("Or come as somebody new").fill("Ada")
    await first.get_by_role("button", name="Play", exact=True).click()
    second = await open_page(chromium, playground, ben, width)

    box = first.get_by_role("combobox", name="Message")
    await box.fill("/race ")
    await expect(first.get_by_role("option")).to_have_count(1)
    await first.keyboard.press("Enter")
    await first.keyboard.type("chess")
    await first.keyboard.press("Enter")
    await expect(first.get_by_role("alert").filter(has_text="choose one from the list")).to_be_visible()
    await first.keyboard.press("ControlOrMeta+A")
    await first.keyboard.type("str")
    await first.keyboard.press("Enter")
    await first.get_by_role("button", name="Add minutes").click()
    await first.keyboard.type("121")
    await first.keyboard.press("Enter")
    await expect(first.get_by_role("alert").filter(has_text="120 or less")).to_be_visible()
    await first.keyboard.press("Backspace")
    await first.keyboard.press("Enter")
    await expect(said(second).get_by_text("Lobby of Ada")).to_be_visible()
    await expect(said(second).get_by_text(SCRIPT)).to_be_visible()
    assert await second.title() == "Ben · Same Deal playground"

    await second.get_by_role("button", name="Private").click()
    twice = "button => { button.click(); button.click(); }"
    await second.get_by_role("button", name="Count").evaluate(twice)
    await expect(said(second).get_by_text("counted 3")).to_be_visible()
    await second.get_by_role("button", name="Count").press("Enter")
    await expect(said(second).get_by_text("counted 4")).to_be_visible()
    await expect(second.get_by_role("button", name="Count")).to_be_focused()
    assert len(bot.seen) == 4
    await expect(said(first).get_by_text("counted")).to_have_count(0)
    await second.get_by_role("button", name="Dismiss message").click()
    await expect(said(second).get_by_text("counted")).to_have_count(0)

    await second.get_by_role("button", name="Silence").click()
    await expect(second.locator("[aria-busy=true]")).to_have_count(1)
    async with asyncio.timeout(30):
        while len(bot.seen) < 5:  # noqa: ASYNC110
            await asyncio.sleep(0)
    playground.interactions._by_id[bot.seen[-1].id].settle(failed=True)  # as after three seconds
    await expect(said(second).get_by_text("This interaction failed")).to_be_visible()
    await second.get_by_role("combobox", name="Board style").click()
    await second.get_by_role("option", name="Words").click()
    await expect(said(second).get_by_text("got ['words']")).to_be_visible()

    await second.get_by_role("button", name="Form").click()
    dialog = second.get_by_role("dialog", name="Type moves")
    await dialog.get_by_role("textbox").fill("sw wt1")
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog).to_have_count(0)
    await expect(second.locator(".message").last).to_contain_text("sw wt1")
    for page in (first, second):
        widths = "[document.documentElement.scrollWidth, window.innerWidth]"
        whole, window = await page.evaluate(widths)
        assert whole <= window


async def test_times_are_told_in_the_language_of_the_player(
    chromium: Browser, playground: Playground
) -> None:
    ben = playground.add_player("Ben")
    playground.owner.says("<t:1767268800:D>")
    page = await open_page(chromium, playground, ben, 1100)
    await expect(said(page).get_by_text("January 1, 2026")).to_be_visible()
    await page.get_by_role("button", name="Switch").click()
    await page.get_by_label("Language of Discord").select_option("Deutsch")
    await page.get_by_role("button", name="Back").click()
    await expect(said(page).get_by_text("1. Januar 2026")).to_be_visible()


async def test_comes_back_after_a_lost_connection(
    chromium: Browser, playground: Playground, start_bot: Connect
) -> None:
    await start_bot(react)
    page = await open_page(chromium, playground, playground.owner, 1100)
    await expect(page.get_by_role("heading", name="Welcome to #race-track")).to_be_visible()
    for ws in tuple(playground._sockets):
        await ws.close()
    await asyncio.gather(playground.owner.slash("play"))
    await expect(said(page).get_by_text("Lobby of Robin")).to_be_visible()
    await expect(page.locator("#banner")).to_be_hidden()
    await page.keyboard.press("/")
    await expect(page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("combobox", name="Message").fill("/nonsense")
    await expect(page.get_by_text("No command fits")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="No command is called that")).to_be_visible()
    await expect(page.get_by_text("No command fits")).to_be_hidden()
    await page.get_by_role("combobox", name="Message").fill("plain **bold** text")
    await page.keyboard.press("Enter")
    await expect(page.locator(".message strong", has_text="bold")).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
async def test_a_picture_keeps_its_place_before_it_has_come(
    width: int, chromium: Browser, playground: Playground, api: Api
) -> None:
    """Otherwise the buttons of a board would jump at every press."""
    page = await open_page(chromium, playground, playground.owner, width)
    may_come = asyncio.Event()

    async def hold(route: Route) -> None:
        await may_come.wait()
        await route.continue_()

    await page.route("**/cdn/attachments/**", hold)
    channel = playground.channel("race-track")
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://table.png"}}]}
    for size in ((780, 572), (300, 900)):
        png = BytesIO()
        Image.new("L", size).save(png, "png")
        board = v2({"type": 17, "components": [gallery]})
        await api.upload("POST", f"/channels/{channel.id}/messages", board, ("table.png", png.getvalue()))
    pictures = page.locator(".tile img")
    await expect(pictures).to_have_count(2)
    sizes = "images => images.map(image => [image.complete, image.clientWidth, image.clientHeight])"
    before = await pictures.evaluate_all(sizes)
    may_come.set()
    await page.evaluate("() => Promise.all([...document.images].map((image) => image.decode()))")
    after = await pictures.evaluate_all(sizes)
    assert [complete for complete, *_ in before] == [False, False]
    assert [size for _, *size in after] == [size for _, *size in before]
    assert after[1][1:] == [140, 420]
    assert after[0][1] / after[0][2] == pytest.approx(780 / 572, rel=0.01)
