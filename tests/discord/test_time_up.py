"""Boards on which a time limit has run out say so by themselves, as far as their messages can be edited."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot import respond
from bot.store.database import StoreError
from bot.store.players import Style
from bot.store.races import TOKEN_LIFE, RaceRecord
from engine.race import GRACE
from tests.discord.table import Seated, Table, buttons_of, text_of, told
from tests.discord.test_board import choose


def edits(table: Table, since: int = 0) -> list[str]:
    """Returns the tokens through which the bot has tried to edit private messages, oldest first."""
    requests = table.env.http_requests[since:]
    return [
        each.path.split("/")[-3] for each in requests if each.method == "PATCH" and "/webhooks/" in each.path
    ]


def is_played_on(race: Seated, player: MemberActor) -> bool:
    """Tells whether the board of *player* looks as if it could be played on."""
    return bool(buttons_of(race.seats[player.id])) and "Time is up" not in race.board(player)


def is_closed(race: Seated, player: MemberActor) -> bool:
    """Tells whether the board of *player* says that time is up, and has no button left."""
    return "Time is up" in race.board(player) and not buttons_of(race.seats[player.id])


async def pass_limit(race: Seated, seconds: float = 4) -> None:
    """Has the bot do what is due *seconds* after the time limit of *race*."""
    desk, env = race.table.bot.desk, race.table.env
    deadline = (await desk.races.find(race.id)).race.deadline
    assert deadline is not None
    await env.advance_time((deadline - desk.discord_now()) / 1000 + seconds)
    await race.table.tick()


async def test_boards_close_by_themselves_when_their_time_is_up(table: Table) -> None:
    ann, bob, cyd = table.player("ann"), table.player("bob"), table.player("cyd")
    await choose(table, bob, Style.IMAGE)
    race = await table.race(ann, bob, cyd, game="links", minutes=1)
    await race.press(ann, "Deal (44)")
    for label in ("More", "Forfeit", "Yes, give up"):
        await race.press(cyd, label)
    done = race.board(cyd)
    assert len(table.bot.desk.seats._open) == 2, "only boards that are played on are kept in mind"
    await pass_limit(race, 2)
    assert is_played_on(race, ann), "a press that was made in time may still arrive"
    since = len(table.env.http_requests)
    await pass_limit(race)
    assert is_closed(race, ann)
    assert is_closed(race, bob)
    assert len(race.seats[bob.id].attachments) == 1
    assert "As soon as everybody is done" in race.board(bob)
    assert race.board(cyd) == done
    await pass_limit(race, 5)
    assert len(edits(table, since)) == 2, "once each, and never that of one who was done before"
    assert not table.bot.desk.seats._open


@pytest.mark.parametrize("way", [("More",), ("More", "Forfeit"), ("More", "Back to the board")])
async def test_pages_behind_a_board_close_too(table: Table, way: tuple[str, ...]) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=20)
    await table.env.advance_time(10 * 60)
    for label in way:
        await race.press(ann, label)
    await pass_limit(race)
    assert is_closed(race, ann)


async def test_the_board_that_was_asked_for_last_is_the_one_that_closes(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    again = await ann.slash(table.channel, "board")
    assert again.response is not None
    await ann.click(again.response, label="More")
    rules = await ann.click(again.response, label="Rules")
    await pass_limit(race)
    assert is_played_on(race, ann)
    assert "Time is up" in text_of(again.response)
    assert "Time is up" not in told(rules)


async def test_a_board_in_a_message_of_its_own_does_not_close_the_message_that_was_pressed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a late answer had to be announced, the token of a new board is that of the public message."""
    desk = table.bot.desk
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    found = desk.races.find

    async def slow(race: int) -> RaceRecord:
        await asyncio.sleep(0.05)
        return await found(race)

    with monkeypatch.context() as patch:
        patch.setattr(respond, "PATIENCE", 0.01)
        patch.setattr(desk.races, "find", slow)
        again = await ann.click(race.lobby, label="Open my board")
    assert len(again.followups) == 1
    await pass_limit(race)
    assert is_closed(race, ann)
    assert "**Finished.**" in text_of(race.lobby)


async def test_a_message_whose_token_is_dead_is_left_alone(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="links", minutes=16)
    await table.env.advance_time(5 * 60)
    await race.press(ann, "Deal (44)")
    await table.env.advance_time(TOKEN_LIFE / 1000 - 5 * 60)
    await table.tick()
    assert len(table.bot.desk.seats._open) == 1
    since = len(table.env.http_requests)
    await pass_limit(race)
    assert is_closed(race, ann)
    assert is_played_on(race, bob)
    assert len(edits(table, since)) == 1
    await race.press(bob, "Deal (44)")
    assert is_closed(race, bob), "the next press tells"


async def test_a_message_that_discord_does_not_edit_keeps_no_other_from_it(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="links", minutes=1)
    since = len(table.env.http_requests)
    table.env.inject_error("PATCH", "/webhooks/*", status=404, code=10008)
    await pass_limit(race)
    assert sorted([is_closed(race, ann), is_closed(race, bob)]) == [False, True]
    await pass_limit(race, 5)
    assert len(edits(table, since)) == 2


async def test_a_board_whose_limit_is_longer_by_an_outage_closes_later(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await table.env.advance_time(10)
    table.bot.desk.lost(0)
    await table.env.advance_time(20)
    await table.bot.desk.back(0, 1)
    since = len(table.env.http_requests)
    await pass_limit(race, -20 + 4)
    await pass_limit(race, 2)
    assert is_played_on(race, ann)
    assert not edits(table, since)
    await pass_limit(race)
    assert is_closed(race, ann)


async def test_each_process_closes_the_boards_that_it_has_shown(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here another one has the jobs, and ends the attempt only after this one has looked."""
    desk = table.bot.desk

    async def has_no_jobs() -> bool:
        return False

    monkeypatch.setattr(desk.fleet, "has_jobs", has_no_jobs)
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await pass_limit(race)
    assert is_played_on(race, ann)
    await desk.races.close_overdue(desk.discord_now())
    await table.tick()
    assert is_closed(race, ann)


async def test_a_database_that_does_not_answer_delays_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = table.bot.desk
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)

    async def fails(attempt: int) -> None:
        raise StoreError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(desk.attempts, "find", fails)
        await pass_limit(race)
    assert is_played_on(race, ann)
    await table.tick()
    assert is_closed(race, ann)


async def test_a_picture_that_comes_late_does_not_bring_the_buttons_back(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press made in time whose picture is drawn while the board is closed: the next tick closes it again."""
    desk = table.bot.desk
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await choose(table, ann, Style.IMAGE)
    drawn = desk.boards.draw

    async def late(*of: Any) -> Any:
        monkeypatch.setattr(desk.boards, "draw", drawn)
        picture = await drawn(*of)
        with monkeypatch.context() as patch:
            over = desk.clock.now() + 60_000 + GRACE
            patch.setattr(desk, "discord_now", lambda: over)
            await desk.tick()
            await asyncio.gather(*desk.seats._telling)
        assert is_closed(race, ann)
        return picture

    monkeypatch.setattr(desk.boards, "draw", late)
    await race.press(ann, "Deal (44)")
    assert is_played_on(race, ann)
    await pass_limit(race)
    assert is_closed(race, ann)
