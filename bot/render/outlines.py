"""The outlines from which every picture is drawn: suits as closed shapes, letters and digits as skeletons.

No font is used. The faces need strokes far bolder than a text font has (a rank must survive at 19 px),
Pillow's own font needs FreeType and is another one in older releases, and pictures contain nothing but digits
and capitals. These paths were drawn for this project and carry its licence.

A path is written in a small subset of SVG's language, in a box of 100 x 100 with y downwards:
``M x y`` moves, ``L x y`` draws a line, ``C x1 y1 x2 y2 x y`` a cubic Bézier curve, ``Z`` closes, and
``E cx cy rx ry from to`` draws an arc of an ellipse (degrees, clockwise from three o'clock) as a line apart.
"""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import NamedTuple

CURVE_STEPS = 16

SUIT_PATHS: tuple[str, ...] = (
    # clubs: three separate lobes, so that the silhouette stays unlike a spade's when it is 8 px wide
    "E 50 22 22 22 0 360 E 22 63 22 22 0 360 E 78 63 22 22 0 360 "
    "M 46 38 L 54 38 L 56 56 L 70 58 L 70 68 L 56 69 C 57 84 62 93 70 99 L 30 99 C 38 93 43 84 44 69 "
    "L 30 68 L 30 58 L 44 56 Z",
    # diamonds: sides slightly hollow
    "M 50 0 C 58 17 74 36 91 50 C 74 64 58 83 50 100 C 42 83 26 64 9 50 C 26 36 42 17 50 0 Z",
    # hearts: a deep notch
    "M 50 98 C 20 68 1 50 1 28 C 1 12 13 3 26 3 C 37 3 46 11 50 25 "
    "C 54 11 63 3 74 3 C 87 3 99 12 99 28 C 99 50 80 68 50 98 Z",
    # spades: one sharp point
    "M 50 0 C 66 22 99 36 99 63 C 99 78 88 86 77 86 C 67 86 60 82 56 76 C 57 86 60 93 66 99 L 34 99 "
    "C 40 93 43 86 44 76 C 40 82 33 86 23 86 C 12 86 1 78 1 63 C 1 36 34 22 50 0 Z",
)

LATTICE_PATH = (
    "M 0 0 L 100 100 M 50 0 L 100 50 M 0 50 L 50 100 M 100 0 L 0 100 M 50 0 L 0 50 M 100 50 L 50 100"
)
"""The pattern of a card's back."""

TRIANGLE_PATH = "M 0 0 L 100 50 L 0 100 Z"

LETTER_PATHS: dict[str, str] = {
    "0": "E 50 50 50 50 0 360",
    "1": "M 0 22 L 60 0 L 60 100",
    "2": "M 3 27 C 5 9 24 0 50 0 C 78 0 96 11 96 30 C 96 50 70 66 0 100 L 100 100",
    "3": "M 2 14 C 10 4 26 0 46 0 C 76 0 93 9 93 25 C 93 40 74 47 38 47 C 80 47 100 57 100 74 "
    "C 100 92 76 100 46 100 C 24 100 8 95 0 85",
    "4": "M 72 100 L 72 0 L 0 69 L 100 69",
    "5": "M 92 0 L 14 0 L 8 46 C 18 39 32 36 46 36 C 82 36 100 48 100 67 C 100 89 76 100 44 100 "
    "C 24 100 8 95 0 87",
    "6": "M 82 4 C 74 1 66 0 56 0 C 20 0 0 25 0 60 C 0 88 18 100 50 100 C 82 100 100 90 100 71 "
    "C 100 52 82 43 54 43 C 28 43 6 52 1 68",
    "7": "M 0 0 L 100 0 C 68 28 44 62 36 100",
    "8": "E 50 23.5 43 23.5 0 360 E 50 73.5 50 26.5 0 360",
    "9": "M 18 96 C 26 99 34 100 44 100 C 80 100 100 75 100 40 C 100 12 82 0 50 0 C 18 0 0 10 0 29 "
    "C 0 48 18 57 46 57 C 72 57 94 48 99 32",
    "A": "M 0 100 L 50 0 L 100 100 M 17 70 L 83 70",
    "B": "M 0 100 L 0 0 L 56 0 C 84 0 94 10 94 24 C 94 38 84 47 56 47 L 0 47 M 56 47 C 88 47 100 58 100 73 "
    "C 100 90 86 100 56 100 L 0 100",
    "C": "M 100 20 C 90 6 74 0 56 0 C 20 0 0 20 0 50 C 0 80 20 100 56 100 C 74 100 90 94 100 80",
    "D": "M 0 0 L 44 0 C 82 0 100 20 100 50 C 100 80 82 100 44 100 L 0 100 Z",
    "E": "M 96 0 L 0 0 L 0 100 L 100 100 M 0 49 L 80 49",
    "F": "M 100 0 L 0 0 L 0 100 M 0 50 L 82 50",
    "G": "M 98 18 C 88 6 74 0 56 0 C 20 0 0 20 0 50 C 0 80 20 100 56 100 C 80 100 100 88 100 56 L 62 56",
    "H": "M 0 0 L 0 100 M 100 0 L 100 100 M 0 48 L 100 48",
    "I": "M 50 0 L 50 100",
    "J": "M 34 0 L 88 0 L 88 66 C 88 90 70 100 44 100 C 18 100 2 90 0 70",
    "K": "M 0 0 L 0 100 M 96 0 L 0 62 M 33 41 L 100 100",
    "L": "M 0 0 L 0 100 L 100 100",
    "M": "M 0 100 L 0 0 L 50 66 L 100 0 L 100 100",
    "N": "M 0 100 L 0 0 L 100 100 L 100 0",
    "O": "E 50 50 50 50 0 360",
    "P": "M 0 100 L 0 0 L 54 0 C 86 0 100 11 100 28 C 100 46 86 57 54 57 L 0 57",
    "Q": "E 50 50 50 50 0 360 M 44 58 L 100 102",
    "R": "M 0 100 L 0 0 L 54 0 C 86 0 98 10 98 26 C 98 43 86 53 54 53 L 0 53 M 52 53 L 100 100",
    "S": "M 94 13 C 84 4 68 0 50 0 C 22 0 5 9 5 25 C 5 42 24 46 50 49 C 78 53 98 58 98 75 "
    "C 98 92 78 100 50 100 C 28 100 10 95 0 84",
    "T": "M 0 0 L 100 0 M 50 0 L 50 100",
    "U": "M 0 0 L 0 60 C 0 88 18 100 50 100 C 82 100 100 88 100 60 L 100 0",
    "V": "M 0 0 L 50 100 L 100 0",
    "W": "M 0 0 L 25 100 L 50 26 L 75 100 L 100 0",
    "X": "M 0 0 L 100 100 M 100 0 L 0 100",
    "Y": "M 0 0 L 50 50 L 100 0 M 50 50 L 50 100",
    "Z": "M 0 0 L 100 0 L 0 100 L 100 100",
    ":": "M 50 27 L 50 28 M 50 82 L 50 83",
    ".": "M 50 99 L 50 100",
    "-": "M 8 54 L 92 54",
    "+": "M 4 54 L 96 54 M 50 14 L 50 94",
}
"""The skeletons of the characters that pictures may contain; a space is known besides."""

