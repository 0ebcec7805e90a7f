"""A race from the command to the result, as its players see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot import publish
from bot.errors import TimeOverError
from bot.services.press import Press
from bot.snowflake import snowflake_at
from bot.store.database import Statement, StoreError
from engine import GAMES, canonical_seed, commitment, parse_move, shuffle
from tests.discord.standings import choices_of, parts_of
from tests.discord.table import Table, buttons_of, forced_line, ids_of, text_of, told

MENU = 3
"""Discord's number of the menus of texts."""


async def test_a_race_from_command_to_result(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann, "one-handed")
    assert "ann" in text_of(race.lobby)
    await race.join(bob)
    await table.env.advance_time(4)
    assert "bob" in text_of(race.lobby)

    await race.start(ann, bob)
    assert race.board(ann) == race.board(bob)
    assert "52 cards left" in race.board(ann)

    attempt = await race.attempt(ann)
    line = forced_line(attempt.rules, attempt)
    await race.play(ann, line)
    assert "the result is in the channel" in race.board(ann)
    assert ids_of(race.seats[ann.id]) == []
    await table.env.advance_time(4)
    assert "**Started" in text_of(race.lobby)
    await race.play(bob, line)
    await table.env.advance_time(8)

    result = text_of(table.last)
    record = await table.bot.desk.races.find(race.id)
    assert "🥇" in result
    assert "ann" in result
    assert "bob" in result
    assert record.seed in result
    assert record.salt in result
    assert commitment("one-handed", record.seed, record.salt) in text_of(race.lobby)
    assert "**Finished.**" in text_of(race.lobby)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
async def test_every_game_is_played_to_its_end_with_buttons(table: Table, rules) -> None:  # type: ignore[no-untyped-def]
    ann = table.player("ann")
    race = await table.race(ann, game=rules.key, seed="friday")
    attempt = await race.attempt(ann)
    line = forced_line(rules, attempt) if rules.base != "links" else []
    for move in line:
        await race.play(ann, [move])
    if not line:
        await race.play(ann, ["sw"] * 44)
        await race.press(ann, "More")
        await race.press(ann, "Forfeit")
        await race.press(ann, "Yes, give up")
    done = await race.attempt(ann)
    assert done.is_over
    assert [str(move) for move in done.line.moves][: len(line)] == line
    await table.env.advance_time(8)
    assert "result" in text_of(table.last)


