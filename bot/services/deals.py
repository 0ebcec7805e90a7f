"""Deals for races and practice: which shuffle is played, and the commitment to it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from bot.errors import BadSeedError, UnknownGameKeyError
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
    """A deal of the game *rules*; *typed* tells that somebody chose the seed."""

    rules: Rules
    seed: str
    salt: str
    typed: bool

    @property
    def commitment(self) -> str:
        """The hash that binds the bot to this deal before anybody has seen it."""
        return commitment(self.rules.key, self.seed, self.salt)


def draw_deal(game: str, seed: str | None = None) -> Deal:
    """Returns a deal of the game with the key *game*, of the typed *seed* or of a new random one.

    :raises UnknownGameKeyError: if no game has that key.
    :raises BadSeedError: if the seed is none.
    """
    try:
        rules = find_game(game)
    except UnknownGameError:
        raise UnknownGameKeyError(game) from None
    try:
        canonical = random_seed(secrets.randbelow) if seed is None else canonical_seed(seed)
    except SeedError:
        raise BadSeedError(MAX_SEED_LENGTH) from None
    return Deal(rules, canonical, secrets.token_hex(16), seed is not None)
