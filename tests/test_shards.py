"""Shards: their settings, and one line for each wrong value."""

from __future__ import annotations

import pytest

from bot.settings import Settings, SettingsError
from bot.shards import Shards, parse_shards

ENV = {"DISCORD_TOKEN": "a.b.c", "DATABASE_URL": "postgresql://host/db"}


@pytest.mark.parametrize(
    ("ids", "count", "shards", "text"),
    [
        ("0-3,8", "16", (0, 1, 2, 3, 8), "0-3,8 of 16"),
        ("8, 0-1", "9", (0, 1, 8), "0-1,8 of 9"),
        ("5", "6", (5,), "5 of 6"),
        ("", "3", (0, 1, 2), "0-2 of 3"),
    ],
)
def test_numbers_and_ranges(ids: str, count: str, shards: tuple[int, ...], text: str) -> None:
    found = parse_shards(ids, count)
    assert found.ids == shards
    assert str(found) == text


def test_a_server_is_in_the_shard_that_discord_says() -> None:
    shards = Shards((1, 2), 4)
    assert [shards.of(number << 22) for number in range(6)] == [0, 1, 2, 3, 0, 1]
    assert [(number << 22) in shards for number in range(6)] == [False, True, True, False, False, True]
    assert 0 in Shards()
    assert (7 << 22) in Shards()


def test_without_settings_one_process_has_all() -> None:
    assert Settings.from_env({"DISCORD_TOKEN": "a.b.c"}).shards is None


def test_all_shards_in_one_process_need_no_postgresql() -> None:
    settings = Settings.from_env({"DISCORD_TOKEN": "a.b.c", "SHARD_COUNT": "2"})
    assert settings.shards == Shards((0, 1), 2)


@pytest.mark.parametrize(
    ("ids", "count", "reason"),
    [
        ("0-1", "", "SHARD_COUNT is not set"),
        ("0", "none", "SHARD_COUNT must be a number from 1 to 4096"),
        ("0", "0", "SHARD_COUNT must be a number from 1 to 4096"),
        ("0", "99999", "SHARD_COUNT must be a number from 1 to 4096"),
        ("a", "2", "SHARD_IDS must be numbers and ranges"),
        ("1-", "2", "SHARD_IDS must be numbers and ranges"),
        ("0,,1", "2", "SHARD_IDS must be numbers and ranges"),
        ("-1", "2", "SHARD_IDS must be numbers and ranges"),
        ("3-1", "4", "3-1, which runs backwards"),
        ("0-2,2", "4", "SHARD_IDS names a shard twice"),
        ("0-4", "4", "there is no shard 4 of 4"),
    ],
)
def test_wrong_settings_are_refused_in_one_line(ids: str, count: str, reason: str) -> None:
    with pytest.raises(SettingsError, match=reason) as info:
        Settings.from_env({**ENV, "SHARD_IDS": ids, "SHARD_COUNT": count})
    assert "\n" not in str(info.value)


def test_a_part_of_the_shards_needs_a_database_that_others_can_use() -> None:
    wrong = {"DISCORD_TOKEN": "a.b.c", "SHARD_IDS": "0", "SHARD_COUNT": "2"}
    with pytest.raises(SettingsError, match="DATABASE_URL must be postgresql"):
        Settings.from_env(wrong)
