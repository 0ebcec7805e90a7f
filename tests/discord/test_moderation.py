"""Judgements on a server: who may make them, what they reach, what follows, and who is told."""

from __future__ import annotations

import re
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import GuildHandle
from simcord.env import Env

from bot.store import moderation as store
from bot.store.moderation import Deed
from tests.discord.table import Seated, Table, text_of, told


def manager(table: Table, name: str = "mod") -> MemberActor:
    """Returns a member who manages the server."""
    return make_manager(table.env, table.guild, name)


def make_manager(env: Env, guild: GuildHandle, name: str) -> MemberActor:
    """Returns a member of *guild* who manages it."""
    role = guild.create_role(f"{name}s", permissions=discord.Permissions(manage_guild=True))
    actor: MemberActor = guild.add_member(env.create_user(name), roles=[role])
    return actor


async def finished(table: Table, *players: MemberActor) -> Seated:
    """Returns a race in which all but the first one have given up, in their order, and then the first one."""
    race = await table.race(*players)
    for player in players[::-1]:
        await race.press(player, "More")
        await race.press(player, "Forfeit")
        await race.press(player, "Yes, give up")
        await table.env.advance_time(4)
    await table.env.advance_time(4)
    return race


async def judge(table: Table, mod: MemberActor, name: str, race: Seated, **options: Any) -> str:
    """Lets *mod* judge *race* and returns what answered."""
    result = await mod.slash(table.channel, f"moderate {name}", race=str(race.id), **options)
    await table.env.advance_time(4)
    return told(result)


