"""What is shown of a daily: places and points as the engine counts them, and the charts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.services.dailies import closes_at
from bot.services.daily_results import BARS, PAGE, Chart, Place, cards_chart, points_of, times_chart
from bot.store import daily_boards, standings
from bot.store.database import Database, Statement
from engine import EndReason
from engine.scoring import daily_merit, match_points, places
from tests.services.days import AWAY, HOME, HOUR, MINUTE, WON, Days, day, instant, result

NOON = instant("2026-11-30 12:00")
TODAY = day("2026-11-30")
REASONS = (EndReason.WON, EndReason.STUCK, EndReason.DEAD, EndReason.TIME, EndReason.FORFEIT)


@pytest.fixture
def days(db: Database) -> Days:
    return Days(db)


async def test_places_points_and_order_are_those_of_the_engine(days: Days) -> None:
    random = Random(5)
    field = {}
    for player in range(1, 41):
        reason = random.choice(REASONS)
        how = result(
            reason,
            cards=0 if reason is EndReason.WON else random.randint(1, 3),
            moves=random.randint(128, 130),
            mistakes=random.randint(0, 1),
            time=random.choice((MINUTE, 2 * MINUTE)),
        )
        field[player] = how
        await days.end(await days.play(player, NOON + player), how)
    players = sorted(field)
    merits = [daily_merit(field[player]) for player in players]
    expected = dict(zip(players, zip(places(merits), match_points(merits), strict=True), strict=True))
    for player, (place, points) in expected.items():
        view = await days.show(player, TODAY, NOON + HOUR)
        assert view.figures is not None
        assert view.figures.world is not None
        assert (view.figures.world.better + 1, view.figures.points) == (place, points)
    seen: list[Place] = []
    for page in range(4):
        view = await days.results.show(TODAY, "links", 1, NOON + HOUR, guild=HOME, page=page)
        assert view.figures is not None
        assert view.figures.home is not None
        seen += view.figures.home.places
    assert [(each.place, each.line.player) for each in seen] == sorted(
        (place, player) for player, (place, _) in expected.items()
    )


async def test_a_server_has_its_own_standings_and_everywhere_names_only_the_listed(days: Days) -> None:
    await days.finish(1, NOON, result(EndReason.WON, moves=150), guild=HOME)
    await days.finish(2, NOON, result(EndReason.WON, moves=140), guild=AWAY)
    await days.finish(3, NOON, result(EndReason.WON, moves=130), guild=None)
    await days.db.write(Statement("UPDATE player SET listed = 1 WHERE id = 2", rows=1))
    view = await days.show(1, TODAY, NOON + HOUR)
    assert view.figures is not None
    assert view.figures.home is not None
    assert [(each.place, each.line.player) for each in view.figures.home.places] == [(1, 1)]
    assert (view.figures.home.own, view.figures.home.total) == (1, 1)
    assert [(each.place, each.line.player) for each in view.figures.best] == [(2, 2)]
    assert view.figures.world == daily_boards.Rank(better=2, equal=0, field=3)
    await days.db.write(*standings.bar_player(2, barred=True))
    banned = await days.show(1, TODAY, NOON + HOUR)
    assert banned.figures is not None
    assert banned.figures.best == ()
    alone = await days.show(3, TODAY, NOON + HOUR, guild=None)
    assert alone.figures is not None
    assert alone.figures.home is None


async def test_a_page_begins_with_the_right_place_within_a_tie(days: Days) -> None:
    for player in range(1, PAGE + 4):
        await days.end(
            await days.play(player, NOON + player), result(EndReason.WON, moves=131 if player > 5 else 128)
        )
    view = await days.results.show(TODAY, "links", 1, NOON, guild=HOME, page=7)
    assert view.figures is not None
    assert view.figures.home is not None
    assert (view.figures.home.page, view.figures.home.pages) == (1, 2)
    assert [each.place for each in view.figures.home.places] == [6, 6, 6]


async def test_the_chart_is_of_times_where_most_have_as_many_cards_left(days: Days) -> None:
    for player in range(1, 6):
        await days.finish(player, NOON, result(EndReason.WON, time=player * MINUTE))
    await days.finish(6, NOON, result(EndReason.STUCK, cards=9))
    view = await days.show(2, TODAY, NOON + HOUR)
    assert view.figures is not None
    assert view.figures.chart is not None
    assert view.figures.chart.is_time
    assert sum(view.figures.chart.counts) == 5
    assert view.figures.chart.labels[view.figures.chart.own or 0] == "2:00"
    other = await days.show(6, TODAY, NOON + HOUR)
    assert other.figures is not None
    assert other.figures.chart is not None
    assert not other.figures.chart.is_time
    assert (other.figures.chart.counts[0], sum(other.figures.chart.counts)) == (5, 6)


async def test_the_course_of_ones_own_play_is_there_for_the_card(days: Days) -> None:
    await days.finish(1, NOON, WON)
    view = await days.show(1, TODAY, closes_at(TODAY) + HOUR)
    assert view.course[0] == (0, 52)


def test_points_of_a_field_of_one_are_none() -> None:
    assert points_of(daily_boards.Rank(0, 0, 1)) is None
    assert points_of(daily_boards.Rank(1, 1, 4)) == 50


@given(st.dictionaries(st.integers(0, 52), st.integers(1, 500), min_size=1), st.data())
def test_the_chart_of_cards_counts_everybody(counts: dict[int, int], data: st.DataObject) -> None:
    own = data.draw(st.sampled_from(sorted(counts)))
    chart = cards_chart(counts, own)
    check(chart, sum(counts.values()))
    assert chart.counts[0] == counts.get(0, 0)
    low, _, high = chart.labels[chart.own or 0].partition("-")
    assert int(low) <= own <= int(high or low)


@given(st.lists(st.integers(0, 90_000_000), min_size=1, max_size=300), st.data())
def test_the_chart_of_times_counts_everybody(times: list[int], data: st.DataObject) -> None:
    own = data.draw(st.sampled_from(times))
    chart = times_chart(times, own)
    check(chart, len(times))
    assert chart.own is not None
    assert chart.counts[chart.own]
    assert all(
        chart.own <= bar for bar in [times_chart(times, each).own or 0 for each in times if each > own]
    )


def check(chart: Chart, everybody: int) -> None:
    """Checks what every chart has to be."""
    assert 1 <= len(chart.counts) == len(chart.labels) <= BARS
    assert sum(chart.counts) == everybody
    assert len(set(chart.labels)) == len(chart.labels)
    assert chart.own is not None
    assert 0 <= chart.own < len(chart.counts)
