"""Imports point down only, and discord.py is known to few."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "engine": ("engine",),
    "bot.store": ("bot.store", "bot.periods", "engine"),
    "bot.services": (
        "bot.services",
        "bot.store",
        "bot.errors",
        "bot.periods",
        "bot.snowflake",
        "bot.render",
        "engine",
    ),
    "bot.render": ("bot.render", "engine"),
    "bot.text": ("bot.text", "bot.errors", "engine"),
    "bot.views": (
        "bot.views",
        "bot.render",
        "bot.text",
        "bot.errors",
        "bot.periods",
        "bot.services",
        "bot.store",
        "engine",
    ),
    "bot.playground": ("bot.playground",),
}
SHARED = ("bot.errors", "bot.periods", "bot.snowflake")
"""Values without any knowledge of the rest."""
KNOW_DISCORD = (
    "bot.__main__",
    "bot.app",
    "bot.boards",
    "bot.cogs",
    "bot.commands.run",
    "bot.desk",
    "bot.emoji",
    "bot.outbox",
    "bot.posts",
    "bot.publish",
    "bot.receive",
    "bot.respond",
    "bot.router",
    "bot.seats",
    "bot.tell",
    "bot.translator",
    "bot.transport",
    "bot.verdicts",
)


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("engine", "bot"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(part for part in parts if part != "__init__"), path


EACH = pytest.mark.parametrize(
    ("name", "path"), [pytest.param(name, path, id=name) for name, path in modules()]
)


def imports(path: Path, *, deferred: bool = True) -> Iterator[str]:
    """Yields the modules that *path* imports; those inside functions only if *deferred*."""
    tree = ast.parse(path.read_text())
    found = ast.walk(tree) if deferred else iter(tree.body)
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in found:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: -node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def is_within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@EACH
def test_imports_point_down(name: str, path: Path) -> None:
    layer = next((layer for layer in MAY_IMPORT if is_within(name, (layer,))), None)
    if layer is None:
        return
    ours = [each for each in imports(path, deferred=False) if is_within(each, ("bot", "engine"))]
    allowed = MAY_IMPORT[layer] if layer in ("engine", "bot.playground") else (*MAY_IMPORT[layer], *SHARED)
    assert [each for each in ours if not is_within(each, allowed)] == []


@EACH
def test_few_know_discord(name: str, path: Path) -> None:
    if not is_within(name, KNOW_DISCORD):
        assert [each for each in imports(path) if is_within(each, ("discord",))] == []


def test_the_engine_needs_only_the_standard_library() -> None:
    foreign = {
        each.split(".")[0]
        for name, path in modules()
        if is_within(name, ("engine",))
        for each in imports(path)
        if each.split(".")[0] not in {*sys.stdlib_module_names, "engine"}
    }
    assert foreign == set()


def test_no_module_is_too_long() -> None:
    long = {name: lines for name, path in modules() if (lines := len(path.read_text().splitlines())) > 500}
    assert long == {}
