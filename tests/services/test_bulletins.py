"""When a daily post is due, and that a server gets one a day."""

from __future__ import annotations

import asyncio
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadZoneError, NoDailySetupError
from bot.periods import DAY, day_of
from bot.services.bulletins import LEASE, due_at, find_zones, zones
from bot.services.dailies import closes_at, featured
from bot.services.press import HandledError
from bot.store.database import Database
from engine import EndReason
from tests.services.days import AWAY, FORFEIT, HOME, HOUR, MINUTE, STUCK, WON, Days, day, instant, result

TODAY = day("2026-11-30")
NINE = instant("2026-11-30 09:00")


@pytest.fixture
def days(db: Database) -> Days:
    return Days(db)


@pytest.mark.parametrize(
    ("zone", "hour", "date", "expected"),
    [
        ("UTC", 0, "2026-11-30", "2026-11-30 00:00"),
        ("UTC", 23, "2028-02-29", "2028-02-29 23:00"),
        ("Europe/Berlin", 9, "2026-03-28", "2026-03-28 08:00"),  # the day before summer time
        ("Europe/Berlin", 9, "2026-03-29", "2026-03-29 07:00"),
        ("Europe/Berlin", 2, "2026-03-29", "2026-03-29 01:00"),  # that hour is left out
        ("Europe/Berlin", 9, "2026-10-24", "2026-10-24 07:00"),
        ("Europe/Berlin", 9, "2026-10-25", "2026-10-25 08:00"),
        ("Europe/Berlin", 2, "2026-10-25", "2026-10-25 00:00"),  # that hour comes twice
        ("America/New_York", 19, "2026-03-08", "2026-03-08 00:00"),  # it comes twice within the UTC day
        ("America/New_York", 19, "2026-03-09", "2026-03-09 23:00"),
        ("America/New_York", 19, "2026-11-01", "2026-11-01 00:00"),  # it does not come within the UTC day
        ("America/New_York", 19, "2026-11-02", "2026-11-02 00:00"),
        ("Australia/Lord_Howe", 2, "2026-10-03", "2026-10-03 15:30"),  # half an hour of summer time
        ("Asia/Kathmandu", 5, "2026-11-30", "2026-11-30 23:15"),
        ("Pacific/Auckland", 9, "2026-11-30", "2026-11-30 20:00"),  # there it is the first of December
        ("Pacific/Kiritimati", 0, "2026-11-30", "2026-11-30 10:00"),
    ],
)
def test_the_post_is_due_when_clocks_in_the_zone_show_its_hour(
    zone: str, hour: int, date: str, expected: str
) -> None:
    assert due_at(day(date), hour, zone) == instant(expected)


@given(st.sampled_from(zones()), st.integers(0, 23), st.integers(day("2025-01-01"), day("2029-12-31")))
def test_every_day_has_its_post_within_that_day(zone: str, hour: int, on: int) -> None:
    assert day_of(due_at(on, hour, zone)) == on


def test_zones_are_found_by_any_part_of_their_names() -> None:
    assert find_zones("berl", 25) == ["Europe/Berlin"]
    assert "America/New_York" in find_zones("new york", 25)
    assert find_zones("", 25) == find_zones(" ", 25)
    assert len(find_zones("a", 25)) == 25
    assert find_zones("nowhere", 25) == []
    assert all(ZoneInfo(zone) for zone in zones())


async def set_up(
    days: Days, at: int, guild: int = HOME, *, hour: int = 9, zone: str = "UTC", on: bool = True
) -> None:
    """Lets a server want its posts."""
    await days.bulletins.set_up(days.press(1, at), guild, at, channel=7, hour=hour, zone=zone, on=on)


async def post(days: Days, now: int) -> list[tuple[int, int]]:
    """Sends what is due, as the bot does, and returns (server, day) of it."""
    sent = []
    for setup in await days.bulletins.due(now):
        announced = await days.bulletins.announce(setup, now)
        if announced is not None:
            sent.append((announced.guild, announced.day))
            await days.bulletins.sent(announced, 99, podium=True)
    return sent


async def test_a_server_gets_its_post_at_its_hour_and_once(days: Days) -> None:
    await set_up(days, NINE - HOUR)
    assert await post(days, NINE - 1) == []
    assert await post(days, NINE) == [(HOME, TODAY)]
    for later in (0, 1, HOUR, 10 * HOUR):
        assert await post(days, NINE + later) == []
    assert await post(days, NINE + DAY) == [(HOME, TODAY + 1)]


