"""What is done to a SQLite file as a whole: its schema, its soundness, its backup.

Plain functions over plain connections; they block and so run on a thread (see `bot.store.sqlite`).
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from bot.store.database import DatabaseError
from bot.store.migrations import Migration, MigrationError, pending

MEMORY = ":memory:"
BUSY_TIMEOUT = 5.0  # seconds for which another program's lock is waited for
CACHED_STATEMENTS = 256
PAGE_CACHE = 16 * 1024  # KiB for each connection; what races and dailies under way touch should fit
# Larger files would delay the start by seconds. They are checked by each backup and on demand.
LARGEST_CHECKED_AT_START = 256 * 2**20  # bytes

_NOW = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"  # ms since 1970, UTC


def connect(path: str) -> sqlite3.Connection:
    """Returns a connection that leaves transactions to the caller."""
    return sqlite3.connect(
        path, timeout=BUSY_TIMEOUT, isolation_level=None, cached_statements=CACHED_STATEMENTS
    )


def prepare_reader(connection: sqlite3.Connection) -> None:
    """Sets up the reading *connection*."""
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
    connection.execute("PRAGMA query_only = ON")


def prepare(connection: sqlite3.Connection, path: str, migrations: Sequence[Migration]) -> int:
    """Returns the schema version after setting up the writing *connection* and applying *migrations*.

    :raises DatabaseError: if the file is damaged, another program's, or does not fit *migrations*.
    """
    connection.execute(f"PRAGMA cache_size = -{PAGE_CACHE}")
    connection.execute("PRAGMA synchronous = FULL")
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if path != MEMORY and mode != "wal":
        raise DatabaseError(f"The database {path} is on a file system that cannot do write-ahead logging.")
    if path == MEMORY or Path(path).stat().st_size <= LARGEST_CHECKED_AT_START:
        _verify(connection, path, pragma="quick_check")
    tables = _tables(connection)
    if tables and "migration" not in tables:
        raise DatabaseError(f"The database {path} is another program's: it has the table {min(tables)}.")
    # Off while tables are rebuilt, since dropping the old one would delete what refers to it. It is checked
    # before each commit instead, as SQLite's documentation advises (lang_altertable, section 7).
    connection.execute("PRAGMA foreign_keys = OFF")
    version = _migrate(connection, migrations)
    connection.execute("PRAGMA foreign_keys = ON")
    # A statement that stores many rows notes what it changes, for the case that it fails: in a file from 64 KiB on,
    # if it may. Only now, since a migration of a large table is better off with that.
    connection.execute("PRAGMA temp_store = MEMORY")
    return version


def require_current(path: str, migrations: Sequence[Migration]) -> None:
    """Refuses a file whose schema is not that of *migrations*: another version of the bot may be using it.

    :raises DatabaseError: if it is not there, or not up to date.
    """
    require_file(Path(path))
    with closing(connect(path)) as connection:
        try:
            require_ours(connection, path)
            rows = connection.execute("SELECT version, checksum FROM migration").fetchall()
            behind = list(pending(migrations, rows))
        except sqlite3.Error as error:
            raise refusal(path, error) from error
        except MigrationError as error:
            raise DatabaseError(f"The database {path} does not fit this version: {error}") from error
    if behind:
        raise DatabaseError(f"The database {path} is of an older version: run `same-deal migrate` first.")


def require_ours(connection: sqlite3.Connection, path: str | Path) -> None:
    """Refuses what has never been a database of this bot.

    :raises DatabaseError: if it is empty, or another program's.
    """
    if "migration" not in _tables(connection):
        raise DatabaseError(f"{path} is no database of Same Deal.")


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> int:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, "
        "checksum TEXT NOT NULL, applied BIGINT NOT NULL)"
    )
    # SQLite opens a file that it must not write for reading only and tells nobody: this would.
    connection.execute("DELETE FROM migration WHERE version = 0")
    applied = connection.execute("SELECT version, checksum FROM migration").fetchall()
    try:
        for migration in pending(migrations, applied):
            _apply(connection, migration)
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    return len(migrations)


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    """Applies *migration* and records it, in one transaction."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        for statement in split_script(migration.sql):
            connection.execute(statement)
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken:
            raise DatabaseError(f"The migration {migration} would leave rows of {broken[0]} without parent.")
        connection.execute(
            f"INSERT INTO migration (version, name, checksum, applied) VALUES (?, ?, ?, {_NOW})",
            (migration.version, migration.name, migration.checksum),
        )
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise DatabaseError(f"The migration {migration} failed and was undone: {error}.") from error
    finally:
        roll_back(connection)


