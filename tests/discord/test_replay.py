"""Replays as players see them: step by step, side by side, by themselves, as a film."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from bot import respond
from bot.views.payload import Message
from bot.views.replay import replay_id
from tests.discord.standings import button_with, choices_of, choose, forfeit, menu_with, parts_of, press
from tests.discord.table import Seated, Table, buttons_of, forced_line, text_of, told


async def short_race(table: Table, seed: str = "friday") -> Seated:
    """Returns a finished race of ann and bob: a wrong call, six moves, then both give up."""
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, seed=seed)
    attempt = await race.attempt(ann)
    line = forced_line(attempt.rules, attempt)[:6]
    wrong = next(move for move in attempt.rules.calls if not attempt.rules.is_legal(attempt.state, move))
    await ann.click(race.seats[ann.id], custom_id=f"b:{await name_of(race, ann.id)}:0:call:{wrong}")
    for player in (ann, bob):
        await table.env.advance_time(3)
        await race.play(player, line)
        await forfeit(race, player)
    await table.env.advance_time(8)
    return race


async def opened(race: Seated, player: MemberActor) -> ResponseMessage:
    """Returns the replay of the winner, which *player* asked for."""
    response = (await player.slash(race.table.channel, "replay", race=str(race.id))).response
    assert response is not None
    return response


async def name_of(race: Seated, player: int) -> int:
    """Returns the name of *player*'s attempt."""
    entrant = (await race.table.bot.desk.races.find(race.id)).race.find(player)
    assert entrant is not None
    return entrant.attempt


