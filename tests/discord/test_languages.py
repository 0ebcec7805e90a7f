"""Whoever is spoken to hears the own language: nothing that the bot shows is left out of the translations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from simcord.actors import MemberActor

import bot.text
from bot.render import table as tables
from bot.render.canvas import Canvas
from bot.text import harmless
from bot.text.catalogue import LANGUAGE_NAMES
from bot.views.payload import Message, walk
from tests import payloads
from tests.discord.table import Table, text_of, told
from tests.discord.test_moderation import manager
from tests.languages import Longest, all_speak

NOTATION = r"<[^>]*>|`[^`]*`|\b(?:10|[A2-9JQK])[♣♦♥♠]|\b[FWSHD]\d?\b|\b(?:ann|bob|mod|x)\b"
"""What is the same in all languages: Discord's own markup, code, cards, piles, the names in these tests."""
HARMFUL = ("@everyone\u202e", "<@1> **x** `y`", "||[a](https://b.c)||\u200b" + "_" * 20)
TEXTS = ("content", "label", "placeholder", "description")


class Marked:
    """A language in which every sentence is English between brackets."""

    def gettext(self, text: str) -> str:
        return f"⟦{text}⟧"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"⟦{one if n == 1 else many}⟧"

    def pgettext(self, context: str, text: str) -> str:
        return f"⟦{text}⟧"

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return f"⟦{one if n == 1 else many}⟧"


@dataclass
class Shown:
    """What was shown: *all* texts, and those of them in which Discord knows markup and mentions."""

    all: set[str] = field(default_factory=set)
    marked_up: list[str] = field(default_factory=list)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """What is shown from here on; the messages that show it are checked, and no picture is drawn."""
    found = Shown()
    body = Message.body

    def recorded(self: Message, *, ephemeral: bool = False, edit: bool = False) -> dict[str, Any]:
        made = body(self, ephemeral=ephemeral, edit=edit)
        found.all.update(_texts(made["components"]), (file.description for file in self.files))
        found.marked_up.extend(part["content"] for part in walk(made["components"]) if part["type"] == 10)
        payloads.check_message(made)
        return made

    monkeypatch.setattr(Message, "body", recorded)
    monkeypatch.setattr(Canvas, "png", lambda _: b"png")
    monkeypatch.setattr(tables, "encode", lambda _: b"png")
    return found


async def test_every_sentence_is_translated(table: Table, shown: Shown) -> None:
    with all_speak(Marked()):
        await play_around(table)
    glued = {left for text in shown.all if (left := _outside(text))}
    assert sorted(glued - set(LANGUAGE_NAMES.values())) == []
    assert len(shown.all) > 150


async def test_names_do_no_harm_anywhere_in_the_longest_of_languages(table: Table, shown: Shown) -> None:
    with all_speak(Longest()):
        await play_around(table, HARMFUL)
    for name in HARMFUL:
        assert sum(harmless(name) in text for text in shown.marked_up) > 5, name
    for text in shown.marked_up:
        for name in HARMFUL:
            text = text.replace(harmless(name), "")
        assert [harm for harm in ("@everyone", "<@1>", "](https://b.c)", "**x**") if harm in text] == []
    hidden = {char for text in shown.all for char in text if unicodedata.category(char) == "Cf"}
    assert hidden == set()


