"""What is refused: a private sentence that says why, and nothing changed."""

from __future__ import annotations

import re

import pytest

from bot.store.database import Statement, UncertainError
from tests.discord.table import Table, ids_of, text_of, told


async def test_an_unknown_game_is_refused(table: Table) -> None:
    ann = table.player("ann")
    with pytest.raises(Exception, match="only allows"):
        await ann.slash(table.channel, "race new", game="chess")
    assert table.said() == []


@pytest.mark.parametrize("seed", ["   ", "a\u0007b", "x" * 65, "\ud7ff" + "\u0000"])
async def test_a_seed_that_names_no_deal_is_refused(table: Table, seed: str) -> None:
    ann = table.player("ann")
    result = await ann.slash(table.channel, "race new", game="links", seed=seed)
    assert "1 to 64 characters" in told(result)
    assert table.said() == []
    await table.open(ann)


async def test_a_second_join_is_refused(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    assert "already" in told(await bob.click(race.lobby, label="Join"))
    assert "already" in told(await ann.click(race.lobby, label="Join"))
    assert len((await table.bot.desk.races.find(race.id)).race.entrants) == 2


async def test_start_by_another_than_the_host_is_refused(table: Table) -> None:
    ann, bob, cid = table.player("ann"), table.player("bob"), table.player("cid")
    race = await table.open(ann)
    await race.join(bob)
    assert "Only the host may start" in told(await bob.click(race.lobby, label="Start"))
    assert "not in this race" in told(await cid.click(race.lobby, label="Start"))
    await table.env.advance_time(10)
    assert "Stock" not in race.board(bob)


async def test_presses_of_somebody_who_is_not_in_the_race_are_refused(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    for verb in ("ready", "unready", "leave", "board"):
        assert "not in this race" in told(await table.press_id(bob, f"r:{race.id}:{verb}"))
    for verb in ("cancel", "whom", "remove"):
        assert "Only the host" in told(await table.press_id(bob, f"r:{race.id}:{verb}"))
    assert (await table.bot.desk.races.find(race.id)).race.find(ann.id) is not None


async def test_joining_during_the_countdown_or_later_is_refused(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await ann.click(race.lobby, label="Start")
    assert "countdown" in told(await table.press_id(bob, f"r:{race.id}:join"))
    await table.env.advance_time(7)
    assert "running" in told(await table.press_id(bob, f"r:{race.id}:join"))
    assert "running" in told(await table.press_id(ann, f"r:{race.id}:start"))
    assert "running" in told(await table.press_id(ann, f"r:{race.id}:leave"))


async def test_one_live_race_a_server(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    refused = told(await ann.slash(table.channel, "race new", game="links"))
    assert f"<#{table.channel.id}>" in refused
    other = await table.open(bob)
    assert "live race" in told(await ann.click(other.lobby, label="Join"))
    assert "left" in told(await ann.slash(table.channel, "race leave"))
    await other.join(ann)
    await table.env.advance_time(10)
    assert "Cancelled" in text_of(race.lobby)


async def test_somebody_elses_board_says_whose_it_is(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob)
    for custom_id in ids_of(race.seats[ann.id]):
        assert f"<@{ann.id}>" in told(await table.press_id(bob, custom_id))
    assert (await race.attempt(ann)).seq == 0


async def test_a_stale_press_shows_the_board_and_changes_nothing(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="links")
    old = ids_of(race.seats[ann.id])
    await race.press(ann, "Deal (44)")
    before = await race.attempt(ann)
    for custom_id in old:
        shown = await table.press_id(ann, custom_id)
        assert shown.response is not None
        if not custom_id.endswith(":more"):
            assert "moved on" in text_of(shown.response)
    assert await race.attempt(ann) == before


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "b",
        "b:1",
        "b:1:0",
        "b:x:0:more",
        "b:1:-1:more",
        "b:99999999999999999999999:0:more",
        "b:9999999999999999999:0:more",
        "b:{attempt}:0:nonsense",
        "b:{attempt}:0:call",
        "b:{attempt}:0:call:zz",
        "b:{attempt}:0:call:t1t2",
        "b:{attempt}:0:pile:t99",
        "b:{attempt}:0:pile:t1:t99",
        "b:{attempt}:٣:more",
        "b:7:0:more",
        "r",
        "r:1:join",
        "r:{race}",
        "r:{race}:nonsense",
        "r:{race}:remove",
        "zz:1",
        "a:b:c:d:e:f",
    ],
)
async def test_a_tampered_custom_id_is_refused(table: Table, custom_id: str) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="tampered")  # in this deal t1t2 is no move
    before = await table.bot.desk.races.find(race.id)
    entrant = before.race.entrants[0]
    tampered = custom_id.format(attempt=entrant.attempt, race=race.id)
    sentence = told(await table.press_id(ann, tampered or ":"))
    assert re.search(
        r"no button of mine|not possible|no move there|do not know|know no such", sentence, re.I
    ), sentence
    assert (await race.attempt(ann)).seq == 0
    assert await table.bot.desk.races.find(race.id) == before


async def test_bots_cannot_play(table: Table) -> None:
    ann, robot = table.player("ann"), table.player("robot", bot=True)
    race = await table.open(ann)
    assert "Bots cannot play" in told(await table.press_id(robot, f"r:{race.id}:join"))


async def test_an_unexpected_error_carries_a_reference_that_is_in_the_log(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.player("ann")
    race = await table.open(ann)

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(table.bot.desk.races, "find", broken)
    sentence = told(await ann.click(race.lobby, label="Rules"))
    reference = re.search(r"`([0-9a-f]{8})`", sentence)
    assert reference is not None
    assert reference[1] in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("is_saved", [True, False])
async def test_of_a_press_that_may_have_been_saved_nothing_is_claimed(
    table: Table, monkeypatch: pytest.MonkeyPatch, is_saved: bool
) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links")
    db = table.bot.desk._db
    write = db.write

    async def lose(_: object, *statements: Statement) -> None:
        if is_saved:
            await write(*statements)
        raise UncertainError("the server was lost at the commit")

    with monkeypatch.context() as patch:
        patch.setattr(type(db), "write", lose)
        assert "cannot say whether this counted" in told(await race.press(ann, "Deal (44)"))
        opened = told(await ann.slash(table.channel, "settings"))
        assert "cannot say" not in opened, "what saves nothing is not concerned"
    await race.press(ann, "Deal (44)")
    assert ("1 move" in race.board(ann), "moved on" in race.board(ann)) == (True, is_saved)
