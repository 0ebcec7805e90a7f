"""Help, settings of servers, privacy, the audit log and refusals at their longest, against Discord's limits."""

from __future__ import annotations

import inspect
import re

import pytest

from bot.cogs.servers import NEEDED
from bot.services.moderation import MAX_REASON, PAGE, AuditLog
from bot.store.moderation import Deed, Entry
from bot.store.servers import Choices
from bot.text.refusals import EXPLANATIONS, explain
from bot.views.help import ended, help_page
from bot.views.lobby import sentence
from bot.views.moderation import audit_page, done, judgement_lines
from bot.views.payload import walk
from bot.views.privacy import delete_page, export_page
from bot.views.servers import MOST_CHANNELS, setup_page, welcome
from engine import GAMES
from tests.payloads import check
from tests.services.conftest import NOW
from tests.views.boards import LARGEST_ID
from tests.views.test_standings_limits import NAME, NAMES, PLAYERS

pytestmark = pytest.mark.usefixtures("longest")
REASON = "*" * MAX_REASON


def entry(number: int, deed: Deed, *, daily: bool = False) -> Entry:
    game = max((rules.key for rules in GAMES), key=len)
    where = {"day": 99_999, "game": game} if daily else {"race": LARGEST_ID}
    return Entry(
        LARGEST_ID - number,
        1,
        PLAYERS[1],
        deed,
        REASON,
        NOW,
        player=PLAYERS[0],
        **where,
    )


@pytest.mark.parametrize("deed", Deed)
@pytest.mark.parametrize("daily", [False, True])
def test_the_audit_log_keeps_to_the_limits_and_shows_whole_reasons(deed: Deed, daily: bool) -> None:
    lines = tuple(entry(number, deed, daily=daily) for number in range(PAGE))
    for page, total in ((0, PAGE), (0, 9_999), (5, 9_999), (9_999 // PAGE, 9_999), (0, 0)):
        message = audit_page(AuditLog(page, total, lines if total else (), NAMES))
        check(message)
        shown = "".join(part["content"] for part in walk(message.components) if part["type"] == 10)
        assert shown.count(r"\*") >= (PAGE * MAX_REASON if total else 0)


def test_judgements_keep_to_the_limits() -> None:
    for deed in Deed:
        assert all(len(line) < 700 for line in judgement_lines([entry(0, deed)], NAMES))
        for daily in (False, True):
            if deed not in (Deed.BAN, Deed.UNBAN) and not (
                daily and deed in (Deed.VOID, Deed.RESTORE, Deed.CANCEL)
            ):
                check(done(deed, NAME, daily=daily))


def test_setup_keeps_to_the_limits() -> None:
    channels = tuple(LARGEST_ID - number for number in range(MOST_CHANNELS))
    chosen = Choices(channels, tuple(rules.key for rules in GAMES), 120, LARGEST_ID, "de")
    for choices in (Choices(), chosen):
        for lacking in ({}, dict.fromkeys(channels, NEEDED), dict.fromkeys(channels, ())):
            check(setup_page(choices, lacking))


def test_the_other_pages_keep_to_the_limits() -> None:
    def link(text: str) -> str:
        return re.sub("`/([^`]+)`", rf"</\1:{LARGEST_ID}>", text)

    for message in (
        help_page(link, manages=True),
        help_page(link, manages=False),
        welcome(link),
        delete_page(),
    ):
        check(message)
    for rules in GAMES:
        for place in (None, 25):
            check(
                ended(
                    rules, place, 25, f"https://discord.com/channels/{LARGEST_ID}/{LARGEST_ID}/{LARGEST_ID}"
                )
            )


def test_an_export_has_what_explains_it() -> None:
    for data, name in ((b"{}", "same-deal-export.json"), (b"x" * 9 * 2**20, "same-deal-export.json.gz")):
        message = export_page(data, b"# Privacy")
        assert [file.name for file in message.files] == [name, "PRIVACY.md"]
        urls = [part["file"]["url"] for part in message.components if part["type"] == 13]
        assert urls == [f"attachment://{file.name}" for file in message.files]


def test_every_refusal_can_be_said() -> None:
    given = {"int": LARGEST_ID, "str": "x" * 100, "permission": "send_messages"}
    for kind in EXPLANATIONS:
        wanted = (
            inspect.signature(kind.__init__).parameters.values() if inspect.isfunction(kind.__init__) else ()
        )
        error = kind(*(given.get(each.name) or given[str(each.annotation)] for each in list(wanted)[1:]))
        told = explain(error)
        assert told is not None
        assert "{" not in told
        check(sentence(told))