def split_script(script: str) -> Iterator[str]:
    """Yields the statements of *script*, whatever semicolons its strings, comments and triggers hold."""
    statement = ""
    for piece in re.split(r"(?<=;)", script):
        statement += piece
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


def roll_back(connection: sqlite3.Connection) -> None:
    """Ends a transaction that failed, if one is left."""
    if connection.in_transaction:
        with suppress(sqlite3.Error):  # what made it necessary is reported; the next BEGIN tells of the rest
            connection.execute("ROLLBACK")


def verify(connection: sqlite3.Connection, path: str) -> None:
    """Reads all of the database at *path*.

    :raises DatabaseError: if it is damaged.
    """
    _verify(connection, path, pragma="integrity_check")


def _verify(connection: sqlite3.Connection, path: str, *, pragma: str) -> None:
    try:
        finding = find_damage(connection, pragma=pragma)
    except sqlite3.Error as error:
        raise refusal(path, error) from error
    if finding:
        raise DatabaseError(f"The database {path} is damaged ({finding}): restore a backup.")


def find_damage(connection: sqlite3.Connection, *, pragma: str = "integrity_check") -> str:
    """Returns the first thing that is wrong with what *connection* reads, or an empty text."""
    (finding,) = connection.execute(f"PRAGMA {pragma}(1)").fetchone()
    return "" if finding == "ok" else " ".join(str(finding).split())


def require_file(path: Path) -> None:
    """Refuses a *path* where there is no file. It is not opened: closing it would cost SQLite its locks.

    :raises DatabaseError: with what is there instead.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise DatabaseError(f"There is no file {path}.") from None
    except OSError as error:
        raise DatabaseError(f"The file {path} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(mode):
        raise DatabaseError(f"{path} is not a file.")


def verify_file(path: str) -> None:
    """Does `verify` on a connection of its own, so that nobody else has to wait."""
    with closing(connect(path)) as connection:
        verify(connection, path)


def back_up(connection: sqlite3.Connection, path: Path) -> None:
    """Writes a checked copy to *path*, under another name first: no half copy ever bears its name.

    :raises DatabaseError: if *path* exists, the copy cannot be written, or the database is damaged.
    """
    _require_absent(path)
    source = str(connection.execute("PRAGMA database_list").fetchone()[2])
    part: str | None = None
    try:
        handle, part = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
        with closing(connect(part)) as copy:
            # In one step, which sees one moment of the database and keeps nobody from writing.
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
            verify(copy, source)
        _sync(part)
        _require_absent(path)
        os.rename(part, path)
        part = None
        _sync(str(path.parent))
    except OSError as error:
        raise DatabaseError(f"The file {path} cannot be written: {error.strerror}.") from error
    except sqlite3.Error as error:
        if is_damage(error):  # of the database that is read: the copy is new
            raise refusal(source, error) from error
        raise DatabaseError(f"The file {path} cannot be written: {error}.") from error
    finally:
        if part is not None:
            for companion in ("", "-journal", "-wal", "-shm"):
                Path(part + companion).unlink(missing_ok=True)


def back_up_file(source: str, path: Path) -> None:
    """Does `back_up` on a connection of its own, so that nobody else has to wait."""
    with closing(connect(source)) as connection:
        back_up(connection, path)


def _require_absent(path: Path) -> None:
    if os.path.isdir(path):
        raise DatabaseError(f"{path} is a folder: name the new file in it.")
    if os.path.lexists(path):
        raise DatabaseError(f"The file {path} exists already.")


def _sync(path: str) -> None:
    """Returns when the file or folder *path* is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refusal(path: str, error: sqlite3.Error) -> DatabaseError:
    """Returns why the database at *path* cannot be used, as one sentence."""
    if is_damage(error):
        return DatabaseError(f"The database {path} is damaged or no database ({error}): restore a backup.")
    return DatabaseError(f"The database {path} cannot be used: {_obstacle(path, error) or error}.")


def name_of(error: Exception) -> str:
    """Returns SQLite's name for *error* (SQLITE_FULL), or nothing where it has none."""
    return str(getattr(error, "sqlite_errorname", ""))


def is_damage(error: sqlite3.Error) -> bool:
    """Tells whether *error* says that a file is damaged or no database."""
    return name_of(error).startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))


def _obstacle(path: str, error: sqlite3.Error) -> str | None:
    """Returns why the system does not open *path*, or not what lies beside it: SQLite says only that it is so."""
    # After any other error a connection may be open still, which the closing below would cost its locks.
    if name_of(error).startswith(("SQLITE_CANTOPEN", "SQLITE_IOERR")):
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))  # which does not wait at a pipe
        except OSError as reason:
            return reason.strerror
        if not shutil.disk_usage(Path(path).resolve().parent).free:
            return os.strerror(errno.ENOSPC)
    return None
