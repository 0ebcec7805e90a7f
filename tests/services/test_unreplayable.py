"""Attempts whose record no longer replays, as when a correction of the rules forbids a move that was made."""

from __future__ import annotations

from bot.periods import DAY
from bot.services.attempts import Attempts
from bot.services.dailies import closes_at
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.races import Races
from bot.snowflake import snowflake_at
from bot.store import races as race_store
from bot.store.database import Database, Statement
from bot.views.lobby import lobby
from bot.views.payload import walk
from engine import EndReason, Phase
from engine.race import GRACE, MIN_LIMIT
from tests.services.days import MINUTE, WON, Days, day, instant

ANN, BOB = 1, 2
NOON = instant("2026-11-30 12:00")
TODAY = day("2026-11-30")


async def spoil(db: Database, attempt: int) -> None:
    """Writes a move into the record of *attempt* that no rules allow."""
    await db.write(
        Statement(
            "INSERT INTO event (attempt, seq, kind, detail, at) VALUES ($1, 1, 'move', 'nonsense', $2)",
            (attempt, NOON),
        )
    )


async def test_a_daily_that_does_not_replay_keeps_no_day_from_its_end(db: Database) -> None:
    days = Days(db)
    await spoil(db, (await days.play(ANN, NOON)).record.id)
    await days.finish(BOB, NOON, WON)
    await days.finish(BOB, NOON + DAY, WON)
    await days.ends.work(closes_at(TODAY + 1) + MINUTE)
    rows = await db.read("SELECT day, player, place, field FROM daily_result ORDER BY day, player")
    assert rows == [(TODAY, ANN, 2, 2), (TODAY, BOB, 1, 2), (TODAY + 1, BOB, 1, 1)]
    view = await days.show(ANN, TODAY, closes_at(TODAY + 1) + MINUTE)
    assert view.own is not None
    assert view.own.result is not None
    assert (view.own.result.reason, view.own.result.cards_left, view.own.result.moves) == (
        EndReason.TIME,
        52,
        1,
    )
    assert view.course == ((0, 52), (view.own.result.time, 52))


async def test_a_race_with_a_record_that_does_not_replay_ends(db: Database) -> None:
    attempts = Attempts(db)
    races = Races(db, attempts, Pool(db))
    press = Press(snowflake_at(NOON), ANN, "Ann")
    race = (await races.open(press, guild=1, channel=7, game="links", minutes=MIN_LIMIT // MINUTE)).id
    await races.join(Press(snowflake_at(NOON) + 1, BOB, "Bob"), race)
    record = await races.start(Press(snowflake_at(NOON) + 2, ANN, "Ann"), race)
    record = await races.begin(race)
    broken, own = (entrant.attempt for entrant in record.race.entrants)
    await spoil(db, broken)
    deadline = record.race.deadline
    assert deadline is not None
    assert await races.close_overdue(deadline + GRACE) == set()
    assert await races.close_overdue(deadline + GRACE + 1) == {race}
    assert await race_store.find_seat(db, 1, ANN) is None
    done = await races.settle(race)
    assert done.race.phase is Phase.FINISHED
    view = await races.view(race)
    assert [each.attempt is None for each in view.runners] == [True, False]
    told = "\n".join(part["content"] for part in walk(lobby(view).components) if part["type"] == 10)
    assert told.count("**Time is up**") == 2
    assert (await races.courses(done))[0] == ((0, 52), (MIN_LIMIT, 52))
    assert (await attempts.find(own)).attempt.is_over
    kinds = await db.read("SELECT kind, detail, at FROM event WHERE attempt = $1 ORDER BY seq", broken)
    assert kinds[1:] == [("end", "time", deadline)]