async def test_boards_come_by_themselves_and_never_before_the_start(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    await ann.click(race.lobby, label="Start")
    await table.env.advance_time(4)
    assert "Stock" not in race.board(bob)
    assert "Stock" not in race.board(ann)
    await table.env.advance_time(3)
    assert "Stock" in race.board(bob)


@pytest.mark.parametrize("way", ["start", "ready"])
async def test_all_private_messages_tell_of_the_countdown(table: Table, way: str) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    if way == "start":
        await ann.click(race.lobby, label="Start")
    else:
        await ann.click(race.seats[ann.id], label="Ready")
        await bob.click(race.seats[bob.id], label="Ready")
    await table.env.advance_time(1)
    assert "Get ready" in race.board(ann)
    assert "Get ready" in race.board(bob)
    assert set(buttons_of(race.seats[ann.id])) == {"Leave", "Cancel the race"}
    assert set(buttons_of(race.seats[bob.id])) == {"Leave"}
    await ann.click(race.seats[ann.id], label="Cancel the race")
    await table.env.advance_time(1)
    assert "Cancelled" in race.board(bob)


async def test_a_lost_board_is_shown_again(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob)
    await table.env.advance_time(4)
    opened = await bob.click(race.lobby, label="Open my board")
    assert opened.ephemeral
    assert opened.response is not None
    assert text_of(opened.response) == race.board(bob)
    again = await bob.slash(table.channel, "board")
    assert again.response is not None
    assert text_of(again.response) == race.board(bob)


async def test_the_typed_seed_names_the_deal_and_makes_it_unranked(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away", seed=" Straße ")
    assert "unranked, since the seed was typed" in text_of(race.lobby)
    attempt = await race.attempt(ann)
    assert attempt.seed == canonical_seed("strasse")
    assert attempt.state["t1"].cards == shuffle("strasse")[::4]


async def test_the_host_removes_leaves_and_hands_over(table: Table) -> None:
    ann, bob, cid, dan = map(table.player, ("ann", "bob", "cid", "dan"))
    race = await table.open(ann)
    await race.join(bob)
    await race.join(cid)
    await race.join(dan)
    assert parts_of(race.seats[ann.id], MENU) == []
    await race.press(ann, "Send somebody away…")
    (menu,) = parts_of(race.seats[ann.id], MENU)
    assert choices_of(menu) == {each.name: str(each.id) for each in (bob, cid, dan)}
    await race.press(dan, "Leave")
    assert "That player is not in this race" in told(await ann.select(race.seats[ann.id], [str(dan.id)]))
    await ann.select(race.seats[ann.id], [str(cid.id)])
    assert race.board(cid) == "The host has removed you from this race."
    assert "removed you" in told(await cid.click(race.lobby, label="Join"))
    assert parts_of(race.seats[ann.id], MENU) == []
    await race.press(ann, "Leave")
    await table.env.advance_time(4)
    assert "Host: **bob**" in text_of(race.lobby)
    assert "You host this race" in race.board(bob)
    await bob.click(race.seats[bob.id], label="Leave")
    await table.env.advance_time(4)
    assert "Host: **bob**" in text_of(race.lobby)
    assert "Cancelled" in text_of(race.lobby)
    assert buttons_of(race.lobby) == {}


async def test_a_host_alone_finds_nobody_to_send_away(table: Table) -> None:
    ann = table.player("ann")
    race = await table.open(ann)
    await race.press(ann, "Send somebody away…")
    assert "Nobody else is in yet." in race.board(ann)
    await race.press(ann, "Ready")
    assert "Nobody else" not in race.board(ann)


async def test_an_idle_lobby_is_cancelled_and_frees_its_players(table: Table) -> None:
    ann = table.player("ann")
    race = await table.open(ann)
    await table.env.advance_time(30 * 60 + 1)
    await table.sweep()
    await table.env.advance_time(4)
    assert "Cancelled" in text_of(race.lobby)
    await table.open(ann)


@pytest.mark.parametrize("refusal", [None, 30046], ids=["edited", "too many edits"])
async def test_a_lobby_that_expires_when_its_message_is_old_loses_its_buttons(
    table: Table, refusal: int | None
) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await table.env.advance_time(25 * 60)
    await race.join(bob)
    await table.env.advance_time(30 * 60)
    if refusal is not None:
        table.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=refusal)
    await table.sweep()
    await table.env.advance_time(4)
    assert await table.bot.desk.races.live() == []
    assert (buttons_of(race.lobby) == {}) == ("Cancelled" in text_of(race.lobby)) == (refusal is None)
    assert len(table.said()) == 1


async def test_what_discord_could_not_show_is_shown_later(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    table.env.inject_error("PATCH", "/channels/*/messages/*", times=2)
    await race.join(bob)
    assert "bob" not in text_of(race.lobby)
    await table.env.advance_time(10)
    assert "bob" in text_of(race.lobby)


async def test_a_cancellation_that_was_refused_is_told_by_a_sweep(table: Table) -> None:
    ann = table.player("ann")
    race = await table.open(ann)
    table.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001)
    await race.press(ann, "Cancel the race")
    await table.env.advance_time(10)
    assert "Cancelled" not in text_of(race.lobby)
    await table.sweep()
    await table.env.advance_time(4)
    assert "Cancelled" in text_of(race.lobby)


async def test_a_cancellation_that_cannot_be_shown_is_given_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "PACE", 300.0)
    ann = table.player("ann")
    race = await table.open(ann)
    table.env.inject_error("PATCH", "/channels/*/messages/*", times=None)
    await race.press(ann, "Cancel the race")
    await table.env.advance_time(29 * 60)
    assert [record.id for record in await table.bot.desk.races.live()] == [race.id]
    await table.env.advance_time(36 * 60)
    assert await table.bot.desk.races.live() == []
    assert table.bot.desk.publisher._channels == {}


