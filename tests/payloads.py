"""What Discord takes: its limits on messages and forms, and its own OpenAPI description where that is at hand.

``check_message(body)`` and ``check_form(form)`` raise AssertionError with all that is wrong. The description is
1 MB that belongs to Discord, so it lies beside the project, not in it; without it only the limits are checked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bot.views.payload import COMPONENTS_V2, Message, walk

DESCRIPTION = Path(__file__).parents[2] / "shared" / "discord-openapi.json"
NO_DESCRIPTION = f"Discord's OpenAPI description is not at {DESCRIPTION.parent.name}/{DESCRIPTION.name}"

MOST_COMPONENTS = 40
MOST_TEXT = 4_000
MOST_ALT = 1_024
MOST_IN_SECTION = 3

Json = Any


def check(message: Message) -> None:
    """Checks *message* as it is sent in an edit, which differs from a first sending in its flags only."""
    check_message(message.body(edit=True), files={file.name for file in message.files})


def check_message(body: Mapping[str, Json], *, files: set[str] | None = None) -> None:
    """Checks the body of a request that sends or edits a message; *files* are the names of what goes along."""
    wrong = list(_wrong_with_message(body, files))
    assert not wrong, "\n".join(wrong)
    _check_components(body["components"])


def check_form(form: Mapping[str, Json]) -> None:
    """Checks the data of an answer that opens a form."""
    wrong = list(_wrong_with_form(form))
    assert not wrong, "\n".join(wrong)
    check_described("ModalInteractionCallbackRequestData", form)


def check_request(method: str, path: str, body: Json) -> None:
    """Checks one request of a bot: a message, an edit, an answer to an interaction; other requests pass."""
    if not isinstance(body, Mapping):
        return
    parts = path.strip("/").split("/")
    if parts[-1] == "callback":
        kind, data = body["type"], body.get("data", {})
        if kind in (4, 7):
            check_message(data)
        elif kind == 9:
            check_form(data)
    elif method in ("POST", "PATCH") and ("messages" in parts[-2:] or parts[0] == "webhooks"):
        check_message(body)


def check_described(schema: str, value: Json) -> None:
    """Checks *value* against a *schema* of Discord's description, if that is there."""
    if DESCRIPTION.exists():
        errors = [f"{schema} {error.json_path}: {error.message[:300]}" for error in _errors(schema, value)]
        assert not errors, "\n".join(errors)


def _wrong_with_message(body: Mapping[str, Json], files: set[str] | None) -> Iterator[str]:
    if not body.get("flags", 0) & COMPONENTS_V2:
        yield "the message is not made of components"
    if body.get("content") or body.get("embeds"):
        yield "content and embeds do not go with components"
    mentions = body.get("allowed_mentions")
    if mentions is None or mentions.get("parse") != []:
        yield "the message may ping somebody"
    parts = list(walk(body["components"]))
    if not 1 <= len(parts) <= MOST_COMPONENTS:
        yield f"{len(parts)} components"
    characters = sum(len(part["content"]) for part in parts if part["type"] == 10)
    if characters > MOST_TEXT:
        yield f"{characters} characters of text"
    ids = Counter(part["custom_id"] for part in parts if "custom_id" in part)
    yield from (f"the custom id {each!r} comes {n} times" for each, n in ids.items() if n > 1)
    yield from (f"the custom id {each!r} is too long" for each in ids if not 1 <= len(each) <= 100)
    for part in parts:
        yield from _wrong_with(part)
    shown = {
        item["media"]["url"].removeprefix("attachment://")
        for part in parts
        if part["type"] == 12
        for item in part["items"]
    }
    named = {each["filename"] for each in body.get("attachments", ())}
    if files is not None and not shown == named == files:
        yield f"pictures {shown}, attachments {named} and files {files} differ"


