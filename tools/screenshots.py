"""``make screenshots``: boards of every game in every style, as the demo's page shows them, into ``screenshots/``.

Needs a Chromium (``CHROMIUM`` names it, ``/usr/bin/chromium`` if unset). The bot is the real one.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.async_api import Browser, Locator, Page, async_playwright

from bot.__main__ import migrations
from bot.app import SameDeal, point_at
from bot.playground import Playground
from bot.playground.models import Message
from bot.playground.player import Player
from bot.services.attempts import Wish
from bot.services.press import Press
from bot.snowflake import snowflake_at
from bot.store.attempts import Purpose
from bot.store.database import open_database
from bot.store.players import Style
from engine import Move
from tools.scenes import Scene, find_rules, play, scenes

SIZES = {"390": (390, 844, 2), "1100": (1100, 900, 1)}
"""Width and height of the window, and pixels of the picture per pixel of the window."""
Scheme = Literal["dark", "light"]
README = {"emoji": "links-3-picked", "image": "take-away-3-picked", "four": "one-handed-2-middle"}
"""The scenes that the README shows, by their style."""
README_FOLDER = Path("docs")
README_COLOURS = 112
DECODED = "Promise.all([...document.images].map((image) => image.decode())).then(() => true, () => false)"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


async def main() -> int:
    """Takes the screenshots whose names contain one of the words on the command line, all without."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__)
    parser.add_argument("words", nargs="*", help="only names that contain one of these")
    parser.add_argument("--folder", type=Path, default=Path("screenshots"))
    parser.add_argument("--scheme", choices=("dark", "light"), default="dark", help="the page's colours")
    parser.add_argument("--readme", action="store_true", help="take only the three pictures of the README")
    arguments = parser.parse_args()
    arguments.folder.mkdir(exist_ok=True)
    async with _bot() as (playground, bot), _chromium() as browser:
        artist = Artist(playground, bot, browser, arguments.folder, arguments.scheme)
        if arguments.readme:
            for style, scene in README.items():
                await artist.take(style, [f"{style}-{scene}"], alone=True)
            return 0
        for style in ("emoji", "four", "image", "text", "plain"):
            await artist.take(style, arguments.words)
    return 0


class Artist:
    """Takes the pictures, one style after the other."""

    def __init__(
        self, playground: Playground, bot: SameDeal, browser: Browser, folder: Path, scheme: Scheme
    ) -> None:
        self._playground = playground
        self._bot = bot
        self._browser = browser
        self._folder = folder
        self._scheme = scheme
        self._ids = itertools.count(snowflake_at(int(time.time() * 1000)))

    async def take(self, style: str, words: list[str], *, alone: bool = False) -> None:
        """Takes all scenes in one *style*: one of the player's, in four colours, or without the app's emoji.

        *alone*: only the boards themselves, small, on a phone, for the README.
        """
        wanted = [
            scene for scene in scenes() if not words or any(word in f"{style}-{scene.name}" for word in words)
        ]
        if style == "four":
            wanted = [scene for scene in wanted if "middle" in scene.name]
        if not wanted:
            return
        player = self._playground.add_player(style.title())
        if style == "plain":
            self._bot.desk.emoji.distrust()
        kept = Style(style) if style in list(Style) else Style.EMOJI
        await self._bot.desk.players.choose(self._press(player), style=kept, four_colours=style == "four")
        contexts = {
            size: await self._browser.new_context(
                viewport={"width": width, "height": height},
                device_scale_factor=scale,
                color_scheme=self._scheme,
            )
            for size, (width, height, scale) in SIZES.items()
        }
        pages = {size: await context.new_page() for size, context in contexts.items()}
        for page in pages.values():
            await page.goto(f"{self._playground.page_url}?player={player.id}")
        for scene in wanted:
            message = await self._show(player, scene)
            if alone:
                await self._cut_out(pages["390"], message, README_FOLDER / f"{style}-{scene.game}.png")
                continue
            for size, page in pages.items():
                await self._shoot(page, message, f"{style}-{scene.name}-{size}.png")
            player.dismiss(message)
        for context in contexts.values():
            await context.close()

    async def _show(self, player: Player, scene: Scene) -> Message:
        """Returns a private message of *player* that shows *scene*."""
        if scene.command:
            options = {"game": scene.game} if scene.command == "rules" else {}
            answered = await player.slash(scene.command, options)
            assert answered.message is not None
            return answered.message
        rules = find_rules(scene)
        attempts = self._bot.desk.attempts
        begin = self._press(player)
        record = await attempts.begin(begin, rules, scene.seed, purpose=Purpose.PRACTICE)
        moves = play(rules, scene.seed)[: scene.plies]
        if moves:
            played = await attempts.act(
                self._press(player), record.id, 0, lambda a, at: a.play_all(moves, at)
            )
            record = played.record
        opened = await player.slash("settings")
        message = opened.message
        assert message is not None
        for verb in scene.presses or ("back",):
            before = message.revision
            await player.press(message, f"b:{record.id}:{record.attempt.seq}:{verb}", force=True)
            await self._playground.signal.until(partial(_has_changed, message, before))
        return message

    def _press(self, player: Player) -> Press:
        return Press(next(self._ids), player.id, player.name)

    async def _cut_out(self, page: Page, message: Message, path: Path) -> None:
        """Takes a picture of the board alone, in few colours, so that the file stays small."""
        shown = await self._drawn(page, message)
        picture = Image.open(BytesIO(await shown.screenshot()))
        picture.convert("RGB").quantize(README_COLOURS).save(path, optimize=True)
        sys.stdout.write(f"{path}\n")

    async def _shoot(self, page: Page, message: Message, name: str) -> None:
        await self._drawn(page, message)
        await page.screenshot(path=self._folder / name)
        sys.stdout.write(f"{name}\n")

    async def _drawn(self, page: Page, message: Message) -> Locator:
        """Returns the container of *message* when it and all pictures of the page are there."""
        shown = page.locator(f'[data-id="{message.id}"] .container')
        await shown.wait_for()
        while not await page.evaluate(DECODED):
            pass  # a message was drawn anew meanwhile
        return shown


def _has_changed(message: Message, revision: int) -> bool:
    return message.revision > revision


def playing(moves: Sequence[Move]) -> Wish:
    """Returns the wish to play *moves*."""
    return lambda attempt, at: attempt.play_all(moves, at)


@asynccontextmanager
async def _bot() -> AsyncIterator[tuple[Playground, SameDeal]]:
    with tempfile.TemporaryDirectory(prefix="same-deal-") as folder:
        async with Playground() as playground:
            point_at(playground.api_url, playground.gateway_url)
            url = f"sqlite:///{folder}/screenshots.db"
            async with await open_database(url, migrations()) as db, SameDeal(db, background=False) as bot:
                ready = asyncio.Event()

                @bot.event
                async def on_ready() -> None:
                    ready.set()

                running = asyncio.create_task(bot.start("screenshots"))
                await ready.wait()
                await bot.desk.emoji.refresh()
                try:
                    yield playground, bot
                finally:
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def _chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        try:
            yield browser
        finally:
            await browser.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
