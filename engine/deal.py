"""The deal: from a seed text to an order of the cards, the same everywhere and for ever.

Python promises no such thing of :func:`random.shuffle`, so the shuffle is written out here. A changed shuffle
would be another version under another prefix; version 1 never changes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final

from engine.cards import DECK, Card
from engine.errors import SeedError

MAX_SEED_LENGTH: Final = 64
"""How many characters a canonical seed may have."""

_PREFIX: Final = b"same-deal/1\0"
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_SEED_LENGTH: Final = 13
_REFUSED: Final = {"Cc": "a control character", "Cs": "half a character", "Cn": "an unassigned character"}


def canonical_seed(text: str) -> str:
    """Returns *text* in the one form for all its spellings: ``"Friday "`` and ``"friday"`` are one deal.

    :raises SeedError: if it is empty or too long in this form or holds a character that is no text.
    """
    seed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()
    if not seed:
        raise SeedError("a seed needs at least one character")
    if len(seed) > MAX_SEED_LENGTH:
        raise SeedError(f"a seed has at most {MAX_SEED_LENGTH} characters, this one has {len(seed)}")
    for character in seed:
        if reason := _REFUSED.get(unicodedata.category(character)):
            raise SeedError(f"a seed cannot hold {reason} (U+{ord(character):04X})")
    return seed


def shuffle(seed: str, deck: Sequence[Card] = DECK) -> tuple[Card, ...]:
    """Returns *deck* in the order that *seed* gives; the first card is dealt first.

    The bytes are those of SHA-256 over the seed and a counter, the shuffle is Fisher and Yates's. Bytes that
    would favour some cards are skipped. A deck may have up to 256 cards.

    :raises SeedError: if the seed has no canonical form.
    """
    cards = list(deck)
    stream = _stream(canonical_seed(seed))
    for last in range(len(cards) - 1, 0, -1):
        choices = last + 1
        bound = 256 - 256 % choices
        byte = next(byte for byte in stream if byte < bound)
        chosen = byte % choices
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def _stream(seed: str) -> Iterator[int]:
    start = sha256(_PREFIX + seed.encode())
    counter = 0
    while True:
        block = start.copy()
        block.update(counter.to_bytes(4, "big"))
        yield from block.digest()
        counter += 1


def random_seed(randbelow: Callable[[int], int]) -> str:
    """Returns a seed of 65 random bits, drawn from *randbelow*, as :func:`secrets.randbelow` is one."""
    return "".join(_ALPHABET[randbelow(len(_ALPHABET))] for _ in range(_RANDOM_SEED_LENGTH))


def deal_code(key: str, seed: str) -> str:
    """Returns what players share: the key of a game and a seed, as in ``links:7f3k9q2mxw4tb``."""
    return f"{key}:{canonical_seed(seed)}"


def commitment(key: str, seed: str, salt: str) -> str:
    """Returns the hash that is shown before a race, so that anybody can check the deal after it.

    *key* is the game's, *salt* the random text that is shown with the result.
    """
    return sha256(f"{deal_code(key, seed)}:{salt}".encode()).hexdigest()
