"""The deals of a day: made once, secret, first try counts, and days that flip by one clock."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import DailyClosedError, DailyNotOverError, NoDailyError, TimeOverError, UnknownGameKeyError
from bot.periods import DAY
from bot.services.dailies import DAILY_GAMES, closes_at, ends_at, featured
from bot.services.pool import is_certifiable
from bot.services.press import HandledError
from bot.services.prover import Proof, Threaded, Winnable, prove_deal
from bot.store.attempts import Purpose
from bot.store.database import Database
from engine import EndReason, find_game, parse_move
from tests.services.days import FORFEIT, HOME, HOUR, MINUTE, STUCK, WON, Days, day, instant

ANN, BOB, CID = 1, 2, 3
NOON = instant("2026-11-30 12:00")
TODAY = day("2026-11-30")


@pytest.fixture
def days(db: Database) -> Days:
    return Days(db)


def test_each_weekday_has_its_featured_game_and_no_two_days_in_a_row_the_same() -> None:
    week = [featured(TODAY + offset) for offset in range(7)]
    assert set(week) == set(DAILY_GAMES)
    assert len({rules.key for rules in week[:5]}) == 5
    for offset in range(100):
        assert featured(TODAY + offset) != featured(TODAY + offset + 1)
        assert featured(TODAY + offset) == featured(TODAY + offset + 7)


def test_the_games_are_the_five_base_games() -> None:
    assert {rules.key for rules in DAILY_GAMES} == {
        "one-handed",
        "taking-silk",
        "take-away",
        "striptease",
        "links",
    }


async def test_a_day_has_one_deal_a_game_whoever_asks_for_it(db: Database) -> None:
    processes = [Days(db, pressed=1000 * number) for number in range(4)]
    await processes[0].stock(2, NOON)
    await asyncio.gather(
        *(each.dailies.prepare(NOON) for each in processes),
        *(each.dailies.today(rules.key, NOON) for each in processes for rules in DAILY_GAMES),
    )
    seeds = await processes[0].seeds(TODAY)
    assert set(seeds) == {rules.key for rules in DAILY_GAMES}
    for each in processes:
        for game, seed in seeds.items():
            assert (await each.dailies.today(game, NOON + HOUR)).seed == seed


async def test_tomorrows_deals_are_certified_ahead_and_never_change(days: Days) -> None:
    await days.stock(2, NOON)
    await days.dailies.prepare(NOON)
    ahead = await days.seeds(TODAY + 1)
    assert set(ahead) == {rules.key for rules in DAILY_GAMES}
    for game in ("take-away", "striptease", "links"):
        daily = await days.dailies.find(TODAY + 1, game)
        assert daily.band is not None
        assert not daily.is_opened
    assert (await days.dailies.find(TODAY + 1, "one-handed")).band is None
    await days.dailies.prepare(NOON + DAY)
    assert await days.seeds(TODAY + 1) == ahead
    assert (await days.dailies.find(TODAY + 1, "links")).is_opened


async def test_a_deal_of_the_pool_is_used_once(days: Days) -> None:
    await days.stock(1, NOON)
    await days.dailies.prepare(NOON)
    assert await days.pool.draw(find_game("links")) is None
    assert "links" not in await days.seeds(TODAY + 1)
    await days.stock(1, NOON)
    await days.dailies.prepare(NOON + MINUTE)
    assert "links" in await days.seeds(TODAY + 1)


async def test_without_a_certified_deal_the_day_begins_all_the_same(days: Days) -> None:
    await days.dailies.prepare(NOON)
    assert set(await days.seeds(TODAY)) == {"one-handed", "taking-silk"}
    seat = await days.play(ANN, NOON)
    assert seat.is_new
    assert (await days.dailies.find(TODAY, "links")).band is None
    await days.dailies.prepare(NOON + MINUTE)
    assert set(await days.seeds(TODAY)) == {rules.key for rules in DAILY_GAMES}
    assert set(await days.seeds(TODAY + 1)) == {"one-handed", "taking-silk"}


async def test_an_empty_pool_is_made_up_for_on_demand(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.services.dailies.PROOF", 60.0)  # this machine may be slow
    days = Days(db, prover=Threaded())
    await days.dailies.prepare(NOON)
    for on in (TODAY, TODAY + 1):
        assert set(await days.seeds(on)) == {rules.key for rules in DAILY_GAMES}
        for rules in DAILY_GAMES:
            daily = await days.dailies.find(on, rules.key)
            assert (daily.band is not None) == is_certifiable(rules)
            if daily.band is not None:
                assert prove_deal(rules.key, daily.seed) == Proof(Winnable.YES, daily.band)
    seat = await Days(db, prover=Threaded()).dailies.play(
        days.press(ANN, NOON + 5 * DAY), "links", NOON + 5 * DAY
    )
    assert (await days.dailies.find(seat.day, "links")).band is not None


async def test_the_first_try_is_the_one(days: Days) -> None:
    first = await days.play(ANN, NOON)
    again = await days.play(ANN, NOON + MINUTE)
    assert (first.is_new, again.is_new) == (True, False)
    assert again.record.id == first.record.id
    assert (first.record.purpose, first.record.ranked) == (Purpose.DAILY, True)
    assert first.record.attempt.start == NOON
    await days.end(first, FORFEIT)
    assert (await days.play(ANN, NOON + HOUR)).record.id == first.record.id


async def test_two_commands_at_once_begin_one_try(db: Database) -> None:
    here, there = Days(db), Days(db, pressed=1000)
    seats = await asyncio.gather(*(each.play(ANN, NOON) for each in (here, there, here, there)))
    assert len({seat.record.id for seat in seats}) == 1
    assert sum(seat.is_new for seat in seats) == 1


async def test_a_command_delivered_twice_is_handled_once(days: Days) -> None:
    press = days.press(ANN, NOON)
    await days.dailies.play(press, "links", NOON)
    seat = await days.dailies.play(press, "links", NOON)
    assert not seat.is_new
    with pytest.raises(HandledError):
        await days.dailies.play(press, "striptease", NOON)


async def test_every_game_has_a_try_of_its_own(days: Days) -> None:
    seats = [await days.play(ANN, NOON, rules.key) for rules in DAILY_GAMES]
    assert all(seat.is_new for seat in seats)
    with pytest.raises(UnknownGameKeyError):
        await days.play(ANN, NOON, "take-away-4")


@pytest.mark.parametrize("date", ["2026-11-30", "2026-12-31", "2028-02-28", "2028-02-29", "2027-02-28"])
async def test_the_day_flips_at_midnight_utc(days: Days, date: str) -> None:
    here = day(date)
    before = await days.play(ANN, ends_at(here) - 1, "links")
    after = await days.play(BOB, ends_at(here), "links")
    assert (before.day, after.day) == (here, here + 1)
    assert before.record.attempt.seed != after.record.attempt.seed


async def test_a_try_begun_before_midnight_counts_for_sixty_minutes_after(days: Days) -> None:
    seat = await days.play(ANN, ends_at(TODAY) - 1)
    assert seat.record.attempt.deadline == closes_at(TODAY)
    deal = parse_move("sw")
    for at in (ends_at(TODAY) + MINUTE, closes_at(TODAY)):
        record = await days.attempts.find(seat.record.id)
        played = await days.attempts.act(
            days.press(ANN, at), record.id, record.attempt.seq, lambda a, now: a.play(deal, now)
        )
        assert not played.is_stale
    with pytest.raises(TimeOverError):
        await days.attempts.act(
            days.press(ANN, closes_at(TODAY) + 1), seat.record.id, 2, lambda a, now: a.play(deal, now)
        )


async def test_yesterdays_try_comes_before_todays(days: Days) -> None:
    yesterday = await days.play(ANN, ends_at(TODAY) - MINUTE)
    late = await days.play(ANN, ends_at(TODAY) + MINUTE)
    assert (late.record.id, late.day, late.is_new) == (yesterday.record.id, TODAY, False)
    assert (await days.play(ANN, ends_at(TODAY) + MINUTE, "striptease")).day == TODAY + 1
    await days.end(yesterday, WON)
    assert (await days.play(ANN, ends_at(TODAY) + 2 * MINUTE)).day == TODAY + 1


async def test_an_abandoned_try_is_not_finished_once_the_sixty_minutes_are_over(days: Days) -> None:
    seat = await days.play(ANN, NOON)
    await days.ends.work(closes_at(TODAY) + 2_999)
    assert not (await days.attempts.find(seat.record.id)).attempt.is_over
    await days.ends.work(closes_at(TODAY) + 3_001)
    ended = (await days.attempts.find(seat.record.id)).attempt.result
    assert ended is not None
    assert ended.reason is EndReason.TIME


async def test_nothing_but_the_turnout_is_shown_before_one_is_done(days: Days) -> None:
    await days.finish(BOB, NOON, WON)
    await days.play(CID, NOON)
    before = await days.show(ANN, TODAY, NOON)
    assert (before.began, before.done, before.own, before.figures) == (2, 1, None, None)
    seat = await days.play(ANN, NOON)
    assert (await days.show(ANN, TODAY, NOON)).figures is None
    await days.end(seat, STUCK)
    after = await days.show(ANN, TODAY, NOON + HOUR)
    assert after.figures is not None
    assert [each.line.player for each in after.figures.home.places] == [BOB, ANN]  # type: ignore[union-attr]
    outsider = await days.show(4, TODAY, closes_at(TODAY) + MINUTE)
    assert outsider.figures is None


async def test_one_who_gave_up_sees_the_results_and_may_practise(days: Days) -> None:
    await days.finish(ANN, NOON, FORFEIT)
    assert (await days.show(ANN, TODAY, NOON)).figures is not None
    again = await days.dailies.again(days.press(ANN, NOON + HOUR), TODAY, "links")
    assert (again.purpose, again.day, again.ranked) == (Purpose.PRACTICE, TODAY, False)
    view = await days.show(ANN, TODAY, NOON + HOUR)
    assert (view.began, view.done) == (1, 1)


async def test_the_deal_of_today_is_practised_by_nobody_else(days: Days) -> None:
    await days.play(ANN, NOON)
    for player in (ANN, BOB):
        with pytest.raises(DailyNotOverError):
            await days.dailies.again(days.press(player, NOON), TODAY, "links")
        assert not await days.dailies.may_see(player, TODAY, "links")
    assert await days.dailies.is_sealed(TODAY, "links")


async def test_a_day_that_is_over_is_open_to_all(days: Days) -> None:
    await days.finish(BOB, NOON, WON)
    now = closes_at(TODAY) + HOUR
    await days.ends.work(now)
    assert not await days.dailies.is_sealed(TODAY, "links")
    again = await days.dailies.again(days.press(ANN, now), TODAY, "links")
    assert (again.purpose, again.day, again.ranked) == (Purpose.ARCHIVE, TODAY, False)
    assert (await days.show(ANN, TODAY, now)).figures is not None
    assert await days.dailies.archive(9) == [TODAY]
    with pytest.raises(NoDailyError):
        await days.dailies.find(TODAY - 1, "links")


async def test_a_clock_set_forward_and_back_changes_no_deal_and_reopens_no_day(days: Days) -> None:
    await days.stock(8, NOON)
    await days.dailies.prepare(NOON)
    await days.finish(ANN, NOON, WON)
    today = await days.seeds(TODAY)
    for ahead in (2, 0, 9, 0):
        now = NOON + ahead * DAY
        await days.dailies.prepare(now)
        await days.ends.work(now)
    assert await days.seeds(TODAY) == today
    assert (await days.play(ANN, NOON + HOUR)).record.attempt.is_over
    with pytest.raises(DailyClosedError):  # its seed was shown while the clock was ahead
        await days.play(BOB, NOON + HOUR)
    ahead_seeds = await days.seeds(TODAY + 9)
    assert (await days.play(BOB, NOON + 9 * DAY)).record.attempt.seed == ahead_seeds["links"]


async def test_a_clock_set_back_by_a_second_at_midnight_begins_nothing_anew(days: Days) -> None:
    seat = await days.play(ANN, ends_at(TODAY) + 500)
    assert seat.day == TODAY + 1
    await days.dailies.prepare(ends_at(TODAY) + 500)
    back = await days.dailies.play(days.press(BOB, ends_at(TODAY) + 600), "links", ends_at(TODAY) - 400)
    assert back.day == TODAY
    assert back.record.attempt.deadline == closes_at(TODAY)


async def test_a_clock_far_behind_discords_still_lets_one_play(days: Days) -> None:
    press = days.press(ANN, NOON + 3 * DAY)
    seat = await days.dailies.play(press, "links", NOON, guild=HOME)
    assert seat.day == TODAY
    assert (seat.record.attempt.deadline or 0) > press.at
