"""The cards as Discord sees them in text: a set of application emoji, drawn by this module alone.

An emoji is a square that Discord shows at 19 px in a line, 22 and 33 px in headings and 48 px alone. So a
face is no miniature of a card: rank and suit fill a white square, in strokes of a sixth of their height.

The name of an emoji holds its key and a hash of its *drawing* (the values from which it is made, not the
encoded bytes, which change with Pillow and zlib): an app knows its emoji by it, and which of them to replace.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO

from bot.render.brush import Box, Drawing, Fill, Layer, Rounded, Shape, Stroke, grown, paint
from bot.render.outlines import LATTICE_PATH, LETTER_PATHS, SUIT_PATHS, TRIANGLE_PATH
from bot.render.palette import (
    BACK,
    BACK_PATTERN,
    EDGE,
    GREY,
    PAPER,
    SELECTED,
    SELECTED_LINE,
    TARGET,
    TARGET_LINE,
    Colours,
)
from engine.cards import DECK, SUITS, Card

EMOJI_SIZE = 128

DRAWING_VERSION = 1
"""To be raised when brush.py or outlines.flatten turn the same drawing into other pixels."""

RANK_LABELS = ("?", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

BACK_KEY = "card_back"
EMPTY_KEY = "card_empty"
MORE_KEY = "card_more"
SELECTED_KEY = "mark_selected"
TARGET_KEY = "mark_target"

HASH_LENGTH = 4


@dataclass(frozen=True, slots=True)
class EmojiArt:
    """One application emoji: its name on Discord, its key in this program, its picture."""

    name: str
    key: str
    png: bytes


def face_key(card: Card, colours: Colours) -> str:
    """Returns the key of a face, such as "c2_TH"."""
    return f"{colours.value}_{card}"


def empty_key(suit: int | None = None) -> str:
    """Returns the key of an empty place, of a place that waits for *suit* if one is given."""
    return EMPTY_KEY if suit is None else f"{EMPTY_KEY}_{SUITS[suit]}"


def key_of_name(name: str) -> str | None:
    """Returns the key in an emoji's *name*, whatever its hash, or None if it is none of ours."""
    key, _, _ = name.rpartition("_")
    return key if key in drawings() else None


@cache
def draw_emoji(key: str) -> EmojiArt:
    """Returns the emoji with this *key*, always under the same name. It takes some ms."""
    drawing = drawings()[key]
    return EmojiArt(_name(key, drawing), key, _encode(drawing))


@cache
def emoji_names() -> dict[str, str]:
    """Returns the name of every key's emoji, without drawing any."""
    return {key: _name(key, drawing) for key, drawing in drawings().items()}


@cache
def drawings() -> dict[str, Drawing]:
    """Returns the drawing of every emoji by its key."""
    faces = {face_key(card, colours): face_drawing(card, colours) for colours in Colours for card in DECK}
    empties = {empty_key(suit): _empty_drawing(suit) for suit in range(len(SUITS))}
    return {
        **faces,
        BACK_KEY: _back_drawing(),
        EMPTY_KEY: _empty_drawing(None),
        **empties,
        MORE_KEY: _more_drawing(),
        SELECTED_KEY: _selected_drawing(),
        TARGET_KEY: _target_drawing(),
    }


def face_drawing(card: Card, colours: Colours) -> Drawing:
    """Returns the face of *card* as an emoji: a tall rank, and the suit at its foot in a white outline."""
    if card.rank == 10:
        rank, suit_box = rank_shapes(10, (6, 9, 90, 92), 19), (62.0, 66.0, 124.0, 123.0)
    else:
        rank, suit_box = rank_shapes(card.rank, (7, 8, 68, 117), 20), (62.0, 59.0, 125.0, 123.0)
    return (*_paper(), Layer(colours.ink(card.suit), (*rank, *suit_shapes(card.suit, suit_box, halo=5))))


def rank_shapes(rank: int, box: Box, weight: float) -> tuple[Shape, ...]:
    """Returns the label of *rank* stretched to *box*; the two digits of a ten are narrower and thinner."""
    label = RANK_LABELS[rank]
    if len(label) == 1:
        return (Stroke(LETTER_PATHS[label], box, weight),)
    left, top, right, bottom = box
    width = right - left
    return (
        Stroke(LETTER_PATHS["1"], (left, top, left + 0.35 * width, bottom), weight * 0.86),
        Stroke(LETTER_PATHS["0"], (left + 0.44 * width, top, right, bottom), weight * 0.86),
    )