async def play_around(table: Table, names: tuple[str, str, str] = ("ann", "bob", "mod")) -> None:
    """Sees as much of the bot as one can in a few minutes, as three players with *names*, the last a moderator."""
    ann, bob, mod = table.player(names[0]), table.player(names[1]), manager(table, names[2])
    for player in (ann, mod):
        await player.slash(table.channel, "help")
    await ann.slash(table.channel, "settings")
    for style in ("image", "text"):
        await table.press_id(ann, "s:four")
        race = await run(table, "links" if style == "text" else "one-handed", ann, bob)
        for verb in ("more", "undo", "hint", "auto"):
            await table.press_id(ann, f"b:{(await entrant(table, race, ann))}:0:{verb}")
        await give_up(table, race, ann, bob)
        await choose(table, ann, style)
    race = await run(table, "take-away", ann, bob, mod)
    await give_up(table, race, ann, bob, mod)
    judgements: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("wrong", "moderate disqualify", {"player": bob}),
        ("right", "moderate restore", {"player": bob}),
        ("void", "moderate void", {}),
    )
    for reason, command, options in judgements:
        await mod.slash(table.channel, command, race=str(race), reason=reason, **options)
        await table.env.advance_time(4)
    await mod.slash(table.channel, "moderate audit")
    lobby = await table.open(ann)
    await mod.slash(table.channel, "moderate cancel", race=str(lobby.id), reason="x")
    await mod.slash(table.channel, "setup races")
    await mod.slash(table.channel, "setup daily")
    await mod.slash(table.channel, "setup daily", channel=table.channel, hour=9, zone="Europe/Berlin")
    for game in ("links", "striptease", "taking-silk"):
        await ann.slash(table.channel, "rules", game=game)
    for metric in ("rating", "wins", "points", "time", "streak"):
        for scope in ("server", "world"):
            await ann.slash(table.channel, "leaderboard", metric=metric, scope=scope)
    await ann.slash(table.channel, "leaderboard", metric="time", game="links", period="week")
    await ann.slash(table.channel, "profile")
    await ann.slash(table.channel, "race history")
    await ann.slash(table.channel, "replay")
    await ann.slash(table.channel, "privacy delete")
    await ann.slash(table.channel, "privacy listing", listed=True)
    await ann.slash(table.channel, "play", game="take-away", seed="word")
    await ann.slash(table.channel, "daily play", game="one-handed")
    await ann.slash(table.channel, "daily results", game="one-handed")
    await ann.slash(table.channel, "daily archive")
    await table.env.advance_time(26 * 3600)
    await table.tick()
    await ann.slash(table.channel, "daily archive")
    await ann.slash(table.channel, "daily results", game="one-handed")


async def run(table: Table, game: str, *players: MemberActor) -> int:
    """Returns a race that has just begun, without a look at what is written on buttons."""
    race = (await table.open(players[0], game)).id
    for player in players[1:]:
        await table.press_id(player, f"r:{race}:join")
    await table.press_id(players[0], f"r:{race}:start")
    await table.env.advance_time(7)
    return race


async def entrant(table: Table, race: int, player: MemberActor) -> int:
    found = (await table.bot.desk.races.find(race)).race.find(player.id)
    assert found is not None
    return found.attempt


async def give_up(table: Table, race: int, *players: MemberActor) -> None:
    for player in players:
        attempt = await entrant(table, race, player)
        seq = (await table.bot.desk.attempts.find(attempt)).attempt.seq
        await table.press_id(player, f"b:{attempt}:{seq}:end")
    await table.env.advance_time(8)


async def choose(table: Table, player: MemberActor, style: str) -> None:
    page = await player.slash(table.channel, "settings")
    assert page.response is not None
    await player.select(page.response, [style], custom_id="s:style")


def _texts(components: Any) -> Iterator[str]:
    for part in walk(components):
        yield from (part[key] for key in TEXTS if isinstance(part.get(key), str))
        for option in part.get("options", ()):
            yield from (option[key] for key in ("label", "description") if key in option)
        for item in part.get("items", ()):
            yield item.get("description", "")


def _outside(text: str) -> str:
    """Returns what of *text* stands in no brackets and has letters."""
    depth, left = 0, ""
    for char in re.sub(NOTATION, "", text):
        depth += (char == "⟦") - (char == "⟧")
        if not depth and char != "⟧":
            left += char
    return left.strip() if any(map(str.isalpha, left)) else ""


async def test_refusals_are_said_in_the_language_of_the_player(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = table.player("ann")
    monkeypatch.setattr(bot.text, "language_of", lambda _: "de")
    await table.open(ann)
    assert "Verlass oder beende es zuerst" in told(await ann.slash(table.channel, "race new", game="links"))
    assert "Alle bekommen dieselbe Mischung" in text_of(table.last)
