"""The help, and the message at the end of a race to those who want one."""

from __future__ import annotations

from collections.abc import Callable

from bot.text import help as words_of
from bot.text import say
from bot.text.games import game_name
from bot.views.payload import Message, container
from bot.views.payload import text as words
from engine import Rules

ACCENT = 0x5865F2


def help_page(link: Callable[[str], str], *, manages: bool) -> Message:
    """Returns what can be done, each command by *link* to be pressed; for one who *manages* the server, that too."""
    parts = [words_of.RACES, words_of.ALONE, words_of.LOOK, words_of.OWN]
    if manages:
        parts.append(words_of.MANAGE)
    return Message.of(container([words(link(say(part))) for part in (words_of.TITLE, *parts)], ACCENT))


def ended(rules: Rules, place: int | None, entrants: int, url: str) -> Message:
    """Returns what an entrant is told when a race has ended; *url* leads to its result."""
    link = say(words_of.LINK, url=url)
    if place is None:
        return Message.of(words(say(words_of.ENDED_OUT, game=game_name(rules), link=link)))
    return Message.of(words(say(words_of.ENDED, game=game_name(rules), place=place, n=entrants, link=link)))
