"""Files that come along with the bot."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def shipped(name: str) -> Traversable:
    """Returns the file or folder *name*: inside the package where that is installed, else beside it."""
    packaged = files("bot") / name
    return packaged if packaged.is_file() or packaged.is_dir() else Path(__file__).parents[1] / name
