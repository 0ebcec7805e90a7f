"""Practice: attempts that count for nothing."""

from __future__ import annotations

import secrets

from bot.errors import BadButtonError
from bot.services.attempts import Attempts
from bot.services.deals import known_game, typed_seed
from bot.services.press import Press
from bot.store.attempts import AttemptRecord, Purpose
from engine import random_seed

UNRANKED = (Purpose.PRACTICE, Purpose.ARCHIVE)
"""What counts for nothing."""


async def practise(attempts: Attempts, press: Press, game: str, seed: str | None = None) -> AttemptRecord:
    """Returns a new attempt at a deal of a game, of the typed *seed* or a new random one.

    :raises UnknownGameKeyError: if no game has that key.
    :raises BadSeedError: if the seed is none.
    :raises HandledError: if this very press has been handled.
    """
    rules = known_game(game)
    chosen = random_seed(secrets.randbelow) if seed is None else typed_seed(seed)
    return await attempts.begin(press, rules, chosen, purpose=Purpose.PRACTICE)


async def again(attempts: Attempts, press: Press, before: AttemptRecord) -> AttemptRecord:
    """Returns a new attempt at the deal of the unranked attempt *before*, whose events stay what they were.

    :raises BadButtonError: if that one counts for something.
    :raises HandledError: if this very press has been handled.
    """
    if before.purpose not in UNRANKED:
        raise BadButtonError
    return await attempts.begin(
        press, before.attempt.rules, before.attempt.seed, purpose=before.purpose, day=before.day
    )
