"""Films of a table: sizes, holds, what is left out, and that nothing hidden is drawn."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.render import film
from bot.render.film import FOOT, GAP, LARGEST, LAST_HOLD, Scene, draw_film, draw_scene, thinned
from bot.render.layout import WIDTH, lay_out
from bot.render.palette import Colours
from engine import State, find_game, shuffle


def positions(key: str, seed: str = "friday", *, most: int = 12) -> list[State]:
    """Returns the first positions of a game in which the first legal move is always made."""
    rules = find_game(key)
    states = [rules.deal(shuffle(seed))]
    while len(states) < most and (moves := rules.legal_moves(states[-1])):
        states.append(rules.apply(states[-1], moves[0]))
    return states


def scenes(key: str, *, most: int = 12, tables: int = 1) -> list[Scene]:
    return [
        Scene((state,) * tables, (("0:42", f"MOVES {number}"),) * tables, 300)
        for number, state in enumerate(positions(key, most=most))
    ]


def frames_of(gif: bytes) -> list[tuple[Image.Image, int]]:
    """Returns the frames of a GIF, each with ms for which it stays."""
    image = Image.open(BytesIO(gif))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append((image.convert("RGB"), image.info["duration"]))
    return found


@pytest.mark.parametrize("key", ["one-handed", "take-away", "links"])
def test_a_film_has_a_frame_for_every_scene(key: str) -> None:
    shown = scenes(key)
    frames = frames_of(draw_film(shown))
    assert len(frames) == len(shown)
    height = max(lay_out(scene.tables[0]).height for scene in shown) + FOOT
    assert {frame.size for frame, _ in frames} == {(WIDTH, height)}
    assert [hold for _, hold in frames] == [300] * (len(shown) - 1) + [LAST_HOLD]
    assert frames[0][0].tobytes() != frames[-1][0].tobytes()


def test_two_tables_stand_side_by_side() -> None:
    one, two = positions("links"), positions("links", "monday")
    picture = Image.open(BytesIO(draw_scene(Scene((one[5], two[3]), (("1",), ("2",))))))
    assert picture.width == 2 * WIDTH + GAP
    left = Image.open(BytesIO(draw_scene(Scene((one[5],), (("1",),)))))
    assert picture.convert("RGB").crop((0, 0, WIDTH, left.height - FOOT)).tobytes() == (
        left.convert("RGB").crop((0, 0, WIDTH, left.height - FOOT)).tobytes()
    )


def test_four_colours_are_drawn_as_such() -> None:
    scene = scenes("take-away")[0]
    assert draw_scene(scene) != draw_scene(scene, colours=Colours.FOUR)


def test_what_lies_face_down_is_not_drawn() -> None:
    state = positions("links")[4]
    assert draw_scene(Scene((state,), ((),))) == draw_scene(Scene((state.observed(),), ((),)))


def test_scenes_that_are_left_out_lend_their_time_to_those_before() -> None:
    shown = scenes("links", most=30)
    kept = thinned(shown, 7)
    assert len(kept) == 7
    assert kept[0].tables == shown[0].tables
    assert kept[-1].tables == shown[-1].tables
    assert sum(scene.hold for scene in kept) == sum(scene.hold for scene in shown)
    assert thinned(shown, 30) == shown
    assert len(thinned(shown, 1)) == 2


def test_a_film_that_is_too_large_is_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = scenes("take-away", most=12)
    whole = draw_film(shown)
    assert len(whole) <= LARGEST
    monkeypatch.setattr(film, "LARGEST", len(whole) // 2)
    small = draw_film(shown)
    assert len(small) <= len(whole) // 2
    assert 2 <= len(frames_of(small)) < len(shown)


def test_a_film_of_one_scene_is_one() -> None:
    assert len(frames_of(draw_film(scenes("links", most=1)))) == 1