def _wrong_with(part: Mapping[str, Json]) -> Iterator[str]:
    match part["type"]:
        case 1:
            kinds = {child["type"] for child in part["components"]}
            if kinds == {2}:
                if not 1 <= len(part["components"]) <= 5:
                    yield f"a row of {len(part['components'])} buttons"
            elif len(part["components"]) != 1 or 2 in kinds:
                yield "a row with more than one menu"
        case 2:
            if not part.get("label") and not part.get("emoji"):
                yield f"the button {part.get('custom_id')} has neither label nor emoji"
            if len(part.get("label", "")) > 80:
                yield f"the label {part['label']!r} is too long"
        case 3:
            if not 1 <= len(part["options"]) <= 25:
                yield f"a menu with {len(part['options'])} choices"
            values = [option["value"] for option in part["options"]]
            if len(set(values)) < len(values):
                yield f"a menu with a value twice: {values}"
            for option in part["options"]:
                texts = (option["label"], option["value"], option.get("description", "x"))
                if not all(1 <= len(text) <= 100 for text in texts):
                    yield f"a choice that is empty or too long: {option}"
            if len(part.get("placeholder", "")) > 150:
                yield "a placeholder that is too long"
        case 9:
            if not 1 <= len(part["components"]) <= MOST_IN_SECTION:
                yield f"a section with {len(part['components'])} texts"
        case 10:
            if not part["content"].strip():
                yield "an empty text"
        case 12:
            if not 1 <= len(part["items"]) <= 10:
                yield f"a gallery with {len(part['items'])} pictures"
            for item in part["items"]:
                if not 1 <= len(item.get("description", "")) <= MOST_ALT:
                    yield f"an alternative text of {len(item.get('description', ''))} characters"
        case 17:
            if not part["components"]:
                yield "an empty container"


def _wrong_with_form(form: Mapping[str, Json]) -> Iterator[str]:
    if not 1 <= len(form["title"]) <= 45:
        yield f"the title {form['title']!r} is empty or too long"
    if not 1 <= len(form["custom_id"]) <= 100:
        yield f"the custom id {form['custom_id']!r} is empty or too long"
    if not 1 <= len(form["components"]) <= 5:
        yield f"a form with {len(form['components'])} parts"
    for part in form["components"]:
        if part["type"] == 18 and not 1 <= len(part["label"]) <= 45:
            yield f"the label {part['label']!r} is empty or too long"
        if len(part.get("description", "")) > 100:
            yield f"the description {part['description']!r} is too long"
        if len(part.get("component", {}).get("placeholder", "")) > 100:
            yield f"the placeholder {part['component']['placeholder']!r} is too long"


def _check_components(components: Json) -> None:
    """Checks components against the description, unless every one of them is like one that has been checked."""
    if DESCRIPTION.exists():
        shapes = {json.dumps(_shape(part)) for part in walk(components)}
        if not shapes <= _checked:
            check_described("UpdateMessageInteractionCallbackRequest", _update(components))
            _checked.update(shapes)


_checked: set[str] = set()


def _update(components: Json) -> Json:
    return {"type": 7, "data": {"flags": COMPONENTS_V2, "components": json.loads(json.dumps(components))}}


def _shape(part: Mapping[str, Json]) -> Json:
    """Returns what a component is made of: its texts and numbers by their kinds, what it holds by their types."""
    return {key: value if key == "type" else _kind(value) for key, value in part.items()}


def _kind(value: Json) -> Json:
    if isinstance(value, Mapping):
        return value["type"] if "type" in value else {key: _kind(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return sorted({json.dumps(_kind(each)) for each in value})
    return type(value).__name__


@cache
def _description() -> Json:
    return json.loads(DESCRIPTION.read_text())


@cache
def _validator(schema: str) -> Json:
    """Returns a validator that looks at one branch of a union of components only, the one of their type.

    Trying all of them at each level takes seconds for a full message, and tells nothing of what is wrong.
    """
    from jsonschema import Draft202012Validator, ValidationError, validators  # type: ignore[import-untyped]

    schemas = _description()["components"]["schemas"]

    def kinds(branch: Json) -> Json:
        target = schemas.get(branch.get("$ref", "").rpartition("/")[2], {})
        return target.get("properties", {}).get("type", {}).get("enum")

    def one_of(validator: Json, branches: Json, instance: Json, whole: Json) -> Iterator[ValidationError]:
        typed = [branch for branch in branches if kinds(branch)]
        if typed and isinstance(instance, dict) and "type" in instance:
            fitting = [branch for branch in typed if instance["type"] in kinds(branch)]
            if not fitting:
                yield ValidationError(f"nothing of type {instance['type']} may stand here")
            for branch in fitting:
                yield from validator.descend(instance, branch)
        else:
            yield from Draft202012Validator.VALIDATORS["oneOf"](validator, branches, instance, whole)

    extended = validators.extend(Draft202012Validator, {"oneOf": one_of})
    return extended({**_description(), "$ref": f"#/components/schemas/{schema}"})


def _errors(schema: str, value: Json) -> Iterator[Json]:
    yield from _validator(schema).iter_errors(value)
