"""Modal forms: Discord's limits on them, and filling one in as a player does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bot.playground.errors import Form, Json
from bot.playground.limits import SELECTS, Examination, Kind

Answer = str | bool | list[str]
"""What a player enters: a text, a tick, or chosen values."""

FIELDS = SELECTS | {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO, Kind.CHECKBOXES, Kind.CHECKBOX}


def examine(data: Json, emoji_ids: Collection[int]) -> None:
    """Examines a form that the bot wants to open.

    :raises ApiError: 50035, something is over a limit
    """
    form = Form()
    form.text("title", data.get("title"), 1, 45)
    form.text("custom_id", data.get("custom_id"), 1, 100)
    look = Examination(emoji_ids, form=form)
    items = data.get("components")
    form.length("components", len(items) if isinstance(items, list) else 0, 1, 5)
    for position, item in enumerate(items if isinstance(items, list) else ()):
        path = f"components.{position}"
        kind = item.get("type") if isinstance(item, dict) else None
        if kind == Kind.LABEL:
            form.text(f"{path}.label", item.get("label"), 1, 45)
            form.text(f"{path}.description", item.get("description"), 0, 100, optional=True)
            _examine_field(look, f"{path}.component", item.get("component"), FIELDS)
        elif kind == Kind.ROW and len(item.get("components") or ()) == 1:
            child = item["components"][0]
            form.text(f"{path}.components.0.label", child.get("label"), 1, 45)
            _examine_field(look, f"{path}.components.0", child, {Kind.TEXT_INPUT})
        else:
            look.component(path, item, {Kind.TEXT})
    form.close()


def _examine_field(look: Examination, path: str, item: Any, allowed: Collection[int]) -> None:
    form = look.form
    kind = item.get("type") if isinstance(item, dict) else None
    if kind == Kind.TEXT_INPUT:
        look.custom_id(path, item)
        if item.get("style") not in (1, 2):
            form.refuse(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of (1, 2).")
        form.text(f"{path}.value", item.get("value"), 0, 4000, optional=True)
        form.text(f"{path}.placeholder", item.get("placeholder"), 0, 100, optional=True)
        for name, lowest in (("min_length", 0), ("max_length", 1)):
            value = item.get(name)
            if value is not None and not lowest <= value <= 4000:
                message = f"int value should be between {lowest} and 4000."
                form.refuse(f"{path}.{name}", "NUMBER_TYPE_RANGE", message)
    elif kind in (Kind.RADIO, Kind.CHECKBOXES):
        look.custom_id(path, item)
        look.options(path, item, 2 if kind == Kind.RADIO else 1, 10)
    elif kind in (Kind.CHECKBOX, Kind.FILE_UPLOAD):
        look.custom_id(path, item)
    else:
        look.component(path, item, allowed)


def fields(form: Json) -> Iterator[Json]:
    """Yields the fields of a form, top to bottom."""
    for item in form["components"]:
        if item["type"] == Kind.LABEL:
            yield item["component"]
        elif item["type"] == Kind.ROW:
            yield from item["components"]


def fill(form: Json, answers: Mapping[str, Answer]) -> list[Json]:
    """Returns the components of a submission, with defaults where *answers* has nothing.

    :raises ValueError: what Discord's client would not let the player send
    """
    unknown = set(answers) - {field["custom_id"] for field in fields(form)}
    if unknown:
        raise ValueError(f"the form has no field {min(unknown)!r}")
    filled: list[Json] = []
    for position, item in enumerate(form["components"], 1):
        entry: Json = {"type": item["type"], "id": item.get("id") or position}
        if item["type"] == Kind.LABEL:
            entry["component"] = _fill_field(item["component"], answers, 100 + position)
        elif item["type"] == Kind.ROW:
            entry["components"] = [_fill_field(item["components"][0], answers, 100 + position)]
        filled.append(entry)
    return filled


def _fill_field(field: Json, answers: Mapping[str, Answer], number: int) -> Json:
    custom_id = field["custom_id"]
    answer = answers.get(custom_id)
    kind = field["type"]
    entry: Json = {"type": kind, "id": field.get("id") or number, "custom_id": custom_id}
    chosen = [option["value"] for option in field.get("options", ()) if option.get("default")]
    if kind == Kind.TEXT_INPUT:
        entry["value"] = _check_text(field, field.get("value") or "" if answer is None else answer)
    elif kind == Kind.CHECKBOX:
        entry["value"] = bool(field.get("default", False) if answer is None else answer)
    elif kind == Kind.RADIO:
        entry["value"] = _check_choice(field, chosen if answer is None else [answer])[0]
    else:
        entry["values"] = _check_choice(field, chosen if answer is None else answer)
    return entry


def _check_text(field: Json, answer: Answer) -> str:
    if not isinstance(answer, str):
        raise ValueError(f"{field['custom_id']!r} takes a text")
    least = field.get("min_length") or int(field.get("required", True))
    if (answer or field.get("required", True)) and not least <= len(answer) <= field.get("max_length", 4000):
        raise ValueError(
            f"{field['custom_id']!r} takes {least} to {field.get('max_length', 4000)} characters"
        )
    return answer


def _check_choice(field: Json, answer: Any) -> list[str]:
    values = list(answer)
    offered = [option["value"] for option in field.get("options", ())]
    if offered and any(value not in offered for value in values):
        raise ValueError(f"{field['custom_id']!r} does not offer {values}")
    least: int = field.get("min_values", 1) if field.get("required", True) else 0
    most: int = field.get("max_values", 1)
    if not least <= len(values) <= most:
        raise ValueError(f"{field['custom_id']!r} takes another number of choices")
    return values
