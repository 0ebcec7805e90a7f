"""What players are called where the bot speaks of them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text import MAX_NAME, Sentence, harmless, say, visible

DELETED = Sentence("deleted player")
UNKNOWN = Sentence("somebody")


def name_of(player: int, names: Mapping[int, str], most: int = MAX_NAME) -> str:
    """Returns the name of *player* as it can stand in any message, at most *most* characters of it.

    One who has had all personal data deleted lives on under a negative number.
    """
    return harmless(plain_name_of(player, names), most)


def plain_name_of(player: int, names: Mapping[int, str]) -> str:
    """Returns the name of *player* as it was seen last, for menus and alternative texts, which have no markup."""
    if player < 0:
        return say(DELETED)
    return visible(names.get(player, "")) or say(UNKNOWN)
