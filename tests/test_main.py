"""The command line: what it does, what it refuses, and with which exit code."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from unittest.mock import Mock

import discord
import pytest

from bot.__main__ import main, migrations
from bot.commands import CommandError
from bot.commands.run import trouble
from bot.settings import SettingsError
from bot.store.database import open_database
from tests.ports import free_port

ROOT = Path(__file__).parents[1]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the path of the database that the settings name; there is no token and no .env file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.logs.configure", lambda level, style: None)
    for name in ("DISCORD_TOKEN", "HEALTH_PORT", "LOG_LEVEL", "LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/bot.db")
    monkeypatch.setattr("os.environ", dict(os.environ))  # into which a file .env is read
    return tmp_path / "bot.db"


def refusal(argv: list[str], capsys: pytest.CaptureFixture[str], code: int = 2) -> str:
    """Returns the one line with which *argv* is refused, by the exit *code*."""
    assert main(argv) == code
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
    with holder(file):
        line = refusal(["run"], capsys)
    assert "in use by process" in line
    assert "only one process can have it" in line


def test_a_newer_and_a_damaged_database_are_refused(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
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
    line = refusal(["run"], capsys)
    assert "HEALTH_PORT" in line
    assert "Unknown error" not in line


@contextmanager
def answering(status: int, text: str, kind: str = "text/html") -> Iterator[str]:
    """Yields the address of a server that answers everything in the same way."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "text", "kind", "code", "said"),
    [
        (404, "Not Found", "text/html", 1, "Discord answered 404: "),
        (
            403,
            '{"code": 50001, "message": "Missing Access"}',
            "application/json",
            1,
            "403 (Missing Access): ",
        ),
        (401, '{"code": 0, "message": "401"}', "application/json", 2, "does not take this DISCORD_TOKEN"),
        (200, "<html>", "text/html", 1, "not Discord's API"),
        (200, "{}", "application/json", 1, "not Discord's API"),
    ],
)
def test_a_discord_that_does_not_let_the_bot_in(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    text: str,
    kind: str,
    code: int,
    said: str,
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setattr("discord.http.Route.BASE", "")
    with answering(status, text, kind) as url:
        monkeypatch.setenv("DISCORD_API_URL", url)
        assert said in refusal(["run"], capsys, code)


def test_a_discord_that_cannot_be_reached(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setattr("discord.http.Route.BASE", "")
    monkeypatch.setenv("DISCORD_API_URL", f"http://127.0.0.1:{free_port()}")
    assert "Discord cannot be reached (" in refusal(["run"], capsys, 1)


@pytest.mark.parametrize(("code", "kind"), [(4004, SettingsError), (4011, CommandError)])
def test_a_connection_that_discord_ends_for_good(code: int, kind: type[Exception]) -> None:
    closed = discord.ConnectionClosed(Mock(close_code=code), shard_id=0)
    error = trouble(closed)
    assert type(error) is kind
    assert "DISCORD_TOKEN" in str(error) or str(code) in str(error)


def test_a_file_of_settings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = file.with_name(".env")
    env.write_text("LOG_FORMAT=xml\nDISCORD_TOKEN=a.b.c\nDATABASE_URL=sqlite:///other.db\n")
    assert "LOG_FORMAT must be" in refusal(["run"], capsys)
    assert os.environ["DATABASE_URL"].endswith("bot.db")  # what is set already stays
    env.write_bytes(b"LOG_FORMAT=\xff\xfe")
    assert "not text in UTF-8" in refusal(["migrate"], capsys)
    env.unlink()
    env.mkdir()
    assert main(["migrate"]) == 0


def test_ctrl_c_is_no_failure_to_be_traced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.database.migrate", Mock(side_effect=KeyboardInterrupt))
    assert main(["migrate"]) == 130


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
