"""The database as the rest of the bot sees it: reads, grouped writes, and what can go wrong.

The errors::

    StoreError                 a read or write failed; nothing of a failed write was saved
    ├── ConflictError          a row count or a constraint said no: somebody else was first
    ├── UncertainError         the database was lost at the commit: all was saved or nothing
    └── DatabaseError          the database cannot be opened, migrated, checked or backed up;
                               one sentence for the operator

A driver (`bot.store.sqlite`) subclasses `Database`; nothing outside `open_database` names one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from bot.store.migrations import MigrationError, load_migrations

Row = tuple[Any, ...]
Value = int | float | str | bytes | None


class StoreError(Exception):
    """A read or write that failed. Nothing of the failed write was saved."""


class ConflictError(StoreError):
    """A write whose row count or constraint did not hold; *index* is that of the statement."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"statement {index}: {reason}")
        self.index = index


class UncertainError(StoreError):
    """A write whose commit was sent to a server that has not come back to say whether it was made."""


class DatabaseError(StoreError):
    """A database that cannot be opened, migrated, checked or backed up, in one sentence for the operator."""


class Statement(NamedTuple):
    """One statement of a write.

    *sql* has `$1`, `$2` … for *args* and returns no rows; *rows* is the number of rows that it must insert,
    update or delete (None: any).
    """

    sql: str
    args: tuple[Value, ...] = ()
    rows: int | None = None


Call = tuple[Statement, ...]
Watch = Callable[[int, float, StoreError | None], None]
"""Is told of each group of writes: how many, how many seconds they took, and what was wrong with the database."""


class Database(ABC):
    """An open database, its schema up to date. Closes itself as an async context manager."""

    __slots__ = ()

    @property
    @abstractmethod
    def schema_version(self) -> int:
        """Returns the number of the last migration that was applied, 0 before the first."""

    @abstractmethod
    async def read(self, sql: str, *args: Value) -> list[Row]:
        """Returns the rows of one query. It sees every write acknowledged before.

        :raises StoreError: if the query fails.
        """

    @abstractmethod
    async def write(self, *statements: Statement) -> None:
        """Saves all of *statements* or none. When it returns, they are on the disk.

        Writes that wait at the same moment share one transaction but not their failures. A caller that is
        cancelled cannot know whether its own write was saved: that one is there as a whole or not at all.

        :raises ConflictError: if a row count or a constraint does not hold.
        :raises StoreError: if the database fails.
        """

    async def holds(self, lease: str, *, shared: bool = False) -> bool:
        """Tells whether this process has *lease* at this moment, and takes it if it is free.

        It is kept until `release`, or until the process is not heard of for seconds. A *shared* one is free
        for others who share it. A holder that is paused after this has been answered may come back when somebody
        else has it: what is done under a lease is done once by row counts and keys, and by the lease in one place.

        :raises StoreError: if the database does not answer.
        """
        return True  # where one process has the whole database

    async def release(self, lease: str) -> None:  # noqa: B027  # nothing to do where `holds` is always true
        """Lets another process have *lease*."""

    @abstractmethod
    async def check(self) -> None:
        """Reads the whole database for damage.

        :raises DatabaseError: if it is damaged.
        """

    @abstractmethod
    async def backup(self, path: Path) -> None:
        """Copies the database to the new file *path* while it is in use, and checks the copy.

        :raises DatabaseError: if *path* exists, or the copy cannot be written or is damaged.
        """

    @abstractmethod
    async def close(self) -> None:
        """Finishes the writes that wait and releases the database. Later calls raise StoreError."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def open_database(
    url: str, migrations: Traversable, *, watch: Watch | None = None, beside: bool = False
) -> Database:
    """Returns the database at *url*, brought up to date with the SQL files of the folder *migrations*.

    *watch* is told of each group of writes. *beside* a bot that may be running, its file is not locked, and
    has to be up to date.

    *url* is `sqlite:///` and a path (`sqlite:///data/same-deal.db`, `sqlite:////var/lib/same-deal.db`),
    `sqlite:///:memory:`, or `postgresql://user:password@host/database`.

    :raises DatabaseError: if it cannot be used, with the reason.
    """
    scheme, separator, place = url.partition("://")
    # The address may hold a password: only its scheme is ever repeated.
    if not separator or scheme not in ("sqlite", "postgresql"):
        name = repr(scheme) if separator else "something without '://'"
        raise DatabaseError(
            f"The database URL must start with 'sqlite:///' or 'postgresql://', not with {name}."
        )
    path = place.removeprefix("/")
    if scheme == "sqlite" and (path == place or not path):
        raise DatabaseError("The database URL must be 'sqlite:///' and the path of a file.")
    try:
        files = load_migrations(migrations)
    except MigrationError as error:
        raise DatabaseError(str(error)) from error
    # The drivers are imported here since they import this module, and so that only the one in use is loaded.
    if scheme == "sqlite":
        from bot.store.sqlite import open_sqlite

        return await open_sqlite(path, files, watch=watch, beside=beside)
    try:
        from bot.store.postgres import open_postgres
    except ModuleNotFoundError as error:
        raise DatabaseError("The database needs asyncpg: install same-deal[postgresql].") from error
    return await open_postgres(url, files, watch=watch)
