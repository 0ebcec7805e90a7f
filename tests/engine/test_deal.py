"""The shuffle, its seeds and the commitment to a deal."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DECK,
    MAX_SEED_LENGTH,
    SeedError,
    canonical_seed,
    commitment,
    deal_code,
    random_seed,
    shuffle,
)

VECTORS = [
    (
        "Friday ",
        "friday",
        "AC 2S 7H 5S 7C JC KS 4D 5C 3D 2D TS 6H 7S 8H 5D KD AH TD 3S 4C 9C 3C 9S 4H 6S "
        "7D 5H JD 8S TC 9H 9D JS JH KC KH QS 8D TH AD AS 8C QC 6C 6D 2C QD 2H QH 3H 4S",
    ),
    (
        "Straße",
        "strasse",
        "4D AD 7D JS KD 7H KS 3H 2C 7C 8S TC JC 8C 3D 7S JD 4C AH QC KC 5S AS 9S QD 6D "
        "6H AC 4S 8H 3C KH 5C JH 6S TD QH 2S TS QS TH 9C 8D 2D 5H 9D 5D 9H 4H 6C 2H 3S",
    ),
    (
        "０",
        "0",
        "3D 4H KD 8S 6D TD QD AC 9D AH 7S KS 5D 2H 3S JH 8H 7H QS TS 4C 2D 8C 7D 5H JC "
        "9H KH AS 3H 5C 4S 8D 9C QC JD KC 4D 6C 6S QH 7C AD 6H TC 9S 3C 5S TH 2S 2C JS",
    ),
    (
        "猫",
        "猫",
        "3H TC 6D 9D 5C 6H TH JH 7H 3S QC 4D KC KS 8S AH 8C KD 3C 4C TD TS AC 3D QS 7D "
        "4S 2S 5H JD JS 9H 9C 7S 9S 2D 5D 2H 8H AD 6C JC QH 6S 5S 7C QD AS 2C 8D KH 4H",
    ),
]


@pytest.mark.parametrize(("typed", "canonical", "order"), VECTORS)
def test_shuffle_vectors(typed: str, canonical: str, order: str) -> None:
    assert canonical_seed(typed) == canonical
    assert " ".join(map(str, shuffle(typed))) == order
    assert shuffle(canonical) == shuffle(typed)


def test_deck_order() -> None:
    assert " ".join(map(str, DECK[:14])) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert str(DECK[-1]) == "KS"


@given(st.text(max_size=80))
def test_canonical_seed_is_stable(text: str) -> None:
    try:
        seed = canonical_seed(text)
    except SeedError:
        return
    assert 1 <= len(seed) <= MAX_SEED_LENGTH
    assert canonical_seed(seed) == seed
    assert sorted(shuffle(text)) == sorted(DECK)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one character"),
        (" \t\n", "at least one character"),
        ("x" * 65, "at most 64 characters, this one has 65"),
        ("ﷺ" * 8, "at most 64 characters, this one has 144"),
        ("a\x00b", r"a control character \(U\+0000\)"),
        ("a\x85b", r"a control character \(U\+0085\)"),
        ("a\ud800", r"half a character \(U\+D800\)"),
        ("a\uffff", r"an unassigned character \(U\+FFFF\)"),
    ],
)
def test_refused_seeds(text: str, reason: str) -> None:
    with pytest.raises(SeedError, match=reason):
        canonical_seed(text)


def test_longest_seed() -> None:
    assert canonical_seed("x" * 64 + " ") == "x" * 64


def test_shuffle_of_other_decks() -> None:
    assert shuffle("a", ()) == ()
    assert shuffle("a", DECK[:1]) == DECK[:1]
    assert sorted(shuffle("a", DECK * 4)) == sorted(DECK * 4)


def test_random_seed() -> None:
    seed = random_seed(Random(1).randrange)
    assert len(seed) == 13
    assert canonical_seed(seed) == seed
    assert random_seed(lambda bound: 0) == "0" * 13
    assert random_seed(lambda bound: bound - 1) == "z" * 13


def test_deal_code_and_commitment() -> None:
    assert deal_code("links", "Friday ") == "links:friday"
    assert commitment("links", "Friday ", "00ff") == sha256(b"links:friday:00ff").hexdigest()
