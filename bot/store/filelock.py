"""A lock file: the right to use a database file, held by one process at a time."""

from __future__ import annotations

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from bot.store.database import DatabaseError


def lock_file(database: Path) -> Path:
    """Returns the file by which *database* is locked, beside it."""
    return database.with_name(f"{database.name}.lock")


class FileLock:
    """The lock of the database file *database*, taken at once, held until `release` or the process's death.

    It lies on a file of its own, since SQLite's locks are lost when anybody in the process closes the
    database file. It is a record lock (`lockf`), which the kernel drops when the process dies and which
    children do not inherit: a worker that outlives a killed bot must not keep it. Such locks do not keep a
    process from itself, so the paths held by this process are known by name.

    :raises DatabaseError: if somebody else has it, or the directory cannot be written.
    """

    __slots__ = ("_file", "_path")

    _held: ClassVar[set[Path]] = set()

    def __init__(self, database: Path) -> None:
        self._path = database.resolve()
        if self._path in self._held:
            raise DatabaseError(f"The database {database} is already open in this process.")
        if os.path.isdir(self._path):
            raise DatabaseError(f"The database {database} is a folder: name a file in it.")
        lock = lock_file(self._path)
        try:
            self._file = lock.open("a+", encoding="utf-8")
        except OSError as error:
            what = f"lock file {lock}" if os.path.exists(lock) else f"directory of the database {database}"
            raise DatabaseError(f"The {what} cannot be used: {error.strerror}.") from error
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.seek(0)
            holder = self._file.read().strip() or "another process"
            self._file.close()
            raise DatabaseError(
                f"The database {database} is in use by {holder}; only one process can have it."
            ) from error
        with suppress(OSError):  # on a full disk it is locked all the same, only without a name
            os.truncate(self._file.fileno(), 0)
            os.write(self._file.fileno(), f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        self._held.add(self._path)

    def release(self) -> None:
        """Lets another process have the database. The file stays: removing it would race."""
        self._held.discard(self._path)
        self._file.close()
