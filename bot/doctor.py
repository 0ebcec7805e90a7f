"""The doctor: looks at everything that the bot needs, and says what to fix."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

import aiohttp

from bot.render.art import emoji_names
from bot.settings import Secret
from bot.store import care
from bot.store.database import DatabaseError
from bot.store.migrations import Migration

API = "https://discord.com/api/v10"
TIMEOUT = aiohttp.ClientTimeout(total=10)
SKEW_NOTED, SKEW_WRONG = 2.0, 30.0
"""Seconds by which the clock may differ from Discord's before it is noted, and before it is wrong."""
LITTLE_SPACE = 256 * 2**20
"""Bytes of free disk below which it is said."""
NEEDED = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Attach Files": 1 << 15,
    "Send Messages in Threads": 1 << 38,
}
ADMINISTRATOR = 1 << 3
PAGE = 200
"""How many servers Discord lists at once."""
HELLO = 10


class Grade(StrEnum):
    """How a finding is meant."""

    GOOD = "ok"
    NOTE = "note"
    BAD = "fix"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one *part*, and what to do about it."""

    grade: Grade
    part: str
    text: str

    def __str__(self) -> str:
        return f"{self.grade:4}  {self.part:12} {self.text}"


async def examine(
    token: Secret,
    api_url: str | None,
    gateway_url: str | None,
    database: str,
    migrations: Sequence[Migration],
) -> list[Finding]:
    """Returns all findings, in the order in which they are best mended."""
    headers = {"Authorization": f"Bot {token!s}", "User-Agent": "DiscordBot (same-deal doctor)"}
    async with aiohttp.ClientSession(timeout=TIMEOUT, headers=headers) as session:
        found = await _discord(Line(session, api_url or API), gateway_url)
    if database.startswith("postgresql:"):
        return [*found, await _database_server(database, migrations)]
    return [*found, *await asyncio.to_thread(_database_file, database, migrations)]


class Line:
    """Questions to Discord's API at *url*."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self._url = url
        self.skew: float | None = None
        """How many seconds this machine's clock is ahead of Discord's at least, once an answer said so."""

    async def ask(self, path: str) -> tuple[int, Any]:
        """Returns the status and the body of an answer.

        :raises aiohttp.ClientError: if there is none.
        :raises TimeoutError: if it takes too long.
        """
        asked = time.time()
        async with self.session.get(f"{self._url}{path}") as answer:
            answered = time.time()
            if "Date" in answer.headers:
                said = parsedate_to_datetime(answer.headers["Date"]).timestamp()
                # It was written at some moment in between, in whole seconds: the truth lies up to one after it.
                self.skew = min(0.0, answered - said) + max(0.0, asked - said - 1)
            try:
                return answer.status, await answer.json()
            except (aiohttp.ContentTypeError, ValueError):
                return answer.status, None


async def _discord(line: Line, gateway_url: str | None) -> list[Finding]:
    try:
        status, application = await line.ask("/applications/@me")
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        reason = f"Discord cannot be reached ({why}): check the network and DISCORD_API_URL"
        return [Finding(Grade.BAD, "network", reason)]
    if status == 401:
        return [
            Finding(Grade.BAD, "token", "Discord does not take DISCORD_TOKEN: make a new one"),
            _clock(line),
        ]
    if status >= 500 or status == 429:
        return [Finding(Grade.BAD, "token", f"Discord answered {status}; try again later"), _clock(line)]
    if status != 200 or not isinstance(application, dict) or "id" not in application:
        text = f"what answers is not Discord's API (status {status}): check DISCORD_API_URL"
        return [Finding(Grade.BAD, "network", text)]
    found = [Finding(Grade.GOOD, "token", f"of the application {application['id']}"), _clock(line)]
    found += _application(application)
    for check in (_servers, _gateway, _commands, _emoji):
        try:
            found += await check(line, application["id"], gateway_url)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            found.append(Finding(Grade.BAD, check.__name__.strip("_"), f"no answer ({type(error).__name__})"))
        except (AttributeError, LookupError, TypeError, ValueError):
            text = "the answer is not Discord's: check DISCORD_API_URL and DISCORD_GATEWAY_URL"
            found.append(Finding(Grade.BAD, check.__name__.strip("_"), text))
    return found


def _clock(line: Line) -> Finding:
    if line.skew is None:
        return Finding(Grade.NOTE, "clock", "Discord did not say what time it is")
    if abs(line.skew) < SKEW_NOTED:
        return Finding(Grade.GOOD, "clock", f"within {SKEW_NOTED:.0f} s of Discord's")
    way = "ahead of" if line.skew > 0 else "behind"
    grade = Grade.BAD if abs(line.skew) > SKEW_WRONG else Grade.NOTE
    text = f"{abs(line.skew):.0f} s {way} Discord's: have it set by NTP (days and token lives depend on it)"
    return Finding(grade, "clock", text)