async def test_servers_have_their_own_hours(days: Days) -> None:
    await set_up(days, NINE - DAY, HOME, hour=9, zone="Europe/Berlin")
    await set_up(days, NINE - DAY, AWAY, hour=9, zone="America/New_York")
    sent = [
        (now, each) for now in range(TODAY * DAY, (TODAY + 1) * DAY, HOUR) for each in await post(days, now)
    ]
    assert sent == [
        (instant("2026-11-30 08:00"), (HOME, TODAY)),
        (instant("2026-11-30 14:00"), (AWAY, TODAY)),
    ]


async def test_two_processes_send_a_post_once(db: Database) -> None:
    here, there = Days(db), Days(db, pressed=1000)
    await set_up(here, NINE - HOUR)
    sent = await asyncio.gather(*(post(each, NINE) for each in (here, there, here, there)))
    assert sum(map(len, sent)) == 1


async def test_after_three_days_of_downtime_only_todays_is_sent(days: Days) -> None:
    await set_up(days, NINE - DAY)
    assert await post(days, NINE) == [(HOME, TODAY)]
    assert await post(days, NINE + 4 * DAY + HOUR) == [(HOME, TODAY + 4)]
    assert await days.db.read("SELECT day FROM daily_post ORDER BY day") == [(TODAY,), (TODAY + 4,)]


async def test_a_clock_that_is_set_sends_nothing_twice_and_nothing_old(days: Days) -> None:
    await set_up(days, NINE - 3 * DAY)
    assert await post(days, NINE) == [(HOME, TODAY)]
    assert await post(days, NINE + DAY) == [(HOME, TODAY + 1)]  # the clock is set forward …
    for step in (0, 1, 0, -1, -2):  # … and back
        assert await post(days, NINE + step * DAY + HOUR) == []
    assert await post(days, NINE + 2 * DAY) == [(HOME, TODAY + 2)]


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
async def test_a_server_gets_one_post_a_day_over_a_change_of_clocks(days: Days, change: str) -> None:
    here = day(change)
    await set_up(days, (here - 2) * DAY, hour=2, zone="Europe/Berlin")
    sent = []
    for now in range((here - 1) * DAY, (here + 2) * DAY, 30 * MINUTE):
        sent += await post(days, now)
    assert sent == [(HOME, here + offset) for offset in (-1, 0, 1)]


async def test_what_was_due_before_a_choice_is_not_sent_after_it(days: Days) -> None:
    await set_up(days, NINE + HOUR)
    assert await post(days, NINE + 2 * HOUR) == []
    setup = await days.bulletins.find(HOME)
    assert setup is not None
    assert await days.bulletins.next_post(setup, NINE + HOUR) == NINE + DAY
    await set_up(days, NINE + HOUR, hour=15)
    setup = await days.bulletins.find(HOME)
    assert setup is not None
    assert await days.bulletins.next_post(setup, NINE + HOUR) == NINE + 6 * HOUR
    assert await post(days, NINE + 6 * HOUR) == [(HOME, TODAY)]
    await set_up(days, NINE + 7 * HOUR, hour=20)
    assert await post(days, NINE + 11 * HOUR) == []


async def test_posts_can_be_switched_off_and_on_again(days: Days) -> None:
    await set_up(days, NINE - HOUR)
    await set_up(days, NINE - HOUR, on=False)
    assert await post(days, NINE) == []
    await days.bulletins.set_up(days.press(1, NINE), HOME, NINE + HOUR)
    assert await post(days, NINE + 2 * HOUR) == []
    assert await post(days, NINE + DAY) == [(HOME, TODAY + 1)]


async def test_what_is_not_chosen_stays(days: Days) -> None:
    with pytest.raises(NoDailySetupError):
        await days.bulletins.set_up(days.press(1, NINE), HOME, NINE, hour=3)
    await days.bulletins.set_up(days.press(1, NINE), HOME, NINE, channel=7, role=8)
    setup = await days.bulletins.set_up(days.press(1, NINE), HOME, NINE, zone="Asia/Tokyo", hour=20)
    assert (setup.channel, setup.role, setup.zone, setup.hour) == (7, 8, "Asia/Tokyo", 20)
    setup = await days.bulletins.set_up(days.press(1, NINE), HOME, NINE, without_role=True)
    assert setup.role is None
    assert await days.bulletins.find(HOME) == setup
    with pytest.raises(BadZoneError):
        await days.bulletins.set_up(days.press(1, NINE), HOME, NINE, zone="../../etc/passwd")
    press = days.press(1, NINE)
    await days.bulletins.set_up(press, HOME, NINE, hour=4)
    with pytest.raises(HandledError):
        await days.bulletins.set_up(press, HOME, NINE, hour=5)


