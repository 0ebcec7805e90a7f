"""Discord's limits on the components of a message, and its answers to what exceeds them.

Numbers from Discord's component reference; each error is reported at the path of the offending field.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from bot.playground.errors import Form, Json

MAX_COMPONENTS = 40
MAX_TEXT = 4000
MAX_CUSTOM_ID = 100
MAX_ALT_TEXT = 1024


class Kind(IntEnum):
    """Discord's component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO = 21
    CHECKBOXES = 22
    CHECKBOX = 23


SELECTS = frozenset(
    {Kind.STRING_SELECT, Kind.USER_SELECT, Kind.ROLE_SELECT, Kind.MENTIONABLE_SELECT, Kind.CHANNEL_SELECT}
)
IN_CONTAINER = frozenset({Kind.ROW, Kind.SECTION, Kind.TEXT, Kind.GALLERY, Kind.FILE, Kind.SEPARATOR})
IN_MESSAGE = IN_CONTAINER | {Kind.CONTAINER}
_IN_ROW = SELECTS | {Kind.BUTTON}
_TEXTS = frozenset({Kind.TEXT})
_ACCESSORIES = frozenset({Kind.BUTTON, Kind.THUMBNAIL})
LINK = 5
"""The button style that opens an address and reports nothing."""


def walk(components: Collection[Json]) -> Iterator[Json]:
    """Yields all components, nested ones and accessories included, as Discord counts them."""
    for component in components:
        yield component
        if isinstance(component.get("accessory"), dict):
            yield component["accessory"]
        if isinstance(component.get("component"), dict):
            yield component["component"]
        if isinstance(component.get("components"), list):
            yield from walk(component["components"])


def texts(components: Collection[Json]) -> Iterator[str]:
    """Yields what the text displays among *components* say."""
    for component in walk(components):
        if component.get("type") == Kind.TEXT:
            yield component.get("content", "")


