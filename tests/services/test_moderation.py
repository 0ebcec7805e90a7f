"""Judgements, exports and deletions on both databases."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.errors import AlreadyJudgedError, UnknownRaceError
from bot.services.attempts import Attempts
from bot.services.day_ends import DayEnds
from bot.services.moderation import Judge, Moderation
from bot.services.players import Players
from bot.services.pool import Pool
from bot.services.press import HandledError, Press
from bot.services.privacy import Privacy
from bot.services.races import Races
from bot.services.servers import Servers
from bot.snowflake import snowflake_at
from bot.store import moderation as store
from bot.store.moderation import Deed
from bot.store.servers import Choices
from tests.services.conftest import ANN, BOB, CID, NOW, Club, stuck, won


def moderation_of(club: Club) -> Moderation:
    attempts = Attempts(club.db)
    races = Races(club.db, attempts, Pool(club.db))
    return Moderation(club.db, races, club.standings, DayEnds(club.db, attempts, club.standings))


def judge(number: int, guild: int = 1, reason: str = "a reason") -> Judge:
    """Returns a moderator of *guild* with a judgement named *number*."""
    press = Press(snowflake_at(NOW) + number, CID, "mod")
    return Judge.of(press, guild, reason)


async def test_a_judgement_is_written_with_its_line_and_what_is_owed(club: Club) -> None:
    race, moderation = await club.race(won(ANN), stuck(BOB)), moderation_of(club)
    await moderation.void(judge(1), race)
    assert (await club.standings.verdict(race)).is_voided
    log = await moderation.audit(1, 0)
    assert [(entry.deed, entry.race, entry.moderator, entry.reason) for entry in log.entries] == [
        (Deed.VOID, race, CID, "a reason")
    ]
    assert log.names[CID] == "mod"
    owed = await moderation.owed_by(race)
    assert owed is not None
    assert owed.count == 1
    await moderation.restore(judge(2), race)
    await moderation.told(owed)
    rest = await moderation.owed_by(race)
    assert rest is not None, "what was judged while the first was told is owed still"
    await moderation.told(rest)
    assert await moderation.owed() == []


async def test_a_judgement_is_made_once(club: Club) -> None:
    race, moderation = await club.race(won(ANN), stuck(BOB)), moderation_of(club)
    await moderation.void(judge(1), race)
    with pytest.raises(HandledError):
        await moderation.void(judge(1), race)
    with pytest.raises(AlreadyJudgedError):
        await moderation.void(judge(2), race)
    assert (await moderation.audit(1, 0)).total == 1


async def test_moderators_at_the_same_time_do_not_undo_one_another(club: Club) -> None:
    race, moderation = await club.race(won(ANN), stuck(BOB), stuck(CID)), moderation_of(club)
    await asyncio.gather(
        moderation.disqualify(judge(1), race, ANN), moderation.disqualify(judge(2), race, BOB)
    )
    assert (await club.standings.verdict(race)).disqualified == {ANN, BOB}
    assert (await moderation.audit(1, 0)).total == 2


async def test_another_server_is_out_of_reach(club: Club) -> None:
    race, moderation = await club.race(won(ANN), stuck(BOB), guild=1), moderation_of(club)
    for change in (moderation.void, moderation.restore):
        with pytest.raises(UnknownRaceError):
            await change(judge(1, guild=2), race)
    with pytest.raises(UnknownRaceError):
        await moderation.disqualify(judge(1, guild=2), race, ANN)
    assert (await moderation.audit(2, 0)).total == 0


async def test_races_of_a_time_are_found(club: Club) -> None:
    moderation = moderation_of(club)
    early = await club.race(won(ANN), stuck(BOB), start=NOW)
    late = await club.race(won(ANN), stuck(BOB), start=NOW + 3_600_000, game="take-away", guild=2)
    assert await moderation.between(NOW, NOW + 7_200_000) == [early, late]
    assert await moderation.between(NOW, NOW + 3_600_000) == [early]
    assert await moderation.between(NOW, NOW + 7_200_000, game="take-away") == [late]
    assert await moderation.between(NOW, NOW + 7_200_000, guild=1) == [early]


async def test_an_audit_log_has_pages(club: Club) -> None:
    race, moderation = await club.race(won(ANN), stuck(BOB)), moderation_of(club)
    for number in range(1, 10):
        change = moderation.void if number % 2 else moderation.restore
        await change(judge(number, reason=f"number {number}"), race)
    first, last = await moderation.audit(1, 0), await moderation.audit(1, 99)
    assert (first.pages, last.page) == (2, 1)
    assert [entry.reason for entry in (*first.entries, *last.entries)] == [
        f"number {n}" for n in range(9, 0, -1)
    ]
    assert [entry.id for entry in await store.of_race(club.db, race, limit=2)] == [
        snowflake_at(NOW) + 9,
        snowflake_at(NOW) + 8,
    ]


OTHERS = (
    "SELECT race, at, aged, place, counted, won, best, rated, stale, mu, sigma, rating, gain, all_mu, all_sigma, "
    "all_rating FROM result WHERE player = $1 ORDER BY race"
)
"""All of a result but its version, which counts writes."""


async def test_a_deletion_leaves_the_rest_as_it_was(club: Club) -> None:
    races = [await club.race(won(ANN), stuck(BOB), start=NOW + n * 600_000) for n in range(3)]
    await club.settle()
    privacy = Privacy(club.db, Attempts(club.db), Players(club.db))
    before = json.loads(await privacy.export(ANN, NOW))
    assert len(before["races"]) == len(before["attempts"]) == len(before["results"]) == 3
    assert before["boards"]
    others = await club.db.read(OTHERS, BOB)
    press = Press(snowflake_at(NOW) + 77, ANN, "Ann")
    await privacy.delete(press)
    with pytest.raises(HandledError):
        await privacy.delete(press)
    after = json.loads(await privacy.export(ANN, NOW))
    assert after["player"] is None
    assert not any(value for key, value in after.items() if key not in ("format", "made_at"))
    await club.standings.void(races[0], NOW)
    await club.standings.restore(races[0], NOW)
    await club.settle()
    assert await club.db.read(OTHERS, BOB) == others
    assert await club.db.read("SELECT COUNT(*) FROM entrant WHERE player = $1", ANN) == [(0,)]


async def test_a_server_keeps_its_choices(club: Club) -> None:
    servers = Servers(club.db)
    assert await servers.choices(1, NOW) == Choices()
    chosen = Choices((5, 6), ("links",), 30, 9, "de")
    assert await servers.choose(Press(snowflake_at(NOW), ANN, "Ann"), 1, chosen) == chosen
    with pytest.raises(HandledError):
        await servers.choose(Press(snowflake_at(NOW), ANN, "Ann"), 1, Choices())
    assert await Servers(club.db).choices(1, NOW) == chosen
    assert await Servers(club.db).choices(2, NOW) == Choices()
    assert await servers.welcome(1, NOW)
    assert not await servers.welcome(1, NOW)
