"""Deals for races and practice: which shuffle is played, and the commitment to it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from bot.errors import BadSeedError, UnknownGameKeyError
from bot.services.pool import Pool
from bot.store.database import Statement
from engine import (
    MAX_SEED_LENGTH,
    Rules,
    SeedError,
    UnknownGameError,
    canonical_seed,
    commitment,
    find_game,
    random_seed,
)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal of the game *rules*; *typed* tells that somebody chose the seed.

    *band* tells how hard it is, None where it is not certified. Who uses the deal writes *claim* with that.
    """

    rules: Rules
    seed: str
    salt: str
    typed: bool
    band: int | None = None
    claim: tuple[Statement, ...] = ()

    @property
    def commitment(self) -> str:
        """The hash that binds the bot to this deal before anybody has seen it."""
        return commitment(self.rules.key, self.seed, self.salt)


async def draw_deal(pool: Pool, game: str, seed: str | None = None) -> Deal:
    """Returns a deal of the game with the key *game*, of the typed *seed* or one that nobody has seen.

    That is a certified one, where the pool has one ready.

    :raises UnknownGameKeyError: if no game has that key.
    :raises BadSeedError: if the seed is none.
    """
    rules = known_game(game)
    salt = secrets.token_hex(16)
    if seed is not None:
        return Deal(rules, typed_seed(seed), salt, typed=True)
    ready = await pool.draw(rules)
    if ready is None:
        return Deal(rules, random_seed(secrets.randbelow), salt, typed=False)
    return Deal(rules, ready.seed, salt, typed=False, band=ready.band, claim=(pool.claim(rules, ready),))


def known_game(key: str) -> Rules:
    """Returns the game with this *key*.

    :raises UnknownGameKeyError: if there is none.
    """
    try:
        return find_game(key)
    except UnknownGameError:
        raise UnknownGameKeyError(key) from None


def typed_seed(text: str) -> str:
    """Returns the seed that somebody has typed.

    :raises BadSeedError: if it is none.
    """
    try:
        return canonical_seed(text)
    except SeedError:
        raise BadSeedError(MAX_SEED_LENGTH) from None
