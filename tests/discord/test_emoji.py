"""The app's emoji: uploaded once, known again, replaced, and done without."""

from __future__ import annotations

import asyncio

import pytest
from discord import HTTPException

from bot import emoji as emoji_module
from bot.render.art import emoji_names, key_of_name
from bot.render.palette import Colours
from bot.views.faces import CodeFaces, EmojiFaces
from tests.discord.table import Table, text_of


async def refresh(table: Table) -> bool:
    """Lets the bot bring its emoji up to date, as it does in the background outside of tests."""
    with table.env._bot_scope():
        task = asyncio.create_task(table.bot.desk.emoji.refresh())
    await table.env.settle(timeout=20)
    return await task


def emoji_of(table: Table) -> dict[str, int]:
    """Returns the ids of the app's emoji by their names."""
    return {each.name: each.id for each in table.env.backend.application_emojis.values()}


def uploads(table: Table) -> int:
    """Returns how many emoji have been uploaded."""
    return sum(
        request.method == "POST" and request.path.endswith("/emojis") for request in table.env.http_requests
    )


async def test_boards_are_text_until_the_emoji_are_there_and_emoji_from_then_on(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links")
    assert "<:" not in race.board(ann)
    assert "`" in race.board(ann)
    assert await refresh(table)
    assert set(emoji_of(table)) == set(emoji_names().values())
    await race.press(ann, "Deal (44)")
    assert "<:c2_" in race.board(ann)
    assert "`" not in race.board(ann)


async def test_a_restart_uploads_nothing_again(table: Table) -> None:
    await refresh(table)
    before = uploads(table)
    assert before == len(emoji_names())
    await table.restart()
    assert isinstance(table.bot.desk.emoji.faces(Colours.TWO), CodeFaces)
    assert await refresh(table)
    assert uploads(table) == before
    assert isinstance(table.bot.desk.emoji.faces(Colours.FOUR), EmojiFaces)


async def test_changed_art_is_replaced_and_other_emoji_are_left_alone(table: Table) -> None:
    backend = table.env.backend
    backend.create_application_emoji("partyparrot")
    backend.create_application_emoji("c2_KS_0000")
    assert key_of_name("c2_KS_0000") == "c2_KS"
    assert await refresh(table)
    names = set(emoji_of(table))
    assert "partyparrot" in names
    assert "c2_KS_0000" not in names
    assert emoji_names()["c2_KS"] in names


async def test_no_room_left_means_text_and_no_upload(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emoji_module, "MOST", len(emoji_names()))
    table.env.backend.create_application_emoji("partyparrot")
    assert not await refresh(table)
    assert uploads(table) == 0
    assert isinstance(table.bot.desk.emoji.faces(Colours.TWO), CodeFaces)


async def test_an_upload_that_is_refused_is_taken_up_later(table: Table) -> None:
    table.env.inject_error("POST", "/applications/*/emojis", status=500)
    with pytest.raises(HTTPException):
        await refresh(table)
    assert await refresh(table)


async def test_the_two_colour_deck_is_usable_before_the_other_is_there(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, bool]] = []
    upload = table.bot.desk.emoji._upload

    async def watched(art):  # type: ignore[no-untyped-def]
        faces = table.bot.desk.emoji.faces
        seen.append(tuple(isinstance(faces(each), EmojiFaces) for each in Colours))  # type: ignore[arg-type]
        return await upload(art)

    monkeypatch.setattr(table.bot.desk.emoji, "_upload", watched)
    await refresh(table)
    assert seen[0] == (False, False)
    assert seen[-1] == (True, False)


async def test_a_deleted_emoji_costs_no_press(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.player("ann")
    await refresh(table)
    race = await table.race(ann, game="take-away")
    table.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=50035, times=1)
    attempt = await race.attempt(ann)
    entrant = (await table.bot.desk.races.find(race.id)).race.entrants[0]
    await ann.click(race.seats[ann.id], custom_id=f"b:{entrant.attempt}:{attempt.seq}:pile:t1")
    assert (await race.attempt(ann)).seq == 1
    assert "51 cards left" in text_of(race.seats[ann.id])
    assert "<:" not in race.board(ann)
    assert await refresh(table)
    await ann.click(race.seats[ann.id], label="Undo")
    assert "<:c2_" in race.board(ann)
