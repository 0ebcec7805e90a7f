"""The daily challenge through the real discord.py with SimCord, whose time begins at midnight UTC."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.periods import DAY, day_of
from bot.services.dailies import featured
from bot.store.database import Statement
from engine import Attempt
from tests.discord.standings import parts_of
from tests.discord.table import Table, buttons_of, forced_line, ids_of, text_of, told

HOUR = 3600
GAME = "one-handed"


def answer(result: InteractionResult) -> Any:
    """Returns the message that answered a press or a command."""
    assert result.response is not None
    return result.response


async def begin(table: Table, player: MemberActor, game: str = GAME) -> Any:
    """Lets *player* begin today's daily and returns the board's message."""
    result = await player.slash(table.channel, "daily play", game=game)
    assert result.ephemeral
    assert result.response is not None
    return result.response


async def attempt_of(table: Table, board: Any) -> Attempt:
    """Returns the attempt that *board* shows."""
    own = int(next(each for each in ids_of(board) if each.startswith("b:")).split(":")[1])
    return (await table.bot.desk.attempts.find(own)).attempt


async def play_out(table: Table, player: MemberActor, game: str = GAME) -> Any:
    """Lets *player* play today's daily of a game without choices to its end."""
    board = await begin(table, player, game)
    attempt = await attempt_of(table, board)
    for move in forced_line(attempt.rules, attempt):
        await player.click(
            board, custom_id=next(each for each in ids_of(board) if each.endswith(f":call:{move}"))
        )
    return board


async def give_up(table: Table, player: MemberActor, game: str = GAME) -> Any:
    """Lets *player* begin today's daily and give it up."""
    board = await begin(table, player, game)
    for label in ("More", "Forfeit", "Yes, give up"):
        await player.click(board, label=label)
    return board


async def results(table: Table, player: MemberActor, **options: str) -> Any:
    """Returns the page of a daily's results."""
    found = await player.slash(table.channel, "daily results", **options)
    assert found.ephemeral
    return found.response


def menus(message: Any) -> list[dict[str, Any]]:
    """Returns the menus of *message*."""
    return parts_of(message, 3)


def today(table: Table) -> int:
    """Returns the day of the virtual clock."""
    return day_of(table.bot.desk.clock.now())


async def seeds(table: Table) -> list[str]:
    """Returns the seeds of all dailies that are not closed."""
    rows = await table.bot.desk._db.read("SELECT seed FROM daily WHERE closed_at IS NULL")
    return [row[0] for row in rows]


async def test_the_featured_game_is_played_without_naming_one(table: Table) -> None:
    ann = table.player("ann")
    shown = await ann.slash(table.channel, "daily play")
    assert featured(today(table)).name in text_of(shown.response)
    assert "Your first try counts" in text_of(shown.response)