@dataclass
class Examination:
    """One look at a list of components. *files* are the names that ``attachment://`` may refer to."""

    emoji_ids: Collection[int]
    files: Collection[str] = ()
    form: Form = field(default_factory=Form)
    ids: set[int] = field(default_factory=set)
    """The numbers that components already have."""
    _custom_ids: set[str] = field(default_factory=set)
    _count: int = 0
    _text: int = 0

    def message(self, components: object, *, v2: bool) -> None:
        """Examines the components of a message.

        :raises ApiError: 50035, something is over a limit
        """
        allowed = IN_MESSAGE if v2 else frozenset({Kind.ROW})
        self._list("components", components, 0 if not v2 else 1, MAX_COMPONENTS if v2 else 5, allowed)
        if self._count > MAX_COMPONENTS:
            self.form.refuse(
                "components",
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The total number of components, nested ones included, must not exceed {MAX_COMPONENTS}"
                f" (there are {self._count}).",
            )
        if self._text > MAX_TEXT:
            self.form.refuse(
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"The total displayable text must not exceed {MAX_TEXT} characters (there are {self._text}).",
            )
        self.form.close()

    def _list(self, path: str, items: object, least: int, most: int, allowed: Collection[int]) -> list[Json]:
        if not isinstance(items, list):
            if items is not None or least:
                self.form.require(path)
            return []
        self.form.length(path, len(items), least, most)
        for position, item in enumerate(items):
            self.component(f"{path}.{position}", item, allowed)
        return items

    def component(self, path: str, item: Any, allowed: Collection[int]) -> None:
        """Examines one component, which must be of one of the *allowed* types."""
        kind = item.get("type") if isinstance(item, dict) else None
        if kind is None or kind not in allowed:
            kinds = ", ".join(str(int(k)) for k in sorted(allowed))
            message = f'Value of field "type" must be one of ({kinds},).'
            self.form.refuse(path, "UNION_TYPE_CHOICES", message)
            return
        self._count += 1
        if "id" in item:
            self.ids.add(item["id"])
        _LOOKS[kind](self, path, item)

    def _section(self, path: str, item: Json) -> None:
        self._list(f"{path}.components", item.get("components"), 1, 3, _TEXTS)
        self.component(f"{path}.accessory", item.get("accessory"), _ACCESSORIES)

    def _display(self, path: str, item: Json) -> None:
        self._text += len(self.form.text(f"{path}.content", item.get("content"), 1, MAX_TEXT))

    def _thumbnail(self, path: str, item: Json) -> None:
        self._media(path, item, "media")

    def _gallery(self, path: str, item: Json) -> None:
        items = item.get("items")
        self.form.length(f"{path}.items", len(items) if isinstance(items, list) else 0, 1, 10)
        for position, entry in enumerate(items or ()):
            self._media(f"{path}.items.{position}", entry, "media")

    def _file(self, path: str, item: Json) -> None:
        self._media(path, item, "file", attachment_only=True)

    def _separator(self, path: str, item: Json) -> None:
        if item.get("spacing", 1) not in (1, 2):
            self.form.refuse(f"{path}.spacing", "BASE_TYPE_CHOICES", "Value must be one of (1, 2).")

    def _container(self, path: str, item: Json) -> None:
        colour = item.get("accent_color")
        if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
            message = "int value should be between 0 and 16777215."
            self.form.refuse(f"{path}.accent_color", "NUMBER_TYPE_RANGE", message)
        self._list(f"{path}.components", item.get("components"), 1, MAX_COMPONENTS, IN_CONTAINER)

    def _string_select(self, path: str, item: Json) -> None:
        self._entity_select(path, item)
        self.options(path, item, 1)

    def _entity_select(self, path: str, item: Json) -> None:
        self.custom_id(path, item)
        self.select(path, item)

    def custom_id(self, path: str, item: Json) -> None:
        """Examines a custom id: present, not too long, the only one of its kind in the message."""
        value = self.form.text(f"{path}.custom_id", item.get("custom_id"), 1, MAX_CUSTOM_ID)
        if value in self._custom_ids:
            message = "Component custom id cannot be duplicated"
            self.form.refuse(f"{path}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        self._custom_ids.add(value or f"missing at {path}")

    def select(self, path: str, item: Json) -> None:
        """Examines what selects of all kinds have in common."""
        self.form.text(f"{path}.placeholder", item.get("placeholder"), 0, 150, optional=True)
        least = item.get("min_values", 1)
        most = item.get("max_values", 1)
        for name, value, lowest in (("min_values", least, 0), ("max_values", most, 1)):
            if value is not None and not (isinstance(value, int) and lowest <= value <= 25):
                message = f"int value should be between {lowest} and 25."
                self.form.refuse(f"{path}.{name}", "NUMBER_TYPE_RANGE", message)
        options = item.get("options")
        if isinstance(options, list) and isinstance(most, int) and most > max(1, len(options)):
            message = "Max values cannot be larger than the number of options."
            self.form.refuse(f"{path}.max_values", "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", message)

    def options(self, path: str, item: Json, least: int, most: int = 25) -> None:
        """Examines the options of a select or of a group of boxes."""
        options = item.get("options")
        self.form.length(f"{path}.options", len(options) if isinstance(options, list) else 0, least, most)
        values: set[str] = set()
        for position, option in enumerate(options or ()):
            place = f"{path}.options.{position}"
            self.form.text(f"{place}.label", option.get("label"), 1, 100)
            value = self.form.text(f"{place}.value", option.get("value"), 1, 100)
            self.form.text(f"{place}.description", option.get("description"), 0, 100, optional=True)
            self._emoji(place, option)
            if value in values:
                message = "The specified option value is already used"
                self.form.refuse(f"{place}.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
            values.add(value)

    def _row(self, path: str, item: Json) -> None:
        children = self._list(f"{path}.components", item.get("components"), 1, 5, _IN_ROW)
        kinds = [child.get("type") for child in children if isinstance(child, dict)]
        if len(kinds) > 1 and any(kind in SELECTS for kind in kinds):
            message = "The specified component exceeds the maximum width"
            self.form.refuse(f"{path}.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)

    def _button(self, path: str, item: Json) -> None:
        self.form.text(f"{path}.label", item.get("label"), 0, 80, optional=True)
        self._emoji(path, item)
        style = item.get("style")
        if style == LINK:
            url = self.form.text(f"{path}.url", item.get("url"), 1, 512)
            if url and not url.startswith(("http://", "https://", "discord://")):
                message = "Scheme must be one of ('http', 'https', 'discord')."
                self.form.refuse(f"{path}.url", "URL_TYPE_INVALID_SCHEME", message)
            if item.get("custom_id") is not None:
                message = "A custom id and url cannot both be specified"
                self.form.refuse(f"{path}.custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_EXCLUSIVE", message)
        elif style in (1, 2, 3, 4):
            self.custom_id(path, item)
        else:
            self.form.refuse(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3, 4, 5).")
        if not item.get("label") and not item.get("emoji"):
            message = "A button must have a label or an emoji"
            self.form.refuse(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)

    def _emoji(self, path: str, item: Json) -> None:
        emoji = item.get("emoji")
        if emoji is None:
            return
        known = False
        if isinstance(emoji, dict) and emoji.get("id"):
            known = str(emoji["id"]).isdigit() and int(emoji["id"]) in self.emoji_ids
        elif isinstance(emoji, dict):
            known = any(ord(character) >= 0xA9 for character in str(emoji.get("name") or ""))
        if not known:
            self.form.refuse(f"{path}.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def _media(self, path: str, item: Any, name: str, *, attachment_only: bool = False) -> None:
        media = item.get(name) if isinstance(item, dict) else None
        url = media.get("url") if isinstance(media, dict) else None
        self.form.text(f"{path}.{name}.url", url, 1, 2048)
        if isinstance(item, dict):
            description = item.get("description")
            self.form.text(f"{path}.description", description, 0, MAX_ALT_TEXT, optional=True)
        if not isinstance(url, str):
            return
        scheme, _, rest = url.partition("://")
        if scheme == "attachment" and rest not in self.files:
            message = f"The referenced attachment '{rest}' is not part of the message."
            self.form.refuse(f"{path}.{name}", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)
        elif scheme != "attachment" and (attachment_only or scheme not in ("http", "https")):
            schemes = "('attachment')" if attachment_only else "('http', 'https', 'attachment')"
            message = f"Scheme must be one of {schemes}."
            self.form.refuse(f"{path}.{name}.url", "URL_TYPE_INVALID_SCHEME", message)


_LOOKS: dict[int, Callable[[Examination, str, Json], None]] = {
    Kind.ROW: Examination._row,
    Kind.BUTTON: Examination._button,
    Kind.STRING_SELECT: Examination._string_select,
    Kind.USER_SELECT: Examination._entity_select,
    Kind.ROLE_SELECT: Examination._entity_select,
    Kind.MENTIONABLE_SELECT: Examination._entity_select,
    Kind.CHANNEL_SELECT: Examination._entity_select,
    Kind.SECTION: Examination._section,
    Kind.TEXT: Examination._display,
    Kind.THUMBNAIL: Examination._thumbnail,
    Kind.GALLERY: Examination._gallery,
    Kind.FILE: Examination._file,
    Kind.SEPARATOR: Examination._separator,
    Kind.CONTAINER: Examination._container,
}
