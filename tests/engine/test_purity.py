"""The engine depends on nothing but its arguments."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
MODULES = sorted(path for path in FOLDER.rglob("*.py") if path.name != "__main__.py")
IMPURE = {"asyncio", "io", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "sys"}
IMPURE |= {"datetime", "multiprocessing", "tempfile", "threading", "time"}


def imported(path: Path) -> Iterator[str]:
    """Yields the first part of the name of each module that the module at *path* imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module).split(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_imports(path: Path) -> None:
    names = set(imported(path))
    assert names <= {"engine", *sys.stdlib_module_names}
    assert not names & IMPURE
    assert not {"open", "print", "input"} & {
        node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)
    }


def test_public_names_are_documented() -> None:
    assert engine.__all__ == sorted(
        engine.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name)
    )
    for name in engine.__all__:
        value = getattr(engine, name)
        if not isinstance(value, (int, str, tuple)):
            assert value.__doc__, name
