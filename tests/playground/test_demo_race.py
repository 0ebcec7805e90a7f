"""The demo as a visitor has it: the real bot in a process of its own, two players at their browsers, one race."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from bot.playground.strategy import cards_in, right_call

expect.set_options(timeout=60_000)

CHROMIUM = Path("/usr/bin/chromium")
ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and not os.environ.get("CI"), reason=f"there is no Chromium at {CHROMIUM}"
    ),
]

HEADINGS = """() => {
    const boards = [...document.querySelectorAll(".only-you")].filter((message) =>
        [...message.querySelectorAll("button")].some((button) => button.textContent === "Draw"));
    const cards = (node) => [...node.querySelectorAll("img")].map((image) => `<${image.alt}1>`).join("");
    const words = (node) => cards(node) + node.textContent;
    return [...(boards.at(-1)?.querySelectorAll(".h1, .h2, .h3") ?? [])].map(words);
}"""
"""Reads the headings of the player's board, cards as their markup."""


@pytest_asyncio.fixture
async def demo(tmp_path: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "demo", "--port", "0", "--no-rival", "--database", str(tmp_path / "demo.db")),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    yield process
    if process.returncode is None:
        process.kill()
        await process.communicate()


@pytest_asyncio.fixture
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        await browser.close()


async def enter(chromium: Browser, address: str, name: str, width: int) -> Page:
    """Returns the page of a new player with this name."""
    context = await chromium.new_context(viewport={"width": width, "height": 844})
    page = await context.new_page()
    page.set_default_timeout(60_000)
    await page.goto(address)
    await page.get_by_label("Or come as somebody new").fill(name)
    await page.get_by_role("button", name="Play", exact=True).click()
    return page


async def play(page: Page) -> None:
    """Calls what the fan asks for, until the board has no calls any more."""
    draw = page.get_by_role("button", name="Draw", exact=True)
    await expect(draw).to_be_enabled()
    for _ in range(200):
        headings: list[str] = await page.evaluate(HEADINGS)
        fans = [cards_in(heading) for heading in headings if cards_in(heading)]
        if not fans:
            return
        call = right_call(fans[-1][-4:], ["Draw", "Discard 2", "Discard 4"], stock_is_empty=False)
        await page.get_by_role("button", name=call, exact=True).last.click()
        await page.locator("[aria-busy=true]").first.wait_for(state="detached")
    pytest.fail("the race did not end")


async def test_two_visitors_race(demo: asyncio.subprocess.Process, chromium: Browser) -> None:
    assert demo.stdout is not None
    line = (await asyncio.wait_for(demo.stdout.readline(), 60)).decode()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address is not None, line
    host = await enter(chromium, address[0], "Hanna", 390)
    guest = await enter(chromium, address[0], "Gus", 1100)

    await host.get_by_role("button", name="/race new").click()
    await host.keyboard.type("One-Handed")
    await host.keyboard.press("Enter")
    await host.keyboard.press("Enter")
    await guest.get_by_role("button", name="Join", exact=True).click()
    await guest.get_by_role("button", name="Ready", exact=True).click()
    await host.get_by_role("button", name="Ready", exact=True).click()
    await asyncio.gather(play(host), play(guest))

    for page in (host, guest):
        result = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="result")).last
        await expect(result).to_contain_text("Hanna")
        await expect(result).to_contain_text("Gus")
        await expect(page.get_by_text("This interaction failed")).to_have_count(0)
    demo.send_signal(signal.SIGINT)
    _, complaints = await asyncio.wait_for(demo.communicate(), 60)
    assert (demo.returncode, complaints.decode()) == (0, "")
