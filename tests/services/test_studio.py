"""Films that are drawn in a process of their own."""

from __future__ import annotations

import asyncio

import pytest

from bot.render.film import Scene, draw_film
from bot.render.palette import Colours
from bot.services import studio
from bot.services.process import environment
from bot.services.studio import ProcessStudio, StudioError, ThreadStudio
from engine import find_game, shuffle


def scenes(count: int = 3) -> list[Scene]:
    rules = find_game("links")
    states = [rules.deal(shuffle("friday"))]
    while len(states) < count:
        states.append(rules.apply(states[-1], rules.legal_moves(states[-1])[0]))
    return [Scene((state,), (("0:01",),)) for state in states]


async def test_a_process_draws_what_a_thread_draws() -> None:
    for colours in Colours:
        plain = draw_film(scenes(), colours=colours)
        assert await ProcessStudio().draw(scenes(), colours) == plain
        assert await ThreadStudio().draw(scenes(), colours) == plain


async def test_films_are_drawn_one_after_the_other() -> None:
    process = ProcessStudio()
    films = await asyncio.gather(*(process.draw(scenes(count), Colours.TWO) for count in (1, 2)))
    assert films == [draw_film(scenes(count)) for count in (1, 2)]


async def test_a_process_that_fails_is_told_of() -> None:
    with pytest.raises(StudioError, match="ended with 1"):
        await ProcessStudio().draw([], Colours.TWO)


async def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "PATIENCE", 0.01)
    with pytest.raises(StudioError, match="too long"):
        await ProcessStudio().draw(scenes(), Colours.TWO)


def test_the_process_gets_no_token() -> None:
    own = {"PATH": "/bin", "DISCORD_TOKEN": "secret", "DATABASE_URL": "postgresql://user:secret@host/db"}
    assert "secret" not in "".join(environment(own).values())
