"""The log: both formats, the interaction, and no secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot import logs
from bot.logs import INTERACTION, LogFormat

_log = logging.getLogger("bot.tests")


@contextmanager
def captured(style: LogFormat, level: int = logging.INFO) -> Iterator[io.StringIO]:
    """Gives what is logged meanwhile; afterwards all loggers are as they were."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    names = ("discord", "discord.client", "aiohttp", "asyncio", "PIL")
    levels = {name: logging.getLogger(name).level for name in names}
    root.handlers = []  # or the configuration would close those of pytest
    stream = io.StringIO()
    try:
        logs.configure(level, style, stream=stream)
        yield stream
    finally:
        root.handlers, root.level = before[0], before[1]
        for name, old in levels.items():
            logging.getLogger(name).setLevel(old)


def test_lines_for_people_name_the_interaction() -> None:
    with captured(LogFormat.TEXT) as stream:
        _log.info("before")
        mark = INTERACTION.set(1234)
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError:
            _log.exception("it broke")
        INTERACTION.reset(mark)
    first, second, *traceback = stream.getvalue().splitlines()
    assert first.endswith("INFO bot.tests: before")
    assert second.endswith("ERROR bot.tests: it broke [interaction 1234]")
    assert traceback[-1].startswith("ZeroDivisionError")


def test_json_is_one_object_a_line() -> None:
    with captured(LogFormat.JSON) as stream:
        mark = INTERACTION.set(1234)
        _log.warning("a %s", "b\nc", extra={"reference": "f00d"})
        INTERACTION.reset(mark)
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError:
            _log.exception("it broke")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first.pop("time").endswith("Z")
    assert first == {
        "level": "warning",
        "logger": "bot.tests",
        "message": "a b\nc",
        "interaction": "1234",
        "reference": "f00d",
    }
    assert "ZeroDivisionError" in second["exception"]
    assert "interaction" not in second


@pytest.mark.parametrize("style", LogFormat)
def test_tokens_of_interactions_are_cut_out(style: LogFormat) -> None:
    with captured(style) as stream:
        _log.error("POST https://discord.com/api/v10/interactions/12/aW50ZXJ/callback failed")
        _log.error("PATCH '/webhooks/34/aW50ZXJ/messages/@original'")
        try:
            raise ValueError("url='/webhooks/34/aW50ZXJ?wait=true'")
        except ValueError:
            _log.exception("no answer")
    assert "aW50ZXJ" not in stream.getvalue()
    assert "/interactions/12/…/callback" in stream.getvalue()


def test_libraries_never_write_payloads_down() -> None:
    with captured(LogFormat.TEXT, logging.DEBUG) as stream:
        logging.getLogger("discord.gateway").debug("a payload")
        _log.debug("ours")
    assert "payload" not in stream.getvalue()
    assert "ours" in stream.getvalue()
