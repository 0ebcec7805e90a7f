"""The parts of a picture of the table, drawn once each and kept: faces, backs, places, captions and marks.

They are images in the table's palette (see palette.py), so that a board is put together by copying bytes.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.render.art import back_shapes, rank_shapes, suit_shapes
from bot.render.brush import (
    Box,
    Drawing,
    Layer,
    Rounded,
    Shape,
    Stroke,
    coverage,
    grown,
    paint_on,
    text_width,
    write,
)
from bot.render.layout import CAPTION_HEIGHT, CAPTION_WEIGHT, CardSize, Show
from bot.render.outlines import TRIANGLE_PATH
from bot.render.palette import (
    BACK,
    BACK_PATTERN,
    EDGE,
    FELT,
    FELT_LINE,
    FELT_PLACE,
    FELT_TEXT,
    PAPER,
    SELECTED,
    SELECTED_LINE,
    TARGET,
    TARGET_LINE,
    Colours,
    to_palette,
)
from engine.cards import Card

FACES_KEPT = 1024
"""Enough for two sets of 52 in the sizes of all layouts; about 8 KB each."""

MARK_MARGIN = 10
"""Pixels by which a mark is wider than its card on each side: its sign sits on the card's corner."""

BADGE = 30
PLATE_HEIGHT = 24


@lru_cache(FACES_KEPT)
def face(card: Card, size: CardSize, show: Show, colours: Colours) -> Image.Image:
    """Returns the face of *card*; *show* says which part of it will stay visible and has to tell the card."""
    if show is Show.TOP:
        shapes = _index_in_row(card, size)
    elif show is Show.LEFT:
        shapes = _index_in_column(card, size)
    else:
        shapes = _whole(card, size)
    return _card(size, (Layer(colours.ink(card.suit), shapes),))


@lru_cache(64)
def back(size: CardSize) -> Image.Image:
    """Returns a card that lies face down."""
    box = (0, 0, size.width, size.height)
    radius = _radius(size)
    blue = Layer(BACK, (Rounded(grown(box, -4), radius - 3),))
    return _card(size, (blue, Layer(BACK_PATTERN, back_shapes(grown(box, -9), 4))))


@lru_cache(64)
def card_mask(size: CardSize) -> Image.Image:
    """Returns the outline of a card (mode "1")."""
    box = (0, 0, size.width, size.height)
    return _hard(coverage(size.width, size.height, (Rounded(box, _radius(size)),)))


@lru_cache(64)
def empty_place(size: CardSize, suit: int | None) -> Image.Image:
    """Returns the place of an empty pile, with the shape of *suit* if it waits for one."""
    box = (0, 0, size.width, size.height)
    radius = _radius(size)
    middle, half = size.height / 2, size.width * 0.28
    ghost = () if suit is None else suit_shapes(suit, _square(size.width / 2, middle, half))
    drawing = (
        Layer(FELT_LINE, (Rounded(box, radius),)),
        Layer(FELT_PLACE, (Rounded(grown(box, -2), radius - 2),)),
        Layer(FELT_LINE, ghost),
    )
    return to_palette(paint_on(size.width, size.height, drawing, FELT))


@lru_cache(512)
def caption_image(text: str) -> Image.Image:
    """Returns *text* on felt."""
    width = max(1, round(text_width(text, CAPTION_HEIGHT, CAPTION_WEIGHT)) + 1)
    letters = write(text, (0, 0), CAPTION_HEIGHT, CAPTION_WEIGHT)
    return to_palette(paint_on(width, CAPTION_HEIGHT + 1, (Layer(FELT_TEXT, letters),), FELT))


@lru_cache(64)
def count_plate(count: int) -> Image.Image:
    """Returns *count* in light digits on a dark plate, as it lies on the back of a stock."""
    text, weight = str(count), 4.0
    width = round(text_width(text, PLATE_HEIGHT, weight)) + 16
    height = PLATE_HEIGHT + 14
    digits = Layer(PAPER, write(text, (8, 7), PLATE_HEIGHT, weight))
    return to_palette(paint_on(width, height, (digits,), BACK))


