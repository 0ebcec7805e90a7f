"""A player's settings: shown, chosen, kept."""

from __future__ import annotations

import pytest

from bot.services.players import FRESH
from bot.store import players as player_store
from bot.store.database import StoreError
from bot.store.players import Style, Taste
from tests.discord.table import Table, buttons_of, text_of, told


async def test_what_is_chosen_is_shown_and_outlives_a_restart(table: Table) -> None:
    ann = table.player("ann")
    shown = await ann.slash(table.channel, "settings")
    page = shown.response
    assert page is not None
    assert shown.ephemeral
    await ann.select(page, [Style.TEXT.value])
    assert "king of clubs" in text_of(page)
    await ann.click(page, label="Four colours")
    assert buttons_of(page)["Four colours"]["style"] == 3
    assert buttons_of(page)["Two colours"]["style"] == 2
    await table.restart()
    taste = await table.bot.desk.players.taste(ann.id, 0)
    assert taste == Taste(Style.TEXT, four_colours=True)
    again = await ann.slash(table.channel, "settings")
    assert again.response is not None
    assert text_of(again.response) == text_of(page)


async def test_a_picture_is_shown_as_a_sample_and_goes_again(table: Table) -> None:
    ann = table.player("ann")
    page = (await ann.slash(table.channel, "settings")).response
    assert page is not None
    await ann.select(page, [Style.IMAGE.value])
    assert [each.filename for each in page.attachments] == ["sample-c2.png"]
    await ann.click(page, label="Four colours")
    assert [each.filename for each in page.attachments] == ["sample-c4.png"]
    await ann.select(page, [Style.EMOJI.value])
    assert page.attachments == []


async def test_settings_of_others_stay_as_they_are(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    page = (await ann.slash(table.channel, "settings")).response
    assert page is not None
    await ann.select(page, [Style.TEXT.value])
    assert await table.bot.desk.players.tastes((ann.id, bob.id), 0) == {
        ann.id: Taste(Style.TEXT),
        bob.id: Taste(),
    }


async def test_what_another_process_changed_is_seen_within_a_minute(table: Table) -> None:
    ann = table.player("ann")
    players = table.bot.desk.players
    page = (await ann.slash(table.channel, "settings")).response
    assert page is not None
    await ann.select(page, [Style.TEXT.value])
    now = table.bot.desk.clock.now()
    await table.bot.desk._db.write(player_store.keep_style(ann.id, Style.IMAGE))
    assert (await players.taste(ann.id, now)).style is Style.TEXT
    assert (await players.taste(ann.id, now + FRESH)).style is Style.IMAGE


async def test_what_cannot_be_read_is_what_was_known_last(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    for player in (ann, bob):
        page = (await player.slash(table.channel, "settings")).response
        assert page is not None
        await player.select(page, [Style.TEXT.value])
    players, now = table.bot.desk.players, table.bot.desk.clock.now()
    players.forget(bob.id)
    text, usual = Taste(Style.TEXT), Taste()
    assert await players.taste(ann.id, now) == text

    async def fail(*_: object) -> None:
        raise StoreError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(player_store, "tastes", fail)
        assert await players.tastes((ann.id, bob.id), now + FRESH) == {ann.id: text, bob.id: usual}
    assert await players.tastes((ann.id, bob.id), now + FRESH) == {ann.id: text, bob.id: text}


async def test_no_press_reads_the_settings_anew(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links")
    await race.press(ann, "Deal (44)")

    async def never(*_: object) -> None:
        raise AssertionError("the settings were read")

    monkeypatch.setattr(player_store, "tastes", never)
    await race.press(ann, "Deal (43)")
    assert "2 moves" in race.board(ann)


@pytest.mark.parametrize("custom_id", ["s", "s:", "s:style", "s:nonsense", "s:three"])
async def test_a_tampered_choice_is_refused(table: Table, custom_id: str) -> None:
    ann = table.player("ann")
    assert "no button of mine" in told(await table.press_id(ann, custom_id))
    assert await table.bot.desk.players.taste(ann.id, 0) == Taste()


IN_SERVERS = {"race", "leaderboard", "moderate", "setup"}
"""Commands that need the bot in the server; all others work anywhere."""


async def test_commands_are_where_they_work(table: Table) -> None:
    for command in table.bot.tree.get_commands():
        made = command.to_dict(table.bot.tree)
        is_bound = command.name in IN_SERVERS
        assert made["contexts"] == ([0] if is_bound else [0, 1, 2]), command.name
        assert made["integration_types"] == ([0] if is_bound else [0, 1]), command.name
        manages = {"moderate", "setup"}
        assert (made.get("default_member_permissions") == 32) is (command.name in manages), command.name
