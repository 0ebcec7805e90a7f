"""The log holds ids, and nothing else of people: no names, no tokens, no seeds, no reasons."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from bot import logs
from tests.discord.table import Table
from tests.discord.test_moderation import finished, manager


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that the bot would log at its most talkative."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    levels = {name: logging.getLogger(name).level for name in (*logs._LOUD, "discord.client")}
    stream = io.StringIO()
    logs.configure(logging.DEBUG, logs.LogFormat.JSON, stream=stream)
    try:
        yield stream
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        for name, before in levels.items():
            logging.getLogger(name).setLevel(before)


async def test_nothing_about_people_is_logged(
    table: Table, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, mod = table.player("Annabella"), table.player("Bobadilla"), manager(table, "Moderatrix")
    race = await finished(table, ann, bob)
    await mod.slash(table.channel, "moderate void", race=str(race.id), reason="Unmistakable reason")
    await ann.slash(table.channel, "race new", game="links", seed="Memorable seed")
    await ann.slash(table.channel, "race leave")
    await ann.slash(table.channel, "play", game="links", seed="Another seed")
    await ann.slash(table.channel, "daily play", game="one-handed")
    await ann.slash(table.channel, "privacy export")
    with table.env._bot_scope():
        await table.bot.on_guild_join(table.bot.guilds[0])

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(table.bot.desk.races, "find", broken)
    await table.press_id(ann, f"r:{race.id}:rules")
    written = log.getvalue()
    assert "ZeroDivisionError" in written, "the log was looked at"
    tokens = [row[0] for row in await table.bot.desk._db.read("SELECT token FROM entrant") if row[0]]
    seeds = [
        row[0]
        for row in await table.bot.desk._db.read("SELECT seed FROM attempt UNION SELECT seed FROM daily")
    ]
    salts = [row[0] for row in await table.bot.desk._db.read("SELECT salt FROM race")]
    assert len(seeds) >= 3
    secrets = ("Annabella", "Bobadilla", "Moderatrix", "Unmistakable", *tokens, *seeds, *salts)
    assert [secret for secret in secrets if secret in written] == []
