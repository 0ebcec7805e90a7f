"""The picture board: a PNG of the table."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from bot.render import faces
from bot.render.layout import HEAPS, WIDTH, Heaps, Layout, Place, lay_out, mark_places, suit_of_pile
from bot.render.palette import FELT, Colours, index_of, table_palette
from engine.state import State

COMPRESSION = 4
"""zlib's level: higher ones take longer than all the drawing and save a tenth."""


def draw_table(
    state: State,
    *,
    colours: Colours = Colours.TWO,
    selected: str | None = None,
    targets: Sequence[str] = (),
    heaps: Heaps = HEAPS,
) -> bytes:
    """Returns a picture of *state* as a PNG, WIDTH px wide.

    *selected* names the pile whose exposed card is chosen, *targets* the piles to which it may go. Cards that
    lie face down are drawn as backs, whether or not *state* knows them. *heaps* are called so.
    """
    return encode(table_image(state, colours=colours, selected=selected, targets=targets, heaps=heaps))


def table_image(
    state: State,
    *,
    colours: Colours = Colours.TWO,
    selected: str | None = None,
    targets: Sequence[str] = (),
    heaps: Heaps = HEAPS,
) -> Image.Image:
    """Returns the picture of `draw_table` as an image (mode "P")."""
    layout = lay_out(state, heaps)
    image = Image.new("P", (WIDTH, layout.height), index_of(FELT))
    image.putpalette(table_palette())
    for text in layout.captions:
        image.paste(faces.caption_image(text.text), (text.x, text.y))
    for place in layout.places:
        _draw_place(image, state, place, colours)
    _draw_marks(image, layout, targets, target=True)
    if selected is not None:
        _draw_marks(image, layout, (selected,), target=False)
    return image


def encode(image: Image.Image) -> bytes:
    """Returns *image* as a PNG."""
    stream = BytesIO()
    image.save(stream, "PNG", compress_level=COMPRESSION)
    return stream.getvalue()


def _draw_place(image: Image.Image, state: State, place: Place, colours: Colours) -> None:
    """Draws one card, or the place of an empty pile."""
    corner = (place.x, place.y)
    if place.index is None:
        image.paste(faces.empty_place(place.size, suit_of_pile(place.pile)), corner)
        return
    pile = state[place.pile]
    card = pile.cards[place.index]
    if place.index in pile.face_down or not card.rank:
        picture = faces.back(place.size)
    else:
        picture = faces.face(card, place.size, place.show, colours)
    image.paste(picture, corner, faces.card_mask(place.size))
    if len(pile) == len(pile.face_down) and place.index == len(pile) - 1:
        plate = faces.count_plate(len(pile))
        middle_x, middle_y = place.x + place.size.width // 2, place.y + place.size.height // 2
        image.paste(plate, (middle_x - plate.width // 2, middle_y - plate.height // 2))


def _draw_marks(image: Image.Image, layout: Layout, piles: Sequence[str], *, target: bool) -> None:
    """Draws frames around the exposed cards of *piles*."""
    for place in mark_places(layout, piles):
        picture, mask = faces.mark(place.size, target=target)
        image.paste(picture, (place.x - faces.MARK_MARGIN, place.y - faces.MARK_MARGIN), mask)
