"""Moving pictures of a table, or of two side by side: each scene is drawn as a board is, with a line of captions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from io import BytesIO

from PIL import Image

from bot.render import faces
from bot.render.layout import CAPTION_HEIGHT, HEAPS, MARGIN, WIDTH, Heaps, lay_out
from bot.render.palette import FELT, FELT_LINE, FELT_PLACE, Colours, index_of, table_palette
from bot.render.table import encode, table_image
from engine.state import State

Draw = Callable[[State], Image.Image]

GAP = 16
"""Pixels between two tables."""
FOOT = CAPTION_HEIGHT + 2 * MARGIN
"""Pixels below a table, for its captions."""
BAR = 6
"""The height of the bar that shows how far the film is, in pixels."""
MOST_FRAMES = 240
LARGEST = 5 * 2**20
"""Bytes of a film at most."""
LAST_HOLD = 4_000
"""How long the last scene stays, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment: one table or two, what is written below each (digits, capitals and "+-.:"), ms for which it stays."""

    tables: tuple[State, ...]
    captions: tuple[tuple[str, ...], ...]
    hold: int = 500


def draw_scene(scene: Scene, *, colours: Colours = Colours.TWO, heaps: Heaps = HEAPS) -> bytes:
    """Returns a scene as a PNG, WIDTH px wide, or twice that and a gap if it has two tables."""
    return encode(_frame(scene, _height([scene]), None, partial(table_image, colours=colours, heaps=heaps)))


def draw_film(scenes: Sequence[Scene], *, colours: Colours = Colours.TWO, heaps: Heaps = HEAPS) -> bytes:
    """Returns *scenes*, one at least, as a GIF of at most LARGEST bytes.

    If there are too many of them, or they take too much, some are left out; never the first nor the last one.
    """
    kept = thinned(scenes, MOST_FRAMES)
    while len(film := _film(kept, colours, heaps)) > LARGEST and len(kept) > 2:
        kept = thinned(kept, len(kept) * 2 // 3)
    return film


def thinned(scenes: Sequence[Scene], most: int) -> list[Scene]:
    """Returns at most *most* of *scenes*, two at least, as evenly as can be; those kept stay as long as all did."""
    if len(scenes) <= max(most, 2):
        return list(scenes)
    count = max(most, 2)
    chosen = [place * (len(scenes) - 1) // (count - 1) for place in range(count)]
    ends = [*chosen[1:], len(scenes)]
    return [
        Scene(scenes[start].tables, scenes[start].captions, sum(scene.hold for scene in scenes[start:end]))
        for start, end in zip(chosen, ends, strict=True)
    ]


def _film(scenes: Sequence[Scene], colours: Colours, heaps: Heaps) -> bytes:
    height = _height(scenes)
    # of two tables one changes at a time
    draw = lru_cache(2)(partial(table_image, colours=colours, heaps=heaps))
    frames = (
        _frame(scene, height, number / max(1, len(scenes) - 1), draw) for number, scene in enumerate(scenes)
    )
    holds = [max(20, scene.hold // 10 * 10) for scene in scenes]
    holds[-1] = LAST_HOLD
    return _encode(frames, holds)


def _encode(frames: Iterator[Image.Image], holds: Sequence[int]) -> bytes:
    """Returns *frames* as a GIF that goes on for ever."""
    stream = BytesIO()
    next(frames).save(
        stream, "GIF", save_all=True, append_images=frames, duration=list(holds), loop=0, optimize=False
    )
    return stream.getvalue()


def _height(scenes: Sequence[Scene]) -> int:
    """Returns the height of the highest of the tables, so that all frames are of one size."""
    return max(lay_out(state).height for scene in scenes for state in scene.tables)


def _frame(scene: Scene, height: int, done: float | None, draw: Draw) -> Image.Image:
    """Returns one picture; *done* is how far the film is, from 0 to 1."""
    width = len(scene.tables) * (WIDTH + GAP) - GAP
    image = Image.new("P", (width, height + FOOT), index_of(FELT))
    image.putpalette(table_palette())
    for number, (state, captions) in enumerate(zip(scene.tables, scene.captions, strict=True)):
        left = number * (WIDTH + GAP)
        image.paste(draw(state), (left, 0))
        if number:
            image.paste(index_of(FELT_PLACE), (left - GAP, 0, left, height + FOOT))
        _write(image, captions, left, height + MARGIN)
    if done is not None:
        image.paste(index_of(FELT_LINE), (0, height + FOOT - BAR, round(width * done), height + FOOT))
    return image


def _write(image: Image.Image, captions: Sequence[str], left: int, top: int) -> None:
    """Writes *captions* from left to right, in columns of one width."""
    room = (WIDTH - 2 * MARGIN) // max(1, len(captions))
    for number, text in enumerate(captions):
        image.paste(faces.caption_image(text), (left + MARGIN + number * room, top))
