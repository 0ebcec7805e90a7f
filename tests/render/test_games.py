"""The chart of a player's results by game."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.render.axes import CHART_WIDTH
from bot.render.games import MOST, WINS, draw_games, games_alt
from bot.render.words import ALT_LIMIT


@pytest.mark.parametrize("games", [1, 4, MOST, MOST + 4])
def test_the_chart_is_as_high_as_it_has_games(games: int) -> None:
    picture = Image.open(BytesIO(draw_games([(3 + game, game) for game in range(games)])))
    fewer = Image.open(BytesIO(draw_games([(3, 1)])))
    assert picture.width == CHART_WIDTH
    assert (picture.height > fewer.height) == (games > 1)
    assert picture.height <= 500


def test_wins_are_as_long_as_their_share() -> None:
    picture = Image.open(BytesIO(draw_games([(10, 5), (10, 10)]))).convert("RGB")

    red, green, blue = picture.split()

    def length(row: int) -> int:
        bands = [band.crop((0, row, picture.width, row + 1)).tobytes() for band in (red, green, blue)]
        return sum(
            sum(abs(value - wanted) for value, wanted in zip(pixel, WINS, strict=True)) < 60
            for pixel in zip(*bands, strict=True)
        )

    half, whole = length(42 + 22 - 12), length(42 + 66 - 12)
    assert half == pytest.approx(whole / 2, abs=3)


def test_numbers_of_any_size_fit() -> None:
    draw_games([(2**31, 2**31), (0, 0)])
    draw_games([(0, 0)])


def test_the_chart_in_words() -> None:
    assert games_alt(["Links", "Striptease"], [(5, 2), (1, 0)]) == (
        "Races won by game: Links: 2 of 5, Striptease: 0 of 1."
    )
    assert len(games_alt(["x" * 200] * 14, [(1, 1)] * 14)) <= ALT_LIMIT
