"""The daily post in a server's channel, and the page that tells those who manage the server how it is set up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from bot.services.bulletins import Bulletin
from bot.services.dailies import DAILY_GAMES, closes_at, ends_at
from bot.services.daily_results import Place
from bot.store.bulletins import Setup
from bot.text import daily as daily_text
from bot.text import instant, say
from bot.text import result as result_text
from bot.text.games import game_goal, game_name
from bot.text.names import name_of
from bot.views.daily import date_text
from bot.views.ids import DAILY, make_id
from bot.views.payload import ButtonStyle, Inner, Message, button, container, rows, walk
from bot.views.payload import text as words
from engine import Rules

ACCENT: Final = 0xF0B232


def bulletin(shown: Bulletin) -> Message:
    """Returns the daily post."""
    featured = shown.featured
    lines = [
        say(daily_text.POST_TITLE, date=date_text(shown.day)),
        say(daily_text.POST_FEATURED, game=game_name(featured), goal=game_goal(featured)),
        say(daily_text.POST_ALL, end=instant(ends_at(shown.day), "t")),
    ]
    if shown.role is not None:
        lines.append(f"<@&{shown.role}>")
    games = sorted(DAILY_GAMES, key=lambda rules: rules != featured)
    buttons = [
        button(
            say(daily_text.BUTTON_PLAY_GAME, game=game_name(rules)),
            make_id(DAILY, shown.day, rules.key, "play"),
            ButtonStyle.SUCCESS if rules == featured else ButtonStyle.SECONDARY,
        )
        for rules in games
    ]
    parts: list[Inner] = [words("\n".join(lines)), words(_podiums(shown)), *rows(buttons)]
    return Message.of(container(parts, ACCENT))


def is_bulletin(components: Sequence[Any], day: int) -> bool:
    """Tells whether a message of the bot with these *components* is the post of *day*."""
    there = {part["custom_id"] for part in walk(components) if "custom_id" in part}
    return there >= {make_id(DAILY, day, rules.key, "play") for rules in DAILY_GAMES}


def setup_page(setup: Setup | None, next_at: int | None, *, is_silent: bool = False) -> Message:
    """Returns how the daily post of a server is set up; *is_silent* tells that its role cannot be pinged."""
    lines = [say(daily_text.SETUP_TITLE)]
    if setup is None:
        lines.append(say(daily_text.SETUP_NONE))
    elif not setup.is_on or next_at is None:
        lines.append(say(daily_text.SETUP_OFF, channel=setup.channel, hour=setup.hour, zone=setup.zone))
    else:
        lines.append(
            say(
                daily_text.SETUP_ON,
                channel=setup.channel,
                hour=setup.hour,
                zone=setup.zone,
                time=instant(next_at, "f"),
                relative=instant(next_at),
            )
        )
        lines.append(
            say(daily_text.SETUP_NO_ROLE)
            if setup.role is None
            else say(daily_text.SETUP_ROLE, role=setup.role)
        )
        if is_silent:
            lines.append(say(daily_text.SETUP_ROLE_SILENT))
    if setup is not None and setup.trouble is not None:
        why = daily_text.TROUBLES.get(setup.trouble, daily_text.TROUBLES["other"])
        lines.append(say(daily_text.SETUP_TROUBLE, why=say(why, channel=setup.channel)))
    return Message.of(container([words("\n".join(lines))], ACCENT))


def _podiums(shown: Bulletin) -> str:
    if shown.podiums is None:
        return say(daily_text.POST_PENDING, relative=instant(closes_at(shown.day - 1)))
    if not shown.podiums:
        return say(daily_text.POST_NOBODY)
    return "\n".join([say(daily_text.POST_PODIUM), *(_podium(*each) for each in shown.podiums)])


def _podium(rules: Rules, places: Iterable[Place]) -> str:
    told = [
        say(
            daily_text.POST_PODIUM_PLACE,
            medal=result_text.MEDALS[each.place],
            name=name_of(each.line.player, {each.line.player: each.line.name}),
        )
        for each in places
    ]
    return say(daily_text.POST_PODIUM_LINE, game=game_name(rules), places=" ".join(told))
