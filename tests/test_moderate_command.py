"""The operator's judgements from the command line, beside a bot that has the database open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.__main__ import main
from bot.services.attempts import Attempts
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.races import Races
from bot.services.standings import Standings
from bot.snowflake import snowflake_at
from bot.store import moderation as store
from bot.store import standings as boards
from bot.store.database import Database, Statement, StoreError, open_database
from bot.store.moderation import OPERATOR, Deed

ROOT = Path(__file__).parents[1]
DAY = 86_400_000
START = 1_796_083_200_000
"""2026-12-01T00:00Z"""

Run = Callable[..., Awaitable[tuple[int, str]]]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/bot.db"


@pytest_asyncio.fixture
async def db(url: str) -> AsyncIterator[Database]:
    async with await open_database(url, ROOT / "migrations") as opened:
        yield opened


@pytest.fixture
def run(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``same-deal moderate`` and gives its exit code and what it wrote."""
    monkeypatch.setenv("DATABASE_URL", url)

    async def made(*arguments: str) -> tuple[int, str]:
        try:
            code = await asyncio.to_thread(main, ["moderate", *arguments])
        except SystemExit as left:
            code = int(left.code or 0)
        return code, "".join(capsys.readouterr())

    return made


async def race(db: Database, at: int, *players: int, game: str = "one-handed", guild: int = 7) -> int:
    """Returns a race that all *players* have given up in their order, begun at *at*."""
    attempts = Attempts(db)
    races = Races(db, attempts, Pool(db))
    presses = (
        Press(snowflake_at(at) + n, player, f"player {player}") for n, player in enumerate(players * 3)
    )
    first = next(presses)
    opened = await races.open(first, guild=guild, channel=8, game=game)
    for player in players[1:]:
        await races.join(Press(snowflake_at(at) + 50 + player, player, f"player {player}"), opened.id)
    counting = await races.start(Press(snowflake_at(at) + 99, players[0], "x"), opened.id)
    begun = await races.begin(opened.id)
    start = counting.race.start_at or 0
    for n, entrant in enumerate(begun.race.entrants, start=1):
        press = Press(snowflake_at(start + n * 1000) + entrant.player, entrant.player, "x")
        await attempts.act(press, entrant.attempt, 0, lambda attempt, when: attempt.forfeit(when))
    await races.settle(opened.id)
    await Standings(db).work()
    return opened.id


async def test_a_range_is_voided_and_restored_while_the_bot_runs(db: Database, run: Run) -> None:
    old = await race(db, START - DAY, 11, 12)
    within = [await race(db, START + hour * 3_600_000, 11, 12) for hour in (1, 2)]
    elsewhere = await race(db, START + 3 * 3_600_000, 11, 12, guild=9)
    new = await race(db, START + DAY, 11, 12)
    span = ("--from", "2026-12-01", "--to", "2026-12-02T00:00+00:00", "--reason", "a wrong rule")
    assert await run("void", *span, "--server", "7", "--dry-run") == (0, "2 races\n")
    code, told = await run("void", *span, "--server", "7")
    assert (code, told[:11]) == (0, "2 of 2 race")
    standings = Standings(db)
    voided = [each for each in (old, *within, elsewhere, new) if (await standings.verdict(each)).is_voided]
    assert voided == within
    assert [owed.race for owed in await store.owed(db, 10)] == within
    code, told = await run("void", *span)
    assert code == 0
    assert "1 of 3 races" in told
    code, told = await run("restore", *span)
    assert "3 of 3 races" in told
    log = await store.entries(db, OPERATOR, limit=10, skip=0)
    assert [entry.deed for entry in log] == [Deed.RESTORE] * 3 + [Deed.VOID] * 3
    assert (await run("audit"))[1].count("a wrong rule") == 6


async def test_a_player_is_disqualified_and_reinstated(db: Database, run: Run) -> None:
    own = await race(db, START, 11, 12, 13)
    assert (await run("disqualify", "--race", str(own), "--player", "12", "--reason", "x"))[0] == 0
    assert (await Standings(db).verdict(own)).disqualified == {12}
    assert (await run("reinstate", "--race", str(own), "--player", "12", "--reason", "x"))[0] == 0
    assert (await run("reinstate", "--race", str(own), "--player", "99", "--reason", "x"))[0] == 1
    code, told = await run("void", "--race", "123", "--reason", "x")
    assert code == 1
    assert "There is no race with the id 123." in told
    assert "/race new" not in told  # which is for players


