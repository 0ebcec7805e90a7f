"""Pages of boards: places, the asker's own line, every metric, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import UnknownGameKeyError
from bot.periods import Span
from bot.services.leaderboard import PAGE, Leaderboard, Leaderboards, Metric, Scope, Wish
from bot.store import players
from bot.store.database import Database, Statement
from bot.store.standings import RATING, WINS, count, count_better, count_not_better, lines
from engine.scoring import UNITS
from tests.services.conftest import ANN, BOB, HOUR, NOW, Club, account, stuck, won

CROWD = [account(number) for number in range(100, 160)]


async def fill(db: Database, values: dict[int, int], *, board: str = "all", guild: int = 1) -> None:
    """Writes lines with a number of wins each."""
    await db.write(
        *(
            Statement(
                "INSERT INTO tally (player, board, period, guild, listed, races, wins, best, rating, deals, points, "
                "mean, streak, longest) VALUES ($1, $2, 0, $3, 1, $4, $4, NULL, $4, 0, 0, NULL, $4, $4)",
                (player, board, guild, wins),
            )
            for player, wins in values.items()
        )
    )


async def show(
    db: Database, metric: Metric = Metric.WINS, *, player: int = ANN, page: int = 0, span: Span = Span.ALL
) -> Leaderboard:
    wish = Wish(metric, None, Scope.SERVER, span, page)
    return await Leaderboards(db).show(wish, guild=1, player=player, now=NOW)


def places(shown: Leaderboard) -> list[tuple[int | None, int | None]]:
    return [(each.place, each.line.value) for each in shown.places]


async def test_equal_lines_share_a_place_over_the_edge_of_a_page(db: Database) -> None:
    await fill(db, {player: 9 if index < 8 else 5 for index, player in enumerate(CROWD[:25])})
    first, second = await show(db), await show(db, page=1)
    assert places(first) == [(1, 9)] * 8 + [(9, 5)] * 2
    assert places(second) == [(9, 5)] * 10
    assert (first.total, first.pages) == (25, 3)


async def test_all_pages_have_every_line_once(db: Database) -> None:
    await fill(db, {player: 1 + index % 7 for index, player in enumerate(CROWD)})
    seen = []
    for page in range(6):
        shown = await show(db, page=page)
        assert len(shown.places) == PAGE
        seen += [(each.place, each.line.player, each.line.value) for each in shown.places]
    assert {player for _, player, _ in seen} == set(CROWD)
    values = [value for _, _, value in seen if value is not None]
    assert values == sorted(values, reverse=True)
    for place, _, value in seen:
        assert place == 1 + sum(other > (value or 0) for other in values)


async def test_whichever_end_a_page_is_read_from_it_is_the_same(db: Database) -> None:
    await fill(db, {player: 1 + index % 5 for index, player in enumerate(CROWD)})
    for order in (WINS, RATING, replace(WINS, is_more_better=False)):
        board = (db, order, "all", 0, 1)
        whole = await lines(*board, limit=len(CROWD), skip=0, total=len(CROWD))
        assert {line.player for line in whole} == set(CROWD)
        for skip in range(0, len(CROWD) + 20, 7):
            part = await lines(*board, limit=9, skip=skip, total=len(CROWD))
            assert part == whole[skip : skip + 9]
            at = whole[min(skip, len(CROWD) - 1)].value or 0
            counted = await count_better(*board, at) + await count_not_better(*board, at)
            assert counted == await count(*board) == len(CROWD)


async def test_a_page_beyond_the_end_is_the_last_one(db: Database) -> None:
    await fill(db, dict.fromkeys(CROWD[:11], 3))
    shown = await show(db, page=10**9)
    assert (shown.wish.page, len(shown.places)) == (1, 1)


@pytest.mark.parametrize("index", [0, 9, 10, 25, 59])
async def test_the_own_line_is_known_wherever_it_is(db: Database, index: int) -> None:
    await fill(db, {player: 100 - place // 3 for place, player in enumerate(CROWD)})
    shown = await show(db, player=CROWD[index])
    assert shown.own is not None
    assert shown.own.place == index - index % 3 + 1
    assert shown.own_page is not None
    there = await show(db, player=CROWD[index], page=shown.own_page)
    assert CROWD[index] in {each.line.player for each in there.places}


async def test_without_a_line_there_is_none(db: Database) -> None:
    await fill(db, dict.fromkeys(CROWD[:3], 3))
    shown = await show(db)
    assert (shown.own, shown.own_page) == (None, None)


async def test_a_rating_of_nought_is_a_rating(db: Database) -> None:
    await fill(db, {ANN: 0, BOB: 7})
    rated = await show(db, Metric.RATING)
    assert places(rated) == [(1, 7), (2, 0)]
    assert rated.own is not None
    assert rated.own.place == 2
    assert places(await show(db, Metric.WINS)) == [(1, 7)]


async def test_times_of_all_games_together_are_no_board(db: Database) -> None:
    shown = await show(db, Metric.TIME)
    assert shown.wish.needs_game
    assert shown.places == ()


async def test_a_streak_belongs_to_no_period(db: Database) -> None:
    await fill(db, {ANN: 4})
    await db.write(Statement("UPDATE tally SET longest = 9"))
    for span in Span:
        days = 9 if span is Span.ALL else 4
        assert places(await show(db, Metric.STREAK, span=span)) == [(1, days)]


async def test_results_under_older_rules_stand_on_no_board_of_today(db: Database) -> None:
    await fill(db, {ANN: 4}, board="links/0")
    await fill(db, {BOB: 3}, board="links/1")
    shown = await Leaderboards(db).show(Wish(Metric.WINS, "links"), guild=1, player=ANN, now=NOW)
    assert [each.line.player for each in shown.places] == [BOB]
    assert shown.own is None


async def test_an_unknown_game_is_refused(db: Database) -> None:
    wish = Wish(Metric.WINS, "chess")
    with pytest.raises(UnknownGameKeyError):
        await Leaderboards(db).show(wish, guild=1, player=ANN, now=NOW)


async def test_boards_of_real_races(club: Club) -> None:
    await club.race(won(ANN, 50_000), stuck(BOB))
    await club.race(won(ANN, 40_000), won(BOB, 60_000), start=NOW + HOUR)
    boards = Leaderboards(club.db)
    for metric, value in ((Metric.WINS, 2), (Metric.TIME, 40_000)):
        wish = Wish(metric, "one-handed", Scope.SERVER, Span.DAY)
        shown = await boards.show(wish, guild=1, player=BOB, now=NOW + 2 * HOUR)
        assert shown.places[0].line.value == value
        assert shown.names[ANN] == "P1"
    world = Wish(Metric.WINS, None, Scope.WORLD)
    shown = await boards.show(world, guild=1, player=ANN, now=NOW)
    assert shown.places == ()
    assert shown.own is not None
    assert (shown.own.place, shown.own.line.value, shown.own_page) == (None, 2, None)


async def test_somebody_without_a_name_breaks_nothing(db: Database) -> None:
    await fill(db, {ANN: 2, -7: 1})
    await db.write(players.seen(ANN, "ann", "en-US", NOW))
    shown = await show(db)
    assert shown.names == {ANN: "ann"}
    assert len(shown.places) == 2


async def test_match_points_are_shown_by_their_mean(db: Database) -> None:
    await fill(db, {ANN: 1, BOB: 1})
    await db.write(Statement("UPDATE tally SET deals = 5, mean = $1 WHERE player = $2", (75 * UNITS, ANN)))
    shown = await show(db, Metric.POINTS)
    assert [(each.line.value, each.line.deals) for each in shown.places] == [(75 * UNITS, 5)]
