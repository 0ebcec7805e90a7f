"""A replay as a moving picture."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.axes import clock
from bot.render.film import Scene
from bot.render.speech import spelled
from bot.services.replays import Footage, Pair, Reel
from bot.text import duration, say, translate
from bot.text import replay as replay_text
from bot.text.games import game_name
from bot.views.board import ACCENT
from bot.views.payload import File, Message, container, gallery
from bot.views.payload import text as words
from bot.views.replay import reel_name
from engine import EventKind

FILM_TIME = 40_000
"""How long a film is about, in milliseconds."""
SHORTEST_HOLD, LONGEST_HOLD = 120, 1_500
"""How long a step of a film stays at least and at most, in milliseconds."""
SIGNS = {
    EventKind.MISTAKE: replay_text.FILM_MISTAKE,
    EventKind.UNDO: replay_text.FILM_UNDO,
    EventKind.HINT: replay_text.FILM_HINT,
}


def film(footage: Footage, gif: bytes, scenes: Sequence[Scene]) -> Message:
    """Returns the message with the film *gif* of *scenes*, which are those of *footage*."""
    time = duration(footage.time_at(footage.last))
    alt = say(replay_text.FILM_ALT, steps=footage.last, time=time)
    seconds = round(sum(scene.hold for scene in scenes) / 1000)
    game = footage.first if isinstance(footage, Pair) else footage
    title = game_name(game.record.attempt.rules)
    if isinstance(footage, Pair):
        head = say(
            replay_text.PAIR_FILM,
            game=title,
            first=reel_name(footage.first),
            second=reel_name(footage.second),
            seconds=seconds,
        )
    else:
        head = say(replay_text.FILM, game=title, name=reel_name(footage), seconds=seconds)
    file = File(f"replay-{game.id}.gif", gif, alt)
    return Message.of(
        container([words(head), gallery(f"attachment://{file.name}", alt)], ACCENT), files=[file]
    )


def scenes_of(footage: Footage) -> list[Scene]:
    """Returns the scenes of a film, in which long thoughts take longer than short ones."""
    numbers = range(footage.last + 1)
    times = [footage.time_at(number) for number in numbers]
    whole = max(1, times[-1])
    scenes = []
    for number in numbers:
        thought = times[min(number + 1, footage.last)] - times[number]
        hold = min(max(thought * FILM_TIME // whole, SHORTEST_HOLD), LONGEST_HOLD)
        views: tuple[tuple[Reel, int], ...] = ((footage, number),) if isinstance(footage, Reel) else ()
        if isinstance(footage, Pair):
            first, second = footage.order[number]
            views = ((footage.first, first), (footage.second, second))
        tables = tuple(reel.at(step).state.observed() for reel, step in views)
        labels = ("1", "2") if isinstance(footage, Pair) else ("",)
        captions = tuple(
            _captions(reel, step, times[number], label)
            for (reel, step), label in zip(views, labels, strict=True)
        )
        scenes.append(Scene(tables, captions, hold))
    return scenes


def _captions(reel: Reel, number: int, time: int, label: str) -> tuple[str, ...]:
    attempt = reel.at(number)
    sign = SIGNS.get(reel.steps[number - 1].event.kind) if number else None
    if attempt.end is not None and attempt.end.reason is not None:
        sign = replay_text.FILM_ENDS[attempt.end.reason]
    counted = (
        clock(time),
        spelled(translate, replay_text.FILM_MOVES, n=attempt.moves),
        spelled(translate, replay_text.FILM_LEFT, n=attempt.cards_left),
        "" if sign is None else spelled(translate, sign),
    )
    return (label, *counted) if label else counted
