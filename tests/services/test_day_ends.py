"""The ends of days: places, match points, streaks, and judgements after them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from bot.periods import DAY
from bot.services.attempts import Attempts
from bot.services.dailies import closes_at
from bot.services.day_ends import first_open, rows_of
from bot.services.players import Players
from bot.services.press import Press
from bot.services.privacy import Privacy
from bot.snowflake import snowflake_at
from bot.store import standings
from bot.store.dailies import Daily, Entry
from bot.store.database import ConflictError, Database, Statement
from bot.text import daily as daily_text
from bot.views.daily import daily
from bot.views.payload import walk
from engine import EndReason
from engine.scoring import UNITS, in_units
from engine.streaks import Streak
from tests.services.days import FORFEIT, HOUR, MINUTE, STUCK, WON, Days, day, instant, result

ANN, BOB, CID, DAN = 1, 2, 3, 4
NOON = instant("2026-11-30 12:00")
TODAY = day("2026-11-30")
OVER = closes_at(TODAY) + MINUTE


@pytest.fixture
def days(db: Database) -> Days:
    return Days(db)


async def kept(days: Days, on: int = TODAY) -> list[tuple[int, int | None, int, int | None]]:
    """Returns (player, place, field, points) of a day as they are kept."""
    rows = await days.db.read(
        "SELECT player, place, field, points FROM daily_result WHERE day = $1 ORDER BY player", on
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


async def streaks(days: Days) -> dict[int, int]:
    """Returns the streaks that go on, as they are kept."""
    return {row[0]: row[1] for row in await days.db.read("SELECT player, days FROM streak WHERE days > 0")}


async def dump(days: Days) -> list[object]:
    """Returns all that follows from dailies."""
    return [
        await days.db.read(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4")
        for table in ("daily_result", "streak", "tally")
    ]


def test_a_day_is_over_an_hour_and_a_moment_after_it() -> None:
    assert first_open(closes_at(TODAY)) == TODAY
    assert first_open(closes_at(TODAY) + 2_999) == TODAY
    assert first_open(closes_at(TODAY) + 3_000) == TODAY + 1


def test_rows_have_exact_points() -> None:
    entries = [
        Entry(player, player, result(EndReason.WON, moves=moves))
        for player, moves in enumerate((128, 130, 130, 131, 140, 141, 150, 160), start=1)
    ]
    rows = rows_of(entries)
    assert [row[1] for row in rows] == [1, 2, 2, 4, 5, 6, 7, 8]
    assert rows[1][3] == in_units(Fraction(550, 7))
    assert sum(row[3] for row in rows) == pytest.approx(8 * 50 * UNITS, abs=8)


async def test_places_and_points_are_fixed_when_the_day_is_over(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    await days.finish(CID, NOON, FORFEIT)
    await days.play(DAN, NOON)
    await days.ends.work(OVER - HOUR)
    assert await kept(days) == []
    await days.ends.work(OVER)
    assert await kept(days) == [
        (ANN, 1, 4, 100 * UNITS),
        (BOB, 2, 4, in_units(Fraction(200, 3))),
        (CID, 3, 4, in_units(Fraction(50, 3))),
        (DAN, 3, 4, in_units(Fraction(50, 3))),
    ]
    before = await dump(days)
    await days.ends.work(OVER + HOUR)
    assert await dump(days) == before


async def test_a_day_stays_open_while_an_attempt_at_it_goes_on(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    late = (await days.play(BOB, NOON)).record
    await days.db.write(
        Statement("UPDATE attempt SET time_limit = time_limit + $1 WHERE id = $2", (HOUR, late.id), rows=1)
    )
    await days.ends.work(OVER)
    assert not (await days.attempts.find(late.id)).attempt.is_over
    assert await days.dailies.is_sealed(TODAY, "links")
    await days.ends.work(OVER + HOUR)
    assert await kept(days) == [(ANN, 1, 2, 100 * UNITS), (BOB, 2, 2, 0)]


async def test_a_field_of_one_has_a_place_and_no_points(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.ends.work(OVER)
    assert await kept(days) == [(ANN, 1, 1, None)]


async def test_every_game_has_its_own_field(days: Days) -> None:
    await days.finish(ANN, NOON, WON, "links")
    await days.finish(BOB, NOON, WON, "striptease")
    await days.ends.work(OVER)
    assert await kept(days) == [(ANN, 1, 1, None), (BOB, 1, 1, None)]


async def test_two_processes_that_close_a_day_at_once_close_it_once(db: Database) -> None:
    here, there = Days(db), Days(db, pressed=1000)
    for player in (ANN, BOB, CID):
        await here.finish(player, NOON + player, result(EndReason.WON, moves=130 + player))
    await here.play(DAN, NOON)
    await asyncio.gather(here.ends.work(OVER), there.ends.work(OVER))
    assert [(row[0], row[1]) for row in await kept(here)] == [(ANN, 1), (BOB, 2), (CID, 3), (DAN, 4)]


async def test_what_was_cut_off_is_done_again(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    await days.ends.work(OVER)
    done = await dump(days)
    await days.db.write(
        Statement("DELETE FROM tally"),
        Statement("DELETE FROM streak"),
        Statement("UPDATE daily SET handed = 0"),
    )
    await days.ends.work(OVER + MINUTE)
    assert await dump(days) == done


async def test_points_come_to_the_boards(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    await days.ends.work(OVER)
    rows = await days.db.read(
        "SELECT player, deals, points, streak FROM tally "
        "WHERE board = 'all' AND period = 0 AND guild = 0 ORDER BY player"
    )
    assert rows == [(ANN, 1, 100 * UNITS, 1), (BOB, 1, 0, 1)]


async def test_who_is_disqualified_leaves_the_field_and_can_come_back(days: Days) -> None:
    for player, moves in ((ANN, 128), (BOB, 130), (CID, 140)):
        await days.finish(player, NOON, result(EndReason.WON, moves=moves))
    await days.ends.work(OVER)
    before = await dump(days)
    await days.ends.disqualify(TODAY, "links", ANN, OVER)
    assert await kept(days) == [
        (ANN, None, 2, None),
        (BOB, 1, 2, 100 * UNITS),
        (CID, 2, 2, 0),
    ]
    assert await streaks(days) == {BOB: 1, CID: 1}
    view = await days.show(ANN, TODAY, OVER)
    assert view.own is not None
    assert view.own.is_disqualified
    with pytest.raises(ConflictError):
        await days.ends.disqualify(TODAY, "links", ANN, OVER)
    await days.ends.reinstate(TODAY, "links", ANN, OVER)
    assert await dump(days) == before


async def test_who_is_disqualified_before_the_day_is_over_has_no_place_after_it(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    await days.ends.disqualify(TODAY, "links", ANN, NOON + HOUR)
    await days.ends.work(OVER)
    assert await kept(days) == [(ANN, None, 1, None), (BOB, 1, 1, None)]


async def test_who_is_disqualified_while_the_day_is_closed_has_no_place_either(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    there, rows = Days(days.db, pressed=1000), days.ends._rows

    async def late(daily: Daily, entries: Sequence[Entry]) -> list[Statement]:
        monkeypatch.undo()
        await there.ends.disqualify(TODAY, "links", ANN, OVER)
        return await rows(daily, entries)

    monkeypatch.setattr(days.ends, "_rows", late)
    for _ in range(2):
        await days.ends.work(OVER)
    assert await kept(days) == [(ANN, None, 1, None), (BOB, 1, 1, None)]
    assert (await days.dailies.find(TODAY, "links")).is_closed


async def test_one_who_is_late_to_close_a_day_undoes_no_judgement(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    there, rows = Days(days.db, pressed=1000), days.ends._rows

    async def late(daily: Daily, entries: Sequence[Entry]) -> list[Statement]:
        found = await rows(daily, entries)
        await there.ends.work(OVER)
        await there.ends.disqualify(TODAY, "links", ANN, OVER)
        return found

    monkeypatch.setattr(days.ends, "_rows", late)
    await days.ends.work(OVER)
    assert await kept(days) == [(ANN, None, 1, None), (BOB, 1, 1, None)]


async def forget_ann(days: Days) -> None:
    """Deletes everything about ANN."""
    privacy = Privacy(days.db, Attempts(days.db), Players(days.db))
    await days.db.write(Press(snowflake_at(NOON), ANN, "Ann").seen)
    await privacy.delete(Press(snowflake_at(NOON) + 9, ANN, "Ann"))


async def test_one_who_is_deleted_while_the_day_is_closed_is_in_no_result(
    days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    rows = days.ends._rows

    async def deleted(daily: Daily, entries: Sequence[Entry]) -> list[Statement]:
        monkeypatch.undo()
        await forget_ann(days)
        return await rows(daily, entries)

    monkeypatch.setattr(days.ends, "_rows", deleted)
    for _ in range(2):
        await days.ends.work(OVER)
    (gone, *_), bob = await kept(days)
    assert gone < 0
    assert bob == (BOB, 2, 2, 0)


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_a_streak_that_was_found_before_a_change_is_not_kept(
    days: Days, monkeypatch: pytest.MonkeyPatch, is_deleted: bool
) -> None:
    await days.finish(ANN, NOON - DAY, WON)
    await days.finish(ANN, NOON, WON)
    there, found = Days(days.db, pressed=1000), days.ends._streaks

    async def changed(played: Mapping[int, set[int]], now: int) -> dict[int, Streak]:
        monkeypatch.undo()
        before = await found(played, now)
        await (forget_ann(days) if is_deleted else there.ends.disqualify(TODAY, "links", ANN, now))
        return before

    monkeypatch.setattr(days.ends, "_streaks", changed)
    await days.ends.follow(ANN, NOON + HOUR)
    assert (await streaks(days)).get(ANN) == (None if is_deleted else 1)


async def test_an_audit_that_cannot_be_written_stops_the_judgement(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.ends.work(OVER)
    before = await dump(days)
    broken = Statement("UPDATE daily SET voided = 1 WHERE day = -1", rows=1)
    for judge in (
        days.ends.disqualify(TODAY, "links", ANN, OVER, broken),
        days.ends.void(TODAY, "links", OVER, broken),
        days.ends.disqualify(TODAY, "links", BOB, OVER),
        days.ends.restore(TODAY, "links", OVER),
        days.ends.void(TODAY + 1, "links", OVER),
    ):
        with pytest.raises(ConflictError):
            await judge
    assert await dump(days) == before


async def test_a_void_daily_counts_for_nothing_but_streaks_until_it_is_restored(days: Days) -> None:
    await days.finish(ANN, NOON, WON)
    await days.finish(BOB, NOON, STUCK)
    await days.ends.work(OVER)
    await days.db.write(*standings.list_player(ANN, listed=True))
    before = await dump(days)
    await days.ends.void(TODAY, "links", OVER)
    assert await kept(days) == [(ANN, None, 2, None), (BOB, None, 2, None)]
    assert await streaks(days) == {ANN: 1, BOB: 1}
    view = await days.show(ANN, TODAY, OVER)
    assert view.daily.is_voided
    assert view.figures is not None
    assert (view.figures.points, view.figures.world, view.figures.best) == (None, None, ())
    told = "\n".join(part["content"] for part in walk(daily(view, OVER).components) if part["type"] == 10)
    assert told.count(str(daily_text.VOID)) == 1
    assert "– **Player 1**" in told
    assert "🥇" not in told
    await days.ends.restore(TODAY, "links", OVER)
    assert await dump(days) == before


async def open_day(days: Days, on: int) -> int:
    """Lets the bot be there at noon of a day, and returns that instant."""
    noon = on * DAY + 12 * HOUR
    await days.dailies.prepare(noon)
    await days.ends.work(noon)
    return noon


async def test_streaks_grow_at_once_and_end_when_a_second_day_of_the_month_is_missed(days: Days) -> None:
    first = day("2026-11-02")
    for on in range(first, first + 4):
        noon = await open_day(days, on)
        if on != first + 2:
            await days.finish(ANN, noon)
        assert (await streaks(days))[ANN] > 0
    assert await streaks(days) == {ANN: 3}
    await open_day(days, first + 4)
    await open_day(days, first + 5)
    assert await streaks(days) == {}
    found = await days.ends.streak(ANN, (first + 5) * DAY + 12 * HOUR)
    assert (found.days, found.longest, found.ended, found.frozen) == (0, 3, 3, first + 2)
    await days.finish(ANN, await open_day(days, first + 6))
    found = await days.ends.streak(ANN, (first + 6) * DAY + 13 * HOUR)
    assert (found.days, found.longest, found.ended) == (1, 3, 3)


async def test_giving_up_and_abandoning_make_no_streak_and_archive_plays_touch_none(days: Days) -> None:
    noon = await open_day(days, TODAY)
    await days.finish(ANN, noon, FORFEIT)
    await days.play(BOB, noon)
    await days.finish(CID, noon, STUCK)
    await days.ends.work(OVER)
    assert await streaks(days) == {CID: 1}
    archived = await days.dailies.again(days.press(BOB, OVER), TODAY, "one-handed")
    await days.ends.finished(archived, OVER)
    assert await streaks(days) == {CID: 1}


async def test_a_day_on_which_the_bot_was_away_ends_no_streak(days: Days) -> None:
    for on in (TODAY - 1, TODAY):
        await days.finish(ANN, await open_day(days, on))
    noon = await open_day(days, TODAY + 4)
    assert await streaks(days) == {ANN: 2}
    await days.finish(ANN, noon)
    assert await streaks(days) == {ANN: 3}
    rows = await days.db.read("SELECT day FROM daily WHERE closed_at IS NOT NULL GROUP BY day ORDER BY day")
    assert [row[0] for row in rows] == [TODAY - 1, TODAY, TODAY + 1]


async def test_a_late_finish_after_midnight_counts_for_its_day(days: Days) -> None:
    for on in (TODAY - 1, TODAY):
        await open_day(days, on)
    await days.finish(ANN, (TODAY - 1) * DAY + 12 * HOUR)
    late = await days.play(ANN, (TODAY + 1) * DAY - MINUTE)
    await days.dailies.prepare((TODAY + 1) * DAY)
    await days.finish(ANN, (TODAY + 1) * DAY + MINUTE, game="striptease")
    await days.end(late, result(EndReason.WON, time=30 * MINUTE))
    await days.ends.follow(ANN, (TODAY + 1) * DAY + 30 * MINUTE)
    assert await streaks(days) == {ANN: 3}


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_deletion_changes_nothing_for_the_others(days: Days, is_over: bool) -> None:
    privacy = Privacy(days.db, Attempts(days.db), Players(days.db))
    for player, played in ((ANN, WON), (BOB, STUCK), (CID, FORFEIT)):
        await days.finish(player, NOON, played)
        await days.finish(player, NOON - 2 * DAY, played)
    if is_over:
        await days.ends.work(OVER)
    await days.db.write(*(Press(snowflake_at(NOON) + n, n, "x").seen for n in (ANN, BOB, CID)))
    await privacy.delete(Press(snowflake_at(NOON) + 9, ANN, "Ann"))
    await days.ends.work(OVER)
    gone, *others = await kept(days)
    assert gone[0] < 0
    assert gone[1:] == (1, 3, 100 * UNITS)
    assert others == [(BOB, 2, 3, 50 * UNITS), (CID, 3, 3, 0)]
    before = await dump(days)
    await days.ends.void(TODAY, "links", OVER)
    await days.ends.restore(TODAY, "links", OVER)
    assert await dump(days) == before
