"""Backup, restore and examination from outside, while the bot runs or not."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.store import care
from bot.store.database import Database, DatabaseError, Statement, open_database
from bot.store.filelock import FileLock
from bot.store.migrations import load_migrations
from tests.store.conftest import add_attempts
from tests.store.test_database_open import nobody


@pytest.fixture
async def kept(file: Path, schema: Path) -> AsyncIterator[Database]:
    """Yields an open SQLite database in a file, with the attempts 1 to 64."""
    async with await open_database(f"sqlite:///{file}", schema) as db:
        await add_attempts(db)
        yield db


def rows(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM attempt").fetchone()[0])


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def shorten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def damage(file: Path) -> None:
    file.write_bytes(b"x" * 8192)


async def test_a_backup_while_the_bot_runs(kept: Database, file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    care.back_up(f"sqlite:///{file}", copy)
    await kept.write(Statement("INSERT INTO attempt (id) VALUES (65)"))
    assert rows(copy) == 64
    with pytest.raises(DatabaseError, match="exists already"):
        care.back_up(f"sqlite:///{file}", copy)


def test_what_cannot_be_backed_up(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="There is no file"):
        care.back_up(f"sqlite:///{tmp_path}/none.db", tmp_path / "copy.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(DatabaseError, match="pg_dump"):
        care.back_up("postgresql://u:secret@h/d", tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="path of a file"):
        care.back_up("sqlite:///:memory:", tmp_path / "copy.db")
    (tmp_path / "other.db").write_text("no database at all, only words" * 100)
    with pytest.raises(DatabaseError, match=r"other\.db is damaged or no database"):
        care.back_up(f"sqlite:///{tmp_path}/other.db", tmp_path / "copy.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(DatabaseError, match=r"empty\.db is no database of Same Deal"):
        care.back_up(f"sqlite:///{tmp_path}/empty.db", tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="is not a file"):
        care.back_up(f"sqlite:///{tmp_path}", tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


async def test_a_backup_of_a_damaged_database_names_what_is_damaged(
    kept: Database, file: Path, tmp_path: Path
) -> None:
    await kept.close()
    shorten(file)
    with pytest.raises(DatabaseError, match=rf"{file.name} is damaged.*restore a backup"):
        care.back_up(f"sqlite:///{file}", tmp_path / "copy.db")
    assert not any("copy" in name for name in names(tmp_path))


async def test_where_a_backup_cannot_be_written(kept: Database, file: Path, tmp_path: Path) -> None:
    for place, reason in (
        (tmp_path, "is a folder: name the new file in it"),
        (tmp_path / "none/copy.db", r"none/copy\.db cannot be written: No such file or directory\."),
        (Path("/proc/copy.db"), r"/proc/copy\.db cannot be written: "),
    ):
        with pytest.raises(DatabaseError, match=reason) as info:
            care.back_up(f"sqlite:///{file}", place)
        assert ".part" not in str(info.value)


async def test_a_restored_database_is_the_same(kept: Database, file: Path, schema: Path) -> None:
    copy, again = file.with_name("copy.db"), file.with_name("again.db")
    await kept.backup(copy)
    care.restore(f"sqlite:///{again}", copy, load_migrations(schema))
    async with await open_database(f"sqlite:///{again}", schema) as db:
        assert await db.read("SELECT COUNT(*) FROM attempt") == [(64,)]


async def test_nothing_is_overwritten(kept: Database, file: Path, schema: Path) -> None:
    copy, known = file.with_name("copy.db"), load_migrations(schema)
    await kept.backup(copy)
    with pytest.raises(DatabaseError, match="already open in this process"):
        care.restore(f"sqlite:///{file}", copy, known)
    await kept.close()
    with pytest.raises(DatabaseError, match="move it away first"):
        care.restore(f"sqlite:///{file}", copy, known)
    target = file.with_name("new.db")
    file.with_name("new.db-wal").touch()
    with pytest.raises(DatabaseError, match=r"new\.db-wal exists"):
        care.restore(f"sqlite:///{target}", copy, known)
    assert not target.exists()


async def test_what_is_no_backup(kept: Database, file: Path, schema: Path) -> None:
    target = f"sqlite:///{file.with_name('new.db')}"
    copy = file.with_name("copy.db")
    with pytest.raises(DatabaseError, match="There is no file"):
        care.restore(target, copy, load_migrations(schema))
    with pytest.raises(DatabaseError, match="is not a file"):
        care.restore(target, file.parent, load_migrations(schema))
    with pytest.raises(DatabaseError, match="is a folder: name a file in it"):
        care.restore(f"sqlite:///{schema}", copy, load_migrations(schema))
    assert not schema.with_name(f"{schema.name}.lock").exists()
    await kept.backup(copy)
    with pytest.raises(DatabaseError, match="newer than this program's 0"):
        care.restore(target, copy, ())
    with closing(sqlite3.connect(file.with_name("other.db"))) as connection:
        connection.execute("CREATE TABLE x (y)")
    with pytest.raises(DatabaseError, match="no database of Same Deal"):
        care.restore(target, file.with_name("other.db"), load_migrations(schema))
    copy.write_bytes(copy.read_bytes()[:5000] + b"\xff" * 4000)
    with pytest.raises(DatabaseError, match=r"copy\.db is damaged.*choose another one"):
        care.restore(target, copy, load_migrations(schema))
    assert not file.with_name("new.db").exists()


async def test_a_sound_database(kept: Database, file: Path, schema: Path) -> None:
    state = care.examine(f"sqlite:///{file}", load_migrations(schema))
    assert (state.faults, state.exists, state.schema, state.pending) == ((), True, 1, 0)
    assert state.size > 0
    assert state.free is not None
    assert state.free > 0
    (schema / "0002_more.sql").write_text("-- More.\nCREATE TABLE more (id BIGINT);\n")
    assert care.examine(f"sqlite:///{file}", load_migrations(schema)).pending == 1


def test_a_database_to_be_made(tmp_path: Path) -> None:
    assert not care.examine(f"sqlite:///{tmp_path}/new.db", ()).exists
    assert not (tmp_path / "new.db").exists()
    (fault,) = care.examine(f"sqlite:///{tmp_path}/none/new.db", ()).faults
    assert fault == f"its folder {tmp_path}/none cannot be used: No such file or directory"


async def test_a_damaged_database(kept: Database, file: Path) -> None:
    await kept.close()
    damage(file)
    (fault,) = care.examine(f"sqlite:///{file}", ()).faults
    assert "damaged" in fault


def test_a_database_that_cannot_be_written(schema: Path) -> None:
    known = load_migrations(schema)
    with TemporaryDirectory() as folder:  # which others can reach, unlike pytest's
        file = Path(folder) / "test.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE migration (version, checksum)")
        file.with_name("test.db.lock").touch(mode=0o444)
        file.chmod(0o444)
        Path(folder).chmod(0o755)
        with nobody():
            faults = care.examine(f"sqlite:///{file}", known).faults
            with pytest.raises(DatabaseError, match=r"lock file .*test\.db\.lock cannot be used: Permission"):
                FileLock(file)
        file.chmod(0o000)
        with nobody():
            (unreadable, *_) = care.examine(f"sqlite:///{file}", known).faults[-2:]
        Path(folder).chmod(0o000)
        with nobody():  # nothing there can be seen at all, which is no reason for a traceback
            (hidden,) = care.examine(f"sqlite:///{file}", known).faults
            with pytest.raises(DatabaseError, match="Permission denied"):
                care.back_up(f"sqlite:///{file}", Path(folder) / "copy.db")
            with pytest.raises(DatabaseError, match=r"directory of the database .*Permission denied"):
                FileLock(file)
        Path(folder).chmod(0o700)
    assert [fault.split()[-3:] for fault in faults] == [["cannot", "be", "written"]] * 3
    assert unreadable.endswith("cannot be used: Permission denied.")
    assert hidden.endswith("cannot be written")