async def test_only_those_who_manage_the_server_judge(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await finished(table, ann, bob)
    # the server lets everybody see the command; then it is the bot that refuses
    command = next(each for each in await table.bot.tree.fetch_commands() if each.name == "moderate")
    table.guild.set_command_permissions(command, {table.guild.default_role: True})
    for name, options in (
        ("void", {"race": str(race.id), "reason": "x"}),
        ("restore", {"race": str(race.id), "reason": "x"}),
        ("disqualify", {"race": str(race.id), "reason": "x", "player": bob}),
        ("cancel", {"race": str(race.id), "reason": "x"}),
        ("audit", {}),
    ):
        assert "Manage Server" in told(await ann.slash(table.channel, f"moderate {name}", **options))
    assert "Manage Server" in told(await table.press_id(ann, "m:older:1"))
    assert not (await table.bot.desk.standings.verdict(race.id)).is_voided


async def test_a_void_race_says_so_where_its_result_stands(table: Table) -> None:
    ann, bob, mod = table.player("ann"), table.player("bob"), manager(table)
    race = await finished(table, ann, bob)
    before = len(table.said())
    answer = await judge(table, mod, "void", race, reason="a *test* @everyone")
    assert "counts for nothing" in answer
    assert len(table.said()) == before, "the result is edited, not followed"
    shown = text_of(table.last)
    assert "voided" in shown.lower()
    assert r"a \*test\* \@everyone" in shown
    assert "already" in await judge(table, mod, "void", race, reason="again")
    assert "counts again" in await judge(table, mod, "restore", race, reason="was right")
    assert "was right" in text_of(table.last)
    assert "counts for nothing" not in text_of(table.last)
    log = told(await mod.slash(table.channel, "moderate audit"))
    assert log.index("was right") < log.index("test")


async def test_an_old_result_is_followed_by_a_new_one(table: Table) -> None:
    ann, bob, mod = table.player("ann"), table.player("bob"), manager(table)
    race = await finished(table, ann, bob)
    before = len(table.said())
    await table.env.advance_time(3600)
    await judge(table, mod, "void", race, reason="late")
    assert len(table.said()) == before + 1
    assert "late" in text_of(table.last)


async def test_a_result_that_is_gone_is_followed_by_a_new_one(table: Table) -> None:
    ann, bob, mod = table.player("ann"), table.player("bob"), manager(table)
    race = await finished(table, ann, bob)
    result = table.last
    await table.bot.http.delete_message(table.channel.id, result.id)
    await judge(table, mod, "void", race, reason="it was deleted")
    assert table.last.id != result.id
    assert "it was deleted" in text_of(table.last)


async def test_who_is_disqualified_has_no_place(table: Table) -> None:
    ann, bob, cid, mod = *map(table.player, ("ann", "bob", "cid")), manager(table)
    race = await finished(table, ann, bob, cid)
    assert "ann" in await judge(table, mod, "disqualify", race, player=ann, reason="two accounts")
    shown = text_of(table.last)
    assert re.search(r"\*\*ann\*\* · disqualified", shown)
    assert "two accounts" in shown
    assert (await table.bot.desk.standings.verdict(race.id)).disqualified == {ann.id}
    assert "not in this race" in await judge(table, mod, "disqualify", race, player=mod, reason="x")
    await judge(table, mod, "restore", race, player=ann, reason="one after all")
    assert (await table.bot.desk.standings.verdict(race.id)).disqualified == frozenset()


async def test_a_lobby_is_cancelled_with_the_reason(table: Table) -> None:
    ann, mod = table.player("ann"), manager(table)
    race = await table.open(ann)
    assert "cancelled" in await judge(table, mod, "cancel", race, reason="wrong channel")
    assert "wrong channel" in race.board(ann)
    assert "wrong channel" in text_of(race.lobby)
    assert "not finished" in await judge(table, mod, "void", race, reason="x")
    running = await table.race(ann)
    assert "running" in await judge(table, mod, "cancel", running, reason="x")


async def test_races_of_other_servers_are_out_of_reach(table: Table) -> None:
    user, bob = table.env.create_user("ann"), table.player("bob")
    race = await finished(table, table.guild.add_member(user), bob)
    other = table.env.create_guild("elsewhere")
    channel = other.create_text_channel("games")
    owner = make_manager(table.env, other, "owner")
    commands: tuple[tuple[str, dict[str, Any]], ...] = (
        *((name, {}) for name in ("void", "restore", "cancel")),
        *((name, {"player": user}) for name in ("restore", "disqualify")),
    )
    for name, options in commands:
        result = await owner.slash(channel, f"moderate {name}", race=str(race.id), reason="x", **options)
        assert "know no such race" in told(result)
    assert not (await table.bot.desk.standings.verdict(race.id)).is_voided
    assert "Nothing yet" in told(await owner.slash(channel, "moderate audit"))


async def test_a_judgement_that_was_not_told_is_told_by_the_next_sweep(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await finished(table, ann, bob)
    db, standings = table.bot.desk._db, table.bot.desk.standings
    entry = store.Entry(1, 0, 0, Deed.VOID, "by the operator", table.bot.desk.clock.now(), race.id)
    await standings.void(race.id, entry.at, store.insert(entry), store.owe(race.id))
    await table.sweep()
    await table.env.advance_time(4)
    assert "by the operator" in text_of(table.last)
    assert await store.owed(db, 10) == []
    log = told(await manager(table).slash(table.channel, "moderate audit"))
    assert "**the operator** · voided" in log
    elsewhere = table.env.create_guild("elsewhere")
    owner = make_manager(table.env, elsewhere, "owner")
    assert "Nothing yet" in told(await owner.slash(elsewhere.create_text_channel("games"), "moderate audit"))


async def test_races_are_offered(table: Table) -> None:
    ann, bob, mod = table.player("ann"), table.player("bob"), manager(table)
    race = await finished(table, ann, bob)
    lobby = await table.open(ann)
    offered = await mod.autocomplete(table.channel, "moderate void", "race", "")
    assert [choice["value"] for choice in offered] == [str(race.id)]
    assert "ann" in offered[0]["name"]
    offered = await mod.autocomplete(table.channel, "moderate cancel", "race", "")
    assert [choice["value"] for choice in offered] == [str(lobby.id)]


async def test_a_daily_is_judged_where_it_was_begun(table: Table) -> None:
    user, mod = table.env.create_user("ann"), manager(table)
    ann = table.guild.add_member(user)
    await ann.slash(table.channel, "daily play", game="one-handed")
    (attempt,) = await table.bot.desk._db.read("SELECT id FROM attempt WHERE purpose = 'daily'")
    await table.press_id(ann, f"b:{attempt[0]}:0:end")
    offered = await mod.autocomplete(table.channel, "moderate disqualify", "race", "daily")
    (daily,) = [choice["value"] for choice in offered]
    other = table.env.create_guild("elsewhere")
    owner, channel = make_manager(table.env, other, "owner"), other.create_text_channel("games")
    options = {"race": daily, "player": user, "reason": "two *accounts*"}
    assert await owner.autocomplete(channel, "moderate disqualify", "race", "daily") == []
    assert "where it was begun" in told(await owner.slash(channel, "moderate disqualify", **options))
    assert "out of this daily" in told(await mod.slash(table.channel, "moderate disqualify", **options))
    assert "already" in told(await mod.slash(table.channel, "moderate disqualify", **options))
    shown = told(await ann.slash(table.channel, "daily results", game="one-handed"))
    assert "disqualified" in shown
    assert r"two \*accounts\*" in shown
    assert "daily One-Handed" in told(await mod.slash(table.channel, "moderate audit"))
    assert "back in this daily" in told(await mod.slash(table.channel, "moderate restore", **options))
    assert "isqualified" not in told(await ann.slash(table.channel, "daily results", game="one-handed"))
    for wrong in ("daily:x:links", "daily:2026-11-30", "daily:2001-01-01:links", f"{daily}s"):
        refused = await mod.slash(table.channel, "moderate disqualify", race=wrong, player=ann, reason="x")
        assert "no such daily" in told(refused)
