"""What servers have chosen for their races, and how many they may open."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Final

from bot.errors import (
    ChannelClosedError,
    GameClosedError,
    RoleNeededError,
    TooManyRacesError,
)
from bot.services.press import Press, save_press
from bot.snowflake import snowflake_at
from bot.store import servers as store
from bot.store.database import ConflictError, Database
from bot.store.servers import Choices

CACHED: Final = 5_000
FRESH: Final = 60_000
"""How long what is kept at hand is believed, in milliseconds."""
WINDOW: Final = 10 * 60_000
"""Over which time opened races are counted, in milliseconds."""
MOST_OF_ONE: Final = 10
"""How many races one player may open in that time."""
MOST_OF_ALL: Final = 60
"""How many races may be opened on a server in that time."""
MOST_LOBBIES: Final = 20
"""How many races of a server may wait for their start."""


class Servers:
    """The servers' choices, kept at hand."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._cache: OrderedDict[int, tuple[Choices, int]] = OrderedDict()

    async def choices(self, guild: int, now: int) -> Choices:
        """Returns what *guild* has chosen, as it was less than a minute before *now*."""
        kept = self._cache.get(guild)
        if kept is not None and now - kept[1] < FRESH:
            return kept[0]
        return self._keep(guild, await store.load(self._db, guild), now)

    async def choose(self, press: Press, guild: int, choices: Choices) -> Choices:
        """Returns the *choices* of *guild*, saved.

        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        await save_press(self._db, press, store.save(guild, choices))
        return self._keep(guild, choices, press.at)

    async def check_flood(self, press: Press, guild: int) -> None:
        """Refuses another race where too many have been opened.

        :raises TooManyRacesError: if there is no room for another one now.
        """
        since = snowflake_at(press.at - WINDOW)
        if (
            await store.count_lobbies(self._db, guild) >= MOST_LOBBIES
            or await store.count_opened(self._db, guild, since) >= MOST_OF_ALL
            or await store.count_hosted(self._db, press.player, since) >= MOST_OF_ONE
        ):
            raise TooManyRacesError(WINDOW // 60_000)

    async def welcome(self, guild: int, now: int) -> bool:
        """Tells whether *guild* is to be welcomed now; never twice."""
        try:
            await self._db.write(store.mark_welcomed(guild, now))
        except ConflictError:
            return False
        return True

    def _keep(self, guild: int, choices: Choices, now: int) -> Choices:
        self._cache[guild] = (choices, now)
        self._cache.move_to_end(guild)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        return choices


def check_place(
    choices: Choices, *, places: Collection[int], game: str, roles: Collection[int], manages: bool
) -> None:
    """Refuses a race that the server does not want.

    *places* are the channel and, for a thread, the channel that it belongs to; *roles* are those of the host.
    Those who manage the server need no role.

    :raises ChannelClosedError: if no races are opened there.
    :raises GameClosedError: if the game is not raced on this server.
    :raises RoleNeededError: if the host lacks the role.
    """
    if choices.channels and not set(choices.channels) & set(places):
        raise ChannelClosedError(", ".join(f"<#{channel}>" for channel in choices.channels))
    if choices.games and game not in choices.games:
        raise GameClosedError
    if choices.role is not None and choices.role not in roles and not manages:
        raise RoleNeededError(choices.role)
