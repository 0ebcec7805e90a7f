"""Discord's ids: they hold the instant at which a thing was made, which is the only clock between players."""

from __future__ import annotations

DISCORD_EPOCH = 1_420_070_400_000
"""2015-01-01T00:00Z in milliseconds since 1970."""


def created_at(snowflake: int) -> int:
    """Returns the instant at which *snowflake* was made, in milliseconds since 1970 (UTC)."""
    return (snowflake >> 22) + DISCORD_EPOCH


def snowflake_at(instant: int) -> int:
    """Returns the least snowflake of *instant*, in milliseconds since 1970 (UTC)."""
    return (instant - DISCORD_EPOCH) << 22