def _application(application: Mapping[str, Any]) -> Iterator[Finding]:
    """Looks at the intents and the ways to install the bot."""
    yield Finding(Grade.GOOD, "intents", "servers only; no privileged intent is needed")
    if application.get("interactions_endpoint_url"):
        text = "an Interactions Endpoint URL is set, so presses go there: empty it in the developer portal"
        yield Finding(Grade.BAD, "application", text)
    ways = application.get("integration_types_config") or {}
    if "0" not in ways:
        text = "it cannot be added to servers: allow Guild Install in the developer portal"
        yield Finding(Grade.BAD, "installation", text)
    elif "1" not in ways:
        text = "for servers only; allow User Install in the developer portal for /play anywhere"
        yield Finding(Grade.NOTE, "installation", text)
    else:
        yield Finding(Grade.GOOD, "installation", "for servers and for users")


async def _servers(line: Line, application: str, gateway_url: str | None) -> list[Finding]:
    status, guilds = await line.ask("/users/@me/guilds")
    if status != 200:
        return [Finding(Grade.NOTE, "permissions", f"not looked at (Discord answered {status})")]
    if not guilds:
        return [Finding(Grade.NOTE, "permissions", "the bot is in no server yet: invite it")]
    found = []
    for guild in guilds:
        held = int(guild.get("permissions", 0))
        lacking = [name for name, bit in NEEDED.items() if not held & (bit | ADMINISTRATOR)]
        if lacking:
            text = f"server {guild['id']} does not grant {', '.join(lacking)}: add it to the bot's role"
            found.append(Finding(Grade.NOTE, "permissions", text))
    good = len(guilds) - len(found)
    text = f"granted in {good} of {'the first ' if len(guilds) >= PAGE else ''}{len(guilds)} servers"
    return [Finding(Grade.GOOD, "permissions", text), *found]


async def _gateway(line: Line, application: str, gateway_url: str | None) -> list[Finding]:
    status, told = await line.ask("/gateway/bot")
    if status != 200 or not isinstance(told, dict):
        return [Finding(Grade.BAD, "gateway", f"Discord answered {status}; try again later")]
    limit = told["session_start_limit"]
    if not limit["remaining"]:
        wait = limit["reset_after"] // 60_000
        text = (
            f"no connection is left for today; the next one in {wait} minutes (is the bot restarting again?)"
        )
        return [Finding(Grade.BAD, "gateway", text)]
    async with line.session.ws_connect(gateway_url or told["url"]) as socket:
        hello = await socket.receive_json(timeout=TIMEOUT.total)
    if hello.get("op") != HELLO:
        return [
            Finding(Grade.BAD, "gateway", "it does not speak Discord's protocol: check DISCORD_GATEWAY_URL")
        ]
    text = f"it answers; {told['shards']} shards advised, {limit['remaining']} connections left today"
    return [Finding(Grade.GOOD, "gateway", text)]


async def _commands(line: Line, application: str, gateway_url: str | None) -> list[Finding]:
    status, known = await line.ask(f"/applications/{application}/commands")
    if status != 200:
        return [Finding(Grade.NOTE, "commands", f"not looked at (Discord answered {status})")]
    if not known:
        return [Finding(Grade.NOTE, "commands", "none yet; they are registered at each start")]
    return [Finding(Grade.GOOD, "commands", f"{len(known)} are registered")]


async def _emoji(line: Line, application: str, gateway_url: str | None) -> list[Finding]:
    status, listed = await line.ask(f"/applications/{application}/emojis")
    if status != 200:
        return [Finding(Grade.NOTE, "emoji", f"not looked at (Discord answered {status})")]
    there = {each["name"] for each in listed["items"]}
    missing = len(set(emoji_names().values()) - there)
    if missing:
        text = f"{missing} of {len(emoji_names())} are missing; the running bot uploads them by itself"
        return [Finding(Grade.NOTE, "emoji", text)]
    return [Finding(Grade.GOOD, "emoji", f"all {len(emoji_names())} are there")]


async def _database_server(url: str, migrations: Sequence[Migration]) -> Finding:
    try:
        from bot.store import postgres_server
    except ModuleNotFoundError:
        return Finding(Grade.BAD, "database", "it needs asyncpg: install same-deal[postgresql]")
    try:
        schema, missing = await postgres_server.examine(url, migrations)
    except DatabaseError as error:
        return Finding(Grade.BAD, "database", str(error))
    return Finding(Grade.GOOD, "database", f"the server can be used (schema {schema}{_to_come(missing)})")


def _database_file(url: str, migrations: Sequence[Migration]) -> list[Finding]:
    try:
        state = care.examine(url, migrations)
    except DatabaseError as error:
        return [Finding(Grade.BAD, "database", str(error))]
    found = [Finding(Grade.BAD, "database", fault) for fault in state.faults]
    if state.free is not None and state.free < LITTLE_SPACE:
        text = f"only {state.free // 2**20} MiB are free on the disk of {state.path}"
        found.append(Finding(Grade.NOTE, "database", text))
    if found:
        return found
    if not state.exists:
        return [Finding(Grade.GOOD, "database", f"{state.path} will be made at the first start")]
    about = f"{state.size // 1024} KiB, schema {state.schema}{_to_come(state.pending)}"
    return [Finding(Grade.GOOD, "database", f"{state.path} is sound and can be written ({about})")]


def _to_come(migrations: int) -> str:
    return f", {migrations} migrations to come at the next start" if migrations else ""
