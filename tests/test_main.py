"""The command line: what it does, what it refuses, and with which exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.__main__ import main, migrations
from bot.store.database import open_database
from tests.test_health import free_port

ROOT = Path(__file__).parents[1]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the path of the database that the settings name; there is no token and no .env file."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "HEALTH_PORT", "LOG_LEVEL", "LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/bot.db")
    monkeypatch.setattr("dotenv.load_dotenv", lambda: None)
    return tmp_path / "bot.db"


def refusal(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Returns the one line with which *argv* is refused."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("same-deal: ")
    assert err.count("\n") == 1
    return err


@contextmanager
def holder(file: Path) -> Iterator[None]:
    """Has another process use the database meanwhile."""
    code = (
        "import asyncio, sys\nfrom bot.__main__ import migrations\nfrom bot.store.database import open_database\n"
        "async def hold():\n"
        "    async with await open_database(sys.argv[1], migrations()):\n"
        "        print('open', flush=True); sys.stdin.read()\n"
        "asyncio.run(hold())\n"
    )
    command = [sys.executable, "-c", code, f"sqlite:///{file}"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"open\n"
        try:
            yield
        finally:
            process.stdin.close()


def test_migrate_backup_and_restore(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["migrate"]) == 0
    assert main(["backup", "copy.db"]) == 0
    with closing(sqlite3.connect("copy.db")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM migration").fetchone()[0] > 0
    assert "exists" in (capsys.readouterr(), refusal(["backup", "copy.db"], capsys))[1]
    assert "move it away" in refusal(["restore", "copy.db"], capsys)
    file.unlink()
    assert main(["restore", "copy.db"]) == 0
    assert file.exists()
    assert "checked" in capsys.readouterr().out


def test_a_backup_while_another_process_runs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with holder(file):
        assert main(["backup", "copy.db"]) == 0
        capsys.readouterr()
        assert "in use by process" in refusal(["restore", "copy.db"], capsys)
        assert "in use by process" in refusal(["migrate"], capsys)


def test_a_second_bot_on_the_same_database_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setattr("bot.logs.configure", lambda level, style: None)
    with holder(file):
        line = refusal(["run"], capsys)
    assert "in use by process" in line
    assert "only one process can have it" in line


def test_a_newer_and_a_damaged_database_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setattr("bot.logs.configure", lambda level, style: None)
    assert main(["migrate"]) == 0
    capsys.readouterr()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO migration VALUES (9999, 'future', 'x', 0)")
        connection.commit()
    assert "newer than this program's" in refusal(["run"], capsys)
    file.write_bytes(b"x" * 8192)
    assert "damaged" in refusal(["run"], capsys)


def test_a_taken_health_port_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("HEALTH_HOST", "127.0.0.256")
    monkeypatch.setenv("HEALTH_PORT", str(free_port()))
    monkeypatch.setattr("bot.logs.configure", lambda level, style: None)
    assert "HEALTH_PORT" in refusal(["run"], capsys)


def test_run_and_doctor_need_a_token(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "doctor"):
        assert "DISCORD_TOKEN is not set" in refusal([command], capsys)


def test_the_doctor_says_what_to_fix(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DISCORD_API_URL", f"http://127.0.0.1:{free_port()}")
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("fix   network")
    assert lines[1].startswith("ok    database")


def test_wrong_commands_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in ([], ["dance"], ["backup"], ["run", "fast"]):
        with pytest.raises(SystemExit) as info:
            main(argv)
        assert info.value.code == 2
    capsys.readouterr()


def test_the_migrations_are_found() -> None:
    async def version() -> int:
        async with await open_database("sqlite:///:memory:", migrations()) as db:
            return db.schema_version

    assert asyncio.run(version()) >= 2


def test_the_probe_asks_the_running_bot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bot import probe

    monkeypatch.setenv("HEALTH_PORT", str(free_port()))
    assert probe.main() == 1
    assert "does not answer" in capsys.readouterr().out
    assert signal.SIGTERM  # the probe leaves signals alone
