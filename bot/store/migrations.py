"""Migrations: numbered SQL files that build the schema, each applied once and never edited afterwards."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


class MigrationError(Exception):
    """Migration files that do not fit each other or the database, in one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One SQL file: its number, its name without number and ending, and its text."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Returns the SHA-256 of the text in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.version:04}_{self.name}.sql"


def load_migrations(folder: Traversable) -> tuple[Migration, ...]:
    """Returns the migrations of *folder* in their order.

    :raises MigrationError: if a number is missing or used twice, or a file gives no reason on its first line.
    """
    try:
        files = [file for file in folder.iterdir() if file.name.endswith(".sql")]
        found = sorted((_read(file) for file in files), key=lambda migration: migration.version)
    except OSError as error:
        raise MigrationError(f"The migrations cannot be read: {error}.") from error
    for number, migration in enumerate(found, start=1):
        if migration.version != number:
            raise MigrationError(f"The migrations have {migration} where number {number} is due.")
    return tuple(found)


def _read(file: Traversable) -> Migration:
    match = _FILE_NAME.fullmatch(file.name)
    if not match:
        raise MigrationError(f"The migration {file.name} is not named like 0001_what_it_does.sql.")
    # Line ends are made alike, so that a checkout on another system has the same checksum.
    sql = "\n".join(file.read_text(encoding="utf-8").splitlines()) + "\n"
    if not re.match(r"--\s*\w", sql):
        raise MigrationError(f"The migration {file.name} does not begin with a comment that says why.")
    return Migration(int(match[1]), match[2], sql)


def pending(migrations: Sequence[Migration], applied: Iterable[tuple[int, str]]) -> Sequence[Migration]:
    """Returns those of *migrations* that a database still needs; *applied* has (version, checksum) pairs.

    :raises MigrationError: if the database is newer than the program, or a file was edited since.
    """
    recorded = dict(applied)
    newest = max(recorded, default=0)
    if newest > len(migrations):
        raise MigrationError(
            f"The database has schema version {newest}, newer than this program's {len(migrations)}: "
            "use the newer program, or restore a backup from before the update."
        )
    for migration in migrations[:newest]:
        if recorded.get(migration.version) != migration.checksum:
            raise MigrationError(f"The migration {migration} was edited after this database had applied it.")
    return migrations[newest:]
