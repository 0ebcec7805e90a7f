"""The worst case of every game, in every state of selection and every look, against all of Discord's limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.render.palette import Colours
from bot.store.attempts import Purpose
from bot.store.players import Style
from bot.text import board as board_text
from bot.text import say
from bot.views import tables
from bot.views.board import Board, board, forfeit, more, type_form
from bot.views.payload import MAX_COMPONENTS, MAX_TEXT, Message, walk
from bot.views.rules import rules_card
from bot.views.settings import settings
from engine import DECK, GAMES, EndReason, Event, EventKind, Rules, State, parse_state
from tests.payloads import DESCRIPTION, NO_DESCRIPTION, check, check_described, check_form
from tests.views.boards import boards, emoji_look, extremes, looks, plain_look, reached, record_of, stirred

EACH_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the drawing out: components do not depend on it."""
    monkeypatch.setattr(tables, "_drawn", lambda *_: b"png")


def longest_note() -> str:
    """Returns what is said at most below a board."""
    return say(board_text.NOTE_REFUSED, move="x" * 12, n=300)


def positions(rules: Rules, *, games: int, every: int) -> Iterator[State]:
    """Yields positions of random games and the extremes."""
    yield from extremes(rules)
    for seed in range(games):
        yield from list(reached(rules, seed))[::every]


@EACH_GAME
@pytest.mark.usefixtures("no_pictures", "longest")
def test_every_board_keeps_to_the_limits(rules: Rules) -> None:
    for state in positions(rules, games=2, every=16):
        for shown in boards(record_of(rules, state), notes=[longest_note()]):
            for look in looks():
                check(board(shown, look))


@EACH_GAME
@pytest.mark.usefixtures("no_pictures", "longest")
def test_every_page_behind_the_board_keeps_to_the_limits(rules: Rules) -> None:
    for state in positions(rules, games=1, every=20):
        for purpose in Purpose:
            shown = Board(record_of(rules, state, purpose=purpose))
            check(forfeit(shown))
            for look in looks():
                check(more(shown, look))
        if not rules.calls:
            check_form(type_form(shown))


@EACH_GAME
@pytest.mark.usefixtures("no_pictures", "longest")
def test_every_end_keeps_to_the_limits(rules: Rules) -> None:
    for state in positions(rules, games=1, every=25):
        for reason in EndReason:
            record = record_of(rules, state)
            attempt = record.attempt
            end = Event(attempt.seq + 1, EventKind.END, attempt.start + 7_199_999, reason=reason)
            over = record.with_attempt(attempt.push(end))
            for look in looks():
                message = board(Board(over, note=longest_note()), look)
                check(message)
                assert not [part for part in walk(message.components) if part["type"] == 2]


@EACH_GAME
@pytest.mark.usefixtures("longest")
def test_the_rules_keep_to_the_limits(rules: Rules) -> None:
    for colours in Colours:
        message = rules_card(rules, colours)
        check(message)
        assert len(message.files[0].data) < 60 * 1024


@pytest.mark.usefixtures("no_pictures", "longest")
def test_the_settings_keep_to_the_limits() -> None:
    for look in looks():
        for tell in (True, False):
            check(settings(look, tell=tell))


def test_an_empty_hand_shows_an_empty_place() -> None:
    won = parse_state("s: h: d:" + "".join(map(str, DECK)))
    record = record_of(GAMES[0], won)
    for look in (emoji_look(), plain_look()):
        texts = [
            part["content"] for part in walk(board(Board(record), look).components) if part["type"] == 10
        ]
        assert any(text.startswith("# ") and len(text) > 3 for text in texts)


@EACH_GAME
def test_no_card_that_lies_face_down_has_any_influence(rules: Rules) -> None:
    for state in list(reached(rules, 5))[::20]:
        record, other = record_of(rules, state), record_of(rules, stirred(state, 1))
        for mine, theirs in zip(boards(record), boards(other), strict=True):
            for look in (emoji_look(), plain_look(), emoji_look(style=Style.TEXT)):
                assert board(mine, look) == board(theirs, look)
        assert _drawn(Board(record)) == _drawn(Board(other))


@EACH_GAME
def test_nothing_that_happens_on_a_board_depends_on_colour_alone(rules: Rules) -> None:
    """What is picked and where it may go can be told from texts, labels and emoji: without any button's style."""
    for state in list(reached(rules, 7))[::15]:
        for look in (emoji_look(), plain_look(), emoji_look(style=Style.TEXT)):
            seen: dict[str, Board] = {}
            for shown in boards(record_of(rules, state)):
                told = repr([_without_style(part) for part in walk(board(shown, look).components)])
                assert told not in seen or shown == seen[told], (shown.picked, seen[told].picked)
                seen[told] = shown


def test_the_checker_finds_what_is_wrong() -> None:
    ok = board(Board(record_of(GAMES[0], extremes(GAMES[0])[0])), emoji_look())
    check(ok)
    body = ok.body()
    text: dict[str, object] = {"type": 10, "content": "x"}
    cases: list[dict[str, object]] = [
        {"components": [text] * (MAX_COMPONENTS + 1)},
        {"components": [{"type": 10, "content": "x" * (MAX_TEXT + 1)}]},
        {"components": [{"type": 10, "content": ""}]},
        {"components": [_row("a", "a")]},
        {"components": [_row("a" * 101)]},
        {"components": [_row(*"abcdef")]},
        {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a"}]}]},
        {"allowed_mentions": None},
        {"flags": 0},
        {"content": "x"},
    ]
    for case in cases:
        with pytest.raises(AssertionError):
            check(_Raw(body | case))  # type: ignore[arg-type]


@pytest.mark.skipif(not DESCRIPTION.exists(), reason=NO_DESCRIPTION)
def test_the_description_finds_what_is_wrong() -> None:
    for broken in (
        {"type": 7, "data": {"components": [{"type": 99}]}},
        {"type": 7, "data": {"components": [{"type": 17, "components": [{"type": 9}]}]}},
        {
            "type": 7,
            "data": {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": 3}]}]},
        },
    ):
        with pytest.raises(AssertionError):
            check_described("UpdateMessageInteractionCallbackRequest", broken)


class _Raw:
    """A body in place of a message."""

    files = ()

    def __init__(self, body: dict[str, object]) -> None:
        self._body = body

    def body(self, *, ephemeral: bool = False, edit: bool = False) -> dict[str, object]:
        return self._body


def _row(*ids: str) -> dict[str, object]:
    return {
        "type": 1,
        "components": [{"type": 2, "style": 1, "label": "x", "custom_id": each} for each in ids],
    }


def _drawn(shown: Board) -> Message:
    tables._drawn.cache_clear()
    return board(shown, emoji_look(style=Style.IMAGE))


def _without_style(part: dict[str, object]) -> dict[str, object]:
    return {
        key: value
        for key, value in part.items()
        if key not in ("style", "custom_id", "components", "accessory")
    }
