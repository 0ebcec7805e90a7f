"""What players may ask of what is stored about them: a copy, an end of it, to be shown to the world or not."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any, Final

from bot.errors import InRaceError, UnavailableError
from bot.periods import day_of
from bot.services.attempts import Attempts
from bot.services.players import Players
from bot.services.press import Press, refuse_handled, save, save_press
from bot.store import players
from bot.store import privacy as store
from bot.store import standings as boards
from bot.store.database import ConflictError, Database
from bot.store.privacy import Record

FORMAT: Final = "same-deal-export/1"
"""What kind of file an export is; PRIVACY.md says what it holds."""
PSEUDONYMS: Final = 2**62
TRIES: Final = 3
AT_ONCE: Final = 100
"""The events of how many attempts are read at once."""
_IDS: Final = frozenset({"id", "guild", "channel", "race", "attempt"})
"""What is written as text: JavaScript and spreadsheets round such large numbers."""


class Privacy:
    """The players' rights over what is stored about them."""

    def __init__(self, db: Database, attempts: Attempts, players: Players) -> None:
        self._db = db
        self._attempts = attempts
        self._players = players

    async def export(self, player: int, now: int) -> bytes:
        """Returns everything that is stored about *player* as one JSON file.

        Left out is what is a secret of the game still: the seed of a deal that is being played, and the moves
        on it.
        """
        account = await store.account(self._db, player)
        attempts = await store.attempts(self._db, player)
        names = [int(each["id"] or 0) for each in attempts]
        events: list[Record] = []
        for start in range(0, len(names), AT_ONCE):  # in parts, so that others are served in between
            events += await store.events(self._db, names[start : start + AT_ONCE])
        found: dict[str, Any] = {
            "format": FORMAT,
            "made_at": now,
            "player": account[0] if account else None,
            "races": await store.races(self._db, player),
            "attempts": attempts,
            "events": events,
            **await store.standing(self._db, player),
            "judgements": await store.judgements(self._db, player),
        }
        return await asyncio.to_thread(_encode, found)

    async def delete(self, press: Press) -> None:
        """Cuts everything about the presser off from the person: results stay as those of a deleted player.

        :raises InRaceError: if the presser is in a live race.
        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        own = await store.attempt_ids(self._db, press.player)
        for _ in range(TRIES):
            pseudonym = -1 - secrets.randbelow(PSEUDONYMS)
            try:
                await save(self._db, press.mark, *store.cut_off(press.player, pseudonym))
                break
            except ConflictError:
                await refuse_handled(self._db, press)
                channel = await store.live_channel(self._db, press.player)
                if channel is not None:
                    raise InRaceError(channel) from None
                if not await store.account(self._db, press.player):
                    break  # there is nothing
        else:
            raise UnavailableError
        for attempt in own:
            self._attempts.forget(attempt)
        self._players.forget(press.player)

    async def set_listed(self, press: Press, *, listed: bool) -> bool:
        """Puts the presser on the world boards, or takes the presser off them; tells whether the presser is there.

        Those whom the operator keeps off are not, whatever they wish.

        :raises HandledError: if this very press has been handled.
        :raises UnavailableError: if nothing can be saved.
        """
        await save_press(self._db, press, *boards.list_player(press.player, listed=listed))
        return listed and not await players.is_barred(self._db, press.player)

    async def clean(self, now: int) -> None:
        """Forgets what had to be known of deleted players for some hours."""
        await self._db.write(store.forget_spent(day_of(now)))


def _encode(found: dict[str, Any]) -> bytes:
    return json.dumps(_with_text_ids(found), ensure_ascii=False, indent=1).encode()


def _with_text_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: str(each) if key in _IDS and isinstance(each, int) else _with_text_ids(each)
            for key, each in value.items()
        }
    return list(map(_with_text_ids, value)) if isinstance(value, list) else value
