"""Discord's component payloads as plain values.

The shapes are those of Discord's API reference (Components V2). Every message of the bot is one list of
components; there is no content and there are no embeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, NotRequired, TypedDict

COMPONENTS_V2 = 1 << 15
EPHEMERAL = 1 << 6
SUPPRESS_NOTIFICATIONS = 1 << 12

MAX_COMPONENTS = 40
MAX_TEXT = 4_000
NAME_LENGTHS = (24, 20, 16, 12, 8)
"""How long names may be where many stand in one message, in characters: each is tried until all texts fit."""
MAX_CUSTOM_ID = 100
MAX_LABEL = 80
ROW = 5


class ButtonStyle(IntEnum):
    """How a button looks."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4


class Emoji(TypedDict):
    """An emoji on a button: an application emoji by *id*, or a Unicode one by *name* alone."""

    id: NotRequired[str]
    name: str


class Button(TypedDict):
    """A button that is answered under its custom id."""

    type: Literal[2]
    style: int
    label: NotRequired[str]
    emoji: NotRequired[Emoji]
    custom_id: str
    disabled: NotRequired[bool]


class Option(TypedDict):
    """One choice of a select menu."""

    label: str
    value: str
    description: NotRequired[str]
    default: NotRequired[bool]


class Select(TypedDict):
    """A menu with up to 25 choices."""

    type: Literal[3]
    custom_id: str
    options: list[Option]
    placeholder: NotRequired[str]
    min_values: NotRequired[int]
    max_values: NotRequired[int]


class Chosen(TypedDict):
    """A channel or a role that is chosen already."""

    id: str
    type: Literal["channel", "role"]


class ChannelSelect(TypedDict):
    """A menu with the channels of the server."""

    type: Literal[8]
    custom_id: str
    channel_types: list[int]
    default_values: NotRequired[list[Chosen]]
    placeholder: NotRequired[str]
    min_values: NotRequired[int]
    max_values: NotRequired[int]


class RoleSelect(TypedDict):
    """A menu with the roles of the server."""

    type: Literal[6]
    custom_id: str
    default_values: NotRequired[list[Chosen]]
    placeholder: NotRequired[str]
    min_values: NotRequired[int]
    max_values: NotRequired[int]


class Row(TypedDict):
    """Up to five buttons, or one select menu, beside one another."""

    type: Literal[1]
    components: list[Button] | list[Select] | list[ChannelSelect] | list[RoleSelect]


class Text(TypedDict):
    """A text in Discord's markdown."""

    type: Literal[10]
    content: str


class Section(TypedDict):
    """A text with a button at the end of its line."""

    type: Literal[9]
    components: list[Text]
    accessory: Button


class Media(TypedDict):
    """Where a picture comes from."""

    url: str


class GalleryItem(TypedDict):
    """A picture with a description for those who cannot see it."""

    media: Media
    description: NotRequired[str]


class Gallery(TypedDict):
    """Up to ten pictures."""

    type: Literal[12]
    items: list[GalleryItem]


class Attached(TypedDict):
    """A file to download."""

    type: Literal[13]
    file: Media


class Separator(TypedDict):
    """A space, with or without a line."""

    type: Literal[14]
    divider: bool
    spacing: int


class Container(TypedDict):
    """A frame around components, with a coloured edge."""

    type: Literal[17]
    components: Sequence[Inner]
    accent_color: NotRequired[int]


Inner = Row | Text | Section | Gallery | Attached | Separator
Component = Container | Inner


class TextInput(TypedDict):
    """A field of a form into which text is written."""

    type: Literal[4]
    custom_id: str
    style: int
    required: bool
    max_length: int
    placeholder: NotRequired[str]


class Label(TypedDict):
    """A field of a form with what it is called."""

    type: Literal[18]
    label: str
    description: NotRequired[str]
    component: TextInput


class Form(TypedDict):
    """A form, which Discord shows in answer to a press."""

    custom_id: str
    title: str
    components: list[Label]


