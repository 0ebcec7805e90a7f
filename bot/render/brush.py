"""Drawings as values, and their way to pixels: large masks of coverage, scaled down for smooth edges.

A drawing is a tuple of layers, each one colour and the shapes that carry it. Being plain values, drawings can
be cached and hashed: an emoji is known by the hash of its drawing, whatever Pillow's encoder makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image, ImageDraw

from bot.render.outlines import DEFAULT_WIDTH, LETTER_PATHS, LETTER_WIDTHS, flatten

SUPERSAMPLE = 4

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""

Colour: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Fill:
    """The inside of *path*, stretched to *box*; *ink* 0 erases what the layer had there."""

    path: str
    box: Box
    ink: int = 255


@dataclass(frozen=True, slots=True)
class Stroke:
    """The skeleton *path* with strokes *weight* px wide, whose outer edges touch *box*."""

    path: str
    box: Box
    weight: float
    ink: int = 255


@dataclass(frozen=True, slots=True)
class Rounded:
    """A rectangle with round corners."""

    box: Box
    radius: float
    ink: int = 255


Shape: TypeAlias = Fill | Stroke | Rounded


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes of one colour."""

    colour: Colour
    shapes: tuple[Shape, ...]


Drawing: TypeAlias = tuple[Layer, ...]


def coverage(width: int, height: int, shapes: Sequence[Shape]) -> Image.Image:
    """Returns a mask (mode "L") of how far *shapes* cover each pixel."""
    large = Image.new("L", (width * SUPERSAMPLE, height * SUPERSAMPLE), 0)
    draw = ImageDraw.Draw(large)
    for shape in shapes:
        if isinstance(shape, Fill):
            for line in flatten(shape.path):
                draw.polygon(_scaled(line.points, shape.box), fill=shape.ink)
        elif isinstance(shape, Stroke):
            _stroke(draw, shape)
        else:
            left, top, right, bottom = (edge * SUPERSAMPLE for edge in shape.box)
            # Pillow's rectangles include their last pixel
            draw.rounded_rectangle((left, top, right - 1, bottom - 1), shape.radius * SUPERSAMPLE, shape.ink)
    return large.reduce(SUPERSAMPLE)


def paint(width: int, height: int, drawing: Drawing) -> Image.Image:
    """Returns *drawing* on transparent ground (mode "RGBA")."""
    image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    for layer in drawing:
        sheet = Image.new("RGBA", (width, height), (*layer.colour, 255))
        sheet.putalpha(coverage(width, height, layer.shapes))
        image.alpha_composite(sheet)
    return image


def paint_on(width: int, height: int, drawing: Drawing, ground: Colour) -> Image.Image:
    """Returns *drawing* on *ground* (mode "RGB")."""
    image = Image.new("RGB", (width, height), ground)
    for layer in drawing:
        image.paste(layer.colour, (0, 0, width, height), coverage(width, height, layer.shapes))
    return image


def grown(box: Box, margin: float) -> Box:
    """Returns *box* with every edge moved outwards by *margin* px (inwards if negative)."""
    return (box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin)


def can_spell(text: str) -> bool:
    """Tells whether all characters of *text* can be drawn."""
    return all(character == " " or character in LETTER_PATHS for character in text)


def text_width(text: str, height: float, weight: float) -> float:
    """Returns the width of *text* in pixels when it is *height* px high with strokes of *weight* px."""
    gaps = _gap(height, weight) * max(0, len(text) - 1)
    return gaps + sum(_letter_width(character, height, weight) for character in text)


def write(text: str, place: tuple[float, float], height: float, weight: float) -> tuple[Stroke, ...]:
    """Returns the strokes of *text*, its upper left corner at *place*; what cannot be drawn stays blank."""
    x, y = place
    strokes = []
    for character in text:
        width = _letter_width(character, height, weight)
        if character in LETTER_PATHS:
            strokes.append(Stroke(LETTER_PATHS[character], (x, y, x + width, y + height), weight))
        x += width + _gap(height, weight)
    return tuple(strokes)


def _stroke(draw: ImageDraw.ImageDraw, shape: Stroke) -> None:
    """Draws a skeleton with round joints and ends."""
    width = shape.weight * SUPERSAMPLE
    radius = width / 2 - 0.5
    for line in flatten(shape.path):
        points = _scaled(line.points, grown(shape.box, -shape.weight / 2))
        if line.closed:
            points.append(points[0])
        draw.line(points, fill=shape.ink, width=round(width))
        # a disc at every point: Pillow's own curved joints leave hairline cracks in tight bends
        for x, y in points:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shape.ink)


def _scaled(points: Sequence[tuple[float, float]], box: Box) -> list[tuple[float, float]]:
    """Returns *points* of a 100 x 100 box as supersampled pixels in *box*."""
    left, top, right, bottom = box
    across, down = (right - left) * SUPERSAMPLE / 100, (bottom - top) * SUPERSAMPLE / 100
    return [(left * SUPERSAMPLE + x * across, top * SUPERSAMPLE + y * down) for x, y in points]


def _letter_width(character: str, height: float, weight: float) -> float:
    """Returns the width of a character in pixels."""
    return LETTER_WIDTHS.get(character, DEFAULT_WIDTH) * (height - weight) + weight


def _gap(height: float, weight: float) -> float:
    """Returns the space between two characters in pixels."""
    return 0.04 * height + 0.45 * weight
