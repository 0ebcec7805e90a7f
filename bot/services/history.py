"""What has been played on a server: its finished races, and what stands about a player."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.errors import StrangerError
from bot.store import history as store
from bot.store import players, ratings, standings
from bot.store.database import Database
from bot.store.history import PastRace, Streak
from bot.store.results import ALL_GAMES
from bot.store.standings import Record

PAGE = 10
"""How many races a page has."""
CHARTED = 500
"""How many of the last ratings are drawn."""
_LINK = re.compile(r"channels/(?:\d{1,19}|@me)/\d{1,19}/(\d{1,19})/?$", re.ASCII)


@dataclass(frozen=True, slots=True)
class History:
    """A page of finished races, those of *player* alone if one is given; *page* counts from 0."""

    guild: int
    player: int | None
    page: int
    total: int
    races: tuple[PastRace, ...]
    names: Mapping[int, str]

    @property
    def pages(self) -> int:
        """How many pages there are, one at least."""
        return max(1, -(-self.total // PAGE))


@dataclass(frozen=True, slots=True)
class Profile:
    """What stands about a player over all time and everywhere.

    *overall* is over all games, *games* has the games that were raced, *finished* is the number of all finished
    races, those that count for nothing too. *history* has (ms since 1970, rating over all games) after each of the
    last rated ones.
    """

    player: int
    name: str | None
    overall: Record | None
    games: tuple[Record, ...]
    finished: int
    streak: Streak | None
    history: tuple[tuple[int, int], ...]


class Archive:
    """The past in the database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def races(self, guild: int, player: int | None, page: int) -> History:
        """Returns a page of the finished races of *guild*, the newest first, or the last page if there are fewer."""
        if player is None:
            total = await store.count_of_guild(self._db, guild)
        else:
            total = await store.count_of_player(self._db, guild, player)
        page = min(page, max(0, (total - 1) // PAGE))
        if player is None:
            races = await store.of_guild(self._db, guild, limit=PAGE, skip=page * PAGE)
        else:
            races = await store.of_player(self._db, guild, player, limit=PAGE, skip=page * PAGE)
        named = {each.player for race in races for each in race.finishers}
        names = await players.names(self._db, named | ({player} if player is not None else set()))
        return History(guild, player, page, total, tuple(races), names)

    async def find_race(self, reference: str) -> int | None:
        """Returns the race that *reference* names: its id, or a link to one of its messages. None if it names none."""
        text = reference.strip()
        if link := _LINK.search(text):
            message = _id(link[1])
            return None if message is None else await store.race_of_message(self._db, message)
        return _id(text)

    async def profile(self, player: int, *, asker: int, guild: int | None) -> Profile:
        """Returns what stands about *player*, whom *asker* asks for on *guild*.

        :raises StrangerError: if the asker may not see it, since that player has never played on this server and
            does not stand on the world boards.
        """
        if player != asker and not await store.is_known_to(self._db, player, guild):
            raise StrangerError
        records = await standings.records(self._db, player)
        names = await players.names(self._db, [player])
        return Profile(
            player,
            names.get(player),
            next((each for each in records if each.board == ALL_GAMES), None),
            tuple(each for each in records if each.board != ALL_GAMES),
            await store.count_everywhere(self._db, player),
            await store.streak(self._db, player),
            tuple(await ratings.history(self._db, player, ALL_GAMES, limit=CHARTED)),
        )


def winners(race: PastRace) -> Sequence[int]:
    """Returns who came first in a race, but not by giving up."""
    return [each.player for each in race.finishers if each.place == 1 and not each.is_forfeit]


def _id(text: str) -> int | None:
    """Returns the id that *text* is, None if it is none that a database holds."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 19):
        return None
    number = int(text)
    return number if number < 1 << 63 else None
