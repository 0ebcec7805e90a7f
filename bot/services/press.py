"""A press: one interaction of one player, as far as the services care."""

from __future__ import annotations

from dataclasses import dataclass

from bot.snowflake import created_at
from bot.store import attempts, players
from bot.store.database import Statement


class HandledError(Exception):
    """This interaction has been handled already: it was delivered twice, and the first delivery answers it."""


@dataclass(frozen=True, slots=True)
class Press:
    """One interaction of *player*; *interaction* is its snowflake, which holds the only time that counts."""

    interaction: int
    player: int
    name: str
    locale: str = "en-US"

    @property
    def at(self) -> int:
        """The instant of the press by Discord's clock, in milliseconds since 1970 (UTC)."""
        return created_at(self.interaction)

    @property
    def mark(self) -> Statement:
        """What marks the press as handled, in the same transaction as what it did."""
        return attempts.handle(self.interaction, self.at)

    @property
    def seen(self) -> Statement:
        """What keeps the player's name."""
        return players.seen(self.player, self.name, self.locale, self.at)