async def test_a_replay_is_stepped_through_jumped_in_and_read(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    assert "replay of ann" in text_of(shown)
    assert "**The deal**, before the first move" in text_of(shown)
    assert buttons_of(shown)["Play"]
    await press(cid, shown, "v:on:")
    assert "**Step 1 of 8**" in text_of(shown)
    assert "❌ wrong call" in text_of(shown)
    await press(cid, shown, "v:on:")
    assert "-# 1 · " in text_of(shown)
    assert "· 1 move · 1 mistake" in text_of(shown)
    await press(cid, shown, "v:last:")
    assert "🏁 given up" in text_of(shown)
    await press(cid, shown, "v:back:")
    assert "**Step 7 of 8**" in text_of(shown)
    choices = choices_of(menu_with(shown, "v:jump:"))
    assert len(choices) == 9
    await choose(cid, shown, "v:jump:", "0")
    assert "**The deal**" in text_of(shown)
    assert all(each.get("disabled") is True for each in parts_of(shown, 2) if ":first:" in each["custom_id"])


async def test_old_replays_work_after_a_restart_and_hours_of_silence(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    await table.restart()
    await table.env.advance_time(5 * 3600)
    await press(cid, shown, "v:last:")
    assert "**Step 8 of 8**" in text_of(shown)


async def test_the_result_opens_the_replay_of_the_winner_and_of_all_others(table: Table) -> None:
    await short_race(table)
    cid = table.player("cid")
    opened = await cid.click(table.last, label="Replay")
    assert opened.ephemeral
    shown = opened.response
    assert "replay of" in text_of(shown)
    (name, other) = next(iter(choices_of(menu_with(shown, "v:watch:")).items()))
    await choose(cid, shown, "v:watch:", other)
    assert f"replay of {name.split('. ')[1]}" in text_of(shown)


async def test_two_attempts_side_by_side(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    await choose(cid, shown, "v:pair:", next(iter(choices_of(menu_with(shown, "v:pair:")).values())))
    assert "two replays" in text_of(shown)
    menus = [each["custom_id"].split(":")[1] for each in parts_of(shown, 3)]
    assert menus == ["jump"], "there is nobody else to compare with"
    assert "**1** ann" in text_of(shown)
    assert "**2** bob" in text_of(shown)
    (picture,) = parts_of(shown, 12)
    assert picture["items"][0]["description"].startswith("1, left: ")
    await press(cid, shown, "v:last:")
    assert "**Step 15 of 15**" in text_of(shown)
    await cid.click(shown, label="Only bob")
    assert "replay of bob" in text_of(shown)
    assert "**Step 7 of 7**" in text_of(shown)
    assert parts_of(shown, 12) == []


async def test_a_replay_plays_by_itself_until_it_is_stopped(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    await cid.click(shown, label="Play")
    assert "Pause" in buttons_of(shown)
    await table.env.advance_time(3.2)
    assert "**Step 2 of 8**" in text_of(shown)
    await cid.click(shown, label="Pause")
    await table.env.advance_time(20)
    assert "**Step 2 of 8**" in text_of(shown)
    await cid.click(shown, label="Play")
    await table.env.advance_time(20)
    assert "**Step 8 of 8**" in text_of(shown)
    assert "Play" in buttons_of(shown)


def confirm_late(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has Discord show an answer to a press at once, and confirm it a second later."""
    send = respond.update

    async def update(interaction: discord.Interaction, message: Message) -> None:
        await send(interaction, message)
        respond.unwatch(interaction)
        await table.bot.desk.clock.sleep(1)

    monkeypatch.setattr(respond, "update", update)


async def test_of_two_replays_begun_at_once_the_newer_one_plays_and_can_be_stopped(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    first, second = await opened(race, cid), await opened(race, cid)
    confirm_late(table, monkeypatch)
    for shown in (first, second):
        await cid.click(shown, label="Play")
    await table.env.advance_time(3)
    assert "**The deal**" in text_of(first)
    assert "**Step 1 of 8**" in text_of(second)
    await cid.click(second, label="Pause")
    await table.env.advance_time(20)
    assert "**The deal**" in text_of(first)
    assert "**Step 1 of 8**" in text_of(second)
    assert not table.bot.replays._turns


async def test_a_replay_is_stopped_before_it_has_begun(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    confirm_late(table, monkeypatch)
    for label in ("Play", "Pause"):
        await cid.click(shown, label=label)
    await table.env.advance_time(20)
    assert "**The deal**" in text_of(shown)
    assert "Play" in buttons_of(shown)


async def test_a_film_comes_as_a_message_of_its_own(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    shown = await opened(race, cid)
    film = await cid.click(shown, label="Film (GIF)")
    assert film.ephemeral
    assert "One-Handed: ann in" in text_of(film.response)
    (picture,) = parts_of(film.response, 12)
    assert picture["items"][0]["media"]["url"].endswith(".gif")
    assert "replay of ann" in text_of(shown)


async def test_a_player_has_one_film_drawn_at_a_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    race = await short_race(table)
    cid, dan = table.player("cid"), table.player("dan")
    film = button_with(await opened(race, cid), "v:film:")["custom_id"]
    replays = table.bot.replays

    async def draw(*_: object) -> bytes:
        assert replays._filming == {cid.id}
        return b"gif"

    monkeypatch.setattr(replays._studio, "draw", draw)
    for _ in range(2):
        assert "ann in" in told(await table.press_id(cid, film))
    monkeypatch.undo()
    replays._filming.add(dan.id)
    assert "still being drawn" in told(await table.press_id(dan, film))


async def test_nothing_of_a_race_is_shown_before_its_end(table: Table) -> None:
    ann, bob, cid = table.player("ann"), table.player("bob"), table.player("cid")
    race = await table.race(ann, bob)
    await forfeit(race, ann)
    own = await ann.slash(table.channel, "replay")
    assert "replay of ann" in told(own)
    for player in (bob, cid):
        for attempt in (await name_of(race, ann.id), await name_of(race, bob.id)):
            refused = told(await table.press_id(player, f"v:first:{attempt}:0:0"))
            assert "still being played" in refused
    # side by side with somebody who still plays
    pair = f"v:first:{await name_of(race, ann.id)}:{await name_of(race, bob.id)}:0"
    assert "still being played" in told(await table.press_id(ann, pair))
    assert "nothing to watch" in told(await cid.slash(table.channel, "replay"))


async def test_what_names_no_race_is_refused(table: Table) -> None:
    ann = table.player("ann")
    for reference in ("1", "yesterday", "https://discord.com/channels/1/2/3"):
        assert "nothing to watch" in told(await ann.slash(table.channel, "replay", race=reference))


async def test_a_tampered_replay_is_refused(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    attempt = (await table.bot.desk.races.find(race.id)).race.entrants[0].attempt
    tampered = ("v", "v:on", "v:on:1:0", "v:on:x:0:0", "v:on:1:0:-1", "v:race", f"v:fly:{attempt}:0:0")
    for custom_id in (*tampered, f"v:jump:{attempt}:0:0"):
        refused = told(await table.press_id(cid, custom_id))
        assert "no button of mine" in refused or "nothing to watch" in refused, custom_id


async def test_only_attempts_of_one_deal_are_put_side_by_side(table: Table) -> None:
    races = [await short_race(table, seed) for seed in ("friday", "friday", "monday")]
    cid = table.player("cid")
    one, same, other = [(await table.bot.desk.races.find(race.id)).race.entrants[0].attempt for race in races]
    shown = await table.press_id(cid, f"v:first:{one}:{same}:0")
    assert "two replays" in text_of(shown.response)
    assert "nothing to watch" in told(await table.press_id(cid, f"v:first:{one}:{other}:0"))


async def test_any_message_can_open_a_replay_or_two(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    one, two = (each.attempt for each in (await table.bot.desk.races.find(race.id)).race.entrants)
    for custom_id, title in ((replay_id(one), "replay of ann"), (replay_id(two, one), "two replays")):
        shown = await table.press_id(cid, custom_id)
        assert title in told(shown)


async def test_a_step_beyond_the_end_is_the_end(table: Table) -> None:
    race = await short_race(table)
    cid = table.player("cid")
    attempt = (await table.bot.desk.races.find(race.id)).race.entrants[0].attempt
    shown = await table.press_id(cid, f"v:last:{attempt}:0:99999")
    assert "**Step 8 of 8**" in text_of(shown.response)