async def test_a_daily_from_the_first_press_to_the_results(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    board = await play_out(table, ann)
    assert set(buttons_of(board)) == {"Results", "Practise this deal"}
    assert "Hint" not in buttons_of(board)
    sealed = await results(table, bob, game=GAME)
    assert "1 player has begun it, 1 is done" in text_of(sealed)
    assert "ann" not in text_of(sealed)
    assert "sealed" in text_of(sealed)
    await bob.click(sealed, label="Play")
    begun = await results(table, bob, game=GAME)
    again = answer(await bob.click(begun, label="Continue"))
    assert "Forfeit" not in buttons_of(again)
    assert "More" in buttons_of(again)
    await give_up(table, bob)
    page = await results(table, bob, game=GAME)
    text = text_of(page)
    assert "**ann** · " in text
    assert "**bob** · gave up" in text
    assert "place 2 of 2" in text
    assert "0.00 % match points so far" in text
    assert "Deal `" not in text
    mine = answer(await ann.click(board, label="Results"))
    assert "100.00 % match points so far" in text_of(mine)
    assert "🔥 Streak: 1 day" in text_of(mine)


async def test_a_second_command_shows_the_same_try_and_then_the_results(table: Table) -> None:
    ann = table.player("ann")
    first = await begin(table, ann)
    again = await begin(table, ann)
    assert (await attempt_of(table, again)).start == (await attempt_of(table, first)).start
    assert "Your try goes on" in text_of(again)
    await give_up(table, ann)
    shown = await ann.slash(table.channel, "daily play", game=GAME)
    assert "match points" in text_of(shown.response)


async def test_hints_are_not_given_in_a_daily(table: Table) -> None:
    ann = table.player("ann")
    board = await begin(table, ann, "links")
    assert "Hint" not in buttons_of(board)
    hint = next(each for each in ids_of(board) if each.startswith("b:")).rsplit(":", 1)[0] + ":hint"
    await table.press_id(ann, hint)
    assert (await attempt_of(table, board)).hints == 0


async def test_the_same_deal_is_practised_after_it_and_counts_for_nothing(table: Table) -> None:
    ann = table.player("ann")
    board = await give_up(table, ann)
    practice = answer(await ann.click(board, label="Practise this deal"))
    attempt = await attempt_of(table, practice)
    assert attempt.seed in await seeds(table)
    for move in forced_line(attempt.rules, attempt):
        await ann.click(
            practice, custom_id=next(each for each in ids_of(practice) if each.endswith(f":call:{move}"))
        )
    assert "This deal can" in text_of(practice)
    assert attempt.seed not in text_of(practice)
    assert {"Results", "Start over"} <= set(buttons_of(practice))
    assert "1 player has begun it" in text_of(await results(table, ann, game=GAME))


async def test_no_seed_leaves_before_the_day_is_over(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await set_up(table)
    board = await play_out(table, ann)
    await ann.click(board, label="Results")
    practice = answer(await ann.click(board, label="Practise this deal"))
    for label in ("More", "Forfeit", "Yes, give up"):
        await ann.click(practice, label=label)
    page = await results(table, ann, game=GAME)
    await ann.click(page, label="Post my card here")
    await begin(table, bob, "links")
    await table.env.advance_time(9 * HOUR)
    await table.tick()
    secret = await seeds(table)
    assert len(secret) >= 5
    sent = repr([(request.path, request.json) for request in table.env.http_requests])
    assert [seed for seed in secret if seed in sent] == []


async def test_after_the_day_and_its_hour_points_stand_and_the_deal_is_shown(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await play_out(table, ann)
    board = await begin(table, bob)
    await table.tick()
    await table.env.advance_time(24 * HOUR + 30 * 60)
    await table.tick()
    date = "2026-01-01"
    late = await results(table, bob, date=date, game=GAME)
    assert "tries that were begun in time may go on" in text_of(late)
    await table.env.advance_time(31 * 60)
    await table.tick()
    page = await results(table, bob, date=date, game=GAME)
    assert "not finished" in text_of(page)
    assert "0.00 % match points" in text_of(page)
    assert f"Deal `{GAME}:" in text_of(page)
    assert "so far" not in text_of(page)
    assert not ids_of(board) or (await attempt_of(table, board)).is_over
    stranger = await results(table, table.player("dan"), date=date, game=GAME)
    assert "**ann**" in text_of(stranger)


async def test_the_card_is_posted_for_everybody_and_names_no_card(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await play_out(table, ann)
    page = await results(table, ann, game=GAME)
    shared = await ann.click(page, label="Post my card here")
    assert not shared.ephemeral
    card = text_of(table.last)
    assert "**ann** has played the daily challenge" in card
    assert "🟩" in card or "⬛" in card
    assert len(card.splitlines()) <= 7
    board = answer(await bob.click(table.last, label="Play"))
    assert "Stock" in text_of(board)
    other = await table.press_id(bob, f"y:{today(table)}:{GAME}:card")
    assert "sealed" in told(other)


async def test_the_card_is_not_posted_where_the_player_may_not_write(table: Table) -> None:
    ann = table.player("ann")
    mute = discord.PermissionOverwrite(send_messages=False)
    closed = table.guild.create_text_channel("closed", overwrites={table.guild.default_role: mute})
    await play_out(table, ann)
    page = answer(await ann.slash(closed, "daily results", game=GAME))
    assert "You may not write in this channel" in told(await ann.click(page, label="Post my card here"))


async def test_replays_of_others_are_open_to_those_who_are_done(table: Table) -> None:
    ann, bob, cid = table.player("ann"), table.player("bob"), table.player("cid")
    await play_out(table, ann)
    page = await results(table, ann, game=GAME)
    mine = next(each for each in ids_of(page) if each.startswith("v:open:"))
    assert "replay of ann" in told(await ann.click(page, custom_id=mine))
    await begin(table, cid)
    for early in (bob, cid):
        assert "still being played" in told(await table.press_id(early, mine))
    await give_up(table, bob)
    own = answer(await bob.click(await results(table, bob, game=GAME), label="Replay"))
    menu = next(part for part in menus(own) if ":watch:" in part["custom_id"])
    assert [option["label"] for option in menu["options"]] == ["1. ann"]
    await bob.select(own, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    assert "replay of ann" in text_of(own)
    pair = next(part for part in menus(own) if ":pair:" in part["custom_id"])
    assert [option["label"] for option in pair["options"]] == ["2. bob"]
    await bob.select(own, [pair["options"][0]["value"]], custom_id=pair["custom_id"])
    assert "two replays" in text_of(own)


async def test_a_past_day_is_played_from_the_archive_and_touches_no_streak(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    empty = await ann.slash(table.channel, "daily archive")
    assert "No day is over yet" in text_of(empty.response)
    await play_out(table, bob)
    await table.tick()
    await table.env.advance_time(26 * HOUR)
    await table.tick()
    page = answer(await ann.slash(table.channel, "daily archive", game=GAME))
    assert "counts for nothing" in text_of(page)
    board = answer(await ann.click(page, label="Play"))
    attempt = await attempt_of(table, board)
    for move in forced_line(attempt.rules, attempt):
        await ann.click(
            board, custom_id=next(each for each in ids_of(board) if each.endswith(f":call:{move}"))
        )
    assert "Start over" in buttons_of(board)
    assert f"deal `{GAME}:" in text_of(board)
    assert await table.bot.desk._db.read("SELECT 1 FROM streak WHERE player = $1", ann.id) == []
    assert "That is sealed" in told(await ann.slash(table.channel, "daily archive", date="2026-01-02"))
    assert "no daily on that day" in told(await ann.slash(table.channel, "daily archive", date="2025-12-01"))
    assert "Type the date" in told(await ann.slash(table.channel, "daily archive", date="tomorrow"))
    assert "Type the date" in told(await ann.slash(table.channel, "daily results", date="2026-01-03"))


async def test_pages_turn_to_another_game_and_day(table: Table) -> None:
    ann = table.player("ann")
    await table.tick()
    await table.env.advance_time(50 * HOUR)
    await table.tick()
    page = await results(table, ann, game=GAME)
    menu = f"y:{today(table)}:{GAME}:game"
    await ann.select(page, ["taking-silk"], custom_id=menu)
    assert "Taking Silk" in text_of(page)
    old = answer(await ann.slash(table.channel, "daily archive", date="2026-01-01"))
    day = today(table) - 2
    await ann.select(old, ["taking-silk"], custom_id=f"y:{day}:{featured(day).key}:pick")
    assert "**Taking Silk**" in text_of(old)


async def test_a_daily_is_played_in_direct_messages(table: Table) -> None:
    user = table.env.create_user("eve")
    shown = await user.slash("daily play", game=GAME)
    assert "Stock" in text_of(shown.response)
    page = await user.slash("daily results", game=GAME)
    assert "1 player has begun it" in text_of(page.response)
    assert "On this server" not in text_of(page.response)


async def test_a_server_without_the_bot_has_no_standings(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.player("ann")
    monkeypatch.setattr(table.bot, "get_guild", lambda guild: None)  # ann has brought the bot along herself
    page = await give_up(table, ann)
    assert "On this server" not in text_of(answer(await ann.click(page, label="Results")))
    assert await table.bot.desk._db.read("SELECT 1 FROM member") == []


# ------------------------------------------------------------------------------------------------- daily posts


def manager(table: Table) -> MemberActor:
    """Returns a new member who may manage the server."""
    role = table.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    actor: MemberActor = table.guild.add_member(table.env.create_user("max"), roles=[role])
    return actor


async def set_up(table: Table, **options: Any) -> str:
    """Sets the daily post of the table's server up and returns what is answered."""
    owner = manager(table)
    options = {"channel": table.channel, "hour": 9, **options}
    return told(await owner.slash(table.channel, "setup daily", **options))


def posts(table: Table) -> list[Any]:
    """Returns the daily posts in the channel, oldest first."""
    return [message for message in table.said() if "Today's game" in text_of(message)]


async def test_the_post_comes_at_its_hour_once_and_its_button_plays(table: Table) -> None:
    ann = table.player("ann")
    assert "The next one comes" in await set_up(table)
    await table.env.advance_time(9 * HOUR - 60)
    await table.tick()
    assert posts(table) == []
    await table.env.advance_time(60)
    for _ in range(3):
        await table.tick()
    (post,) = posts(table)
    game = featured(today(table))
    assert game.goal in text_of(post)
    assert "Nobody here played yesterday" in text_of(post)
    board = answer(await ann.click(post, label=f"Play {game.name}"))
    assert game.name in text_of(board)
    await table.env.advance_time(24 * HOUR)
    await table.tick()
    assert len(posts(table)) == 2
    old = await ann.click(post, label="Play One-Handed")
    assert "closed" in text_of(old.response)


async def test_the_post_pings_its_role_and_nobody_else(table: Table) -> None:
    role = table.guild.create_role("daily", mentionable=True)
    said = await set_up(table, role=role)
    assert f"It pings <@&{role.id}>" in said
    await table.env.advance_time(9 * HOUR)
    await table.tick()
    (post,) = posts(table)
    assert f"<@&{role.id}>" in text_of(post)
    bodies: list[Any] = [
        request.json
        for request in table.env.http_requests
        if request.method == "POST" and request.path == f"/channels/{table.channel.id}/messages"
    ]
    (body,) = bodies
    assert body["allowed_mentions"] == {"parse": [], "roles": [str(role.id)]}
    assert body["enforce_nonce"]
    assert "It pings nobody" in await set_up(table, no_role=True)


async def test_a_post_that_was_sent_but_not_noted_is_found_again(table: Table) -> None:
    await set_up(table)
    await table.env.advance_time(9 * HOUR)
    await table.tick()
    assert len(posts(table)) == 1
    await table.bot.desk._db.write(
        Statement("UPDATE daily_post SET state = 'sending', message = NULL", rows=1)
    )
    await table.restart()
    for _ in range(20):
        await table.env.advance_time(30)
        await table.tick()
    assert len(posts(table)) == 1
    (row,) = await table.bot.desk._db.read("SELECT state, message FROM daily_post")
    assert row == ("sent", posts(table)[0].id)


async def test_a_post_that_did_not_get_through_is_sent_again(table: Table) -> None:
    await set_up(table)
    await table.env.advance_time(9 * HOUR)
    table.env.inject_error("POST", f"/channels/{table.channel.id}/messages", times=10)
    await table.tick()
    assert posts(table) == []
    table.env.backend.faults.clear()
    await table.env.advance_time(61)
    await table.restart()
    await table.tick()
    assert len(posts(table)) == 1


async def test_after_three_days_offline_only_todays_post_comes(table: Table) -> None:
    await set_up(table)
    await table.env.advance_time(9 * HOUR)
    await table.tick()
    await table.env.advance_time(3 * 24 * HOUR + 5 * HOUR)
    await table.restart()
    for _ in range(3):
        await table.tick()
    assert len(posts(table)) == 2
    assert f"y:{today(table)}:" in ids_of(posts(table)[-1])[0]


async def test_the_podium_is_told_at_once_or_when_the_last_tries_are_over(table: Table) -> None:
    ann = table.player("ann")
    await set_up(table, hour=0)
    await play_out(table, ann)
    await table.env.advance_time(24 * HOUR)
    await table.tick()
    post = posts(table)[-1]
    assert "Yesterday's podium follows" in text_of(post)
    await table.env.advance_time(HOUR + 5)
    for _ in range(2):
        await table.tick()
    assert "🥇 ann" in text_of(posts(table)[-1])
    assert len(posts(table)) == 1
    assert text_of(posts(table)[-1]).count("Yesterday on this server") == 1


async def test_a_week_with_a_missed_day_and_a_change_of_the_clocks(table: Table) -> None:
    """The week from 26 March 2026: clocks in Berlin go forward on the 29th, ann misses the 28th."""
    ann = table.player("ann")
    await set_up(table, hour=9, zone="Europe/Berlin")
    await table.env.advance_time(84 * 24 * HOUR)
    await table.restart()
    sent: list[tuple[str, bool]] = []
    for day in range(26, 32):
        for hour in range(24):
            before = len(posts(table))
            await table.tick()
            if len(posts(table)) > before:
                text = text_of(posts(table)[-1])
                sent.append((f"{day} {hour:02}:00", "🥇 ann" in text))
            if hour == 12 and day != 28:
                await play_out(table, ann)
            await table.env.advance_time(HOUR)
    assert sent == [
        ("26 08:00", False),
        ("27 08:00", True),
        ("28 08:00", True),
        ("29 07:00", False),
        ("30 07:00", True),
        ("31 07:00", True),
    ]
    page = text_of(await results(table, ann, date="2026-03-31", game=GAME))
    assert "🔥 Streak: 5 days" in page
    assert "covered by the month's freeze" in page


async def test_a_channel_that_is_closed_to_the_bot_is_named_to_those_who_manage_the_server(
    table: Table,
) -> None:
    closed = table.guild.create_text_channel(
        "closed", overwrites={table.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    assert "**Send Messages**" in await set_up(table, channel=closed)
    assert "There is none yet" in told(await manager(table).slash(table.channel, "setup daily"))
    await set_up(table)
    table.env.inject_error(
        "POST",
        f"/channels/{table.channel.id}/messages",
        status=403,
        code=50013,
        message="Missing Permissions",
    )
    await table.env.advance_time(9 * HOUR)
    await table.tick()
    assert posts(table) == []
    assert "I may not send messages" in told(await manager(table).slash(table.channel, "setup daily"))
    await table.env.advance_time(24 * HOUR)
    await table.tick()
    assert len(posts(table)) == 1
    assert "I may not send" not in told(await manager(table).slash(table.channel, "setup daily"))


async def test_only_those_who_manage_the_server_set_it_up(table: Table) -> None:
    ann = table.player("ann")
    commands = await table.bot.tree.fetch_commands()
    table.guild.set_command_permissions(next(each for each in commands if each.name == "setup"), {ann: True})
    assert "Manage Server" in told(await ann.slash(table.channel, "setup daily", channel=table.channel))
    assert await table.bot.desk._db.read("SELECT 1 FROM daily_setup") == []


async def test_zones_are_offered_and_wrong_choices_refused(table: Table) -> None:
    owner = manager(table)
    offered = await owner.autocomplete(table.channel, "setup daily", "zone", "berlin")
    assert [each["value"] for each in offered] == ["Europe/Berlin"]
    assert "no such time zone" in await set_up(table, zone="Atlantis/Capital")
    assert "does not work here" in await set_up(table, role=table.guild.default_role)
    assert "Choose a channel" in told(await owner.slash(table.channel, "setup daily", hour=3))
    assert "Europe/Berlin" in await set_up(table, zone="Europe/Berlin")
    assert "Switched off" in await set_up(table, off=True)


async def test_days_are_offered_that_are_over(table: Table) -> None:
    ann = table.player("ann")
    await table.tick()
    await table.env.advance_time(26 * HOUR)
    await table.tick()
    offered = await ann.autocomplete(table.channel, "daily results", "date", "2026")
    assert [each["value"] for each in offered] == ["2026-01-01"]


@pytest.mark.parametrize(
    "custom_id",
    ["y:1:links:show:0", "y:9999999999:links:play", "y:x:links:play", "y:1:links:hack", "y:1", "p:1:again"],
)
async def test_a_tampered_button_says_why_it_does_nothing(table: Table, custom_id: str) -> None:
    assert told(await table.press_id(table.player("ann"), custom_id))


def test_virtual_days_are_whole_days() -> None:
    assert HOUR * 1000 * 24 == DAY