def suit_shapes(suit: int, box: Box, *, halo: float = 0) -> tuple[Shape, ...]:
    """Returns *suit* in *box*, with a line of *halo* px erased around it."""
    path = SUIT_PATHS[suit]
    if not halo:
        return (Fill(path, box),)
    return (Stroke(path, grown(box, halo), 2 * halo, ink=0), Fill(path, box))


def _paper() -> Drawing:
    """Returns an empty white card with a thin border."""
    return (Layer(EDGE, (Rounded((0, 0, 128, 128), 22),)), Layer(PAPER, (Rounded((3, 3, 125, 125), 19),)))


def back_shapes(box: Box, weight: float) -> tuple[Shape, ...]:
    """Returns the pattern of a card's back in *box*: a lattice in a frame."""
    radius = 2 * weight
    inner = grown(box, -weight)
    hollow = (Rounded(box, radius), Rounded(inner, radius / 2, ink=0))
    return (*hollow, Stroke(LATTICE_PATH, inner, weight))


def _back_drawing() -> Drawing:
    """Returns a face-down card."""
    return (
        *_paper(),
        Layer(BACK, (Rounded((8, 8, 120, 120), 15),)),
        Layer(BACK_PATTERN, back_shapes((17, 17, 111, 111), 9)),
    )


def _frame() -> tuple[Shape, ...]:
    """Returns the dashed outline of a place for cards."""
    shapes: list[Shape] = [Rounded((6, 6, 122, 122), 22), Rounded((16, 16, 112, 112), 13, ink=0)]
    for low, high in ((36, 52), (76, 92)):
        shapes.append(Rounded((low, 0, high, 128), 0, ink=0))
        shapes.append(Rounded((0, low, 128, high), 0, ink=0))
    return tuple(shapes)


def _empty_drawing(suit: int | None) -> Drawing:
    """Returns an empty place, with the grey shape of *suit* if it waits for one."""
    ghost = () if suit is None else suit_shapes(suit, (27, 27, 101, 101))
    return (Layer(GREY, (*_frame(), *ghost)),)


def _more_drawing() -> Drawing:
    """Returns the sign for cards left out of a long run: three dots on a card."""
    dots = tuple(Rounded((x - 10, 54, x + 10, 74), 10) for x in (32, 64, 96))
    return (*_paper(), Layer(EDGE, dots))


def _selected_drawing() -> Drawing:
    """Returns the pointer at the chosen card: a triangle to the right."""
    outline = (Stroke(TRIANGLE_PATH, (14, 6, 120, 122), 18), Fill(TRIANGLE_PATH, (23, 15, 111, 113)))
    return (Layer(SELECTED_LINE, outline), Layer(SELECTED, (Fill(TRIANGLE_PATH, (25, 24, 101, 104)),)))


def _target_drawing() -> Drawing:
    """Returns the mark of a place that the chosen card may go to: a ring around a dot."""

    def disc(radius: float, ink: int = 255) -> Rounded:
        return Rounded((64 - radius, 64 - radius, 64 + radius, 64 + radius), radius, ink)

    return (
        Layer(TARGET_LINE, (disc(58), disc(28, 0), disc(22))),
        Layer(TARGET, (disc(52), disc(34, 0), disc(16))),
    )


def _name(key: str, drawing: Drawing) -> str:
    """Returns the name of an emoji on Discord: its key and a hash of its drawing."""
    digest = sha256(f"{DRAWING_VERSION} {EMOJI_SIZE} {drawing!r}".encode()).hexdigest()
    return f"{key}_{digest[:HASH_LENGTH]}"


def _encode(drawing: Drawing) -> bytes:
    """Returns *drawing* as a PNG of 128 x 128 with transparency."""
    image = paint(EMOJI_SIZE, EMOJI_SIZE, drawing)
    stream = BytesIO()
    image.save(stream, "PNG", compress_level=9)
    return stream.getvalue()
