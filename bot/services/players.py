"""What players have chosen for themselves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace

from bot.services.press import Press, save_press
from bot.store import players
from bot.store.database import Database, StoreError
from bot.store.players import Style, Taste

CACHED = 20_000
"""How many players' tastes are kept in memory at most."""
FRESH = 60_000
"""How long a kept taste is believed, in milliseconds: another process may have changed it since."""


class Players:
    """The players' settings, kept at hand so that a press on a board does not wait for them."""

    def __init__(self, db: Database, *, cached: int = CACHED) -> None:
        self._db = db
        self._cached = cached
        self._cache: OrderedDict[int, tuple[Taste, int]] = OrderedDict()

    async def taste(self, player: int, now: int) -> Taste:
        """Returns how *player* likes boards, as it was less than a minute before *now*."""
        return (await self.tastes((player,), now))[player]

    async def tastes(self, wanted: Iterable[int], now: int) -> dict[int, Taste]:
        """Returns how each of the *wanted* players likes boards.

        A store that does not answer is no reason to show no board: then it is what was known last, for a minute
        more; of whom nothing was known that is asked again for the next board.
        """
        ids = tuple(wanted)
        unsure = [player for player in ids if not self._is_fresh(player, now)]
        if unsure:
            try:
                found = await players.tastes(self._db, unsure)
            except StoreError:
                unsure = [player for player in unsure if player in self._cache]
                found = {player: self._last(player) for player in unsure}
            for player in unsure:
                self._keep(player, found.get(player, Taste()), now)
        return {player: self._last(player) for player in ids}

    async def choose(
        self,
        press: Press,
        *,
        style: Style | None = None,
        four_colours: bool | None = None,
        tell: bool | None = None,
    ) -> Taste:
        """Returns the player's taste with what was chosen, saved.

        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        taste = await self.taste(press.player, press.at)
        changes = []
        if style is not None:
            taste = replace(taste, style=style)
            changes.append(players.keep_style(press.player, style))
        if four_colours is not None:
            taste = replace(taste, four_colours=four_colours)
            changes.append(players.keep_colours(press.player, four=four_colours))
        if tell is not None:
            taste = replace(taste, tell=tell)
            changes.append(players.keep_tell(press.player, tell=tell))
        await save_press(self._db, press, *changes)
        self._keep(press.player, taste, press.at)
        return taste

    async def silence(self, player: int) -> None:
        """Sends *player* no more messages at the ends of races: Discord lets none through."""
        await self._db.write(players.keep_tell(player, tell=False)._replace(rows=None))
        self.forget(player)

    def forget(self, player: int) -> None:
        """Drops what is kept at hand of *player*."""
        self._cache.pop(player, None)

    def _is_fresh(self, player: int, now: int) -> bool:
        kept = self._cache.get(player)
        return kept is not None and now - kept[1] < FRESH

    def _last(self, player: int) -> Taste:
        kept = self._cache.get(player)
        return Taste() if kept is None else kept[0]

    def _keep(self, player: int, taste: Taste, now: int) -> None:
        self._cache[player] = (taste, now)
        self._cache.move_to_end(player)
        if len(self._cache) > self._cached:
            self._cache.popitem(last=False)
