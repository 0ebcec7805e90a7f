"""``same-deal backup``, ``restore`` and ``migrate``."""

from __future__ import annotations

import asyncio
import sys
from importlib.resources.abc import Traversable
from pathlib import Path

from bot.store import care
from bot.store.database import DatabaseError, open_database
from bot.store.migrations import MigrationError, load_migrations


def back_up(url: str, path: Path) -> int:
    """Copies the database to the new file *path*, while the bot runs or not, and returns the exit code."""
    care.back_up(url, path)
    _say(f"{path}: {path.stat().st_size // 1024} KiB, checked")
    return 0


def restore(url: str, path: Path, migrations: Traversable) -> int:
    """Makes the database from the backup *path*, and returns the exit code."""
    try:
        files = load_migrations(migrations)
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    care.restore(url, path, files)
    _say(f"{care.file_of(url)}: restored from {path}, checked")
    return 0


def migrate(url: str, migrations: Traversable) -> int:
    """Brings the schema up to date, as each start does, and returns the exit code."""
    version = asyncio.run(_migrate(url, migrations))
    _say(f"The database has schema version {version}")
    return 0


async def _migrate(url: str, migrations: Traversable) -> int:
    async with await open_database(url, migrations) as db:
        return db.schema_version


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