async def test_a_ban_keeps_a_player_off_the_boards_of_everywhere(db: Database, run: Run) -> None:
    await race(db, START, 11, 12)
    await db.write(*boards.list_player(11, listed=True))
    listed = "SELECT DISTINCT listed FROM tally WHERE player = 11 AND guild = 0"
    assert await db.read(listed) == [(1,)]
    assert (await run("ban", "11", "--reason", "two accounts"))[0] == 0
    assert await db.read(listed) == [(0,)]
    assert (await run("unban", "11", "--reason", "was one after all"))[0] == 0
    assert await db.read(listed) == [(1,)]
    code, told = await run("ban", "999", "--reason", "x")
    assert code == 1
    assert "ever played" in told


async def test_a_daily_is_voided_and_restored(db: Database, run: Run) -> None:
    made = (
        "INSERT INTO daily (day, game, ruleset, seed, made_at, opened_at, closed_at, handed, voided, revision) "
        "VALUES ($1, 'links', 1, 'x', 0, 0, $2, 0, 0, 0)"
    )
    await db.write(*(Statement(made, (START // DAY + n, closed)) for n, closed in enumerate((START, None))))
    asked = ("--day", "2026-12-01", "--game", "links", "--reason", "a broken deal")
    assert await run("void", *asked) == (0, "daily links of 2026-12-01: void\n")
    assert await db.read("SELECT day, voided FROM daily ORDER BY day") == [
        (START // DAY, 1),
        (START // DAY + 1, 0),
    ]
    assert (await run("void", *asked))[0] == 1
    assert (await run("void", "--day", "2026-12-02", *asked[2:]))[0] == 1, "it is open still"
    assert (await run("restore", *asked))[0] == 0
    assert (await db.read("SELECT MAX(voided) FROM daily")) == [(0,)]
    assert "links 2026-12-01: a broken deal" in (await run("audit"))[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("void",),
        ("void", "--reason", "x"),
        ("void", "--from", "yesterday", "--to", "2026-12-01", "--reason", "x"),
        ("void", "--from", "2026-12-01", "--reason", "x"),
        ("void", "--race", "1", "--reason", "x" * 201),
        ("disqualify", "--player", "1", "--reason", "x"),
        ("ban", "somebody", "--reason", "x"),
        ("ban", "-5", "--reason", "x"),
        ("ban", str(2**63), "--reason", "x"),
        ("void", "--race", "9" * 30, "--reason", "x"),
        ("void", "--day", "2026-12-01", "--game", "chess", "--reason", "x"),
    ],
)
async def test_what_is_asked_wrongly_is_refused(db: Database, run: Run, arguments: tuple[str, ...]) -> None:
    code, told = await run(*arguments)
    assert code != 0
    assert told
    assert await store.count(db, OPERATOR) == 0


async def test_it_is_a_program_of_its_own_beside_the_bot(db: Database, url: str) -> None:
    own = await race(db, START, 11, 12)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "moderate", "void", "--race", str(own), "--reason", "x"),
        cwd=ROOT,
        env={"DATABASE_URL": url, "PATH": ""},
        stdout=subprocess.PIPE,
    )
    told, _ = await process.communicate()
    assert (process.returncode, told[:11]) == (0, b"1 of 1 race")
    assert (await Standings(db).verdict(own)).is_voided


async def test_an_empty_log_says_so(db: Database, run: Run) -> None:
    assert await run("audit") == (0, "Nothing has been judged yet.\n")


async def test_a_database_that_fails_is_told_in_one_line(
    db: Database, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreError("database is locked")

    monkeypatch.setattr("bot.services.moderation.Moderation.bar", fail)
    code, told = await run("ban", "11", "--reason", "x")
    assert (code, told.count("\n")) == (1, 1)
    assert told.endswith("nothing more was saved: database is locked\n")


def test_a_database_that_is_not_there_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    assert main(["moderate", "audit"]) == 2
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "other.db").touch()
    assert main(["moderate", "audit"]) == 2
    assert "There is no file" in (told := capsys.readouterr().err)
    assert "other.db is no database of Same Deal" in told
