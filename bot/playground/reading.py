"""Reading a message as a player does: its texts, its buttons, its selects."""

from __future__ import annotations

from collections.abc import Iterator

from bot.playground.errors import Json
from bot.playground.limits import LINK, SELECTS, Kind, texts, walk
from bot.playground.models import Message


def text_of(message: Message) -> str:
    """Returns all that *message* says, a text display a line."""
    return "\n".join(part for part in (message.content, *texts(message.components)) if part)


def buttons(message: Message) -> Iterator[Json]:
    """Yields the buttons of *message* that report a press, disabled ones included."""
    for component in walk(message.components):
        if component["type"] == Kind.BUTTON and component.get("style") != LINK:
            yield component


def selects(message: Message) -> Iterator[Json]:
    """Yields the selects of *message*."""
    for component in walk(message.components):
        if component["type"] in SELECTS:
            yield component


def find_button(message: Message, label: str) -> Json | None:
    """Returns the first button whose label is *label* (or whose emoji is so named), None without one."""
    for button in buttons(message):
        if label in (button.get("label"), (button.get("emoji") or {}).get("name")):
            return button
    return None


def button_for(message: Message, verb: str) -> str | None:
    """Returns the custom id of the enabled button of *message* whose id ends with *verb*, None without one.

    Unlike its label that is the same in all languages.
    """
    for button in buttons(message):
        custom_id = str(button["custom_id"])
        if custom_id.rpartition(":")[2] == verb and not button.get("disabled"):
            return custom_id
    return None
