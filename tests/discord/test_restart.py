"""Restarts lose nothing: every phase of a race goes on where it stood."""

from __future__ import annotations

import pytest

from bot.errors import UnavailableError
from bot.services.races import Races
from tests.discord.table import Table, forced_line, ids_of, text_of, told


async def test_a_restart_in_the_middle_of_a_race_loses_nothing(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob)
    attempt = await race.attempt(ann)
    line = forced_line(attempt.rules, attempt)
    await race.play(ann, line[:10])
    await race.play(bob, line[:5])
    board, before = race.board(ann), await race.attempt(ann)

    await table.restart()

    assert await race.attempt(ann) == before
    again = await ann.slash(table.channel, "board")
    assert again.response is not None
    assert text_of(again.response) == board
    await race.play(ann, line[10:])
    await race.play(bob, line[5:])
    await table.env.advance_time(10)
    assert "🥇" in text_of(table.last)


async def test_old_buttons_work_after_a_restart_and_hours_of_silence(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=120)
    await table.restart()
    await table.env.advance_time(110 * 60)
    await race.press(ann, "Deal (44)")
    assert "1 move" in race.board(ann)


async def test_a_countdown_goes_on_after_a_restart(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    await ann.click(race.lobby, label="Start")
    await table.restart()
    await table.env.advance_time(7)
    assert "Stock" in race.board(ann)
    assert "Stock" in race.board(bob)


async def test_a_lobby_goes_on_after_a_restart(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await table.restart()
    await race.join(bob)
    await race.start(ann, bob)
    assert "Stock" in race.board(bob)


async def test_a_result_that_was_not_sent_is_sent_after_a_restart(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann)
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    table.env.inject_error(
        "POST", "/channels/*/messages", status=403, times=2
    )  # with its picture, and without
    await race.press(ann, "Yes, give up")
    await table.env.advance_time(4)
    assert ": result" not in text_of(table.last)
    await table.restart()
    await table.env.advance_time(4)
    assert ": result" in text_of(table.last)
    await table.restart()
    await table.env.advance_time(4)
    assert sum(": result" in text_of(message) for message in table.said()) == 1


async def test_the_time_of_an_outage_is_given_back_and_said(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await table.tick()
    await table.env.advance_time(40)
    await table.restart()
    await table.env.advance_time(35)
    await table.tick()
    assert not (await race.attempt(ann)).is_over
    assert "The bot was away for 40 s" in text_of(race.lobby)
    await race.press(ann, "Deal (44)")
    await table.env.advance_time(40)
    await table.tick()
    assert (await race.attempt(ann)).is_over
    assert (await table.bot.desk.races.find(race.id)).race.standings[0].entrant.result is not None


async def test_the_time_of_an_outage_is_given_back_although_the_store_fails_at_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await table.tick()
    await table.env.advance_time(40)

    async def fail(*args: object) -> None:
        raise UnavailableError

    with monkeypatch.context() as failing:
        failing.setattr(Races, "lengthen", fail)
        await table.restart()
    await table.env.advance_time(35)
    await table.tick()
    assert not (await race.attempt(ann)).is_over
    assert "The bot was away for" in text_of(race.lobby)


async def test_races_over_their_time_are_ended_after_a_long_downtime(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    await table.tick()
    await table.env.advance_time(30)
    await table.tick()
    await table.env.advance_time(24 * 3600)
    await table.restart()
    await table.env.advance_time(40)
    await table.tick()
    await table.env.advance_time(8)
    assert "Time is up" in text_of(table.last)
    assert "not" in told(await table.press_id(ann, f"r:{race.id}:start")) or ids_of(race.lobby) == []