@dataclass(frozen=True, slots=True)
class File:
    """A file that goes along with a message; components name it as ``attachment://`` *name*."""

    name: str
    data: bytes = field(repr=False)
    description: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its components and the files that they show."""

    components: tuple[Component, ...]
    files: tuple[File, ...] = ()

    @classmethod
    def of(cls, *components: Component, files: Iterable[File] = ()) -> Message:
        """Returns the message with *components*."""
        return cls(components, tuple(files))

    def body(self, *, ephemeral: bool = False, edit: bool = False) -> dict[str, Any]:
        """Returns the body of the request that sends or edits the message. It pings nobody."""
        flags = COMPONENTS_V2 | (EPHEMERAL if ephemeral and not edit else 0)
        attachments = [
            {
                "id": index,
                "filename": file.name,
                **({"description": file.description} if file.description else {}),
            }
            for index, file in enumerate(self.files)
        ]
        body: dict[str, Any] = {
            "flags": flags,
            "components": list(self.components),
            "allowed_mentions": {"parse": []},
        }
        if attachments or edit:
            body["attachments"] = attachments
        return body


def text(content: str) -> Text:
    """Returns a text."""
    return {"type": 10, "content": content}


def button(
    label: str,
    custom_id: str,
    style: ButtonStyle = ButtonStyle.SECONDARY,
    *,
    disabled: bool = False,
    emoji: Emoji | None = None,
) -> Button:
    """Returns a button; an empty *label* is left out where there is an *emoji*."""
    made: Button = {"type": 2, "style": int(style), "custom_id": custom_id}
    if label:
        made["label"] = label
    if emoji is not None:
        made["emoji"] = emoji
    if disabled:
        made["disabled"] = True
    return made


def row(*buttons: Button) -> Row:
    """Returns a row of up to five buttons."""
    return {"type": 1, "components": list(buttons)}


def menu(custom_id: str, options: Sequence[Option], placeholder: str) -> Row:
    """Returns a row with a menu of up to 25 *options*."""
    select: Select = {
        "type": 3,
        "custom_id": custom_id,
        "options": list(options),
        "placeholder": placeholder,
    }
    return {"type": 1, "components": [select]}


def rows(buttons: Sequence[Button], *, most: int = ROW) -> list[Row]:
    """Returns *buttons* in as few rows of at most *most* as they need, these as even as can be."""
    if not buttons:
        return []
    count = -(-len(buttons) // most)
    width = -(-len(buttons) // count)
    return [row(*buttons[start : start + width]) for start in range(0, len(buttons), width)]


def section(content: str, accessory: Button) -> Section:
    """Returns a text with a button at the end of its line."""
    return {"type": 9, "components": [text(content)], "accessory": accessory}


def gallery(url: str, description: str) -> Gallery:
    """Returns one picture with its description."""
    return {"type": 12, "items": [{"media": {"url": url}, "description": description}]}


def attached(name: str) -> Attached:
    """Returns the file *name*, which goes along with the message, to download."""
    return {"type": 13, "file": {"url": f"attachment://{name}"}}


def separator(*, divider: bool = True, large: bool = False) -> Separator:
    """Returns a space, with a line or without."""
    return {"type": 14, "divider": divider, "spacing": 2 if large else 1}


def container(components: Sequence[Inner], accent: int | None = None) -> Container:
    """Returns a frame around *components*."""
    made: Container = {"type": 17, "components": components}
    if accent is not None:
        made["accent_color"] = accent
    return made


def form(
    custom_id: str, title: str, *, field: str, label: str, description: str, placeholder: str, most: int
) -> Form:
    """Returns a form with one field of several lines, which takes *most* characters."""
    written: TextInput = {
        "type": 4,
        "custom_id": field,
        "style": 2,
        "required": True,
        "max_length": most,
        "placeholder": placeholder,
    }
    labelled: Label = {"type": 18, "label": label, "description": description, "component": written}
    return {"custom_id": custom_id, "title": title, "components": [labelled]}


def walk(components: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yields all components, nested ones and accessories too, as Discord counts them."""
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        if "accessory" in component:
            yield from walk((component["accessory"],))


def with_names_that_fit(draw: Callable[[int], Message]) -> Message:
    """Returns what *draw* makes of the longest names, of :data:`NAME_LENGTHS`, with which all texts fit."""
    for most in NAME_LENGTHS:
        message = draw(most)
        texts = (part["content"] for part in walk(message.components) if part["type"] == 10)
        if sum(map(len, texts)) <= MAX_TEXT:
            break
    return message
