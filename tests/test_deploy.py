"""What an operator installs: the units as systemd reads them, and the licences of all that comes with the bot."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
UNITS = sorted((ROOT / "deploy").glob("*.service"))
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
STEPPING_BACK = {"setpriority", "sched_setscheduler"}
"""The system calls of `bot.worker.step_back`."""

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")


def analyze(*words: str) -> str:
    """Returns what ``systemd-analyze`` says, on both streams."""
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@cache
def calls(name: str) -> frozenset[str]:
    """Returns the system calls of *name*, which may be a group of them (@…)."""
    if not name.startswith("@"):
        return frozenset({name})
    lines = [line.strip() for line in analyze("syscall-filter", name).splitlines()[1:]]
    return frozenset().union(*(calls(line) for line in lines if line and not line.startswith("#")))


def allowed(unit: Path) -> set[str]:
    """Returns the system calls that *unit* allows."""
    found: set[str] = set()
    for names in re.findall(r"^SystemCallFilter=(.*)$", unit.read_text(), re.MULTILINE):
        named = {call for name in names.lstrip("~").split() for call in calls(name)}
        found = found - named if names.startswith("~") else found | named
    return found


@needs_systemd
@pytest.mark.parametrize("unit", [*UNITS, ROOT / "deploy/same-deal-backup.timer"], ids=lambda each: each.name)
def test_systemd_takes_the_units(unit: Path, tmp_path: Path) -> None:
    for each in unit.parent.glob("*.service"):
        # The program is not installed here.
        text = re.sub(r"/opt/same-deal/bin/same-deal run", "/bin/true", each.read_text())
        (tmp_path / each.name).write_text(text)
    copy = tmp_path / unit.name
    if not copy.exists():
        shutil.copy(unit, copy)
    assert analyze("verify", str(copy)) == ""


@needs_systemd
def test_the_workers_may_step_back() -> None:
    """Where a call is not allowed the worker is to hear of it, not to die of it: there were no deals and no hints."""
    assert allowed(ROOT / "deploy/same-deal.service") >= STEPPING_BACK


@pytest.mark.parametrize("unit", UNITS, ids=lambda each: each.name)
def test_what_is_not_allowed_kills_nobody(unit: Path) -> None:
    assert "\nSystemCallErrorNumber=EPERM\n" in unit.read_text()


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda each: each.name)
def test_the_hardening_is_as_the_page_says(unit: Path) -> None:
    score = re.search(r"exposure level for \S+: (\d+\.\d)", analyze("security", "--offline=true", str(unit)))
    if score is None:
        pytest.skip("this systemd cannot look at a unit that is not installed")
    assert float(score[1]) <= 1.5


def test_all_that_the_bot_runs_on_is_in_the_list_of_licences() -> None:
    listed = re.findall(r"^\| ([\w.-]+)", (ROOT / "deploy/LICENCES.md").read_text(), re.MULTILINE)
    assert set(needed()) - {canonicalize_name(name) for name in listed} == set()


def test_the_versions_of_what_the_bot_runs_on_are_bounded() -> None:
    """But for the time zones, whose newest list is the right one, and whose versions are dates."""
    unbounded = {each.name for each in declared() if not any("<" in part.operator for part in each.specifier)}
    assert unbounded == {"tzdata"}


def declared() -> list[Requirement]:
    """Returns what the project asks for at run time, PostgreSQL included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [
        Requirement(line)
        for line in [*project["dependencies"], *project["optional-dependencies"]["postgresql"]]
    ]


def needed() -> Iterator[str]:
    """Yields all that comes with the bot, on Linux and any Python that it runs on."""
    waiting = [each.name for each in declared()]
    seen: set[str] = set()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in seen:
            continue
        seen.add(name)
        yield name
        try:
            lines = requires(name) or []
        except PackageNotFoundError:  # of another Python than this one
            continue
        waiting += [each.name for each in map(Requirement, lines) if applies(each)]


def applies(requirement: Requirement) -> bool:
    """Tells whether *requirement* is one on any Python that the bot runs on, without extras."""
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({"extra": "", "python_version": python, "python_full_version": f"{python}.0"})
        for python in PYTHONS
    )
