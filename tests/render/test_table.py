"""The picture board: complete, small, the same whatever lies face down."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.render import faces
from bot.render.layout import COLUMN_STRIPS, FAN, LINE, OLDER, SIDE, WIDTH, CardSize, Layout, Show, lay_out
from bot.render.palette import Colours, table_palette
from bot.render.table import draw_table, table_image
from engine import DECK, Role, Rules, State, parse_state, role

MOST_BYTES = 60 * 1024
HIGHEST = 780
"""Pixels. A picture that is higher than wide is shrunk on a desktop."""


def extent(layout: Layout) -> tuple[int, int, int, int]:
    """Returns the edges of everything in a layout."""
    return (
        min(place.x for place in layout.places),
        min(place.y for place in layout.places),
        max(place.x + place.size.width for place in layout.places),
        max(place.y + place.size.height for place in layout.places),
    )


def check(state: State, **marks: Any) -> None:
    """Asserts that the picture of a position keeps all limits and shows all piles."""
    layout = lay_out(state)
    left, top, right, bottom = extent(layout)
    assert left >= 0
    assert top >= 0
    assert right <= WIDTH
    assert bottom <= layout.height <= HIGHEST
    assert {place.pile for place in layout.places} == set(state.names)
    for colours in Colours:
        png = draw_table(state, colours=colours, **marks)
        assert len(png) <= MOST_BYTES
        assert Image.open(BytesIO(png)).size == (WIDTH, layout.height)


def test_positions_of_every_game_fit(rules: Rules, positions: Callable[[Rules], list[Any]]) -> None:
    for position in positions(rules)[::7]:
        check(position.state, selected=position.selected, targets=position.targets)


def test_extremes_fit(extremes: dict[str, State]) -> None:
    for state in extremes.values():
        check(state, selected=state.names[-2], targets=state.names[:2])


def test_every_open_card_of_tableau_and_hand_is_laid_out(
    rules: Rules, positions: Callable[[Rules], list[Any]]
) -> None:
    for position in positions(rules):
        state: State = position.state
        places = {(place.pile, place.index) for place in lay_out(state).places}
        for name, pile in zip(state.names, state.piles, strict=True):
            if role(name) in (Role.TABLEAU, Role.HAND):
                assert {(name, index) for index in range(len(pile))} <= places
            elif pile.cards:
                assert (name, len(pile) - 1) in places


def test_the_strip_of_a_covered_card_is_not_covered(
    rules: Rules, positions: Callable[[Rules], list[Any]], extremes: dict[str, State]
) -> None:
    for state in [position.state for position in positions(rules)] + list(extremes.values()):
        places = lay_out(state).places
        for under, over in pairwise(places):
            if under.show is Show.LEFT and under.pile == over.pile and under.y == over.y:
                assert over.x - under.x >= under.size.strip
            if under.show is Show.TOP and under.pile == over.pile:
                assert over.y - under.y >= under.size.strip
            if under.show is Show.WHOLE:
                assert not overlap(under, over)


def overlap(one: Any, other: Any) -> bool:
    """Tells whether two places share pixels."""
    across = one.x < other.x + other.size.width and other.x < one.x + one.size.width
    down = one.y < other.y + other.size.height and other.y < one.y + one.size.height
    return bool(across and down)


def test_nothing_depends_on_cards_that_lie_face_down(
    rules: Rules, positions: Callable[[Rules], list[Any]], stirred: Callable[[State, int], State]
) -> None:
    for position in positions(rules)[::8]:
        state: State = position.state
        png = draw_table(state)
        assert draw_table(stirred(state, 1)) == png
        assert draw_table(state.observed()) == png


@pytest.mark.parametrize(
    ("size", "show"),
    [
        (FAN, Show.WHOLE),
        (SIDE, Show.WHOLE),
        (LINE, Show.WHOLE),
        (LINE, Show.LEFT),
        (OLDER, Show.LEFT),
        (CardSize(86, 112, 34), Show.WHOLE),
        (CardSize(86, 112, 43), Show.LEFT),
        *((CardSize(86, 112, strip), Show.TOP) for _, strip in COLUMN_STRIPS),
    ],
    ids=lambda value: (
        value.name if isinstance(value, Show) else f"{value.width}x{value.height}-{value.strip}"
    ),
)
def test_the_visible_part_of_a_face_tells_the_card_without_colour(size: CardSize, show: Show) -> None:
    box = {
        Show.WHOLE: (0, 0, size.width, size.height),
        Show.TOP: (0, 0, size.width, size.strip),
        Show.LEFT: (0, 0, size.strip, size.height),
    }[show]
    is_ink = [255 if min(colour) < 128 else 0 for colour in colours_of_table()]
    is_ink += [0] * (256 - len(is_ink))
    seen = [faces.face(card, size, show, Colours.TWO).crop(box).point(is_ink, mode="L") for card in DECK]
    for one, other in combinations(seen, 2):
        assert ImageChops.difference(one, other).histogram()[255] >= 40


def colours_of_table() -> list[tuple[int, int, int]]:
    """Returns the colours of the table's palette."""
    palette = table_palette()
    return [(palette[place], palette[place + 1], palette[place + 2]) for place in range(0, len(palette), 3)]


def test_the_palette_fits_in_a_byte() -> None:
    assert len(colours_of_table()) <= 256


def test_marks_are_seen_without_colour() -> None:
    state = parse_state("t1:AC2D t2:3H t3: t4: f1:KS f2:")
    plain = table_image(state).convert("L")
    chosen = table_image(state, selected="t1").convert("L")
    target = table_image(state, targets=("t1",)).convert("L")
    assert len({plain.tobytes(), chosen.tobytes(), target.tobytes()}) == 3
    (_, chosen_mask), (_, target_mask) = faces.mark(LINE, target=False), faces.mark(LINE, target=True)
    assert chosen_mask.histogram()[255] > 1.15 * target_mask.histogram()[255], (
        "one frame is whole, one dashed"
    )


def test_marks_of_piles_that_do_not_exist_are_left_out() -> None:
    state = parse_state("t1:AC t2: f1:")
    assert draw_table(state, selected="t9", targets=("f9",)) == draw_table(state)


def test_a_face_down_card_is_a_back() -> None:
    size = LINE
    state = parse_state("t1:qcks t2: t3: t4:")
    image = table_image(state)
    place = lay_out(state).places[0]
    strip = image.crop((place.x + 4, place.y + 20, place.x + size.strip - 4, place.y + 60))
    back = faces.back(size).crop((4, 20, size.strip - 4, 60))
    assert strip.tobytes() == back.tobytes()


@pytest.mark.parametrize("tableau", range(1, 10))
@pytest.mark.parametrize("foundations", [0, 4, 8])
def test_games_that_do_not_exist_yet_have_a_layout(tableau: int, foundations: int) -> None:
    piles = ["s:as2s", "w:3S4S5S", *(f"t{number}:" for number in range(1, tableau + 1))]
    piles += [f"f{number}:" for number in range(1, foundations + 1)]
    check(parse_state(" ".join(piles)))
