"""What a race counts for, and the lines of the boards that follow from it."""

from __future__ import annotations

import pytest

from bot.errors import RaceNotFinishedError, UnknownRaceError
from bot.periods import ALL_TIME, Period, Span, day_of, period_of, periods_of
from bot.store import players, results, standings
from bot.store.database import ConflictError, Database, Row, Statement
from bot.store.standings import BEST, EVERYWHERE, MEAN, RATING, STREAK, WINS, Line, Order
from engine.scoring import UNITS
from tests.services.conftest import ANN, BOB, CID, DAN, DAY, HOUR, MINUTE, NOW, Club, forfeit, stuck, won

GAME = "one-handed/1"
TODAY = day_of(NOW)


async def board(
    db: Database, order: Order, *, game: str = GAME, period: int = ALL_TIME, guild: int = 1
) -> list[tuple[int, int | None]]:
    """Returns player and value of each line."""
    found = await standings.lines(db, order, game, period, guild, limit=99, skip=0, total=99)
    assert await standings.count(db, order, game, period, guild) == len(found)
    return [(line.player, line.value) for line in found]


async def own(db: Database, player: int, order: Order = WINS, *, guild: int = 1) -> Line | None:
    return await standings.line(db, order, GAME, ALL_TIME, guild, player)


async def test_first_with_somebody_behind_is_a_win(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB), forfeit(CID))
    assert await board(club.db, WINS) == [(ANN, 1)]
    assert await board(club.db, BEST) == [(ANN, 60_000)]
    line = await own(club.db, BOB)
    assert line is not None
    assert (line.races, line.wins, line.value) == (1, 0, None)


async def test_a_shared_first_place_is_a_win_for_each_unless_nobody_is_behind(club: Club) -> None:
    await club.race(stuck(ANN), stuck(BOB), forfeit(CID))
    await club.race(stuck(CID), stuck(DAN), start=NOW + HOUR)
    assert await board(club.db, WINS) == [(ANN, 1), (BOB, 1)]


async def test_giving_up_never_wins(club: Club) -> None:
    await club.race(forfeit(ANN), forfeit(BOB))
    assert await board(club.db, WINS) == []


async def test_unranked_races_and_lone_players_count_for_nothing(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB), ranked=False)
    await club.race(won(ANN), start=NOW + HOUR)
    assert await own(club.db, ANN) is None
    assert await club.db.read("SELECT COUNT(*) FROM tally") == [(0,)]


async def test_boards_of_games_servers_and_periods_are_kept_apart(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB), guild=1)
    await club.race(won(BOB), stuck(CID), guild=2, start=NOW + HOUR)
    await club.race(won(CID), stuck(ANN), guild=1, game="one-handed-free", start=NOW + 8 * DAY)
    assert await board(club.db, WINS) == [(ANN, 1)]
    assert await board(club.db, WINS, guild=2) == [(BOB, 1)]
    assert await board(club.db, WINS, game="one-handed-free/1") == [(CID, 1)]
    assert {player for player, _ in await board(club.db, WINS, game=results.ALL_GAMES)} == {ANN, CID}
    later = period_of(Span.WEEK, TODAY + 8).key
    assert await board(club.db, WINS, game=results.ALL_GAMES, period=later) == [(CID, 1)]
    assert await board(club.db, BEST, game=results.ALL_GAMES) == []


async def test_the_best_time_is_the_least_and_that_of_a_deal_that_was_won(club: Club) -> None:
    await club.race(won(ANN, 90_000), stuck(BOB, 10_000))
    await club.race(won(ANN, 50_000), won(BOB, 70_000), start=NOW + HOUR)
    await club.race(won(ANN, 60_000), stuck(BOB), start=NOW + 2 * HOUR)
    assert await board(club.db, BEST) == [(ANN, 50_000), (BOB, 70_000)]


async def test_only_those_who_asked_stand_on_the_boards_of_everywhere(club: Club) -> None:
    await club.db.write(players.seen(ANN, "ann", "en-US", NOW), players.seen(BOB, "bob", "en-US", NOW))
    await club.db.write(*standings.list_player(ANN, listed=True))
    await club.race(won(ANN), stuck(BOB))
    await club.race(won(BOB), stuck(ANN), start=NOW + HOUR)
    assert await board(club.db, WINS, guild=EVERYWHERE) == [(ANN, 1)]
    assert {player for player, _ in await board(club.db, WINS)} == {ANN, BOB}
    hidden = await own(club.db, BOB, guild=EVERYWHERE)
    assert hidden is not None
    assert (hidden.is_listed, hidden.value) == (False, 1)

    await club.db.write(*standings.list_player(BOB, listed=True), *standings.list_player(ANN, listed=False))
    assert await board(club.db, WINS, guild=EVERYWHERE) == [(BOB, 1)]
    await club.db.write(*standings.bar_player(BOB, barred=True))
    assert await board(club.db, WINS, guild=EVERYWHERE) == []
    await club.race(won(BOB), stuck(ANN), start=NOW + 2 * HOUR)
    assert await board(club.db, WINS, guild=EVERYWHERE) == []
    assert (BOB, 2) in await board(club.db, WINS)
    await club.db.write(*standings.bar_player(BOB, barred=False))
    assert await board(club.db, WINS, guild=EVERYWHERE) == [(BOB, 2)]


