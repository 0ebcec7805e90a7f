"""A correction of the rules while there are deals, races and attempts under the older ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.periods import DAY
from bot.services import dailies
from bot.services.attempts import Attempts
from bot.services.dailies import closes_at
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.races import Races
from bot.snowflake import snowflake_at
from bot.store.database import Database
from engine import Phase, UnknownGameError, find_game, games
from engine.race import GRACE
from tests.services.conftest import ANN, BOB, HOUR, NOW, Club, won
from tests.services.days import MINUTE, WON, Days, day, instant

NOON = instant("2026-11-30 12:00")
TODAY = day("2026-11-30")


def correct(monkeypatch: pytest.MonkeyPatch, key: str = "one-handed") -> None:
    """Gives the game *key* corrected rules."""
    old = find_game(key)
    new = replace(old, version=old.version + 1)
    monkeypatch.setitem(games._BY_KEY, key, new)
    monkeypatch.setattr(
        dailies, "DAILY_GAMES", tuple(new if rules == old else rules for rules in dailies.DAILY_GAMES)
    )


async def test_a_race_that_is_counted_after_a_correction_stays_on_its_board(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.race(won(ANN), won(BOB, 70_000), count=False)
    correct(monkeypatch)
    await club.standings.work()
    assert await club.db.read("SELECT DISTINCT board FROM result") == [("one-handed/1",)]
    assert await club.db.read("SELECT 1 FROM tally WHERE board = 'one-handed/2'") == []


async def test_a_race_that_is_voided_after_a_correction_changes_the_ratings_of_its_board(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await club.race(won(ANN), won(BOB, 70_000))
    await club.race(won(ANN), won(BOB, 70_000), game="links", start=NOW + HOUR)
    last = await club.race(won(ANN), won(BOB, 70_000), start=NOW + 2 * HOUR)
    await club.settle()
    correct(monkeypatch)
    await club.standings.void(first, NOW + 3 * HOUR)
    assert await club.db.read("SELECT DISTINCT stale FROM result WHERE race = $1", last) == [(1,)]


async def test_a_race_under_older_rules_ends_and_one_that_is_still_to_begin_has_the_new_ones(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = Attempts(db)
    races = Races(db, attempts, Pool(db))
    old, new = [
        (
            await races.open(
                Press(snowflake_at(NOW) + player, player, ""), guild=1, channel=7, game="one-handed"
            )
        ).id
        for player in (1, 2)
    ]
    await races.start(Press(snowflake_at(NOW) + 3, 1, ""), old)
    running = await races.begin(old)
    correct(monkeypatch)
    attempts = Attempts(db)
    races = Races(db, attempts, Pool(db))
    with pytest.raises(UnknownGameError):
        await attempts.find(running.race.entrants[0].attempt)
    await races.close_overdue((running.race.deadline or 0) + GRACE + 1)
    assert (await races.settle(old)).race.phase is Phase.FINISHED
    await races.start(Press(snowflake_at(NOW) + 4, 2, ""), new)
    begun = await races.begin(new)
    assert (await races.find(new)).rules.version == 2
    assert (await attempts.find(begun.race.entrants[0].attempt)).attempt.rules.version == 2


async def test_a_daily_under_older_rules_is_begun_no_more_and_closed_on_its_board(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Days(db)
    await before.dailies.prepare(NOON)
    await before.finish(1, NOON, WON, "one-handed")
    seeds = await before.seeds(TODAY), await before.seeds(TODAY + 1)
    correct(monkeypatch)
    after = Days(db, pressed=1000)
    for _ in range(2):
        await after.dailies.prepare(NOON + MINUTE)
    with pytest.raises(UnknownGameError):
        await after.play(2, NOON + MINUTE, "one-handed")
    today, tomorrow = await after.seeds(TODAY), await after.seeds(TODAY + 1)
    assert {game: today[game] for game in seeds[0]} == seeds[0]
    assert {game for game in seeds[1] if tomorrow[game] != seeds[1][game]} == {"one-handed"}
    assert (await after.play(2, NOON + DAY, "one-handed")).record.attempt.rules.version == 2
    await after.ends.work(closes_at(TODAY) + MINUTE)
    assert await db.read("SELECT player, board FROM daily_result") == [(1, "one-handed/1")]
