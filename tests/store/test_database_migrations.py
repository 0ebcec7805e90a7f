"""Migrations: their order, their record, what they may hold, and what happens if one fails or is edited."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.database import DatabaseError, open_database
from bot.store.migrations import Migration, MigrationError, load_migrations, pending
from bot.store.sqlite_files import split_script

TRICKY = """\
-- Semicolons; everywhere; it's so.
CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL DEFAULT 'a;b''c;'); /* one; two */
CREATE TABLE "odd;name" (id INTEGER);
CREATE TRIGGER note_copy AFTER INSERT ON note BEGIN
    INSERT INTO "odd;name" (id) VALUES (new.id); -- the copy; and
    UPDATE note SET text = CASE WHEN new.id > 1 THEN 'big;' ELSE text END WHERE id = new.id;
END;
INSERT INTO note (id) VALUES (1);
INSERT INTO note (id) VALUES (2)
-- the last one without a semicolon
"""

# Dies in the middle of a migration, after its first statement.
DYING = """\
import asyncio, os, pathlib, signal, sys
from bot.store import sqlite_files
from bot.store.database import open_database

split = sqlite_files.split_script

def dying(script):
    statements = split(script)
    yield next(statements)
    os.kill(os.getpid(), signal.SIGKILL)

sqlite_files.split_script = dying
asyncio.run(open_database(sys.argv[1], pathlib.Path(sys.argv[2])))
"""


def tables(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def die_migrating(url: str, schema: Path) -> None:
    command = [sys.executable, "-c", DYING, url, str(schema)]
    died = subprocess.run(command, cwd=Path(__file__).parents[2], check=False)
    assert died.returncode == -signal.SIGKILL


async def test_each_is_applied_once_and_recorded(file: Path, schema: Path) -> None:
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert db.schema_version == 1
    (schema / "0002_more.sql").write_text("-- More.\nCREATE TABLE more (id INTEGER);\n")
    (schema / "README.md").write_text("Not a migration.")
    for _ in range(2):
        async with await open_database(f"sqlite:///{file}", schema) as db:
            assert db.schema_version == 2
            rows = await db.read(
                "SELECT version, name, LENGTH(checksum), applied FROM migration ORDER BY version"
            )
            assert [row[:3] for row in rows] == [(1, "initial", 64), (2, "more", 64)]
            ((now,),) = await db.read("SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000")
            assert all(0 <= now + 1000 - applied < 60_000 for *_, applied in rows)


async def test_no_migrations_at_all(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    async with await open_database(f"sqlite:///{file}", folder) as db:
        assert db.schema_version == 0


async def test_a_script_is_split_into_its_statements(file: Path, schema: Path) -> None:
    (schema / "0002_tricky.sql").write_text(TRICKY)
    assert len(list(split_script(TRICKY))) == 5
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert await db.read("SELECT id, text FROM note ORDER BY id") == [(1, "a;b'c;"), (2, "big;")]
        assert await db.read('SELECT id FROM "odd;name" ORDER BY id') == [(1,), (2,)]


async def test_one_that_fails_leaves_nothing(file: Path, schema: Path) -> None:
    (schema / "0002_good.sql").write_text("-- Good.\nCREATE TABLE good (id INTEGER);\n")
    bad = schema / "0003_bad.sql"
    bad.write_text("-- Bad.\nCREATE TABLE half (id INTEGER);\nCREATE TABLE event (id INTEGER);\n")
    with pytest.raises(
        DatabaseError, match=r"^The migration 0003_bad\.sql failed and was undone: .*event.*\.$"
    ):
        await open_database(f"sqlite:///{file}", schema)
    assert tables(file) == {"attempt", "event", "good", "migration"}
    bad.write_text("-- Better.\nCREATE TABLE half (id INTEGER);\n")
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert db.schema_version == 3


async def test_a_process_killed_in_one_leaves_nothing_of_it(file: Path, schema: Path) -> None:
    async with await open_database(f"sqlite:///{file}", schema):
        pass
    (schema / "0002_two.sql").write_text(
        "-- Two.\nCREATE TABLE one (id INTEGER);\nCREATE TABLE two (id INTEGER);\n"
    )
    die_migrating(f"sqlite:///{file}", schema)
    assert tables(file) == {"attempt", "event", "migration"}
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert db.schema_version == 2
    assert tables(file) == {"attempt", "event", "migration", "one", "two"}


async def test_a_table_can_be_rebuilt_without_losing_what_refers_to_it(file: Path, schema: Path) -> None:
    (schema / "0002_fill.sql").write_text(
        "-- Something to lose.\nINSERT INTO attempt VALUES (1);\nINSERT INTO event VALUES (1, 0, 'sw');\n"
    )
    rebuild = (
        "CREATE TABLE attempt_new (id BIGINT PRIMARY KEY, game TEXT NOT NULL DEFAULT 'links');\n"
        "INSERT INTO attempt_new (id) SELECT id FROM attempt;\n"
        "DROP TABLE attempt;\n"
        "ALTER TABLE attempt_new RENAME TO attempt;\n"
    )
    (schema / "0003_rebuild.sql").write_text("-- A column with a default.\n" + rebuild)
    async with await open_database(f"sqlite:///{file}", schema) as db:
        assert await db.read("SELECT game, move FROM attempt JOIN event ON attempt = id") == [("links", "sw")]
    (schema / "0004_orphan.sql").write_text("-- Wrong.\nDELETE FROM attempt;\n")
    with pytest.raises(DatabaseError, match="would leave rows of event without parent"):
        await open_database(f"sqlite:///{file}", schema)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM attempt").fetchone() == (1,)


async def test_a_newer_database_is_refused(file: Path, schema: Path) -> None:
    newer = schema / "0002_more.sql"
    newer.write_text("-- More.\nCREATE TABLE more (id INTEGER);\n")
    async with await open_database(f"sqlite:///{file}", schema):
        pass
    newer.unlink()
    with pytest.raises(DatabaseError, match="schema version 2, newer than this program's 1"):
        await open_database(f"sqlite:///{file}", schema)


async def test_an_edited_migration_is_refused(file: Path, schema: Path) -> None:
    async with await open_database(f"sqlite:///{file}", schema):
        pass
    initial = schema / "0001_initial.sql"
    text = initial.read_text()
    initial.write_bytes(text.replace("\n", "\r\n").encode())  # another system's checkout
    async with await open_database(f"sqlite:///{file}", schema):
        pass
    initial.write_text(text + "CREATE TABLE late (id INTEGER);\n")
    with pytest.raises(DatabaseError, match=r"0001_initial\.sql was edited after"):
        await open_database(f"sqlite:///{file}", schema)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["0002_second.sql"], "0002_second.sql where number 1 is due"),
        (["0001_a.sql", "0003_c.sql"], "0003_c.sql where number 2 is due"),
        (["0001_a.sql", "0001_b.sql"], "where number 2 is due"),
        (["1_a.sql"], "not named like"),
        (["0001-a.sql"], "not named like"),
    ],
)
def test_names_and_numbers(tmp_path: Path, names: list[str], reason: str) -> None:
    for name in names:
        (tmp_path / name).write_text("-- Why.\n")
    with pytest.raises(MigrationError, match=reason):
        load_migrations(tmp_path)


async def test_a_reason_is_demanded(tmp_path: Path, file: Path, schema: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "0001_bare.sql").write_text("CREATE TABLE bare (id INTEGER);\n")
    with pytest.raises(DatabaseError, match="comment that says why"):
        await open_database(f"sqlite:///{file}", folder)
    with pytest.raises(DatabaseError, match="cannot be read"):
        await open_database(f"sqlite:///{file}", tmp_path / "missing")
    assert names(tmp_path) == {"bare", schema.name}


def test_only_what_is_missing_is_pending() -> None:
    first, second = Migration(1, "a", "-- A.\n"), Migration(2, "b", "-- B.\n")
    assert str(second) == "0002_b.sql"
    assert pending((first, second), []) == (first, second)
    assert pending((first, second), [(1, first.checksum)]) == (second,)
    assert pending((first, second), [(2, second.checksum), (1, first.checksum)]) == ()
    with pytest.raises(MigrationError, match="edited"):
        pending((first, second), [(2, second.checksum)])
