"""The settings: defaults, every variable, and one clear line for each wrong value."""

from __future__ import annotations

import logging

import pytest

from bot.logs import LogFormat
from bot.settings import DEFAULT_DATABASE, Settings, SettingsError, database_url

TOKEN = "abc.def-1.g_h"


def test_only_the_token_is_needed() -> None:
    settings = Settings.from_env({"DISCORD_TOKEN": f" {TOKEN} "})
    assert settings == Settings(settings.token)
    assert str(settings.token) == TOKEN
    assert settings.database_url == DEFAULT_DATABASE
    assert settings.health_host == "127.0.0.1"
    assert settings.health_port is None


def test_every_variable() -> None:
    settings = Settings.from_env(
        {
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": "sqlite:////var/lib/x.db",
            "DISCORD_API_URL": "http://127.0.0.1:1/api/",
            "DISCORD_GATEWAY_URL": "ws://127.0.0.1:1/gateway",
            "LOG_LEVEL": "debug",
            "LOG_FORMAT": "JSON",
            "HEALTH_HOST": "0.0.0.0",
            "HEALTH_PORT": "0",
        }
    )
    assert settings.database_url == "sqlite:////var/lib/x.db"
    assert settings.api_url == "http://127.0.0.1:1/api"
    assert settings.gateway_url == "ws://127.0.0.1:1/gateway"
    assert settings.log_level == logging.DEBUG
    assert settings.log_format is LogFormat.JSON
    assert (settings.health_host, settings.health_port) == ("0.0.0.0", 0)


@pytest.mark.parametrize(
    "host", ["localhost", "0.0.0.0", "::", "::ffff:127.0.0.1", "bot_1.example", "fe80::1%eth0"]
)
def test_hosts(host: str) -> None:
    assert Settings.from_env({"DISCORD_TOKEN": TOKEN, "HEALTH_HOST": host}).health_host == host
    place = f"http://{f'[{host}]' if ':' in host else host}:8080/api"
    assert Settings.from_env({"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": place}).api_url == place


def test_the_token_never_prints() -> None:
    settings = Settings.from_env({"DISCORD_TOKEN": TOKEN})
    assert TOKEN not in repr(settings)
    assert TOKEN not in repr(settings.token)


def test_the_password_of_the_database_never_prints() -> None:
    settings = Settings.from_env({"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "postgresql://u:p4ss@h/d"})
    assert "p4ss" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", ""),
        ("DISCORD_TOKEN", "not-a-token"),
        ("DATABASE_URL", "mysql://x"),
        ("DISCORD_API_URL", "ftp://x"),
        ("DISCORD_API_URL", "https://"),
        ("DISCORD_API_URL", "https://discord.com:port"),
        ("DISCORD_API_URL", "https://:443"),
        ("DISCORD_GATEWAY_URL", "wss://[::1"),
        ("DISCORD_GATEWAY_URL", "https://x"),
        ("DISCORD_API_URL", "http://me:word@proxy"),
        ("DISCORD_API_URL", "http://proxy?for=discord"),
        ("DISCORD_API_URL", "http://proxy..local"),
        ("DISCORD_API_URL", "http://my proxy"),
        ("DISCORD_GATEWAY_URL", "ws://\\"),
        ("DISCORD_GATEWAY_URL", f"ws://{'x' * 64}"),
        ("HEALTH_HOST", "a..b"),
        ("HEALTH_HOST", "[::1]"),
        ("HEALTH_HOST", "x" * 64),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_LEVEL", "NOTSET"),
        ("LOG_FORMAT", "xml"),
        ("HEALTH_PORT", "http"),
        ("HEALTH_PORT", "65536"),
        ("HEALTH_PORT", "-1"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as info:
        Settings.from_env({"DISCORD_TOKEN": TOKEN, name: value})
    assert str(info.value).startswith(name)
    assert "\n" not in str(info.value)
    assert TOKEN not in str(info.value)


def test_the_database_alone_needs_no_token() -> None:
    assert database_url({}) == DEFAULT_DATABASE
    with pytest.raises(SettingsError, match="DATABASE_URL"):
        database_url({"DATABASE_URL": "x"})