async def test_a_voided_race_is_gone_from_all_boards_and_comes_back(club: Club) -> None:
    race = await club.race(won(ANN, 30_000), stuck(BOB))
    await club.race(won(ANN, 40_000), stuck(BOB), start=NOW + HOUR)
    before = await club.dump()
    await club.standings.void(race, NOW + DAY // 4)
    await club.settle()
    assert await board(club.db, WINS) == [(ANN, 1)]
    assert await board(club.db, BEST) == [(ANN, 40_000)]
    verdict = await club.standings.verdict(race)
    assert verdict.is_voided
    assert verdict.ratings == {}
    with pytest.raises(ConflictError):
        await club.standings.void(race, NOW + DAY // 4)
    await club.standings.restore(race, NOW + DAY // 4)
    await club.settle()
    assert await club.dump() == before


async def test_the_others_move_up_when_one_is_disqualified(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB, 20_000), stuck(CID))
    await club.standings.disqualify(race, ANN, NOW + HOUR)
    await club.settle()
    assert await board(club.db, WINS) == [(BOB, 1)]
    assert (await club.standings.verdict(race)).disqualified == {ANN}
    places = await club.db.read("SELECT player, place FROM entrant WHERE race = $1 ORDER BY player", race)
    assert dict(places) == {ANN: None, BOB: 1, CID: 2}
    assert await own(club.db, ANN) is None


async def test_a_race_with_one_player_left_counts_for_nothing(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB))
    await club.standings.disqualify(race, ANN, NOW + HOUR)
    assert await own(club.db, BOB) is None
    await club.standings.reinstate(race, ANN, NOW + HOUR)
    await club.settle()
    assert await board(club.db, WINS) == [(ANN, 1)]
    assert len(await board(club.db, RATING)) == 2


async def test_what_is_written_along_is_written_with_it_or_not_at_all(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB))
    note = Statement("INSERT INTO press (interaction, at) VALUES ($1, $2)", (7, NOW), rows=1)
    await club.standings.void(race, NOW, note)
    with pytest.raises(ConflictError):
        await club.standings.restore(race, NOW, note)
    assert (await club.standings.verdict(race)).is_voided


async def test_races_that_are_not_finished_have_no_verdict(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB), count=False)
    await club.db.write(Statement("UPDATE race SET phase = 'running' WHERE id = $1", (race,)))
    with pytest.raises(RaceNotFinishedError):
        await club.standings.verdict(race)
    with pytest.raises(UnknownRaceError):
        await club.standings.void(race + 1, NOW)


async def test_the_background_work_enters_what_was_left_over(club: Club) -> None:
    for number in range(3):
        await club.race(won(ANN), stuck(BOB), start=NOW + number * HOUR, count=False)
    await club.standings.work()
    assert await board(club.db, WINS) == [(ANN, 3)]
    await club.standings.work()
    assert await board(club.db, WINS) == [(ANN, 3)]
    assert await results.uncounted(club.db, 9) == []


async def test_lines_that_are_added_up_are_those_that_are_made_anew(club: Club) -> None:
    for number in range(12):
        first, second, third = (ANN, BOB, CID)[number % 3], (BOB, CID, ANN)[number % 3], DAN
        await club.race(
            won(first, 50_000 + number),
            stuck(second),
            forfeit(third),
            game=("links", "one-handed")[number % 2],
            guild=1 + number % 2,
            start=NOW - number * MINUTE,
        )
    added = (await club.dump())[1]
    await club.standings.tally_players((ANN, BOB, CID, DAN), NOW)
    assert (await club.dump())[1] == added


async def daily(
    club: Club, player: int, points: list[int], *, first: int = TODAY - 30, game: str = "links"
) -> None:
    """Gives *player* the match points of some days, in per cent."""
    rows = [
        Statement(
            "INSERT INTO daily_result (day, game, player, board, attempt, place, field, points) "
            "VALUES ($1, $2, $3, $4, 0, 1, 9, $5)",
            (first + index, game, player, f"{game}/1", each * UNITS),
        )
        for index, each in enumerate(points)
    ]
    await club.db.write(*rows)
    await club.standings.tally_players([player], NOW)