LETTER_WIDTHS: dict[str, float] = {
    "1": 0.36,
    "I": 0.14,
    ":": 0.14,
    ".": 0.14,
    "-": 0.5,
    " ": 0.4,
    "M": 0.86,
    "W": 0.96,
}
"""Widths of skeletons as parts of their height, where they are not DEFAULT_WIDTH."""

DEFAULT_WIDTH = 0.62


class Line(NamedTuple):
    """A flattened part of a path."""

    points: tuple[tuple[float, float], ...]
    closed: bool


def _bezier(
    start: tuple[float, float], one: tuple[float, float], two: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """Returns the points of a cubic curve without its *start*."""
    points: list[tuple[float, float]] = []
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * one[0] + c * two[0] + d * end[0],
                a * start[1] + b * one[1] + c * two[1] + d * end[1],
            )
        )
    return points


def _arc(cx: float, cy: float, rx: float, ry: float, first: float, last: float) -> Line:
    """Returns an elliptical arc; a full turn is closed."""
    steps = max(8, round(abs(last - first) / 360 * 4 * CURVE_STEPS))
    angles = (radians(first + (last - first) * step / steps) for step in range(steps + 1))
    points = tuple((cx + rx * cos(angle), cy + ry * sin(angle)) for angle in angles)
    return Line(points, closed=abs(last - first) >= 360)


@cache
def flatten(path: str) -> tuple[Line, ...]:
    """Returns *path* as straight lines in its box of 100 x 100.

    :raises: ValueError if the path has a command that is not in the language above.
    """
    tokens = path.split()
    lines: list[Line] = []
    points: list[tuple[float, float]] = []
    place = 0

    def numbers(count: int) -> list[float]:
        nonlocal place
        taken = [float(token) for token in tokens[place : place + count]]
        place += count
        return taken

    def finish(*, closed: bool) -> None:
        nonlocal points
        if points:
            lines.append(Line(tuple(points), closed))
        points = []

    while place < len(tokens):
        command = tokens[place]
        place += 1
        if command == "M":
            finish(closed=False)
            x, y = numbers(2)
            points = [(x, y)]
        elif command == "L":
            x, y = numbers(2)
            points.append((x, y))
        elif command == "C":
            x1, y1, x2, y2, x, y = numbers(6)
            points.extend(_bezier(points[-1], (x1, y1), (x2, y2), (x, y)))
        elif command == "E":
            finish(closed=False)
            cx, cy, rx, ry, first, last = numbers(6)
            lines.append(_arc(cx, cy, rx, ry, first, last))
        elif command == "Z":
            finish(closed=True)
        else:
            raise ValueError(f"unknown command {command!r} in a path")
    finish(closed=False)
    return tuple(lines)
