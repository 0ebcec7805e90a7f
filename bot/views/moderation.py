"""Judgements as they are told, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.periods import date_of
from bot.services.moderation import MAX_REASON, AuditLog
from bot.store.moderation import OPERATOR, Deed, Entry
from bot.text import harmless, instant, say
from bot.text import moderation as words_of
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.ids import MODERATION, make_id
from bot.views.payload import Inner, Message, button, container, row
from bot.views.payload import text as words
from engine import UnknownGameError, find_game

ACCENT = 0xF0B232
TOLD_REASON = 150
"""How much of a reason is told in public, in characters; the audit log has all of it."""


def judgement_lines(entries: Sequence[Entry], names: Mapping[int, str]) -> list[str]:
    """Returns what a result or a lobby tells of judgements."""
    return [
        say(
            words_of.TOLD[entry.deed],
            name=name_of(entry.player or 0, names),
            when=instant(entry.at),
            reason=harmless(entry.reason, TOLD_REASON),
        )
        for entry in entries
        if entry.deed in words_of.TOLD
    ]


def done(deed: Deed, name: str, *, daily: bool = False) -> Message:
    """Returns what the moderator is told who did it; *name* is whom it concerns, where it is one alone."""
    sentence = (words_of.DONE_DAILY if daily else words_of.DONE)[deed]
    lines = [say(sentence, name=harmless(name))]
    if deed is not Deed.CANCEL:
        lines.append(say(words_of.FOLLOWS))
    return Message.of(words("\n".join(lines)))


def audit_page(log: AuditLog) -> Message:
    """Returns a page of the audit log of a server."""
    parts: list[Inner] = [words(say(words_of.AUDIT_TITLE))]
    lines = [_line(entry, log.names) for entry in log.entries]
    parts.append(words("\n".join(lines) or say(words_of.AUDIT_NONE)))
    if log.pages > 1:
        parts.append(words(say(words_of.AUDIT_PAGE, page=log.page + 1, pages=log.pages)))
        newer = button(
            say(words_of.BUTTON_NEWER),
            make_id(MODERATION, "newer", max(log.page - 1, 0)),
            disabled=log.page == 0,
        )
        older = button(
            say(words_of.BUTTON_OLDER),
            make_id(MODERATION, "older", log.page + 1),
            disabled=log.page + 1 >= log.pages,
        )
        parts.append(row(newer, older))
    return Message.of(container(parts, ACCENT))


def called(key: str) -> str:
    """Returns what the game with this *key* is called; one that is no more is called by its key."""
    try:
        return game_name(find_game(key))
    except UnknownGameError:
        return harmless(key)


def _line(entry: Entry, names: Mapping[int, str]) -> str:
    operator = entry.moderator == OPERATOR
    return say(
        words_of.AUDIT_LINE,
        when=instant(entry.at, "f"),
        moderator=say(words_of.OPERATOR) if operator else name_of(entry.moderator, names),
        deed=say(words_of.DEEDS[entry.deed]),
        what=_what(entry, names),
        reason=harmless(entry.reason, MAX_REASON),
    )


def _what(entry: Entry, names: Mapping[int, str]) -> str:
    what = ""
    if entry.race is not None:
        what = say(words_of.AUDIT_RACE, race=entry.race)
    elif entry.day is not None:
        what = say(words_of.AUDIT_DAILY, game=called(entry.game or ""), date=date_of(entry.day).isoformat())
    if entry.player is None:
        return what
    name = name_of(entry.player, names)
    return say(words_of.AUDIT_OF, name=name, what=what) if what else name
