"""Cards in a line of text, as emoji and as characters."""

from __future__ import annotations

import pytest

from bot.render.art import BACK_KEY, MORE_KEY, SELECTED_KEY, emoji_names, empty_key, face_key
from bot.render.inline import (
    CARD_WIDTH,
    EmojiText,
    card_code,
    card_label,
    has_all_emoji,
    pile_code,
    shorten,
)
from bot.render.palette import Colours
from engine import DECK, UNKNOWN, Pile, parse_card, parse_cards

IDS = {key: str(10**18 + place) for place, key in enumerate(emoji_names())}


@pytest.fixture
def emoji() -> EmojiText:
    """Cards as emoji, none missing."""
    return EmojiText(IDS)


def markup(key: str) -> str:
    """Returns what Discord turns into the emoji with this key."""
    return f"<:{emoji_names()[key]}:{IDS[key]}>"


def test_cards_in_code_blocks_are_ascii_of_one_width() -> None:
    texts = [card_code(card) for card in (*DECK, UNKNOWN)]
    assert len(set(texts)) == 53
    assert all(text.isascii() and len(text) == CARD_WIDTH for text in texts)
    assert card_code(parse_card("TH")) == "10h"
    assert card_code(parse_card("7S")) == " 7s"


def test_labels_ask_for_text_instead_of_emoji() -> None:
    assert card_label(parse_card("TH")) == "10♥\ufe0e"
    assert card_label(UNKNOWN) == "?"
    assert len({card_label(card) for card in DECK}) == 52


def test_piles_in_code_blocks() -> None:
    assert pile_code(Pile(parse_cards("QS KD 9H"), frozenset({1}))) == " Qs  []  9h"
    assert pile_code(Pile()) == " --"
    assert pile_code(Pile(parse_cards("KS QS JS TS 9S")), most=4) == " Ks  .. 10s  9s"


def test_cards_as_emoji(emoji: EmojiText) -> None:
    card = parse_card("TH")
    assert emoji.card(card) == markup("c2_TH")
    assert EmojiText(IDS, Colours.FOUR).card(card) == markup("c4_TH")
    assert emoji.card(UNKNOWN) == markup(BACK_KEY)
    assert emoji.empty() == markup(empty_key())
    assert emoji.empty(2) == markup("card_empty_H")
    assert emoji.mark(SELECTED_KEY, ">") == markup(SELECTED_KEY)


def test_piles_as_emoji(emoji: EmojiText) -> None:
    pile = Pile(parse_cards("QS KD 9H 2C"), frozenset({1}))
    queen, deuce = (markup(face_key(parse_card(name), Colours.TWO)) for name in ("QS", "2C"))
    assert emoji.pile(pile).startswith(queen + markup(BACK_KEY))
    assert emoji.pile(pile, most=3) == queen + markup(MORE_KEY) + deuce
    assert emoji.pile(Pile(), suit=0) == markup("card_empty_C")


def test_a_hidden_card_never_appears(emoji: EmojiText) -> None:
    pile = Pile.hidden(parse_cards("AS 2S"))
    for text in (emoji.pile(pile), pile_code(pile), EmojiText({}).pile(pile)):
        assert "S" not in text
        assert "s" not in text.replace("card_", "")


def test_what_is_missing_becomes_text() -> None:
    text = EmojiText({})
    assert text.card(parse_card("TH")) == "10♥\ufe0e"
    assert text.back() == "[]"
    assert text.empty(3) == "--♠\ufe0e"
    assert text.mark(SELECTED_KEY, ">") == ">"
    assert has_all_emoji(IDS)
    assert not has_all_emoji({key: IDS[key] for key in list(IDS)[1:]})


def test_a_whole_deck_of_emoji_fits_in_a_message(emoji: EmojiText) -> None:
    assert len(emoji.pile(Pile(DECK))) <= 52 * 36


def test_runs_are_shortened_in_the_middle() -> None:
    run = list("KQJT98")
    assert shorten(run, None, "…") == run
    assert shorten(run, 6, "…") == run
    assert shorten(run, 5, "…") == ["K", "…", "T", "9", "8"]
    assert shorten(run, 2, "…") == run
