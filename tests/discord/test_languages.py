"""Whoever is spoken to hears the own language: nothing that the bot shows is left out of the translations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from simcord.actors import MemberActor

import bot.text
from bot.text import harmless
from bot.text.catalogue import LANGUAGE_NAMES
from bot.views.payload import Message, walk
from tests import payloads
from tests.discord.table import Table, text_of, told
from tests.discord.test_moderation import manager

NOTATION = r"<[^>]*>|`[^`]*`|\b(?:10|[A2-9JQK])[♣♦♥♠]|\b[FWSHD]\d?\b|\b(?:ann|bob|mod|x)\b"
"""What is the same in all languages: Discord's own markup, code, cards, piles, the names in these tests."""
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


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All texts that are shown from here on, in a language in which every sentence stands in brackets."""
    found: list[str] = []
    body = Message.body

    def recorded(self: Message, *, ephemeral: bool = False, edit: bool = False) -> dict[str, Any]:
        made = body(self, ephemeral=ephemeral, edit=edit)
        found.extend(_texts(made["components"]))
        found.extend(file.description for file in self.files)
        payloads.check_message(made)
        return made

    monkeypatch.setattr(Message, "body", recorded)
    monkeypatch.setattr(bot.text, "language_of", lambda _: "marked")
    monkeypatch.setattr(bot.text, "translations", lambda _: Marked())
    return found


async def test_every_sentence_is_translated(table: Table, shown: list[str]) -> None:
    await play_around(table)
    glued = {left for text in shown if (left := _outside(text))}
    assert sorted(glued - set(LANGUAGE_NAMES.values())) == []
    assert len(set(shown)) > 150


@pytest.mark.parametrize("language", ["de", "fr"])
async def test_all_messages_stay_within_limits(
    table: Table, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    body = Message.body

    def checked(self: Message, *, ephemeral: bool = False, edit: bool = False) -> dict[str, Any]:
        made = body(self, ephemeral=ephemeral, edit=edit)
        payloads.check_message(made)
        return made

    monkeypatch.setattr(Message, "body", checked)
    monkeypatch.setattr(bot.text, "language_of", lambda _: language)
    await play_around(table)


@pytest.mark.parametrize(
    "name", ["@everyone\u202e", "<@1> **x** `y`", "||[a](https://b.c)||\u200b" + "_" * 20]
)
async def test_names_do_no_harm_anywhere(table: Table, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    found: list[str] = []
    body = Message.body

    def recorded(self: Message, *, ephemeral: bool = False, edit: bool = False) -> dict[str, Any]:
        made = body(self, ephemeral=ephemeral, edit=edit)
        payloads.check_message(made)
        found.extend(part["content"] for part in walk(made["components"]) if part["type"] == 10)
        assert not any(
            unicodedata.category(char) == "Cf" for text in _texts(made["components"]) for char in text
        )
        return made

    monkeypatch.setattr(Message, "body", recorded)
    await play_around(table, name)
    shown = harmless(name)
    assert sum(shown in text for text in found) > 10
    for text in found:
        rest = text.replace(shown, "")
        assert "@everyone" not in rest
        assert "<@1>" not in rest
        assert "](https://b.c)" not in rest
        assert "**x**" not in rest


async def play_around(table: Table, name: str = "ann") -> None:
    """Sees as much of the bot as one can in a few minutes, as a player called *name* and others."""
    ann, bob, mod = table.player(name), table.player("bob"), manager(table)
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
    race = await run(table, "take-away", ann, bob)
    await give_up(table, race, ann, bob)
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
