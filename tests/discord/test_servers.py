"""What servers choose for their races, what they are told, and what one of them may not do to the rest."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

import bot.text
from bot.mentions import Mentions
from bot.services import servers
from bot.services.servers import MOST_OF_ONE
from bot.turnstile import AT_ONCE, Turnstile
from tests.discord.table import Table, text_of, told
from tests.discord.test_moderation import finished, manager

MUTE = discord.PermissionOverwrite(send_messages=False)


async def ids(table: Table) -> dict[str, int]:
    """Returns the ids under which Discord knows the commands."""
    return {each.name: each.id for each in await table.bot.tree.fetch_commands()}


async def page(table: Table, mod: MemberActor) -> Any:
    result = await mod.slash(table.channel, "setup races")
    assert result.response is not None
    assert result.ephemeral
    return result.response


async def test_only_those_who_manage_the_server_choose(table: Table) -> None:
    ann = table.player("ann")
    command = next(each for each in await table.bot.tree.fetch_commands() if each.name == "setup")
    table.guild.set_command_permissions(command, {table.guild.default_role: True})
    assert "Manage Server" in told(await ann.slash(table.channel, "setup races"))
    assert "Manage Server" in told(await table.press_id(ann, "u:minutes"))


async def test_races_are_opened_in_the_chosen_channels_only(table: Table) -> None:
    ann, mod = table.player("ann"), manager(table)
    other = table.guild.create_text_channel("other")
    await mod.select(await page(table, mod), [other], custom_id="u:channels")
    refused = told(await ann.slash(table.channel, "race new", game="links"))
    assert f"<#{other.id}>" in refused
    assert not (await ann.slash(other, "race new", game="links")).ephemeral
    await mod.select(await page(table, mod), [], custom_id="u:channels")
    assert "live race" in told(await ann.slash(table.channel, "race new", game="links"))


async def test_games_time_limit_and_role_are_kept(table: Table) -> None:
    ann, bob, mod = table.player("ann"), table.player("bob"), manager(table)
    role = table.guild.create_role("racers")
    cid = table.guild.add_member(table.env.create_user("cid"), roles=[role])
    await mod.select(await page(table, mod), ["links", "take-away"], custom_id="u:games")
    assert "not raced on this server" in told(await ann.slash(table.channel, "race new", game="one-handed"))
    await mod.select(await page(table, mod), ["30"], custom_id="u:minutes")
    race = await table.open(ann, "links")
    assert "30 min" in text_of(race.lobby)
    await mod.select(await page(table, mod), [role], custom_id="u:role")
    assert f"<@&{role.id}>" in told(await bob.slash(table.channel, "race new", game="links"))
    await table.open(cid, "links")
    await table.open(mod, "links")
    await race.join(bob)
    await table.restart()
    assert "not raced" in told(await mod.slash(table.channel, "race new", game="one-handed"))


async def test_public_messages_speak_the_language_of_the_server(table: Table) -> None:
    ann, mod = table.player("ann"), manager(table)
    await mod.select(await page(table, mod), ["de"], custom_id="u:language")
    race = await table.open(ann)
    assert "Alle bekommen dieselbe Mischung" in text_of(race.lobby)
    assert "You host this race" in race.board(ann)
    assert "Press **Mein Spielfeld öffnen** on the race" in race.board(ann)  # as that button is labelled
    await ann.click(race.lobby, label="Start")
    await table.env.advance_time(7)
    assert "Gestartet" in text_of(race.lobby)
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    await race.press(ann, "Yes, give up")
    await table.env.advance_time(8)
    assert "Ergebnis" in text_of(table.last)
    board = await ann.slash(table.channel, "leaderboard")
    assert "Nobody is on this board" in told(board)
    assert board.response is not None
    await ann.click(board.response, label="Show to all")
    assert "steht noch niemand" in text_of(table.last)


async def test_missing_permissions_are_named_with_their_channel(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    mod = manager(table)
    assert "I have all that I need" in text_of(await page(table, mod))
    denied = discord.PermissionOverwrite(send_messages=False, attach_files=False)
    closed = table.guild.create_text_channel("closed", overwrites={table.guild.default_role: denied})
    shown = await page(table, mod)
    await mod.select(shown, [closed], custom_id="u:channels")
    assert f"<#{closed.id}>: Send Messages, Attach Files" in text_of(await page(table, mod))
    monkeypatch.setattr(bot.text, "language_of", lambda _: "de")
    assert f"<#{closed.id}>: Nachrichten senden, Dateien anhängen" in text_of(await page(table, mod))
    assert "**Nachrichten senden**" in told(await mod.slash(closed, "race new", game="links"))


async def test_what_is_missing_is_told_of_the_channel_where_it_is_asked(table: Table) -> None:
    mod = manager(table)
    denied = discord.PermissionOverwrite(attach_files=False)
    bare = table.guild.create_text_channel("bare", overwrites={table.guild.default_role: denied})
    shown = told(await mod.slash(bare, "setup races"))
    assert f"<#{bare.id}>: Attach Files" in shown


async def test_a_chosen_channel_that_is_gone_is_named(table: Table) -> None:
    mod = manager(table)
    other = table.guild.create_text_channel("other")
    await mod.select(await page(table, mod), [other], custom_id="u:channels")
    now = table.bot.desk.clock.now()
    kept = await table.bot.desk.servers.choices(table.guild.id, now)
    table.bot.desk.servers._keep(table.guild.id, replace(kept, channels=(other.id, 4)), now)
    shown = text_of(await page(table, mod))
    assert "<#4>: the channel is gone" in shown
    assert f"<#{other.id}>:" not in shown


async def test_neither_everybody_nor_a_bot_is_a_role_to_choose(table: Table) -> None:
    mod = manager(table)
    shown = await page(table, mod)
    refused = await mod.select(shown, [table.guild.default_role], custom_id="u:role")
    assert "does not work here" in told(refused)


@pytest.mark.parametrize("values", [["x"], ["7"], ["15", "20"], []])
async def test_choices_that_were_never_offered_are_refused(table: Table, values: list[str]) -> None:
    mod = manager(table)
    before = await table.bot.desk.servers.choices(table.guild.id, table.bot.desk.clock.now())
    for verb in ("minutes", "language", "nonsense"):
        if (verb, values) != ("minutes", ["15"]):
            assert "no button of mine" in told(await table.press_id(mod, f"u:{verb}"))
    assert await table.bot.desk.servers.choices(table.guild.id, table.bot.desk.clock.now()) == before


async def test_a_new_server_is_welcomed_once_where_the_bot_may_write(table: Table) -> None:
    guild = table.env.create_guild("new")
    closed = guild.create_text_channel("closed", overwrites={guild.default_role: MUTE})
    channel = guild.create_text_channel("open")
    cached = table.bot.get_guild(guild.id)
    assert cached is not None
    for _ in range(2):
        with table.env._bot_scope():
            task = asyncio.create_task(table.bot.on_guild_join(cached))
        await table.env.settle()
        await task
    assert len(list(closed.history())) == 0
    assert len(list(channel.history())) == 1
    assert f"</help:{(await ids(table))['help']}>" in text_of(channel.last_message)


async def test_a_server_without_a_word_for_the_bot_is_not_welcomed(table: Table) -> None:
    guild = table.env.create_guild("mute")
    channel = guild.create_text_channel("closed", overwrites={guild.default_role: MUTE})
    cached = table.bot.get_guild(guild.id)
    assert cached is not None
    await table.bot.on_guild_join(cached)
    assert list(channel.history()) == []
    assert await table.bot.desk.servers.welcome(guild.id, 0), "it is owed when the bot is invited again"


async def test_a_server_that_floods_is_refused_with_a_sentence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "MOST_LOBBIES", 3)
    hosts = [table.player(f"host {n}") for n in range(4)]
    for host in hosts[:3]:
        await table.open(host)
    assert "Too many races" in told(await hosts[3].slash(table.channel, "race new", game="links"))
    other = table.env.create_guild("elsewhere")
    channel = other.create_text_channel("games")
    calm = other.add_member(table.env.create_user("calm"))
    assert not (await calm.slash(channel, "race new", game="links")).ephemeral
    await hosts[0].slash(table.channel, "race leave")
    await table.open(hosts[3])


async def test_a_server_whose_hosts_open_and_leave_is_refused(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "MOST_OF_ALL", 3)
    hosts = [table.player(f"host {n}") for n in range(4)]
    for host in hosts[:3]:
        await table.open(host)
        await host.slash(table.channel, "race leave")
    assert "Too many races" in told(await hosts[3].slash(table.channel, "race new", game="links"))
    await table.env.advance_time(11 * 60)
    await table.open(hosts[3])


async def test_one_host_who_opens_and_leaves_is_refused(table: Table) -> None:
    ann = table.player("ann")
    for _ in range(MOST_OF_ONE):
        await table.open(ann)
        await ann.slash(table.channel, "race leave")
    assert "Too many races" in told(await ann.slash(table.channel, "race new", game="links"))
    await table.env.advance_time(11 * 60)
    await table.open(ann)


async def test_presses_under_way_are_counted_for_each_player() -> None:
    turnstile = Turnstile()
    gate = asyncio.Event()

    async def press(player: int) -> bool:
        entered = turnstile.enter(player)
        if entered:
            await gate.wait()
        return entered

    tasks = [asyncio.create_task(press(1)) for _ in range(50)] + [asyncio.create_task(press(2))]
    await asyncio.sleep(0)
    gate.set()
    entered = await asyncio.gather(*tasks)
    assert sum(entered[:50]) == AT_ONCE
    assert entered[50]
    await asyncio.sleep(0)
    assert len(turnstile) == 0


async def test_who_presses_too_fast_is_told(table: Table) -> None:
    ann = table.player("ann")
    race = await table.open(ann)
    table.bot.turnstile._inside[ann.id] = AT_ONCE
    assert "faster than I can follow" in told(await ann.click(race.lobby, label="Rules"))
    assert "faster than I can follow" in told(await ann.slash(table.channel, "help"))
    del table.bot.turnstile._inside[ann.id]
    assert "faster" not in told(await ann.slash(table.channel, "help"))


async def test_who_types_too_fast_is_offered_nothing(table: Table) -> None:
    mod = manager(table)
    asked = (table.channel, "setup daily", "zone", "Berlin")
    assert await mod.autocomplete(*asked) != []
    table.bot.turnstile._inside[mod.id] = AT_ONCE
    assert await mod.autocomplete(*asked) == []


async def test_the_end_of_a_race_is_told_to_those_who_asked_for_it(table: Table) -> None:
    user, bob = table.env.create_user("ann"), table.player("bob")
    ann = table.guild.add_member(user)
    await table.press_id(ann, "s:tell")
    await finished(table, ann, bob)
    (letter,) = user.dm_channel.history()
    assert "place 1 of 2" in text_of(letter)
    assert f"/{table.last.id})" in text_of(letter)
    await table.press_id(ann, "s:quiet")
    await finished(table, ann, bob)
    assert len(list(user.dm_channel.history())) == 1


async def test_newcomers_are_told_where_to_look(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.open(ann)
    assert "Your first race here?" in race.board(ann)
    await race.join(bob)
    assert "Your first race here?" in race.board(bob)
    await race.start(ann, bob)
    for player in (ann, bob):
        await race.press(player, "More")
        await race.press(player, "Forfeit")
        await race.press(player, "Yes, give up")
    again = await table.open(ann)
    assert "Your first race here?" not in again.board(ann)


async def test_the_help_fits_who_asks(table: Table) -> None:
    ann, mod = table.player("ann"), manager(table)
    assert "/moderate" not in told(await ann.slash(table.channel, "help"))
    assert "/moderate" in told(await mod.slash(table.channel, "help"))


async def test_commands_that_are_named_can_be_pressed(table: Table) -> None:
    ann, known = table.player("ann"), await ids(table)
    page = told(await ann.slash(table.channel, "help"))
    for name in ("play", "race new", "daily results"):
        assert f"</{name}:{known[name.split()[0]]}>" in page
    refused = told(await ann.slash(table.channel, "board"))
    assert f"Start a race with </race new:{known['race']}>" in refused


def test_a_command_that_discord_does_not_know_is_no_more_than_named() -> None:
    assert Mentions().link("`/play` or `/race new`") == "`/play` or `/race new`"
