"""A press: one interaction of one player, as far as the services care, and how what it changes is saved."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import UnavailableError, UncertainSaveError
from bot.snowflake import created_at
from bot.store import attempts, players
from bot.store.database import ConflictError, Database, Statement, StoreError, UncertainError


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


async def save(db: Database, *statements: Statement) -> None:
    """Saves *statements* together.

    :raises ConflictError: if one of them finds something else than it expects.
    :raises UnavailableError: if nothing can be saved.
    """
    try:
        await db.write(*statements)
    except ConflictError:
        raise
    except StoreError as error:
        raise unavailable(error) from error


def unavailable(error: StoreError) -> UnavailableError:
    """Returns *error* as what a player can be told of it."""
    return UncertainSaveError() if isinstance(error, UncertainError) else UnavailableError()


async def save_press(db: Database, press: Press, *statements: Statement) -> None:
    """Saves *statements*, which can conflict with nothing, together with the mark of *press* and the player's name.

    :raises HandledError: if this very press has been handled.
    :raises UnavailableError: if nothing can be saved.
    """
    try:
        await save(db, press.mark, press.seen, *statements)
    except ConflictError:
        await refuse_handled(db, press)
        raise UnavailableError from None


async def refuse_handled(db: Database, press: Press) -> None:
    """Returns only if *press* has not been handled yet.

    :raises HandledError: if it has.
    """
    if await attempts.is_handled(db, press.interaction):
        raise HandledError from None
