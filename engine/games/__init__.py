"""All games. Another one is a file in this package and a line in :data:`GAMES`."""

from __future__ import annotations

from typing import Final

from engine.errors import UnknownGameError
from engine.games.hand import (
    ONE_HANDED,
    ONE_HANDED_FREE,
    ONE_HANDED_RECYCLE,
    TAKING_SILK,
    TAKING_SILK_FOUR_SUIT,
    TAKING_SILK_FREE,
    TAKING_SILK_LAST_THREE,
    TAKING_SILK_RECYCLE,
)
from engine.games.links import LINKS
from engine.games.takeaway import STRIPTEASE, STRIPTEASE_4, TAKE_AWAY, TAKE_AWAY_4, TAKE_AWAY_5
from engine.rules import Rules

GAMES: Final[tuple[Rules, ...]] = (
    ONE_HANDED,
    ONE_HANDED_RECYCLE,
    ONE_HANDED_FREE,
    TAKING_SILK,
    TAKING_SILK_RECYCLE,
    TAKING_SILK_FREE,
    TAKING_SILK_FOUR_SUIT,
    TAKING_SILK_LAST_THREE,
    TAKE_AWAY,
    TAKE_AWAY_5,
    TAKE_AWAY_4,
    STRIPTEASE,
    STRIPTEASE_4,
    LINKS,
)
"""All rulesets of all games, each base game before its variants."""

_BY_KEY: Final = {rules.key: rules for rules in GAMES}


def find_game(key: str, version: int | None = None) -> Rules:
    """Returns the game with this *key*, under the *version* of its rules where one is asked for.

    :raises UnknownGameError: if there is none, or its rules have another version.
    """
    rules = _BY_KEY.get(key)
    if rules is None or version not in (None, rules.version):
        raise UnknownGameError(key)
    return rules
