"""What an operator does to a database from outside: back it up, restore it, look at its state.

None of this opens the database as the bot does, so all of it but `restore` works while the bot runs. It is for
SQLite files; PostgreSQL has better tools of its own. The functions block.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from bot.store import sqlite_files as files
from bot.store.database import DatabaseError
from bot.store.filelock import FileLock, lock_file
from bot.store.migrations import Migration, MigrationError, pending

COMPANIONS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Condition:
    """How a database is: what is in the way of using it (*faults*), its schema, and the space left beside it.

    *exists* is False where the first start would make it. *pending* counts the migrations still to apply.
    """

    path: Path
    faults: tuple[str, ...] = ()
    exists: bool = True
    schema: int = 0
    pending: int = 0
    free: int | None = None
    """Bytes free on its disk, None if there is no telling."""
    size: int = 0
    """Bytes that it takes now."""


def file_of(url: str) -> Path:
    """Returns the file that *url* names.

    :raises DatabaseError: if it names no SQLite file.
    """
    scheme, _, place = url.partition("://")
    path = place.removeprefix("/")
    if scheme != "sqlite":
        raise DatabaseError(
            f"This is for SQLite files; a database at {scheme}:// is looked after with its own tools, "
            "such as pg_dump and pg_restore."
        )
    if path == place or not path or path == files.MEMORY:
        raise DatabaseError("The database URL must be 'sqlite:///' and the path of a file.")
    return Path(path)


def back_up(url: str, path: Path) -> None:
    """Writes a checked copy of the database at *url* to the new file *path*, also while the bot runs.

    :raises DatabaseError: if there is no such database, *path* exists, or the copy cannot be written.
    """
    source = file_of(url)
    files.require_file(source)
    try:
        with closing(files.connect(str(source))) as connection:
            files.require_ours(connection, source)
            files.back_up(connection, path)
    except sqlite3.Error as error:
        raise files.refusal(str(source), error) from error


def restore(url: str, path: Path, migrations: Sequence[Migration]) -> None:
    """Makes the database at *url*, which must not exist, from the backup *path*, once that has been checked.

    :raises DatabaseError: if a bot uses the database, it exists, or the backup is damaged, newer or another
        program's.
    """
    target = file_of(url)
    lock = FileLock(target)
    try:
        for name in (target, *(Path(f"{target}{ending}") for ending in COMPANIONS)):
            if name.exists():
                raise DatabaseError(f"{name} exists: move it away first, nothing is overwritten.")
        files.require_file(path)
        try:
            with closing(_reader(path)) as connection:
                if damage := files.find_damage(connection):
                    raise DatabaseError(f"The backup {path} is damaged ({damage}): choose another one.")
                _applied(connection, path, migrations)
                files.back_up(connection, target)
        except sqlite3.Error as error:
            if files.is_damage(error):
                what = f"The backup {path} is damaged or no database ({error}): choose another one."
                raise DatabaseError(what) from error
            raise files.refusal(str(path), error) from error
    finally:
        lock.release()


def examine(url: str, migrations: Sequence[Migration]) -> Condition:
    """Returns how the database at *url* is, reading all of it; nothing is changed.

    :raises DatabaseError: if *url* names no SQLite file.
    """
    path = file_of(url)
    folder = path.resolve().parent
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Condition(path, (f"its folder {folder} cannot be used: {error.strerror}",), exists=False)
    faults = [] if _is_writable(folder) else [f"its folder {folder} cannot be written"]
    lock = lock_file(path)
    if os.path.exists(lock) and not _is_writable(lock):
        faults.append(f"the file {lock} cannot be written")
    if not os.path.exists(path):
        return Condition(path, tuple(faults), exists=False, free=free)
    schema = missing = 0
    try:
        with closing(_reader(path)) as connection:
            files.verify(connection, str(path))
            schema, missing = _applied(connection, path, migrations)
    except sqlite3.Error as error:
        faults.append(str(files.refusal(str(path), error)))
    except DatabaseError as error:
        faults.append(str(error))
    if not _is_writable(path):
        faults.append(f"the file {path} cannot be written")
    return Condition(path, tuple(faults), True, schema, missing, free, path.stat().st_size)


def _reader(path: Path) -> sqlite3.Connection:
    """Returns a connection that makes and changes nothing."""
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=files.BUSY_TIMEOUT, isolation_level=None)


def _applied(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> tuple[int, int]:
    """Returns the schema version and the number of migrations that are still to come.

    :raises DatabaseError: if the file is another program's, or newer than this program.
    """
    files.require_ours(connection, path)
    applied = connection.execute("SELECT version, checksum FROM migration").fetchall()
    try:
        missing = pending(migrations, applied)
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    return max((version for version, _ in applied), default=0), len(missing)


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
