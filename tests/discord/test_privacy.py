"""What players may ask of what is stored about them, and that it leaves others alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import ResponseMessage

from bot.services.moderation import Judge
from bot.store.database import Database
from bot.store.standings import bar_player
from tests.discord.table import Table, text_of, told
from tests.discord.test_moderation import finished

PERSONAL = (
    "player",
    "seat",
    "entrant",
    "attempt",
    "result",
    "tally",
    "member",
    "streak",
    "daily_result",
    "audit",
)


async def exported(table: Table, player: MemberActor) -> dict[str, Any]:
    """Returns what *player* is told is stored."""
    result = await player.slash(table.channel, "privacy export")
    assert result.response is not None
    assert result.ephemeral
    assert [file.filename for file in result.response.attachments] == ["same-deal-export.json", "PRIVACY.md"]
    found: dict[str, Any] = json.loads(
        await table.bot.desk.privacy.export(player.id, table.bot.desk.clock.now())
    )
    return found


async def asked(table: Table, player: MemberActor) -> ResponseMessage:
    """Returns what *player* is asked before everything is deleted."""
    result = await player.slash(table.channel, "privacy delete")
    assert result.response is not None
    assert result.ephemeral
    return result.response


async def whole(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Returns all rows of all tables, without the numbers that only count their changes."""
    names = await db.read("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    found = {}
    for (name,) in names:
        columns = await db.read("SELECT name FROM pragma_table_info($1)", name)
        kept = ", ".join(column for (column,) in columns if column not in ("version", "revision"))
        found[name] = sorted(await db.read(f"SELECT {kept} FROM {name}"), key=repr)
    return found


async def test_an_export_has_all_that_is_stored(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await finished(table, ann, bob)
    found = await exported(table, ann)
    assert found["format"] == "same-deal-export/1"
    assert found["player"]["name"] == "ann"
    assert [each["id"] for each in found["races"]] == [str(race.id)]
    (attempt,) = found["attempts"]
    assert attempt["seed"] == (await table.bot.desk.races.find(race.id)).seed
    assert found["events"]
    assert found["results"][0]["place"] is not None
    assert found["servers"] == [{"guild": str(table.guild.id)}]
    assert "bob" not in json.dumps(found)
    assert str(bob.id) not in json.dumps(found)


async def test_an_export_keeps_the_secret_of_a_deal_that_is_played(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob)
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    await race.press(ann, "Yes, give up")
    record = await table.bot.desk.races.find(race.id)
    text = json.dumps(await exported(table, ann))
    assert record.seed not in text
    assert record.salt not in text
    assert '"forfeit"' not in text.partition('"events"')[2].partition('"results"')[0]


async def test_deleting_leaves_the_results_of_others_as_they_were(table: Table, db: Database) -> None:
    ann, bob, cid = map(table.player, ("ann", "bob", "cid"))
    first, second = await finished(table, ann, bob, cid), await finished(table, cid, ann)
    desk = table.bot.desk
    before = await whole(db)
    places = [(await desk.races.find(race.id)).race.standings for race in (first, second)]
    verdict = await desk.standings.verdict(first.id)
    page = await asked(table, ann)
    assert "cannot be taken back" in text_of(page)
    assert await whole(db) == before, "asking deletes nothing"
    done = await ann.click(page, label="Delete everything")
    assert done.response is None or "Done" in text_of(done.response)

    after = await whole(db)
    flat = repr(after)
    assert str(ann.id) not in flat
    assert "'ann'" not in flat
    pseudonyms = {row[1] for row in after["entrant"]} - {bob.id, cid.id}
    assert len(pseudonyms) == 1
    (pseudonym,) = pseudonyms
    assert pseudonym < 0
    renamed = {
        name: sorted(
            (tuple(pseudonym if value == ann.id else value for value in row) for row in rows), key=repr
        )
        for name, rows in before.items()
    }
    for name in ("race", "attempt", "event", "result", "tally", "member", "streak", "daily_result", "audit"):
        assert after[name] == renamed[name], name

    for race, old in zip((first, second), places, strict=True):
        now = (await desk.races.find(race.id)).race.standings
        assert [(each.place, each.entrant.result) for each in now] == [
            (each.place, each.entrant.result) for each in old
        ]
    later = await desk.standings.verdict(first.id)
    assert {p: r for p, r in later.ratings.items() if p > 0} == {
        p: r for p, r in verdict.ratings.items() if p != ann.id
    }
    # and from now on everything is computed as if nothing had happened
    await desk.standings.void(first.id, desk.clock.now())
    await desk.standings.restore(first.id, desk.clock.now())
    await desk.standings.ratings.work(100)
    assert (await whole(db))["result"] == after["result"]
    assert sorted(row[:3] for row in (await whole(db))["tally"]) == sorted(row[:3] for row in after["tally"])


async def test_a_deleted_player_is_called_so_everywhere(table: Table) -> None:
    ann, bob = table.player("Zelda"), table.player("bob")
    race = await finished(table, ann, bob)
    page = await asked(table, ann)
    await ann.click(page, label="Delete everything")
    for command, options in (
        ("leaderboard", {"metric": "wins"}),
        ("race history", {}),
        ("replay", {"race": str(race.id)}),
    ):
        result = await bob.slash(table.channel, command, **options)
        assert result.response is not None
        assert "Zelda" not in text_of(result.response)
    await table.bot.desk.moderation.void(
        Judge(1, 0, 0, table.bot.desk.clock.now(), "so that it is told anew"), race.id
    )
    await table.sweep()
    await table.env.advance_time(4)
    assert "deleted player" in text_of(table.last)
    assert "Zelda" not in text_of(table.last)
    # an old board of that player's is nobody's
    attempt = (await table.bot.desk.races.find(race.id)).race.entrants[0].attempt
    assert "do not know this board" in told(await table.press_id(ann, f"b:{attempt}:0:more"))
    # who plays again begins anew
    again = await table.open(ann)
    assert "Zelda" in text_of(again.lobby)
    assert (await exported(table, ann))["results"] == []


async def test_nobody_deletes_in_the_middle_of_a_race(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await table.race(ann, bob)
    page = await asked(table, ann)
    refused = await ann.click(page, label="Delete everything")
    assert f"<#{table.channel.id}>" in told(refused)
    assert (await exported(table, ann))["player"]["name"] == "ann"


async def test_one_who_is_not_known_deletes_nothing(table: Table) -> None:
    ann = table.player("ann")
    page = await asked(table, ann)
    await ann.click(page, label="Keep it")
    assert "Nothing was deleted" in text_of(page)
    assert "Done" in text_of((await table.press_id(ann, "x:delete")).response)


@pytest.mark.parametrize("barred", [False, True])
async def test_listing_is_asked_for(table: Table, barred: bool) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await finished(table, ann, bob)
    desk = table.bot.desk
    world = "SELECT DISTINCT listed FROM tally WHERE player = $1 AND guild = 0"
    assert await desk._db.read(world, ann.id) == [(0,)]
    if barred:
        await desk._db.write(*bar_player(ann.id, barred=True))
    answer = told(await ann.slash(table.channel, "privacy listing", listed=True))
    assert ("keeps you off" if barred else "now, with your name") in answer
    assert await desk._db.read(world, ann.id) == [(int(not barred),)]
    assert "are not on the world boards" in told(
        await ann.slash(table.channel, "privacy listing", listed=False)
    )
    assert await desk._db.read(world, ann.id) == [(0,)]


async def test_a_ban_outlives_a_deletion(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await finished(table, ann, bob)
    desk = table.bot.desk
    await desk._db.write(*bar_player(ann.id, barred=True))
    page = await asked(table, ann)
    await ann.click(page, label="Delete everything")
    found = await exported(table, ann)
    assert found["player"]["barred"] == 1
    assert found["player"]["name"] == ""
    assert found["races"] == []


async def test_no_daily_is_begun_twice_by_deleting_in_between(table: Table) -> None:
    ann = table.player("ann")
    await ann.slash(table.channel, "daily play", game="one-handed")
    page = await asked(table, ann)
    await ann.click(page, label="Delete everything")
    assert "nobody begins one twice" in told(await ann.slash(table.channel, "daily play", game="one-handed"))
    await table.env.advance_time(26 * 3600)
    await table.tick()
    await table.sweep()
    assert await table.bot.desk._db.read("SELECT * FROM spent") == []


async def test_tokens_and_ids_of_presses_are_forgotten_in_time(table: Table) -> None:
    ann = table.player("ann")
    await table.open(ann)
    read = table.bot.desk._db.read

    async def kept() -> tuple[int, int]:
        await table.sweep()
        ((tokens,),) = await read("SELECT COUNT(token) FROM entrant")
        ((presses,),) = await read("SELECT COUNT(*) FROM press")
        return tokens, presses

    assert await kept() == (1, 1)
    await table.env.advance_time(14 * 60)
    assert await kept() == (1, 1)
    await table.env.advance_time(31)
    assert await kept() == (0, 1)
    await table.env.advance_time(46 * 60)
    assert await kept() == (0, 0)