async def test_a_post_of_which_nobody_hears_is_taken_over_by_one(db: Database) -> None:
    here, there = Days(db), Days(db, pressed=1000)
    await set_up(here, NINE - HOUR)
    (setup,) = await here.bulletins.due(NINE)
    first = await here.bulletins.announce(setup, NINE)
    assert first is not None
    assert await there.bulletins.due(NINE) == []
    assert await there.bulletins.lost(NINE + LEASE) == []
    (lost,) = await there.bulletins.lost(NINE + LEASE + 1)
    taken = await asyncio.gather(
        here.bulletins.take_over(lost, NINE + LEASE + 1), there.bulletins.take_over(lost, NINE + LEASE + 1)
    )
    (post,) = [each for each in taken if each is not None]
    assert (post.tries, post.begun_at) == (2, NINE)
    assert await there.bulletins.lost(NINE + LEASE + 2) == []
    await there.bulletins.sent(post, 99, podium=True)
    assert await there.bulletins.lost(NINE + HOUR) == []


async def test_a_lost_post_of_yesterday_is_not_sent_today(days: Days) -> None:
    await set_up(days, NINE - HOUR)
    (setup,) = await days.bulletins.due(NINE)
    await days.bulletins.announce(setup, NINE)
    assert await days.bulletins.lost(NINE + 15 * HOUR) == []
    assert await post(days, NINE + DAY) == [(HOME, TODAY + 1)]


async def test_a_refusal_is_told_until_the_next_choice(days: Days) -> None:
    await set_up(days, NINE - HOUR)
    (setup,) = await days.bulletins.due(NINE)
    announced = await days.bulletins.announce(setup, NINE)
    assert announced is not None
    await days.bulletins.refused(announced, "permission")
    assert await days.bulletins.lost(NINE + HOUR) == []
    found = await days.bulletins.find(HOME)
    assert found is not None
    assert found.trouble == "permission"
    await set_up(days, NINE + HOUR)
    found = await days.bulletins.find(HOME)
    assert found is not None
    assert found.trouble is None


async def test_the_podium_is_that_of_the_server_and_waits_for_the_last_tries(days: Days) -> None:
    noon = NINE - DAY + 3 * HOUR
    game = featured(TODAY - 1).key
    for player, moves in ((1, 140), (2, 130), (3, 135), (4, 131)):
        await days.finish(player, noon, result(EndReason.WON, moves=moves), game)
    await days.finish(5, noon, WON, game, guild=AWAY)
    await days.finish(6, noon, STUCK, "links" if game != "links" else "striptease")
    await set_up(days, NINE - DAY, hour=0)
    midnight = TODAY * DAY
    (setup,) = await days.bulletins.due(midnight)
    announced = await days.bulletins.announce(setup, midnight)
    assert announced is not None
    early = await days.bulletins.write(announced)
    assert (early.podiums, early.featured) == (None, featured(TODAY))
    await days.bulletins.sent(announced, 99, podium=False)
    assert list(await days.bulletins.unfinished(midnight + HOUR - 1)) == []
    over = closes_at(TODAY - 1) + MINUTE
    await days.ends.work(over)
    (pending,) = await days.bulletins.unfinished(over)
    told = await days.bulletins.write(pending)
    assert told.podiums is not None
    assert told.podiums[0][0].key == game
    assert [each.line.player for each in told.podiums[0][1]] == [2, 4, 3]
    assert [each.line.player for each in told.podiums[1][1]] == [6]
    await days.bulletins.sent(pending, 99, podium=True)
    assert list(await days.bulletins.unfinished(over)) == []


async def test_the_podium_has_those_who_came_to_an_end_and_no_void_daily(days: Days) -> None:
    noon = NINE - DAY + 3 * HOUR
    await days.finish(1, noon, STUCK, "links")
    await days.finish(2, noon, FORFEIT, "links")
    await days.finish(3, noon, WON, "striptease")
    await days.finish(4, noon, FORFEIT, "take-away")
    await days.ends.work(NINE)
    await set_up(days, NINE - HOUR)
    (setup,) = await days.bulletins.due(NINE)
    announced = await days.bulletins.announce(setup, NINE)
    assert announced is not None

    async def podiums() -> dict[str, list[int]]:
        told = (await days.bulletins.write(announced)).podiums or ()
        return {rules.key: [each.line.player for each in places] for rules, places in told}

    assert await podiums() == {"links": [1], "striptease": [3]}
    await days.ends.void(TODAY - 1, "striptease", NINE)
    assert await podiums() == {"links": [1]}
    await days.ends.disqualify(TODAY - 1, "links", 1, NINE)
    assert await podiums() == {}


async def test_old_posts_are_forgotten(days: Days) -> None:
    await set_up(days, NINE - HOUR)
    await post(days, NINE)
    await days.bulletins.clean(NINE + 60 * DAY)
    assert len(await days.db.read("SELECT 1 FROM daily_post")) == 1
    await days.bulletins.clean(NINE + 61 * DAY)
    assert await days.db.read("SELECT 1 FROM daily_post") == []
