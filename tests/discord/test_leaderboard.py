"""Leaderboards as players see them: pages, places, menus, and what is refused."""

from __future__ import annotations

import re

from discord import PermissionOverwrite

from bot.store.database import Statement
from bot.store.players import seen
from tests.discord.standings import WEEK, button_with, choose, menu_with, parts_of, press, won_race
from tests.discord.table import Table, text_of, told

CROWD = range(5_000, 5_035)


async def fill(table: Table, *, own: int | None = None) -> None:
    """Gives 35 strangers, and *own*, a line with wins on this server."""
    lines = [*((player, player - 4_990) for player in CROWD), *(((own, 3),) if own else ())]
    await table.bot.desk.standings._db.write(
        *(seen(player, f"P{player}", "en-US", 0) for player in CROWD),
        *(
            Statement(
                "INSERT INTO tally (player, board, period, guild, listed, races, wins, deals, points) "
                "VALUES ($1, 'all', 0, $2, 1, 50, $3, 0, 0)",
                (player, table.guild.id, wins),
            )
            for player, wins in lines
        ),
    )


async def test_the_rating_of_a_race_is_on_its_result_and_on_the_board(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await table.env.advance_time(WEEK)
    await won_race(table, ann, bob)
    result = text_of(table.last)
    assert "· rating 1150" in result
    assert "· rating 623" in result
    shown = told(await bob.slash(table.channel, "leaderboard"))
    assert "🥇 **ann** · **1150** · 1 race" in shown
    assert "🥈 **bob** · **623** · 1 race" in shown
    assert "**You: place 2** of 2" in shown
    await won_race(table, bob, ann)
    changes = re.findall(r"\*\*(\w+)\*\* .* · rating (\d+) \(([+−]\d+)\)", text_of(table.last))
    assert [(name, sign[0]) for name, _, sign in changes] == [("bob", "+"), ("ann", "−")]
    now = told(await bob.slash(table.channel, "leaderboard"))
    for name, rating, _ in changes:
        assert f"**{name}** · **{rating}** · 2 races" in now


async def test_accounts_of_less_than_a_week_are_not_rated(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await won_race(table, ann, bob)
    assert "rating" not in text_of(table.last)
    assert "Nobody is on this board" in told(await ann.slash(table.channel, "leaderboard"))
    assert "**1 win** in 1 race" in told(await ann.slash(table.channel, "leaderboard", metric="wins"))


async def test_pages_turn_by_buttons_that_survive_a_restart(table: Table) -> None:
    ann = table.player("ann")
    await fill(table, own=ann.id)
    first = (await ann.slash(table.channel, "leaderboard", metric="wins")).response
    assert "Page 1 of 4" in text_of(first)
    assert "**P5034** · **44 wins**" in text_of(first)
    assert "**You: place 36** of 36 · **3 wins** in 50 races" in text_of(first)
    await press(ann, first, ":on:")
    assert "Page 2 of 4" in text_of(first)
    assert "`11.` **P5024**" in text_of(first)
    await table.restart()
    await press(ann, first, ":last:")
    assert "`36.` **somebody**" in text_of(first)
    await press(ann, first, ":first:")
    await press(ann, first, "l:own:")
    assert "Page 4 of 4" in text_of(first)
    assert button_with(first, ":on:")["disabled"]


async def test_the_menus_lead_to_every_other_board(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await table.env.advance_time(WEEK)
    await won_race(table, ann, bob)
    board = (await ann.slash(table.channel, "leaderboard")).response
    await choose(ann, board, "l:metric:", "wins")
    assert "### Wins\nall games · this server · all time" in text_of(board)
    await choose(ann, board, "l:game:", "links")
    assert "Links · this server · all time" in text_of(board)
    await choose(ann, board, "l:span:", "week")
    assert "Links · this server · this week" in text_of(board)
    assert "Begins anew <t:" in text_of(board)
    assert "**ann** · **1 win**" in text_of(board)
    await press(ann, board, "l:world:")
    assert "Links · everywhere · this week" in text_of(board)
    assert "Nobody is on this board yet" in text_of(board)
    assert "Only you see this" in text_of(board)
    await choose(ann, board, "l:game:", "all")
    await choose(ann, board, "l:metric:", "time")
    assert "pick a game below" in text_of(board)
    for metric in ("points", "streak", "rating"):
        await choose(ann, board, "l:metric:", metric)
        chosen = [
            option["value"] for option in menu_with(board, "l:metric:")["options"] if option.get("default")
        ]
        assert chosen == [metric]


async def test_a_board_that_is_shown_to_all_has_nobodys_own_line(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await fill(table, own=ann.id)
    board = (await ann.slash(table.channel, "leaderboard", metric="wins")).response
    shared = await press(ann, board, "l:share:")
    assert "P5034" in text_of(table.last)
    assert "You" not in text_of(table.last)
    assert parts_of(shared, 3) == []
    opened = await bob.click(table.last, label="Open for me")
    assert opened.ephemeral
    assert "You have no line on this board yet" in told(opened)


async def test_nothing_is_shown_to_all_where_the_presser_may_not_write(table: Table) -> None:
    ann, everyone = table.player("ann"), table.guild.default_role
    for in_channel in (False, True):
        may = PermissionOverwrite(send_messages=in_channel, send_messages_in_threads=not in_channel)
        channel = table.guild.create_text_channel("either", overwrites={everyone: may})
        await table.bot.http.start_thread_without_message(
            channel.id, name="or", auto_archive_duration=60, type=11
        )
        (thread,) = channel.threads
        for place, is_open in ((channel, in_channel), (thread, not in_channel)):
            board = (await ann.slash(place, "leaderboard", metric="wins")).response
            shared = await press(ann, board, "l:share:")
            assert shared.ephemeral is not is_open
            assert is_open or "You may not write in this channel" in text_of(shared)


async def test_names_are_harmless_and_those_seen_last(table: Table) -> None:
    ann = table.player("ann")
    await fill(table)
    await table.bot.desk.standings._db.write(
        seen(5_034, "**@everyone** [x](http://x)\u202e", "en-US", 1),
        Statement("DELETE FROM player WHERE id = 5033"),
        Statement("UPDATE tally SET player = -9 WHERE player = 5032"),
    )
    shown = told(await ann.slash(table.channel, "leaderboard", metric="wins"))
    assert "\\*\\*\\@everyone\\*\\*" in shown
    assert "\u202e" not in shown
    assert "🥈 **somebody**" in shown
    assert "🥉 **deleted player**" in shown


async def test_a_tampered_board_is_refused(table: Table) -> None:
    ann = table.player("ann")
    for custom_id in (
        "l",
        "l:on",
        "l:on:rating:all:server:all",
        "l:on:rating:all:server:all:-1",
        "l:on:rating:all:server:all:x",
        "l:on:fame:all:server:all:0",
        "l:on:rating:all:moon:all:0",
        "l:on:rating:all:server:decade:0",
        "l:metric:rating:all:server:all:0",
        "l:on:rating:chess:server:all:0",
    ):
        sentence = told(await table.press_id(ann, custom_id))
        assert "no button of mine" in sentence or "There is no game" in sentence, custom_id


async def test_a_page_far_beyond_the_end_is_the_last_one(table: Table) -> None:
    ann = table.player("ann")
    await fill(table)
    shown = await table.press_id(ann, "l:open:wins:all:server:all:999999999")
    assert "Page 4 of 4" in told(shown)