@lru_cache(64)
def mark(size: CardSize, *, target: bool) -> tuple[Image.Image, Image.Image]:
    """Returns the frame around a chosen card or a target, and its mask; MARK_MARGIN px wider than the card.

    The two differ in shape: the frame of a chosen card is whole and points with a triangle, that of a target
    is dashed and has a ring.
    """
    width, height = size.width + 2 * MARK_MARGIN, size.height + 2 * MARK_MARGIN
    outer = grown((0, 0, width, height), -6)
    radius = _radius(size) + MARK_MARGIN - 6
    frame: list[Shape] = [Rounded(outer, radius), Rounded(grown(outer, -7), radius - 7, ink=0)]
    colour, line = (TARGET, TARGET_LINE) if target else (SELECTED, SELECTED_LINE)
    if target:
        frame += _gaps(width, height)
    centre_x, centre_y = width - BADGE / 2, BADGE / 2
    disc = Rounded(_square(centre_x, centre_y, BADGE / 2), BADGE / 2)
    if target:
        ring, hole, dot = 9.5, 5.5, 3
        sign: tuple[Shape, ...] = tuple(
            Rounded(_square(centre_x, centre_y, radius), radius, ink)
            for radius, ink in ((ring, 255), (hole, 0), (dot, 255))
        )
    else:
        sign = (Stroke(TRIANGLE_PATH, _square(centre_x + 1, centre_y, 8.5), 4),)
    drawing = (Layer(colour, (*frame, disc)), Layer(line, sign))
    mask = _hard(coverage(width, height, (*frame, disc)))
    return to_palette(paint_on(width, height, drawing, colour)), mask


def _card(size: CardSize, drawing: Drawing) -> Image.Image:
    """Returns a white card with *drawing* on it.

    Outside its corners it has the border's colour, so that the hard mask leaves no other pixels there.
    """
    box = (0, 0, size.width, size.height)
    paper = Layer(PAPER, (Rounded(grown(box, -1.5), _radius(size) - 1.5),))
    return to_palette(paint_on(size.width, size.height, (paper, *drawing), EDGE))


def _radius(size: CardSize) -> float:
    """Returns the radius of a card's corners."""
    return max(5.0, size.width * 0.09)


def _index_in_row(card: Card, size: CardSize) -> tuple[Shape, ...]:
    """Returns rank and suit side by side in the upper strip."""
    height = size.strip - 9
    width = 0.98 * height if card.rank == 10 else 0.72 * height
    rank = rank_shapes(card.rank, (8, 6, 8 + width, 6 + height), 0.18 * height)
    right = size.width - 8
    return (*rank, *suit_shapes(card.suit, (right - height, 6, right, 6 + height)))


def _index_in_column(card: Card, size: CardSize) -> tuple[Shape, ...]:
    """Returns the rank above the suit in the left strip."""
    left, right = 5.0, size.strip - 3.0
    width = right - left
    height = min(1.15 * width, (size.height - 16) / 2)
    used = width if card.rank == 10 else 0.74 * width
    middle, top = (left + right) / 2, 7.0
    rank = rank_shapes(card.rank, (middle - used / 2, top, middle + used / 2, top + height), 0.17 * height)
    side = min(0.84 * width, size.height - top - height - 12)
    foot = top + height + 5 + side
    return (*rank, *suit_shapes(card.suit, (middle - side / 2, foot - side, middle + side / 2, foot)))


def _whole(card: Card, size: CardSize) -> tuple[Shape, ...]:
    """Returns a tall rank and a large suit at its foot, as on the emoji."""
    width, height = size.width, size.height
    edge, side = 0.085 * width, 0.49 * width
    tall, foot = min(0.74 * height, 0.84 * width), height - 0.07 * width
    rank_width, rank_height = 0.43 * width, tall
    if card.rank == 10:
        # too wide to stand beside the suit: it stands above
        rank_width, rank_height = 0.64 * width, min(0.84 * tall, foot - side - edge + 0.1 * width)
    rank = rank_shapes(card.rank, (edge, edge, edge + rank_width, edge + rank_height), 0.14 * width)
    right = 0.93 * width
    return (*rank, *suit_shapes(card.suit, (right - side, foot - side, right, foot), halo=0.03 * width))


def _gaps(width: int, height: int) -> list[Shape]:
    """Returns what is cut out of a frame to make it dashed; corners stay."""
    cuts: list[Shape] = []
    for share in (0.3, 0.5, 0.7):
        x, y = share * width, share * height
        cuts.append(Rounded((x - 5, 0, x + 5, height), 0, ink=0))
        cuts.append(Rounded((0, y - 5, width, y + 5), 0, ink=0))
    return cuts


def _square(x: float, y: float, half: float) -> Box:
    """Returns the square around a centre."""
    return (x - half, y - half, x + half, y + half)


def _hard(mask: Image.Image) -> Image.Image:
    """Returns *mask* without its half covered pixels (mode "1"), as images with a palette need it."""
    return mask.point(lambda value: 255 if value >= 128 else 0, mode="1")
