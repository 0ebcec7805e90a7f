"""The settings of the bot, read once at the start from environment variables."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from bot.logs import LogFormat
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
    database_url: str = DEFAULT_DATABASE
    api_url: str | None = None
    gateway_url: str | None = None
    log_level: int = logging.INFO
    log_format: LogFormat = LogFormat.TEXT
    health_host: str = "127.0.0.1"
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
            health_host=env.get("HEALTH_HOST") or "127.0.0.1",
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
        is_address = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port that is none
        is_address = False
    if not is_address:
        raise SettingsError(
            f"{name} must be an address: {' or '.join(f'{each}://' for each in schemes)} and a host"
        )
    return value.rstrip("/")


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
    levels = logging.getLevelNamesMapping()
    if name.upper() not in levels:
        raise SettingsError("LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL")
    return levels[name.upper()]


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
