"""The log: one line per record, for people or as JSON, each with the interaction that it is about.

Ids are the only account data that a line may hold. The token of an interaction can come in with the address of a
request that failed, so it is cut out of every line, whoever wrote it.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, TextIO

INTERACTION: ContextVar[int | None] = ContextVar("interaction", default=None)
"""The interaction that the current task handles."""

_TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/\s'\"?)]+")
_LOUD = ("discord", "aiohttp", "aiosqlite", "asyncio", "PIL")
"""Loggers that write down whole payloads at DEBUG, which are the players' own."""


class LogFormat(StrEnum):
    """How log lines look."""

    TEXT = "text"
    JSON = "json"


def configure(level: int, style: LogFormat, *, stream: TextIO | None = None) -> None:
    """Sends all records from *level* on to *stream* (the standard error stream)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if style is LogFormat.JSON else TextFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _LOUD:
        logging.getLogger(name).setLevel(max(level, logging.INFO))
    logging.getLogger("discord.client").setLevel(max(level, logging.ERROR))  # it warns that there is no voice


def redact(text: str) -> str:
    """Returns *text* without the tokens of interactions."""
    return _TOKEN.sub(r"\1…", text)


class TextFormatter(logging.Formatter):
    """Lines for people; those about an interaction say which."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line, with a traceback below it if there is one."""
        line = redact(super().format(record))
        interaction = INTERACTION.get()
        if interaction is None:
            return line
        first, newline, rest = line.partition("\n")
        return f"{first} [interaction {interaction}]{newline}{rest}"


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        moment = time.gmtime(record.created)
        entry: dict[str, Any] = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', moment)}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if (interaction := INTERACTION.get()) is not None:
            entry["interaction"] = str(interaction)
        if (reference := getattr(record, "reference", None)) is not None:
            entry["reference"] = reference
        if record.exc_info:
            entry["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
