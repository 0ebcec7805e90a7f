"""Discord's limits on components, each at its edge and one beyond it."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from bot.playground import ApiError
from bot.playground.limits import Examination
from tests.playground.toy import button, row, text

EMOJI = 123
FILES = {"table.png"}


def refused(*components: Any, v2: bool = True) -> dict[str, str]:
    """Returns the codes of all errors by the path of their field."""
    look = Examination({EMOJI}, FILES)
    codes: dict[str, str] = {}
    with contextlib.suppress(ApiError):
        look.message(list(components), v2=v2)
        return {}
    for path, code in flat(look.form.errors):
        codes[path] = f"{codes[path]} {code}" if path in codes else code
    return codes


def flat(errors: dict[str, Any], path: str = "") -> list[tuple[str, str]]:
    """Returns the errors of Discord's nested form, with their paths."""
    found = [(path, error["code"]) for error in errors.get("_errors", ())]
    for name, inner in errors.items():
        if name != "_errors":
            found += flat(inner, f"{path}.{name}" if path else name)
    return found


def container(*inner: Any, **more: Any) -> dict[str, Any]:
    return {"type": 17, "components": list(inner), **more}


def section(accessory: Any, *inner: Any) -> dict[str, Any]:
    return {"type": 9, "components": list(inner), "accessory": accessory}


def select(count: int, **more: Any) -> dict[str, Any]:
    options = [{"label": f"Option {n}", "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "select", "options": options, **more}


def gallery(count: int, **more: Any) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": "attachment://table.png"}, **more}] * count}


def go(label: str = "Go", custom_id: str = "go", **more: Any) -> dict[str, Any]:
    return {**button(label, custom_id), **more}


GOOD = [
    pytest.param([text("x" * 4000)], id="text"),
    pytest.param([text("x" * 2000), container(text("x" * 2000))], id="texts"),
    pytest.param([text("x")] * 40, id="components"),
    pytest.param(
        [container(*[row(*[go(custom_id=f"{r}{n}") for n in range(5)]) for r in range(5)])], id="rows"
    ),
    pytest.param([go_row := row(go("x" * 80, "x" * 100))], id="label and custom id"),
    pytest.param([row(go("", emoji={"id": str(EMOJI), "name": "c_7H"}))], id="emoji"),
    pytest.param([row(go("", emoji={"name": "🎴"}))], id="unicode emoji"),
    pytest.param([row({"type": 2, "style": 5, "label": "Site", "url": "https://example.org"})], id="link"),
    pytest.param([section(go(), text("a"), text("b"), text("c"))], id="section"),
    pytest.param(
        [section({"type": 11, "media": {"url": "https://example.org/x"}}, text("a"))], id="thumbnail"
    ),
    pytest.param([row(select(25, max_values=25))], id="select"),
    pytest.param([gallery(10, description="x" * 1024)], id="gallery"),
    pytest.param([{"type": 14, "spacing": 2, "divider": False}, text("x")], id="separator"),
    pytest.param([{"type": 13, "file": {"url": "attachment://table.png"}}], id="file"),
    pytest.param([container(text("x"), accent_color=0xFFFFFF)], id="colour"),
]


@pytest.mark.parametrize("components", GOOD)
def test_at_the_limit(components: list[Any]) -> None:
    assert refused(*components) == {}


BAD = [
    ([text("x" * 4001)], "components.0.content", "BASE_TYPE_BAD_LENGTH"),
    ([text("")], "components.0.content", "BASE_TYPE_BAD_LENGTH"),
    ([{"type": 10}], "components.0.content", "BASE_TYPE_REQUIRED"),
    ([text("x" * 2000), text("x" * 2001)], "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    ([text("x")] * 41, "components", "BASE_TYPE_BAD_LENGTH"),
    ([container(*[text("x")] * 40)], "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    ([section(go(custom_id=str(n)), text("x")) for n in range(14)], "components", "COMPONENT_MAX_TOTAL"),
    ([], "components", "BASE_TYPE_BAD_LENGTH"),
    ([row(*[go(custom_id=str(n)) for n in range(6)])], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ([row()], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ([row(select(1), go())], "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ([row(go("x" * 81))], "components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"),
    ([row(go(custom_id="x" * 101))], "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"),
    ([row(go()), row(go())], "components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ([row(go(""))], "components.0.components.0", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"),
    ([row(go(style=7))], "components.0.components.0.style", "BASE_TYPE_CHOICES"),
    ([row(go(emoji={"id": "9"}))], "components.0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"),
    (
        [row(go(emoji={"name": "x"}))],
        "components.0.components.0.emoji.name",
        "BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    ([row(go(style=5, url="ftp://x"))], "components.0.components.0.url", "URL_TYPE_INVALID_SCHEME"),
    ([section(go())], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ([section(go(), *[text("x")] * 4)], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ([section(None, text("x"))], "components.0.accessory", "UNION_TYPE_CHOICES"),
    ([section(select(1), text("x"))], "components.0.accessory", "UNION_TYPE_CHOICES"),
    ([container()], "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ([container(container(text("x")))], "components.0.components.0", "UNION_TYPE_CHOICES"),
    ([container(text("x"), accent_color=0x1000000)], "components.0.accent_color", "NUMBER_TYPE_RANGE"),
    ([go()], "components.0", "UNION_TYPE_CHOICES"),
    (["text"], "components.0", "UNION_TYPE_CHOICES"),
    ([row(select(26))], "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    ([row(select(0))], "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    ([row(select(2, max_values=3))], "components.0.components.0.max_values", "SELECT_COMPONENT_MAX_VALUES"),
    ([row(select(2, max_values=26))], "components.0.components.0.max_values", "NUMBER_TYPE_RANGE"),
    (
        [row(select(2, placeholder="x" * 151))],
        "components.0.components.0.placeholder",
        "BASE_TYPE_MAX_LENGTH",
    ),
    ([gallery(0)], "components.0.items", "BASE_TYPE_BAD_LENGTH"),
    ([gallery(11)], "components.0.items", "BASE_TYPE_BAD_LENGTH"),
    ([gallery(1, description="x" * 1025)], "components.0.items.0.description", "BASE_TYPE_MAX_LENGTH"),
    ([{"type": 14, "spacing": 3}], "components.0.spacing", "BASE_TYPE_CHOICES"),
    ([{"type": 13, "file": {"url": "https://example.org/x"}}], "components.0.file.url", "URL_TYPE_INVALID"),
    ([{"type": 13, "file": {"url": "attachment://other"}}], "components.0.file", "UNFURLED_MEDIA_ITEM"),
]


@pytest.mark.parametrize(("components", "path", "code"), BAD)
def test_beyond_the_limit(components: list[Any], path: str, code: str) -> None:
    assert code in refused(*components).get(path, ""), refused(*components)


def test_several_errors_are_told_at_once() -> None:
    errors = refused(row(go("x" * 81), go("y")), text(""))
    assert set(errors) == {
        "components.0.components.0.label",
        "components.0.components.1.custom_id",
        "components.1.content",
    }


def test_options_must_differ() -> None:
    twice = select(1)
    twice["options"] *= 2
    assert "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED" in refused(row(twice)).values()


def test_messages_of_the_old_kind_take_rows_only() -> None:
    assert refused(row(go()), v2=False) == {}
    assert refused(text("x"), v2=False) == {"components.0": "UNION_TYPE_CHOICES"}
    assert "components" in refused(*[row(go(custom_id=str(n))) for n in range(6)], v2=False)
