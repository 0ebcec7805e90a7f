"""PostgreSQL for the tests: a server of their own, or the one that SAME_DEAL_TEST_POSTGRES names.

The server's programs refuse to run as root, so that they get another user's rights there.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from tests.ports import free_port

GIVEN = "SAME_DEAL_TEST_POSTGRES"


def programs() -> Path | None:
    """Returns the folder of the newest server installed, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    where = shutil.which("initdb")
    return Path(where).parent if where else None


@contextmanager
def postgres_server(*options: str) -> Iterator[str]:
    """Yields the address of a database of a server that lives meanwhile, with all *options* (``-c name=value``).

    :raises LookupError: if there is none.
    """
    if given := os.environ.get(GIVEN):
        yield given
        return
    binaries = programs()
    if binaries is None:
        raise LookupError(f"no PostgreSQL is installed and {GIVEN} names none")
    with tempfile.TemporaryDirectory(prefix="same-deal-pg-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        user = None if os.geteuid() else _other_user()
        if user is not None:
            shutil.chown(folder, user)
        initial = ("-U", "same_deal", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        _run(user, str(binaries / "initdb"), "-D", str(data), *initial)
        port = str(free_port())
        command = [str(binaries / "postgres"), "-D", str(data), "-p", port, "-k", folder]
        with (Path(folder) / "log").open("wb") as log:
            server = subprocess.Popen([*command, *options], stdout=log, stderr=log, user=user, cwd=folder)
        try:
            while server.poll() is None:
                ready = [str(binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", port]
                if subprocess.run(ready, check=False).returncode == 0:
                    break
            else:
                raise LookupError(f"PostgreSQL did not start: {(Path(folder) / 'log').read_text()}")
            yield f"postgresql://same_deal@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(2)  # a fast shutdown: sessions are ended
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@contextmanager
def postgres_database(server: str) -> Iterator[str]:
    """Yields the address of an empty schema on *server*, which is dropped afterwards."""
    schema = f"test_{uuid.uuid4().hex}"
    asyncio.run(_execute(server, f"CREATE SCHEMA {schema}"))
    try:
        yield f"{server}{'&' if '?' in server else '?'}search_path={schema}"
    finally:
        asyncio.run(_execute(server, f"DROP SCHEMA {schema} CASCADE"))


async def _execute(server: str, sql: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


def _other_user() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(user: str | None, *command: str) -> None:
    subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")
