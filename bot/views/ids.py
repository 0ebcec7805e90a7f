"""Custom ids: all that a press needs, readable by any later process, and nothing that is secret."""

from __future__ import annotations

from bot.errors import BadButtonError
from bot.views.payload import MAX_CUSTOM_ID

RACE, BOARD, SETTINGS = "r", "b", "s"
LEADERBOARD, HISTORY, REPLAY = "l", "h", "v"
DAILY, PRACTICE = "y", "p"
MODERATION, PRIVACY, SETUP = "m", "x", "u"

KIND_NAMES = {
    RACE: "race",
    BOARD: "board",
    SETTINGS: "settings",
    LEADERBOARD: "leaderboard",
    HISTORY: "history",
    REPLAY: "replay",
    DAILY: "daily",
    PRACTICE: "practice",
    MODERATION: "moderation",
    PRIVACY: "privacy",
    SETUP: "setup",
}
"""The kinds as people read them, in metrics."""


def make_id(kind: str, *parts: int | str) -> str:
    """Returns the custom id of *kind* with its *parts*."""
    made = ":".join([kind, *map(str, parts)])
    assert len(made) <= MAX_CUSTOM_ID, made
    return made


def board_id(attempt: int, seq: int, verb: str) -> str:
    """Returns the custom id of a button that does *verb* on the board of *attempt* whose last event is *seq*."""
    made = f"{BOARD}:{attempt}:{seq}:{verb}"  # a board has dozens of them
    assert len(made) <= MAX_CUSTOM_ID, made
    return made


def split_id(custom_id: str) -> tuple[str, tuple[str, ...]]:
    """Returns the kind of a custom id and its other parts."""
    kind, *parts = custom_id.split(":")
    return kind, tuple(parts)


def number(part: str) -> int:
    """Returns the number that *part* of a custom id holds.

    :raises BadButtonError: if it holds none that this bot writes.
    """
    if not (part.isascii() and part.isdecimal() and len(part) <= 19) or int(part) >= 1 << 63:
        raise BadButtonError
    return int(part)
