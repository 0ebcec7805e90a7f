"""Discord's limits on application commands and their options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bot.playground.errors import Form, Json

SUBCOMMAND, GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)
"""Option types."""

_NAME = re.compile(r"[-_'\w]{1,32}")
_LARGEST = 8000
"""Characters of all names, descriptions and values of one command."""


def examine(form: Form, path: str, command: Any, depth: int = 0) -> int:
    """Examines a command or an option against Discord's limits; returns the characters in it."""
    if not isinstance(command, dict):
        form.refuse(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return 0
    name = form.text(f"{path}.name", command.get("name"), 1, 32)
    chat_input = depth > 0 or command.get("type", 1) == 1
    for place, text in _names(command, "name"):
        if chat_input and not (_NAME.fullmatch(text) and text == text.lower()):
            message = f"Command name is invalid: {text}"
            form.refuse(f"{path}.{place}", "APPLICATION_COMMAND_INVALID_NAME", message)
    size = len(name)
    if chat_input:
        size += len(form.text(f"{path}.description", command.get("description"), 1, 100))
        for place, text in _names(command, "description"):
            form.length(f"{path}.{place}", len(text), 1, 100)
    for list_name in ("options", "choices"):
        form.length(f"{path}.{list_name}", len(command.get(list_name) or ()), 0, 25)
    for position, choice in enumerate(command.get("choices") or ()):
        place = f"{path}.choices.{position}"
        size += len(form.text(f"{place}.name", choice.get("name"), 1, 100))
        size += len(str(choice.get("value")))
        for localized, text in _names(choice, "name"):
            form.length(f"{place}.{localized}", len(text), 1, 100)
    optional_seen = False
    for position, option in enumerate(command.get("options") or ()):
        place = f"{path}.options.{position}"
        size += examine(form, place, option, depth + 1)
        if isinstance(option, dict) and option.get("type") not in (SUBCOMMAND, GROUP):
            if option.get("required") and optional_seen:
                message = "Required options must be placed before non-required options"
                form.refuse(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
            optional_seen |= not option.get("required")
    if depth == 0 and size > _LARGEST:
        message = f"Command exceeds maximum size ({_LARGEST})"
        form.refuse(path, "APPLICATION_COMMAND_TOO_LARGE", message)
    return size


def _names(item: Json, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(item.get(field), str):
        yield field, item[field]
    for locale, text in (item.get(f"{field}_localizations") or {}).items():
        yield f"{field}_localizations.{locale}", text
