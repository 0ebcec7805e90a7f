"""The bot installed from a wheel: migrations and page files come along."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_demo_runs_from_a_wheel(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, ROOT],
        check=True,
    )
    (wheel,) = tmp_path.glob("same_deal-*.whl")
    installed = tmp_path / "installed"
    with ZipFile(wheel) as archive:
        archive.extractall(installed)
    env = {**os.environ, "PYTHONPATH": str(installed), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", "--port", "0"],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        assert demo.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", demo.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            page = answer.read().decode()
        for name in re.findall(r'(?:src|href)="/?([\w./-]+\.(?:js|css|svg))"', page):
            with urllib.request.urlopen(address[0] + name, timeout=60) as answer:
                assert answer.status == 200
        demo.send_signal(signal.SIGINT)
        _, errors = demo.communicate(timeout=60)
    assert (demo.returncode, errors) == (0, "")
    shipped = {path.name for path in (installed / "bot" / "migrations").iterdir()}
    assert shipped == {path.name for path in (ROOT / "migrations").iterdir()}
    assert (installed / "bot" / "PRIVACY.md").read_bytes() == (ROOT / "PRIVACY.md").read_bytes()
