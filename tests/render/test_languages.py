"""What is written in pictures, in each language: letters that can be drawn, and room for them."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from bot.render.axes import CHART_WIDTH, TITLE_HEIGHT
from bot.render.brush import can_spell, text_width
from bot.render.film import Scene, draw_film
from bot.render.layout import CAPTION_HEIGHT, CAPTION_WEIGHT, MARGIN, WIDTH, lay_out
from bot.render.speech import english, spelled
from bot.render.table import draw_table
from bot.render.words import heap_words
from bot.text import replay as replay_text
from bot.text import speaking, translate
from bot.text.catalogue import LANGUAGE_NAMES, language_of, translations
from engine import GAMES, Rules
from tests.views.boards import extremes, reached

EACH_LANGUAGE = pytest.mark.parametrize("locale", LANGUAGE_NAMES)
EACH_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
TITLES = ("CARDS LEFT", "RATING", "PLAYERS", "WON OF RACED")


def is_written(template: str) -> bool:
    """Tells whether a message of a catalogue is a word in pictures: capitals alone beside its fields."""
    bare = re.sub(r"\{\w+\}", "", template)
    return len(bare) > 1 and can_spell(bare) and any(map(str.isalpha, bare))


@pytest.mark.parametrize("locale", [each for each in LANGUAGE_NAMES if language_of(each) != "en"])
def test_all_words_can_be_written(locale: str) -> None:
    catalogue = translations(language_of(locale))._catalog  # type: ignore[attr-defined]
    words = {text: there for text, there in catalogue.items() if isinstance(text, str) and is_written(text)}
    assert len(words) >= 19
    assert {text: there for text, there in words.items() if not is_written(there)} == {}
    with speaking(locale):
        assert heap_words(translate) != heap_words(english)


def test_what_cannot_be_written_stays_english() -> None:
    assert spelled(lambda one, many="", count=1, /: "КАРТЫ {n}", "CARDS {n}", n=3) == "CARDS 3"
    assert spelled(lambda one, many="", count=1, /: "KARTEN {n}", "CARDS {n}", n=3) == "KARTEN 3"


@EACH_LANGUAGE
@EACH_GAME
def test_no_caption_of_a_table_is_upon_another_one(rules: Rules, locale: str) -> None:
    with speaking(locale):
        heaps = heap_words(translate)
    for state in (*extremes(rules), *list(reached(rules, 1))[::40]):
        spans = [
            (text.y, text.x, text.x + text_width(text.text, CAPTION_HEIGHT, CAPTION_WEIGHT))
            for text in lay_out(state, heaps).captions
        ]
        assert all(left >= 0 and right <= WIDTH for _, left, right in spans)
        for (y, left, right), (other, start, end) in combinations(spans, 2):
            assert abs(y - other) >= CAPTION_HEIGHT or right + 6 < start or end + 6 < left


@EACH_LANGUAGE
def test_titles_and_signs_of_films_have_room(locale: str) -> None:
    with speaking(locale):
        assert all(
            text_width(spelled(translate, each), TITLE_HEIGHT, 2.3) < CHART_WIDTH - 24 for each in TITLES
        )
        signs = (replay_text.FILM_MISTAKE, replay_text.FILM_UNDO, replay_text.FILM_HINT)
        texts = [spelled(translate, each) for each in (*signs, *replay_text.FILM_ENDS.values())]
        texts += [
            spelled(translate, each, n=9999) for each in (replay_text.FILM_MOVES, replay_text.FILM_LEFT)
        ]
    room = (
        WIDTH - 2 * MARGIN
    ) // 5  # of two films side by side each has a number, the time, two counts and a sign
    assert [text for text in texts if text_width(text, CAPTION_HEIGHT, CAPTION_WEIGHT) > room] == []


def test_pictures_follow_the_language() -> None:
    state = GAMES[0].deal(tuple(card for pile in extremes(GAMES[0])[0].piles for card in pile.cards))
    with speaking("de"):
        german = heap_words(translate)
    assert draw_table(state, heaps=german) != draw_table(state)
    scene = Scene((state,), (("",),))
    assert draw_film([scene], heaps=german) != draw_film([scene])
