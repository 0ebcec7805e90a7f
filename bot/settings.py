"""The settings of the bot, read once at the start from environment variables."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from bot.logs import LogFormat
from bot.probe import DEFAULT_HOST
from bot.shards import Shards, parse_shards


class SettingsError(ValueError):
    """A setting is missing or wrong; the message is one line that says which and why."""


class Secret(str):
    """A text that never prints."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'…'"


DEFAULT_DATABASE = "sqlite:///same-deal.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that an operator can choose. The README has the table of variables."""

    token: Secret = field(repr=False)
    database_url: str = field(default=DEFAULT_DATABASE, repr=False)
    """It may hold a password."""
    api_url: str | None = None
    gateway_url: str | None = None
    log_level: int = logging.INFO
    log_format: LogFormat = LogFormat.TEXT
    health_host: str = DEFAULT_HOST
    health_port: int | None = None
    """None: the usual one if it is free, else none."""
    shards: Shards | None = None
    """None: this process serves all shards, as many as Discord advises."""

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        """Returns the settings that *env* holds.

        :raises SettingsError: if one is missing or wrong.
        """
        token = env.get("DISCORD_TOKEN", "").strip()
        if not token:
            raise SettingsError("DISCORD_TOKEN is not set: put the bot's token into it (or into a .env file)")
        if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token, re.ASCII):
            raise SettingsError(
                "DISCORD_TOKEN does not look like a bot token (three parts with dots between)"
            )
        return cls(
            token=Secret(token),
            database_url=database_url(env),
            api_url=_url(env, "DISCORD_API_URL", ("http", "https")),
            gateway_url=_url(env, "DISCORD_GATEWAY_URL", ("ws", "wss")),
            log_level=_level(env.get("LOG_LEVEL") or "INFO"),
            log_format=_format(env.get("LOG_FORMAT") or "text"),
            health_host=_host(env, "HEALTH_HOST"),
            health_port=_port(env, "HEALTH_PORT"),
            shards=_shards(env),
        )


def database_url(env: Mapping[str, str]) -> str:
    """Returns where the database is, which is all that commands need that do not speak to Discord.

    :raises SettingsError: if the setting is wrong.
    """
    url = env.get("DATABASE_URL") or DEFAULT_DATABASE
    if not re.match(r"(sqlite|postgresql)://", url):
        raise SettingsError("DATABASE_URL must begin with sqlite:/// or postgresql://")
    return url


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    value = env.get(name)
    if not value:
        return None
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in schemes and _is_host(parts.hostname or "") and parts.port != 0
        # Paths are added to that of the API, to whose requests the token belongs.
        is_more = "https" in schemes and bool({"@", "?", "#"} & set(value))
    except ValueError:  # of a port that is none
        is_address = is_more = False
    if not is_address or is_more:
        raise SettingsError(
            f"{name} must be an address: {' or '.join(f'{each}://' for each in schemes)} and a host"
            + (", without a user and without ? and #" if is_more else "")
        )
    return value.rstrip("/")


def _is_host(text: str) -> bool:
    """Tells whether *text* may be the name or the address of a machine."""
    try:
        name = text.encode("idna").decode()
    except UnicodeError:  # of a part that is empty or too long
        return False
    return bool(re.fullmatch(r"[\w.-]+|[\da-f:.]+(%\w+)?", name, re.ASCII | re.IGNORECASE))


def _host(env: Mapping[str, str], name: str) -> str:
    host = env.get(name) or DEFAULT_HOST
    if not _is_host(host):
        raise SettingsError(f"{name} must be an address of this machine, such as {DEFAULT_HOST}")
    return host


def _shards(env: Mapping[str, str]) -> Shards | None:
    ids, count = env.get("SHARD_IDS", ""), env.get("SHARD_COUNT", "")
    if not ids and not count:
        return None
    if not count:
        raise SettingsError("SHARD_COUNT is not set, but SHARD_IDS is: all processes need the same count")
    try:
        shards = parse_shards(ids, count)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    if len(shards.ids) < shards.count and database_url(env).startswith("sqlite:"):
        raise SettingsError(
            "SHARD_IDS leaves shards to other processes, so DATABASE_URL must be postgresql://"
        )
    return shards


def _level(name: str) -> int:
    level = logging.getLevelNamesMapping().get(name.upper(), logging.NOTSET)
    if level == logging.NOTSET:
        raise SettingsError("LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL")
    return level


def _format(name: str) -> LogFormat:
    try:
        return LogFormat(name.lower())
    except ValueError:
        raise SettingsError("LOG_FORMAT must be text or json") from None


def _port(env: Mapping[str, str], name: str) -> int | None:
    text = env.get(name)
    if not text:
        return None
    if not re.fullmatch(r"\d{1,5}", text, re.ASCII) or int(text) > 65_535:
        raise SettingsError(f"{name} must be a port from 1 to 65535, or 0 for none")
    return int(text)
