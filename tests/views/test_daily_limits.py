"""Pages, posts and cards of the dailies at their longest, against all of Discord's limits, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.render.trends import draw_histogram
from bot.services.bulletins import Bulletin
from bot.services.dailies import DAILY_GAMES
from bot.services.daily_results import BARS, PAGE, Chart, DailyView, Figures, Place, Table
from bot.services.prover import Proof, Winnable
from bot.store.attempts import Purpose
from bot.store.bulletins import Setup
from bot.store.dailies import Daily, Entry
from bot.store.daily_boards import Line, Rank
from bot.store.moderation import Deed
from bot.store.moderation import Entry as Judgement
from bot.text import code, speaking
from bot.text import daily as daily_text
from bot.text.catalogue import LANGUAGE_NAMES
from bot.views.board import Board, board
from bot.views.bulletin import bulletin, is_bulletin, setup_page
from bot.views.daily import archive, daily, shared_card, streak_line
from bot.views.payload import Message, walk
from bot.views.practice import verdict_line, ways_on
from bot.views.replay import replay_id
from bot.views.share import SQUARES, share_card, squares
from engine import GAMES, EndReason, Event, EventKind, Result, find_game
from engine.streaks import Streak
from tests.payloads import check
from tests.views.boards import extremes, looks, record_of

DAY = 20_787
NOON = DAY * 86_400_000 + 43_200_000
NAME = "*" * 99
EACH_LANGUAGE = pytest.mark.parametrize("language", sorted(LANGUAGE_NAMES))
STREAK = Streak(9999, 99999, DAY, DAY - 3, 9998)
LONG = Result(EndReason.STUCK, 90_000_000, 52, 9999, 999, 999, 999)
COURSE = tuple((step, 52 - step // 7) for step in range(300))


def views() -> Iterator[DailyView]:
    """Yields dailies as they may be seen, each with as much to say as can be."""
    for rules in DAILY_GAMES:
        for closed, voided, band in ((False, False, 3), (True, False, 3), (True, True, None)):
            dealt = Daily(DAY, rules, "x" * 13, band, is_closed=closed, is_voided=voided)
            entry = Entry(1, 2, LONG, is_disqualified=voided)
            seen = figures(None if voided else Fraction(200, 3))
            judged = Judgement(1, 1, 1, Deed.DISQUALIFY, "*" * 200, NOON) if voided else None
            yield DailyView(dealt, 10**9, 10**9, entry, STREAK, COURSE, seen, judged)
            yield DailyView(dealt, 1, 1, None, Streak(), (), figures(None))
            yield DailyView(dealt, 1, 0, Entry(1, 2, None), replace(STREAK, days=0))
            yield DailyView(dealt, 0, 0, None, Streak())


def figures(points: Fraction | None) -> Figures:
    """Returns what is sealed before one is done, at its longest."""
    places = tuple(Place(10**6 + index, Line(index, NAME, 10**18, LONG)) for index in range(PAGE))
    chart = Chart((10**6,) * BARS, tuple(f"{hour}:59:59" for hour in range(BARS)), BARS - 1, is_time=True)
    table = Table(places, 1, 10**6, 10**6)
    return Figures(table, Rank(10**6, 10**6, 10**7), points, places[:3], chart)


@EACH_LANGUAGE
def test_every_page_of_a_daily_keeps_to_the_limits(language: str) -> None:
    with speaking(language):
        for view in views():
            for now in (NOON, NOON + 43_200_000, NOON + 10 * 43_200_000):
                check(daily(view, now, b"png" if view.figures is not None else None))


@EACH_LANGUAGE
def test_the_rest_keeps_to_the_limits(language: str) -> None:
    with speaking(language):
        for view in views():
            if view.own is not None and view.own.result is not None:
                check(shared_card(view, NAME[:48], NOON))
        check(archive((), None, DAILY_GAMES[0]))
        check(archive(range(DAY, DAY - 40, -1), DAY - 900, DAILY_GAMES[0]))
        for trouble in (None, *daily_text.TROUBLES, "unheard of"):
            setup = Setup(2**63, 2**63, 23, "America/Argentina/ComodRivadavia", 2**63, 0, trouble)
            check(setup_page(setup, NOON, is_silent=True))
            check(setup_page(replace(setup, is_on=False), None))
        check(setup_page(None, None))


@EACH_LANGUAGE
def test_every_post_keeps_to_the_limits(language: str) -> None:
    places = tuple(Place(place, Line(place, NAME, 10**18, LONG)) for place in (1, 2, 3))
    with speaking(language):
        for rules in DAILY_GAMES:
            for podiums in (None, (), tuple((each, places) for each in DAILY_GAMES)):
                post = bulletin(Bulletin(DAY, rules, podiums, 2**63))
                check(post)
                assert is_bulletin(post.components, DAY)
                assert not is_bulletin(post.components, DAY + 1)


def test_a_shared_card_is_not_taken_for_the_post() -> None:
    view = next(views())
    assert not is_bulletin(shared_card(view, "ann", NOON).components, DAY)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
def test_a_board_that_is_over_has_room_for_the_verdict(rules: object) -> None:
    game = next(each for each in GAMES if each == rules)
    note = "x" * 120 + "\n" + verdict_line(Proof(Winnable.YES, 3), code(f"{game.key}:" + "`" * 64))
    for state in extremes(game):
        for purpose in (Purpose.PRACTICE, Purpose.ARCHIVE, Purpose.DAILY):
            record = replace(record_of(game, state, purpose=purpose), day=DAY)
            end = Event(record.attempt.seq + 1, EventKind.END, 1, reason=EndReason.FORFEIT)
            over = record.with_attempt(record.attempt.push(end))
            for look in looks():
                check(board(Board(over, note=note), look))


def test_the_card_is_six_lines_at_most_and_names_no_card() -> None:
    for view in views():
        if view.own is None or view.own.result is None:
            continue
        card = share_card(view)
        lines = card.splitlines()
        assert 4 <= len(lines) <= 6
        assert all(set(line) <= set(SQUARES) for line in lines[2:4])
        assert view.daily.seed not in card
        assert not any(suit in card for suit in "♣♦♥♠")


def test_squares_grow_brighter_with_the_cards_that_are_gone() -> None:
    made = "".join(squares(list(range(52, -1, -1))))
    assert list(made) == sorted(made, key=SQUARES.index)
    assert set(made) == set(SQUARES)
    assert squares([]) == []
    assert squares([52]) == ["⬛"]
    assert squares([52, 0]) == ["🟩"]
    assert squares([48, 48, 24]) == ["⬛🟥"]
    assert [len(line) for line in squares(list(range(300, 0, -1)))] == [10, 10]


def test_the_card_has_the_streak_of_its_day() -> None:
    view = DailyView(
        Daily(DAY, find_game("links"), "secret", 1),
        *(1, 1, Entry(1, 2, Result(EndReason.WON, 61_000, 0, 2, 1, 0, 0)), Streak(3, 9, DAY)),
        ((0, 52), (5, 26), (61_000, 0)),
    )
    card = ["Same Deal · Links · 2026-11-30", "🏆 1:01.0 · 2 moves · 1 mistake", "🟥🟩", "🔥 3"]
    assert share_card(view).splitlines() == card
    for other in (Streak(1, 9, DAY), Streak(3, 9, DAY + 1), Streak(0, 9, DAY)):
        assert share_card(replace(view, streak=other)).splitlines() == card[:-1]


def test_the_card_of_one_who_gave_up_says_so_and_no_more() -> None:
    rules = find_game("links")
    entry = Entry(1, 2, Result(EndReason.FORFEIT, 5, 40, 3, 0, 0, 0))
    view = DailyView(Daily(DAY, rules, "secret", 1), 1, 1, entry, Streak(), ((0, 52), (5, 50)))
    assert share_card(view).splitlines()[:2] == ["Same Deal · Links · 2026-11-30", "gave up"]


@pytest.mark.parametrize(
    ("streak", "told"),
    [
        (Streak(), None),
        (Streak(1, 1, DAY), "🔥 Streak: 1 day"),
        (Streak(3, 8, DAY, None), "🔥 Streak: 3 days (longest 8)"),
        (Streak(0, 213, DAY - 9, None, 213), "has ended"),
        (Streak(2, 213, DAY, None, 213), "before it was 213 days"),
        (Streak(9, 9, DAY, DAY - 4), "covered by the month's freeze"),
    ],
)
def test_a_streak_is_told_with_its_freeze_and_the_one_that_ended(streak: Streak, told: str | None) -> None:
    line = streak_line(streak)
    assert line is None if told is None else told in (line or "")


def test_an_old_freeze_is_not_told() -> None:
    assert "freeze" not in (streak_line(Streak(2, 9, DAY, DAY - 9, 4)) or "")


def test_a_race_that_is_over_offers_nothing_of_this() -> None:
    state = next(iter(extremes(DAILY_GAMES[0])))
    assert ways_on(record_of(DAILY_GAMES[0], state, purpose=Purpose.RACE)) == []


def test_the_picture_of_every_chart_can_be_drawn() -> None:
    chart = figures(None).chart
    assert chart is not None
    assert draw_histogram(chart.counts, chart.labels, own=chart.own)


def texts(message: Message) -> str:
    """Returns all texts of *message*."""
    return "\n".join(part["content"] for part in walk(message.components) if part["type"] == 10)


def test_before_one_is_done_nothing_is_told_but_the_turnout() -> None:
    view = DailyView(Daily(DAY, find_game("links"), "secret", 2), 12, 7, None, Streak())
    told = texts(daily(view, NOON))
    assert "12 players have begun it, 7 are done" in told
    assert "sealed" in told
    for word in ("secret", "medium", "can be won", "match points"):
        assert word not in told


def test_a_line_tells_all_that_is_counted() -> None:
    won = Result(EndReason.WON, 60_000, 0, 130, 2, 3, 0)
    stuck = Result(EndReason.STUCK, 60_000, 7, 1, 0, 0, 0)
    places = (Place(1, Line(1, "Ann", 5, won)), Place(4, Line(2, "Bob", 6, stuck)))
    home = Figures(Table(places, 0, 2, 1), None, None, (), None)
    closed = Daily(DAY, find_game("links"), "open", 2, is_closed=True)
    told = texts(daily(DailyView(closed, 1, 1, None, Streak(), (), home), NOON))
    assert "🥇 **Ann** · won · 130 moves · 2 mistakes · 3 undos · 1:00.0" in told
    assert "**4.** **Bob** · 7 cards left · 1 move · 1:00.0" in told


def test_each_thing_is_said_where_it_is_true_and_once() -> None:
    closed = Daily(DAY, find_game("links"), "open", 2, is_closed=True)
    seen = figures(Fraction(200, 3))
    assert seen.chart is not None
    mine = DailyView(closed, 3, 3, Entry(1, 2, LONG), Streak(), COURSE, seen)
    unmarked = replace(seen, world=None, points=None, chart=replace(seen.chart, own=None))
    assert "yours is marked" in texts(daily(mine, NOON, b"png"))
    assert "yours is marked" not in texts(daily(replace(mine, figures=unmarked), NOON, b"png"))
    nobody = Figures(None, None, None, (), None)
    stranger = daily(DailyView(closed, 0, 0, None, Streak(), (), nobody), NOON)
    assert "Everywhere" not in texts(stranger)
    check(stranger)


def test_the_replay_that_is_offered_is_ones_own_or_else_the_best() -> None:
    closed = Daily(DAY, find_game("links"), "open", 2, is_closed=True)
    for entry, attempt in ((Entry(1, 2, LONG), 2), (None, 10**18)):
        page = daily(DailyView(closed, 3, 3, entry, Streak(), COURSE, figures(None)), NOON)
        ids = [part["custom_id"] for part in walk(page.components) if part["type"] == 2]
        assert replay_id(attempt) in ids
    empty = DailyView(closed, 0, 0, None, Streak(), (), Figures(None, None, None, (), None))
    assert "v:open" not in repr(daily(empty, NOON).components)
