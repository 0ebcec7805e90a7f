"""The chart of a player's results game by game: how many races, and how many of them were won."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.axes import AREA, BASE_LINE, CHART_WIDTH, GROUND, LABEL, TITLE_HEIGHT
from bot.render.brush import Colour, text_width
from bot.render.canvas import Canvas
from bot.render.palette import FELT_LINE, SELECTED
from bot.render.speech import Say, english, spelled
from bot.render.words import ALT_LIMIT, cut

RACES: Colour = FELT_LINE
WINS: Colour = SELECTED
ROW = 44
"""Pixels from one game to the next."""
TEXT_HEIGHT = 20
WEIGHT = 2.8
MOST = 10
"""How many games are drawn at most."""


def draw_games(counts: Sequence[tuple[int, int]], *, say: Say = english) -> bytes:
    """Returns a bar for each pair of (races, wins), one at least, as a PNG, CHART_WIDTH px wide.

    Each carries its number from 1, which the message's text repeats beside the game's name. The part that was won
    is told by its height as well as by its colour.
    """
    shown = counts[:MOST]
    height = round(AREA[1] + ROW * len(shown) + 14)
    canvas = Canvas(CHART_WIDTH, height, GROUND)
    most = max(1, *(races for races, _ in shown))
    left = AREA[0]
    room = max(text_width(_figures(each, say), TEXT_HEIGHT, WEIGHT) for each in shown)
    unit = (CHART_WIDTH - 24 - room - left) / most
    canvas.write(spelled(say, "WON OF RACED"), (12, 10), TITLE_HEIGHT, LABEL, weight=2.3)
    for number, (races, wins) in enumerate(shown, start=1):
        middle = AREA[1] + ROW * (number - 0.5)
        top = middle - TEXT_HEIGHT / 2
        canvas.write(str(number), (left - 12, top), TEXT_HEIGHT, LABEL, anchor=1, weight=WEIGHT)
        if races:
            canvas.box((left, middle - 9, left + races * unit, middle + 9), RACES)
        if wins:
            canvas.box((left, middle - 15, left + wins * unit, middle + 15), WINS)
        place = (left + races * unit + 10, top)
        canvas.write(_figures((races, wins), say), place, TEXT_HEIGHT, LABEL, weight=WEIGHT)
    canvas.line([(left, AREA[1] - 4), (left, height - 10)], BASE_LINE, 2)
    return canvas.png()


def games_alt(names: Sequence[str], counts: Sequence[tuple[int, int]], *, say: Say = english) -> str:
    """Returns the chart in words."""
    games = ", ".join(
        say("{name}: {wins} of {races}").format(name=name, wins=wins, races=races)
        for name, (races, wins) in zip(names[:MOST], counts[:MOST], strict=True)
    )
    return cut(say("Races won by game: {games}.").format(games=games), ALT_LIMIT)


def _figures(counts: tuple[int, int], say: Say) -> str:
    races, wins = counts
    return spelled(say, "{wins} OF {races}", wins=wins, races=races)
