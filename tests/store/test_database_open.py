"""What a database is refused for, each time with one sentence that says why."""

from __future__ import annotations

import asyncio
import filecmp
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import aiosqlite
import pytest

from bot.store import sqlite_files
from bot.store.database import Database, DatabaseError, Statement, open_database

HOLDER = """\
import asyncio, pathlib, sys
from bot.store.database import open_database

async def main(url, schema):
    async with await open_database(url, pathlib.Path(schema)):
        print("open", flush=True)
        sys.stdin.read()

asyncio.run(main(*sys.argv[1:]))
"""

# The same with a forked child, like those of a process pool.
WITH_WORKER = HOLDER.replace(
    'print("open", flush=True)',
    """if os.fork() == 0:
            sys.stdin.read()
            os._exit(0)
        print("open", flush=True)""",
).replace("import asyncio,", "import asyncio, os,")


@contextmanager
def nobody() -> Iterator[None]:
    """Gives up root's right to write everywhere for a while. Other users have none to give up."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


async def refusal(url: str, schema: Path) -> str:
    """Returns the sentence with which *url* is refused."""
    with pytest.raises(DatabaseError) as info:
        await open_database(url, schema)
    sentence = str(info.value)
    assert re.fullmatch(r"The [^\n]+\.", sentence)
    return sentence


def names(folder: Path, pattern: str) -> set[str]:
    return {path.name for path in folder.glob(pattern)}


def damage(file: Path) -> None:
    """Loses a page in the middle of *file*."""
    with file.open("r+b") as handle:
        handle.seek(4096 * 8)
        handle.write(b"\xff" * 4096)


async def create(file: Path, schema: Path, rows: int = 0) -> None:
    async with await open_database(f"sqlite:///{file}", schema) as db:
        await db.write(
            *(Statement("INSERT INTO attempt (id) VALUES ($1)", (key,), rows=1) for key in range(rows))
        )


async def test_a_path_is_relative_or_absolute(
    tmp_path: Path, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await create(Path("here.db"), schema)
    await create(tmp_path / "there ?mode=memory.db", schema)
    assert names(tmp_path, "*.db") == {"here.db", "there ?mode=memory.db"}


@pytest.mark.parametrize(
    "url",
    ["", "same-deal.db", "mysql://root:secret@host/db", "sqlite://", "sqlite:///", "sqlite://same-deal.db"],
)
async def test_a_wrong_url(url: str, schema: Path) -> None:
    sentence = await refusal(url, schema)
    assert "sqlite:///" in sentence
    assert "secret" not in sentence


async def test_a_second_opener_in_the_process(file: Path, schema: Path) -> None:
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert "already open" in await refusal(f"sqlite:///{file}", schema)
        link = file.with_name("link.db")
        link.symlink_to(file)
        assert "already open" in await refusal(f"sqlite:///{link}", schema)
        assert await db.read("SELECT 1") == [(1,)]
    await create(file, schema)


async def test_a_second_process(file: Path, schema: Path) -> None:
    url = f"sqlite:///{file}"
    for kill in (False, True):
        with hold(url, schema) as holder:
            assert f"in use by process {holder.pid} on " in await refusal(url, schema)
            if kill:
                holder.kill()
    await create(file, schema)


async def test_a_worker_that_outlives_its_bot_does_not_keep_the_lock(file: Path, schema: Path) -> None:
    with hold(f"sqlite:///{file}", schema, WITH_WORKER) as bot:
        bot.kill()
        bot.wait()
        await create(file, schema)  # the worker still waits for the end of its input


@contextmanager
def hold(url: str, schema: Path, script: str = HOLDER) -> Iterator[subprocess.Popen[str]]:
    """Yields another process that has *url* open."""
    command = [sys.executable, "-W", "ignore", "-c", script, url, str(schema)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process


async def test_a_file_that_is_no_database(file: Path, schema: Path) -> None:
    letter = schema / "letter.txt"
    letter.write_text("This is no database, but long enough to be one. " * 100)
    shutil.copy(letter, file)
    assert "damaged or no database" in await refusal(f"sqlite:///{file}", schema)
    assert filecmp.cmp(letter, file, shallow=False)


async def test_a_damaged_database(file: Path, schema: Path) -> None:
    await create(file, schema, rows=5000)
    damage(file)
    assert "restore a backup" in await refusal(f"sqlite:///{file}", schema)


async def test_damage_that_comes_later_is_found_by_a_check(file: Path, schema: Path) -> None:
    await create(file, schema, rows=5000)
    async with await open_database(f"sqlite:///{file}", schema) as db:
        await db.check()
        damage(file)
        with pytest.raises(DatabaseError, match="damaged"):
            await db.check()


async def test_another_programs_database(file: Path, schema: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE guitars (id INTEGER)")
    assert "another program's" in await refusal(f"sqlite:///{file}", schema)


@pytest.mark.parametrize("place", ["missing/test.db", "file/test.db", "locked/test.db"])
async def test_a_directory_that_cannot_be_used(tmp_path: Path, schema: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "locked").mkdir(mode=0o555)
    with nobody():
        assert "directory" in await refusal(f"sqlite:///{tmp_path / place}", tmp_path)
    assert names(tmp_path, "*/test.db*") == set()


async def test_a_file_that_cannot_be_written(schema: Path) -> None:
    with TemporaryDirectory() as folder:  # open to everybody, which pytest's own is not
        file = Path(folder) / "test.db"
        await create(file, schema)
        make_read_only(file)
        migrations = shutil.copytree(schema, Path(folder) / "migrations")
        with nobody():
            assert "readonly" in await refusal(f"sqlite:///{file}", migrations)
        make_writable(file)
        await create(file, schema)


def make_read_only(file: Path) -> None:
    file.parent.chmod(0o777)
    file.chmod(0o444)
    file.with_name(f"{file.name}.lock").chmod(0o666)


def make_writable(file: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):  # the log beside it takes after the database
        each.chmod(0o644)


def test_a_pipe(file: Path, schema: Path) -> None:
    os.mkfifo(file)
    with ThreadPoolExecutor() as pool:
        told = pool.submit(asyncio.run, refusal(f"sqlite:///{file}", schema))
        try:
            assert "cannot be used" in told.result(timeout=60)
        finally:
            os.close(os.open(file, os.O_RDWR))  # lets go who waits at it


async def test_what_cannot_be_opened_leaves_no_thread(
    file: Path, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that ended after the loop would say so with a traceback."""

    def fail(path: str) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    def stop(connection: aiosqlite.Connection) -> object:
        connection._tx.put_nowait((None, may_end.wait))
        asyncio.get_running_loop().call_later(0.01, may_end.set)
        return end(connection)

    may_end, end = threading.Event(), aiosqlite.Connection.stop
    monkeypatch.setattr(sqlite_files, "connect", fail)
    monkeypatch.setattr(aiosqlite.Connection, "stop", stop)
    await refusal(f"sqlite:///{file}", schema)
    assert may_end.is_set()


async def test_a_lock_that_stays(file: Path, schema: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await create(file, schema)
    monkeypatch.setattr(sqlite_files, "BUSY_TIMEOUT", 0.01)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "locked" in await refusal(f"sqlite:///{file}", schema)
    await create(file, schema)


async def test_cancelling_an_opening_leaves_nothing_open(file: Path, schema: Path) -> None:
    opening: asyncio.Task[Database] = asyncio.ensure_future(open_database(f"sqlite:///{file}", schema))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # so that it cannot end
        await asyncio.sleep(0)
        opening.cancel()
        other.execute("ROLLBACK")
    with pytest.raises(asyncio.CancelledError):
        await opening
    await create(file, schema)