@pytest.fixture
def fill_disk(table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the store save one write more, and then none until it is undone."""

    def fill() -> None:
        db, writes = table.bot.desk._db, 0
        write = db.write

        async def fail(_: object, *statements: Statement) -> None:
            nonlocal writes
            writes += 1
            if writes > 1:
                raise StoreError("database or disk is full")
            await write(*statements)

        monkeypatch.setattr(type(db), "write", fail)

    return fill


async def test_a_last_move_stands_although_nothing_more_can_be_saved(
    table: Table, fill_disk: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.player("ann")
    race = await table.race(ann)
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    fill_disk()
    assert (await race.press(ann, "Yes, give up")).followups == []
    assert (await race.attempt(ann)).is_over
    monkeypatch.undo()
    await table.sweep()
    await table.env.advance_time(7)
    assert ": result" in text_of(table.last)


async def test_a_lobby_and_a_seat_stand_although_nothing_more_can_be_saved(
    table: Table, fill_disk: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    fill_disk()
    opened = await ann.slash(table.channel, "race new", game="one-handed")
    assert opened.response is not None
    assert ["You are in" in text_of(each) for each in opened.followups] == [True]
    monkeypatch.undo()
    fill_disk()
    joined = await bob.click(opened.response, label="Join")
    assert "You are in" in told(joined)
    assert joined.followups == []


async def test_all_private_messages_tell_that_a_race_is_cancelled(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    await race.press(ann, "Cancel the race")
    assert "Cancelled" in race.board(ann)
    assert "Cancelled" in race.board(bob)
    assert ids_of(race.seats[bob.id]) == []
    assert await table.bot.desk.races.waiting(race.id, 0) == []


async def test_who_leaves_by_command_sees_it_in_the_private_message_too(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    assert "You have left" in told(await ann.slash(table.channel, "race leave"))
    assert race.board(ann) == "You have left the race."
    assert "You host this race" in race.board(bob)


async def test_an_entrant_may_start_once_the_host_is_silent(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    await race.join(bob)
    assert "Only the host may start" in told(await bob.click(race.lobby, label="Start"))
    await table.env.advance_time(180)
    await bob.click(race.lobby, label="Start")
    await table.env.advance_time(7)
    assert "Stock" in race.board(bob)


async def test_a_wrong_call_costs_five_seconds_and_two_quick_ones_cost_no_more(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, seed="friday")
    attempt = await race.attempt(ann)
    right = forced_line(attempt.rules, attempt)[0]
    wrong = next(each for each in ids_of(race.seats[ann.id]) if ":call:" in each and not each.endswith(right))
    await ann.click(race.seats[ann.id], custom_id=wrong)
    assert "costs 5 seconds" in race.board(ann)
    after = await table.press_id(ann, wrong)
    assert after.response is not None
    assert "moved on" in text_of(after.response)
    assert (await race.attempt(ann)).mistakes == 1


async def test_the_time_limit_ends_the_race_three_seconds_late(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="links", minutes=1)
    await table.env.advance_time(61)
    await table.tick()
    assert not (await race.attempt(ann)).is_over
    told_late = await race.press(ann, "Deal (44)")
    assert "time limit has passed" in told(told_late)
    await table.env.advance_time(4)
    await table.tick()
    await table.env.advance_time(8)
    assert "Time is up" in text_of(table.last)
    assert text_of(table.last).count("🥇") == 2


async def test_a_move_made_in_time_counts_although_it_arrives_late(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", minutes=1)
    own = (await table.bot.desk.races.find(race.id)).race.entrants[0].attempt
    deadline = (await race.attempt(ann)).deadline
    assert deadline is not None
    await table.env.advance_time((deadline - table.bot.desk.clock.now()) / 1000 + 2.5)
    await table.tick()

    async def press(at: int, seq: int) -> None:
        made = Press(snowflake_at(at), ann.id, "ann", "en-US")
        await table.bot.desk.attempts.act(made, own, seq, lambda a, at: a.play(parse_move("sw"), at))

    await press(deadline, 0)
    assert (await race.attempt(ann)).moves == 1
    with pytest.raises(TimeOverError):
        await press(deadline + 1, 1)


async def test_who_leaves_a_running_race_is_asked_first(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob)
    asked = await ann.slash(table.channel, "race leave")
    assert asked.response is not None
    assert not (await race.attempt(ann)).is_over
    await ann.click(asked.response, label="Yes, give up")
    assert (await race.attempt(ann)).is_over
    assert not (await race.attempt(bob)).is_over
    await table.open(ann)


async def test_a_rematch_opens_a_lobby_of_the_same_game(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away", minutes=7)
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    await race.press(ann, "Yes, give up")
    await table.env.advance_time(8)
    again = await ann.click(table.last, label="Rematch")
    assert again.response is not None
    assert "Take Away" in text_of(again.response)
    assert "7 min" in text_of(again.response)


async def test_forfeits_alone_finish_the_race(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="striptease")
    for player in (ann, bob):
        await race.press(player, "More")
        await race.press(player, "Back to the board")
        assert "cards left" in race.board(player)
        await race.press(player, "More")
        await race.press(player, "Forfeit")
        await race.press(player, "Yes, give up")
    await table.env.advance_time(8)
    assert "**Finished.**" in text_of(race.lobby)
    assert text_of(table.last).count("**1.**") == 2
    assert "🥇" not in text_of(table.last)
