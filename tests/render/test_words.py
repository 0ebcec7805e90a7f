"""The table in words: complete, within Discord's limits, silent about what lies face down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.render.speech import english
from bot.render.words import (
    ALT_LIMIT,
    Detail,
    alt_text,
    card_words,
    count_words,
    cut,
    pile_words,
    table_lines,
)
from engine import DECK, Role, Rules, State, parse_card, parse_state, role


def test_a_pile_is_read_from_its_exposed_card() -> None:
    lines = table_lines(parse_state("t1: t2: t3:TC9H"))
    assert lines == ("Pile 3: 9 of hearts on 10 of clubs", "Empty: Pile 1, Pile 2")


def test_links_in_words() -> None:
    state = parse_state("s:acad w:5H6C7D8S t1:KC t2: fc:AS fd: fh:AH2H fs:")
    assert table_lines(state, selected="t1", targets=("t2",)) == (
        "Stock: 2 cards face down",
        "Waste: 8 of spades on 7 of diamonds on 6 of clubs, 1 more below",
        "Pile 1 (chosen): king of clubs",
        "Foundation of clubs: ace of spades",
        "Foundation of hearts: 2 of hearts",
        "Empty: Pile 2 (can go here), Foundation of diamonds, Foundation of spades",
    )


def test_a_hand_in_words() -> None:
    state = parse_state("s:ac h:2C3D4H5S6C d:7D8H")
    assert table_lines(state) == (
        "Stock: 1 card face down",
        "Hand: 5 cards",
        "Fan, oldest card first: 3 of diamonds, 4 of hearts, 5 of spades, 6 of clubs",
        "Older cards, oldest first: 2 of clubs",
        "Discard pile: 8 of hearts, 1 more below",
    )


def test_a_face_down_card_is_called_so() -> None:
    (line,) = table_lines(parse_state("t1:QSkd9H"))
    assert line == "Pile 1: 9 of hearts on a face-down card on queen of spades"


def test_every_open_card_is_named(rules: Rules, positions: Callable[[Rules], list[Any]]) -> None:
    for position in positions(rules):
        state: State = position.state
        text = "\n".join(table_lines(state))
        for name, pile in zip(state.names, state.observed().piles, strict=True):
            whole = role(name) in (Role.TABLEAU, Role.HAND)
            for card in pile.cards if whole else pile.cards[-1:]:
                assert card_words(card) in text or not card.rank


def test_nothing_is_said_of_cards_that_lie_face_down(
    rules: Rules, positions: Callable[[Rules], list[Any]], stirred: Callable[[State, int], State]
) -> None:
    for position in positions(rules):
        assert alt_text(stirred(position.state, 1)) == alt_text(position.state)


def test_alt_texts_fit_and_name_the_exposed_cards(
    rules: Rules, positions: Callable[[Rules], list[Any]], extremes: dict[str, State]
) -> None:
    for position in positions(rules):
        state: State = position.state
        text = alt_text(state, selected=position.selected, targets=position.targets)
        assert len(text) <= ALT_LIMIT
        assert "more below" not in text or role(state.names[0]) is not Role.TABLEAU or "Foundation" in text
        for pile in state.piles:
            if pile.exposed is not None:
                rank, _, suit = card_words(pile.exposed).partition(" of ")
                assert f"{rank} of {suit}" in text or f"{rank} {suit}" in text
    for state in extremes.values():
        assert len(alt_text(state)) <= ALT_LIMIT


@pytest.mark.parametrize("limit", [ALT_LIMIT, 900, 700, 400, 250, 100, 20])
def test_alt_texts_become_shorter_step_by_step(
    rules: Rules, positions: Callable[[Rules], list[Any]], limit: int
) -> None:
    for position in positions(rules)[::3]:
        assert 0 < len(alt_text(position.state, limit=limit)) <= limit


def test_brief_texts_name_all_cards_still() -> None:
    state = parse_state("t1:KCQD9H f1:2S3S")
    assert table_lines(state, detail=Detail.BRIEF) == (
        "Pile 1: 9 hearts, queen diamonds, king clubs",
        "Foundation 1: 3 spades, 1 more below",
    )
    assert table_lines(state, detail=Detail.EXPOSED) == (
        "Pile 1: 9 of hearts, 2 more below",
        "Foundation 1: 3 of spades, 1 more below",
    )


def test_texts_are_cut_after_a_word() -> None:
    assert cut("one two three", 13) == "one two three"
    assert cut("one two, three", 12) == "one two…"
    assert cut("onetwothree", 6) == "onetw…"


def test_cards_and_piles_have_names() -> None:
    assert len({card_words(card) for card in DECK}) == 52
    assert card_words(parse_card("QH")) == "queen of hearts"
    names = ("s", "w", "h", "d", "t10", "f2", "fc")
    assert [pile_words(name) for name in names] == [
        "Stock",
        "Waste",
        "Hand",
        "Discard pile",
        "Pile 10",
        "Foundation 2",
        "Foundation of clubs",
    ]


def test_every_sentence_can_be_translated() -> None:
    def shouted(one: str, many: str = "", count: int = 1, /) -> str:
        asked.append(one)
        parts = english(one, many, count).split("{")
        return "{".join(
            [parts[0].upper(), *(f"{head}}}{tail.upper()}" for head, _, tail in split(parts[1:]))]
        )

    def split(parts: list[str]) -> list[tuple[str, str, str]]:
        return [part.partition("}") for part in parts]

    asked: list[str] = []
    state = parse_state("s:ac w:2C3C4C5C h:6C7C8C9CTC d:JCQC t1:KCad fc:AS fd: f1:2S3S")
    for detail in Detail:
        for line in table_lines(state, selected="t1", targets=("f1",), detail=detail, say=shouted):
            assert line == line.upper()
    assert count_words(2, shouted) == "2 CARDS"
    assert "{upper} on {lower}" in asked
