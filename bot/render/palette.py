"""The product's colours, and the fixed palette in which pictures of the table are drawn.

The table is drawn in palette colours from the start: cached faces are copied as bytes and nothing needs to be
quantised per board, which would cost more time than the whole drawing. So the palette holds, besides the pure
colours, the blends that smooth edges need.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from PIL import Image

from bot.render.brush import Colour

PAPER: Colour = (255, 255, 255)
EDGE: Colour = (112, 118, 130)
BLACK: Colour = (20, 20, 26)
RED: Colour = (206, 17, 38)
GREEN: Colour = (0, 120, 48)
BLUE: Colour = (20, 84, 214)

BACK: Colour = (38, 70, 128)
BACK_PATTERN: Colour = (122, 156, 216)

FELT: Colour = (30, 66, 55)
FELT_PLACE: Colour = (24, 52, 44)
FELT_LINE: Colour = (112, 150, 136)
FELT_TEXT: Colour = (222, 236, 229)

SELECTED: Colour = (255, 196, 46)
SELECTED_LINE: Colour = (96, 62, 0)
TARGET: Colour = (122, 226, 255)
TARGET_LINE: Colour = (0, 62, 96)

GREY: Colour = (128, 132, 142)
"""Told from both of Discord's backgrounds, the dark and the light one."""

BLEND_STEPS = 7


class Colours(Enum):
    """The two sets of cards; the value begins the names of a set's emoji."""

    TWO = "c2"
    FOUR = "c4"

    def ink(self, suit: int) -> Colour:
        """Returns the colour of *suit*, 0 to 3 for clubs, diamonds, hearts and spades."""
        inks = (BLACK, RED, RED, BLACK) if self is Colours.TWO else (GREEN, BLUE, RED, BLACK)
        return inks[suit]


def blend(under: Colour, over: Colour, share: float) -> Colour:
    """Returns *over* laid on *under* with a coverage of *share*, 0 to 1."""
    red, green, blue = (round(low + (high - low) * share) for low, high in zip(under, over, strict=True))
    return (red, green, blue)


def _table_colours() -> list[Colour]:
    """Returns the colours of the table without repetition."""
    ramps = [
        *((PAPER, ink) for ink in (BLACK, RED, GREEN, BLUE, EDGE)),
        (BACK, BACK_PATTERN),
        (PAPER, BACK),
        (FELT, FELT_TEXT),
        (FELT, FELT_LINE),
        (FELT, FELT_PLACE),
        (FELT_PLACE, FELT_LINE),
        (SELECTED, SELECTED_LINE),
        (TARGET, TARGET_LINE),
        (FELT, SELECTED),
        (FELT, TARGET),
    ]
    steps = (step / BLEND_STEPS for step in range(BLEND_STEPS + 1))
    shares = tuple(steps)
    return list(dict.fromkeys(blend(under, over, share) for under, over in ramps for share in shares))


@cache
def table_palette() -> bytes:
    """Returns the palette of the table, three bytes a colour."""
    return bytes(part for colour in _table_colours() for part in colour)


@cache
def _palette_image() -> Image.Image:
    """Returns an image that carries the palette of the table, as `quantize` wants it."""
    image = Image.new("P", (1, 1))
    image.putpalette(table_palette())
    return image


def to_palette(image: Image.Image) -> Image.Image:
    """Returns *image* (mode "RGB") in the table's palette, each pixel as the nearest colour."""
    return image.quantize(palette=_palette_image(), dither=Image.Dither.NONE)


@cache
def index_of(colour: Colour) -> int:
    """Returns the place of *colour* in the table's palette.

    :raises: ValueError if the palette has no such colour.
    """
    return _table_colours().index(colour)
