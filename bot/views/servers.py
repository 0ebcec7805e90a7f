"""The page of a server's choices for its races, and the welcome to a new server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.store.servers import Choices
from bot.text import count, say
from bot.text import servers as words_of
from bot.text.catalogue import LANGUAGE_NAMES
from bot.text.games import game_name
from bot.text.permissions import permission_name
from bot.views.ids import SETUP, make_id
from bot.views.payload import (
    ChannelSelect,
    Inner,
    Message,
    Option,
    RoleSelect,
    Row,
    Select,
    container,
)
from bot.views.payload import text as words
from engine import GAMES
from engine.race import DEFAULT_LIMIT

ACCENT = 0x5865F2
LIMITS = (3, 5, 10, 15, 20, 30, 45, 60, 90, 120)
"""The time limits to choose from, in minutes."""
MOST_CHANNELS = 25
SHOWN = 10
"""How many channels with missing permissions are named."""
OWN = "own"
TEXT_CHANNELS = (0, 5)
"""Discord's numbers of channels in which a bot can post: of text, of announcements."""


def setup_page(choices: Choices, lacking: Mapping[int, Sequence[str]]) -> Message:
    """Returns the page with what is chosen; *lacking* has the permissions that are missing, by channel.

    A channel without any in it is gone.
    """
    parts: list[Inner] = [
        words(say(words_of.TITLE)),
        words(say(words_of.CHANNELS)),
        _channels(choices),
        words(say(words_of.GAMES)),
        _games(choices),
        words(say(words_of.MINUTES)),
        _minutes(choices),
        words(say(words_of.ROLE)),
        _role(choices),
        words(say(words_of.LANGUAGE)),
        _language(choices),
        words(f"{_permissions(lacking)}\n{say(words_of.DAILY_HINT)}"),
    ]
    return Message.of(container(parts, ACCENT))


def welcome(link: Callable[[str], str]) -> Message:
    """Returns the one welcome to a new server, each command by *link* to be pressed."""
    told = f"{say(words_of.WELCOME_TITLE)}\n{link(say(words_of.WELCOME))}"
    return Message.of(container([words(told)], ACCENT))


def _channels(choices: Choices) -> Row:
    menu: ChannelSelect = {
        "type": 8,
        "custom_id": make_id(SETUP, "channels"),
        "channel_types": list(TEXT_CHANNELS),
        "min_values": 0,
        "max_values": MOST_CHANNELS,
        "placeholder": say(words_of.PICK_CHANNELS),
    }
    if choices.channels:
        menu["default_values"] = [{"id": str(each), "type": "channel"} for each in choices.channels]
    return {"type": 1, "components": [menu]}


def _games(choices: Choices) -> Row:
    options: list[Option] = [
        {"label": game_name(rules), "value": rules.key, "default": rules.key in choices.games}
        for rules in GAMES
    ]
    menu: Select = {
        "type": 3,
        "custom_id": make_id(SETUP, "games"),
        "options": options,
        "min_values": 0,
        "max_values": len(options),
        "placeholder": say(words_of.PICK_GAMES),
    }
    return {"type": 1, "components": [menu]}


def _minutes(choices: Choices) -> Row:
    chosen = choices.minutes or DEFAULT_LIMIT // 60_000
    options: list[Option] = [
        {
            "label": count(words_of.MINUTES_ONE, words_of.MINUTES_MANY, n),
            "value": str(n),
            "default": n == chosen,
        }
        for n in LIMITS
    ]
    return _menu("minutes", options, say(words_of.PICK_MINUTES))


def _role(choices: Choices) -> Row:
    menu: RoleSelect = {
        "type": 6,
        "custom_id": make_id(SETUP, "role"),
        "min_values": 0,
        "max_values": 1,
        "placeholder": say(words_of.PICK_ROLE),
    }
    if choices.role is not None:
        menu["default_values"] = [{"id": str(choices.role), "type": "role"}]
    return {"type": 1, "components": [menu]}


def _language(choices: Choices) -> Row:
    options: list[Option] = [
        {"label": say(words_of.OWN_LANGUAGE), "value": OWN, "default": choices.language is None},
        *(
            Option(label=name, value=key, default=key == choices.language)
            for key, name in LANGUAGE_NAMES.items()
        ),
    ]
    return _menu("language", options[:25], say(words_of.PICK_LANGUAGE))


def _menu(verb: str, options: list[Option], placeholder: str) -> Row:
    menu: Select = {
        "type": 3,
        "custom_id": make_id(SETUP, verb),
        "options": options,
        "placeholder": placeholder,
    }
    return {"type": 1, "components": [menu]}


def _permissions(lacking: Mapping[int, Sequence[str]]) -> str:
    if not lacking:
        return say(words_of.ALL_WELL)
    lines = [
        say(words_of.LACKING_LINE, channel=channel, permissions=_names(names))
        for channel, names in list(lacking.items())[:SHOWN]
    ]
    if len(lacking) > SHOWN:
        lines.append(count(words_of.LACKING_MORE_ONE, words_of.LACKING_MORE, len(lacking) - SHOWN))
    return say(words_of.LACKING, lines="\n".join(lines))


def _names(permissions: Sequence[str]) -> str:
    return ", ".join(map(permission_name, permissions)) or say(words_of.GONE)
