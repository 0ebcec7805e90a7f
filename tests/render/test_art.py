"""The emoji: what Discord accepts, and whether every card is told apart at the size that it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render import art
from bot.render.art import EmojiArt, draw_emoji, emoji_names, face_key, key_of_name
from bot.render.brush import Layer, can_spell, coverage, text_width, write
from bot.render.outlines import LETTER_PATHS, flatten
from bot.render.palette import Colours
from engine import DECK

DARK = (49, 51, 56)
LIGHT = (255, 255, 255)
IN_LINE = 19
LEAST_DIFFERENCE = 10.0
"""Pixels of the 361 of an emoji in a line that must differ as black does from white."""


@pytest.fixture(scope="module")
def emoji() -> dict[str, EmojiArt]:
    """All emoji by their keys."""
    return {key: draw_emoji(key) for key in emoji_names()}


def shown(one: EmojiArt, size: int, ground: tuple[int, int, int]) -> Image.Image:
    """Returns an emoji as a client shows it, in the tones that are left to somebody who sees no colours."""
    image = Image.open(BytesIO(one.png)).convert("RGBA")
    page = Image.new("RGBA", image.size, (*ground, 255))
    page.alpha_composite(image)
    red, green, blue = page.convert("RGB").split()
    return ImageChops.darker(ImageChops.darker(red, green), blue).resize(
        (size, size), Image.Resampling.LANCZOS
    )


def difference(one: Image.Image, other: Image.Image) -> float:
    """Returns how many pixels differ, half tones counted in part."""
    return float(ImageStat.Stat(ImageChops.difference(one, other)).sum[0]) / 255


def test_there_is_an_emoji_for_every_card_in_both_sets(emoji: dict[str, EmojiArt]) -> None:
    assert {face_key(card, colours) for card in DECK for colours in Colours} <= emoji.keys()
    assert len(emoji) == 2 * 52 + 9


def test_emoji_are_what_discord_accepts(emoji: dict[str, EmojiArt]) -> None:
    for one in emoji.values():
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", one.name)
        assert len(one.png) <= 6 * 1024
        assert Image.open(BytesIO(one.png)).size == (128, 128)
    assert len({one.name for one in emoji.values()}) == len(emoji)


def test_names_lead_back_to_keys(emoji: dict[str, EmojiArt]) -> None:
    for one in emoji.values():
        assert key_of_name(one.name) == one.key
        assert emoji_names()[one.key] == one.name
    assert key_of_name("c2_TH_0000") == "c2_TH"
    assert key_of_name("smile") is None
    assert key_of_name("party_parrot") is None


def test_another_drawing_gets_another_name() -> None:
    drawing = art.drawings()["c2_TH"]
    layer = drawing[-1]
    changed = (*drawing[:-1], replace(layer, colour=(0, 0, 1)))
    assert art._name("c2_TH", drawing) == emoji_names()["c2_TH"]
    assert art._name("c2_TH", changed) != art._name("c2_TH", drawing)
    assert art._name("c2_TH", (Layer((0, 0, 0), ()),)) != art._name("c2_TH", drawing)


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("colours", Colours)
def test_every_two_cards_differ_in_a_line_without_colour(
    emoji: dict[str, EmojiArt], colours: Colours, ground: tuple[int, int, int]
) -> None:
    faces = {card: shown(emoji[face_key(card, colours)], IN_LINE, ground) for card in DECK}
    for one, other in combinations(DECK, 2):
        assert difference(faces[one], faces[other]) >= LEAST_DIFFERENCE, f"{one} and {other} look alike"


@pytest.mark.parametrize("ground", [DARK, LIGHT], ids=["dark", "light"])
def test_everything_else_differs_too_and_is_seen_on_both_themes(
    emoji: dict[str, EmojiArt], ground: tuple[int, int, int]
) -> None:
    others = {key: shown(one, IN_LINE, ground) for key, one in emoji.items() if not key.startswith("c")}
    others |= {key: shown(one, IN_LINE, ground) for key, one in emoji.items() if key.startswith("card_")}
    page = Image.new("L", (IN_LINE, IN_LINE), min(ground))
    for key, image in others.items():
        assert difference(image, page) >= LEAST_DIFFERENCE, f"{key} is hardly seen"
    for (one, picture), (other, another) in combinations(others.items(), 2):
        assert difference(picture, another) >= LEAST_DIFFERENCE / 2, f"{one} and {other} look alike"


def test_letters_fill_their_height() -> None:
    for letter in LETTER_PATHS:
        if letter in ":.-+":
            continue
        width = round(text_width(letter, 40, 6)) + 1
        box = coverage(width, 40, write(letter, (0, 0), 40, 6)).getbbox()
        assert box is not None
        assert box[3] - box[1] >= 38, letter


def test_what_can_be_spelled() -> None:
    assert can_spell("STOCK 24")
    assert not can_spell("Straße")


def test_an_unknown_command_in_a_path_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown command 'X'"):
        flatten("M 0 0 X 1 1")
