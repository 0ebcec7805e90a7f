"""Boards and emoji over real sockets: uploads within Discord's limits, pictures as multipart."""

from __future__ import annotations

import pytest

from bot import transport
from bot.playground import Fault, Player
from bot.playground.models import Message
from bot.render.art import EmojiArt, draw_emoji, emoji_names
from bot.render.palette import Colours
from bot.store.players import Style
from bot.views.faces import EmojiFaces
from tests.wire.conftest import Wire

UPLOAD = r"POST /applications/\d+/emojis"


async def test_the_emoji_are_uploaded_once_at_the_pace_that_discord_sets(wire: Wire) -> None:
    wire.discord.faults.add(Fault.rate_limited(UPLOAD, 0.05, times=2))
    assert await wire.bot.desk.emoji.refresh()
    uploads = wire.discord.record.find(UPLOAD)
    assert [each.status for each in uploads[:3]] == [429, 429, 201]
    assert len(uploads) == len(emoji_names()) + 2
    assert await wire.bot.desk.emoji.refresh()
    assert {each.name for each in wire.discord.world.emoji.values()} == set(emoji_names().values())
    assert all(isinstance(wire.bot.desk.emoji.faces(colours), EmojiFaces) for colours in Colours)
    assert max(len(each.data) for each in wire.discord.world.emoji.values()) < 256 * 1024


async def test_a_stop_waits_for_no_more_than_one_drawing(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(key: str) -> EmojiArt:
        drawn.append(key)
        return draw_emoji(key)

    monkeypatch.setattr("bot.emoji.draw_emoji", draw)
    wire.bot.desk.emoji.start()
    await wire.discord.signal.until(lambda: wire.discord.record.find(UPLOAD))
    await wire.bot.desk.emoji.close()
    assert 0 < len(drawn) <= len(wire.discord.record.find(UPLOAD)) + 1


async def choose(player: Player, style: Style) -> Message:
    """Lets *player* choose a style, and returns the page of the settings."""
    page = (await player.slash("settings")).message
    assert page is not None
    await player.select(page, "s:style", [style.value])
    return page


async def test_a_picture_follows_the_acknowledgement(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    page = await choose(ada, Style.IMAGE)
    assert [each.filename for each in page.attachments] == ["sample-c2.png"]
    board = (await wire.race(ada))[ada.id]
    assert board.attachments[0].filename.endswith("-0.png")
    pressed = await ada.press(board, "Deal (44)")
    assert pressed.type == 6
    await wire.discord.signal.until(lambda: board.attachments[0].filename.endswith("-1.png"))
    assert len(board.attachments) == 1
    assert board.attachments[0].data.startswith(b"\x89PNG")
    assert "Waste" in (board.attachments[0].description or "")


async def test_a_picture_that_was_lost_comes_with_the_next_press(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "LATER_PAUSES", (0.01,))
    ada = wire.discord.add_player("Ada")
    await choose(ada, Style.IMAGE)
    board = (await wire.race(ada))[ada.id]
    assert board.attachments[0].filename.endswith("-0.png")
    wire.discord.faults.add(Fault("PATCH /webhooks/.*@original", drop=True, times=2))
    await ada.press(board, "Deal (44)")
    await wire.discord.signal.until(lambda: not wire.discord.faults.pending)
    assert board.attachments[0].filename.endswith("-0.png")
    await ada.press(board, "Deal (44)")
    await wire.discord.signal.until(lambda: board.attachments[0].filename.endswith("-1.png"))
