"""Profiles and lists of past races as players see them."""

from __future__ import annotations

from bot.store.database import Statement
from tests.discord.standings import WEEK, choices_of, choose, menu_with, parts_of, press, won_race
from tests.discord.table import Table, text_of, told


async def test_a_profile_tells_what_a_player_has_done_and_shows_it(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await table.env.advance_time(WEEK)
    await won_race(table, ann, bob)
    shown = await bob.slash(table.channel, "profile", user=ann)
    text = told(shown)
    assert "### ann" in text
    assert "**Rating 1150** over all games" in text
    assert "1 race that counts, first in 1 (100 %) · 1 finished in all" in text
    assert "`1` **Links** · rating 1150 · first in 1 of 1" in text
    pictures = [item for each in parts_of(shown.response, 12) for item in each["items"]]
    assert [item["description"] for item in pictures] == [
        "Rating over time: from 1150 to 1150, lowest 1150, highest 1150.",
        "Races won by game: Links: 1 of 1.",
    ]


async def test_a_profile_of_somebody_who_has_not_raced_here(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    assert "No ranked race yet" in told(await ann.slash(table.channel, "profile"))
    assert "nothing to show" in told(await ann.slash(table.channel, "profile", user=bob))
    robot = table.player("robot", bot=True)
    assert "Bots cannot play" in told(await ann.slash(table.channel, "profile", user=robot))


async def test_past_races_lead_to_their_messages_and_replays(table: Table) -> None:
    ann, bob, cid = table.player("ann"), table.player("bob"), table.player("cid")
    assert "No race has been finished" in told(await ann.slash(table.channel, "race history"))
    await won_race(table, ann, bob)
    of_cid = told(await ann.slash(table.channel, "race history", player=cid))
    assert "cid has finished no race here" in of_cid
    listed = await cid.slash(table.channel, "race history")
    assert "🥇 ann · 2 raced" in told(listed)
    link = f"https://discord.com/channels/{table.guild.id}/{table.channel.id}/{table.last.id}"
    assert link in told(listed)
    of_bob = await cid.slash(table.channel, "race history", player=bob)
    assert "bob: place 2" in told(of_bob)
    choices = choices_of(menu_with(of_bob.response, "h:watch:"))
    assert list(choices) == ["1. Links: ann"]
    replay = await choose(cid, of_bob.response, "h:watch:", choices["1. Links: ann"])
    assert "replay of ann" in text_of(replay)


async def test_pages_of_past_races_turn(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await won_race(table, ann, bob)
    db = table.bot.desk.standings._db
    for table_name, key in (("race", "id"), ("entrant", "race"), ("result", "race")):
        names = [row[1] for row in await db.read(f"PRAGMA table_info({table_name})")]
        for number in range(1, 25):
            # the same race over and over, each a little later
            moved = (
                f"{name} + {number * 9000}" if name in (key, "attempt", "at") else name for name in names
            )
            copy = (
                f"INSERT INTO {table_name} ({', '.join(names)}) SELECT {', '.join(moved)} FROM {table_name} "
            )
            await db.write(Statement(f"{copy} WHERE {key} = $1", (race.id,)))
    listed = (await ann.slash(table.channel, "race history")).response
    assert "Page 1 of 3 · 25 in all" in text_of(listed)
    await press(ann, listed, "h:last:")
    assert "Page 3 of 3" in text_of(listed)
    await press(ann, listed, "h:back:")
    assert "Page 2 of 3" in text_of(listed)


async def test_from_a_profile_to_races_and_the_newest_replay(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await won_race(table, ann, bob)
    profile = (await ann.slash(table.channel, "profile", user=bob)).response
    assert "Races of bob" in text_of(await press(ann, profile, "h:list:"))
    assert "replay of bob" in text_of(await press(ann, profile, "h:newest:"))


async def test_a_tampered_list_is_refused(table: Table) -> None:
    ann = table.player("ann")
    for custom_id in ("h", "h:on", "h:on:x:0", "h:on:0:-1", "h:watch:0:0", "h:fly:0:0"):
        assert "no button of mine" in told(await table.press_id(ann, custom_id))