async def test_match_points_are_a_mean_from_five_dailies_on(club: Club) -> None:
    await club.db.write(results.join(ANN, 1), results.join(BOB, 1), results.join(CID, 2))
    await daily(club, ANN, [100] * 5)
    await daily(club, BOB, [60] * 20)
    await daily(club, CID, [100] * 4)
    assert await board(club.db, MEAN, game="links/1") == [(ANN, 75 * UNITS), (BOB, 58 * UNITS)]
    assert await board(club.db, MEAN, game=results.ALL_GAMES) == [(ANN, 75 * UNITS), (BOB, 58 * UNITS)]
    assert await board(club.db, MEAN, game="links/1", guild=2) == []
    assert await board(club.db, MEAN, game="one-handed/1") == []


async def test_dailies_count_in_the_time_in_which_they_are_closed(club: Club) -> None:
    await club.db.write(results.join(ANN, 1))
    for game in ("one-handed", "taking-silk", "take-away", "striptease", "links"):
        await daily(club, ANN, [0, 100], first=TODAY - 2, game=game)
    for span, mean in ((Span.DAY, 75), (Span.ALL, 50)):
        key = period_of(span, TODAY).key
        assert await board(club.db, MEAN, game=results.ALL_GAMES, period=key) == [(ANN, mean * UNITS)]


async def test_a_new_member_brings_the_own_dailies_along(club: Club) -> None:
    await daily(club, ANN, [100] * 5)
    assert await board(club.db, MEAN, game="links/1") == []
    await club.race(won(ANN), stuck(BOB))
    assert await board(club.db, MEAN, game="links/1") == [(ANN, 75 * UNITS)]
    assert await board(club.db, WINS) == [(ANN, 1)]


async def test_a_race_that_is_counted_a_day_late_takes_a_new_member_off_no_board(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB), count=False)
    await daily(club, ANN, [100] * 5, first=TODAY - 3)
    today = period_of(Span.DAY, day_of(NOW + DAY)).key

    async def deals() -> list[Row]:
        return await club.db.read(
            "SELECT board, deals FROM tally WHERE player = $1 AND period = $2 AND guild = $3 ORDER BY board",
            ANN,
            today,
            EVERYWHERE,
        )

    await club.standings.tally_players([ANN], NOW + DAY)
    before = await deals()
    assert before
    await club.standings.work(NOW + DAY)
    assert await deals() == before


async def test_streaks_stand_on_the_boards_of_all_servers_of_a_player(club: Club) -> None:
    await club.db.write(
        results.join(ANN, 1),
        results.join(ANN, 2),
        Statement("INSERT INTO streak (player, days, longest, last_day) VALUES ($1, 3, 9, 0)", (ANN,)),
    )
    await club.standings.tally_players([ANN], NOW)
    for guild in (1, 2):
        assert await board(club.db, STREAK, game=results.ALL_GAMES, guild=guild) == [(ANN, 3)]
    await club.db.write(Statement("UPDATE streak SET days = 0"))
    await club.standings.tally_players([ANN], NOW)
    assert await board(club.db, STREAK, game=results.ALL_GAMES) == []


async def test_lines_of_past_periods_are_forgotten_bit_by_bit(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB))
    now: list[Period] = list(periods_of(TODAY))
    await club.standings.clean(NOW)
    for period in now:
        assert await board(club.db, WINS, period=period.key) == [(ANN, 1)]
    await club.standings.clean(NOW + 100 * DAY)
    for period in now:
        lines = await board(club.db, WINS, period=period.key)
        assert lines == ([(ANN, 1)] if period.span is Span.ALL else [])


async def test_a_renamed_player_leaves_everybody_else_as_they_were(club: Club) -> None:
    """What /privacy delete does: the player lives on under a number that is nobody's."""
    race = await club.race(won(ANN), stuck(BOB), stuck(CID))
    await club.race(stuck(ANN), won(BOB), start=NOW + HOUR)
    before = await club.dump()
    await club.db.write(
        *standings.rename(BOB, -5),
        Statement("UPDATE entrant SET player = -5 WHERE player = $1", (BOB,)),
        Statement("UPDATE attempt SET player = -5 WHERE player = $1", (BOB,)),
    )
    assert (BOB, 1) not in await board(club.db, WINS)
    assert (-5, 1) in await board(club.db, WINS)
    await club.standings.void(race, NOW + 2 * HOUR)
    await club.settle()
    await club.standings.restore(race, NOW + 2 * HOUR)
    await club.settle()
    after = await club.dump()

    def others(dump: tuple[list[object], list[object]], mine: int) -> list[object]:
        return [row for part in dump for row in part if mine not in row[:2]]  # type: ignore[index]

    assert others(before, BOB) == others(after, -5)
