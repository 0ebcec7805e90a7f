"""Lists of past races, and what stands about a player."""

from __future__ import annotations

import pytest

from bot.errors import StrangerError
from bot.services.history import PAGE, Archive, winners
from bot.store import standings
from bot.store.database import Statement
from bot.store.history import Streak
from tests.services.conftest import ANN, BOB, CID, DAN, HOUR, MINUTE, NOW, Club, forfeit, stuck, won


async def test_races_are_listed_newest_first_with_who_came_where(club: Club) -> None:
    first = await club.race(won(ANN), stuck(BOB), forfeit(CID))
    second = await club.race(stuck(BOB), stuck(ANN), start=NOW + HOUR, game="links")
    await club.race(won(ANN), stuck(BOB), start=NOW, guild=2)
    shown = await Archive(club.db).races(1, None, 0)
    assert [race.id for race in shown.races] == [second, first]
    assert shown.total == 2
    assert [(each.player, each.place) for each in shown.races[1].finishers] == [(ANN, 1), (BOB, 2), (CID, 3)]
    assert [list(winners(race)) for race in shown.races] == [[BOB, ANN], [ANN]]
    assert shown.names == {ANN: "P1", BOB: "P2", CID: "P3"}
    of_cid = await Archive(club.db).races(1, CID, 0)
    assert [race.id for race in of_cid.races] == [first]


async def test_a_reference_that_names_no_race(club: Club) -> None:
    too_large = str(1 << 63)
    for reference in ("", "x", "-1", "٣", too_large, f"https://discord.com/channels/1/2/{too_large}"):
        assert await Archive(club.db).find_race(reference) is None


async def test_nobody_wins_by_giving_up(club: Club) -> None:
    await club.race(forfeit(ANN), forfeit(BOB))
    (race,) = (await Archive(club.db).races(1, None, 0)).races
    assert [each.place for each in race.finishers] == [1, 1]
    assert winners(race) == []


async def test_judgements_show_in_the_list(club: Club) -> None:
    first = await club.race(won(ANN), stuck(BOB), stuck(CID))
    second = await club.race(won(ANN), stuck(BOB), start=NOW + HOUR)
    await club.standings.disqualify(first, ANN, NOW)
    await club.standings.void(second, NOW)
    newest, oldest = (await Archive(club.db).races(1, None, 0)).races
    assert newest.is_voided
    assert {each.player: each.place for each in oldest.finishers} == {ANN: None, BOB: 1, CID: 1}


async def test_the_link_leads_to_the_result_where_that_is_known(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB))
    (before,) = (await Archive(club.db).races(1, None, 0)).races
    await club.db.write(Statement("UPDATE race SET result_message = 7 WHERE id = $1", (race,)))
    (after,) = (await Archive(club.db).races(1, None, 0)).races
    assert (before.message, after.message) == (race + 90, 7)


async def test_pages_are_whole_and_the_last_one_comes_for_all_beyond(club: Club) -> None:
    for number in range(PAGE + 2):
        await club.race(won(ANN), stuck(BOB), start=NOW + number * MINUTE, count=False)
    await club.settle()
    for player in (None, ANN):
        first = await Archive(club.db).races(1, player, 0)
        last = await Archive(club.db).races(1, player, 99)
        assert (len(first.races), first.pages, first.total) == (PAGE, 2, PAGE + 2)
        assert (len(last.races), last.page) == (2, 1)


async def test_a_profile_has_all_that_a_player_has_done(club: Club) -> None:
    await club.race(won(ANN, 50_000), stuck(BOB))
    await club.race(won(ANN, 40_000), stuck(BOB), start=NOW + HOUR)
    await club.race(stuck(ANN), won(BOB), start=NOW + 2 * HOUR, game="links")
    await club.race(won(ANN), stuck(BOB), start=NOW + 3 * HOUR, ranked=False)
    await club.db.write(
        Statement("INSERT INTO streak (player, days, longest, last_day) VALUES ($1, 3, 9, 0)", (ANN,))
    )
    shown = await Archive(club.db).profile(ANN, asker=ANN, guild=None)
    assert shown.name == "P1"
    assert shown.overall is not None
    assert (shown.overall.races, shown.overall.wins, shown.finished) == (3, 2, 4)
    assert [(each.board, each.races, each.wins, each.best) for each in shown.games] == [
        ("links/1", 1, 0, None),
        ("one-handed/1", 2, 2, 40_000),
    ]
    assert shown.streak == Streak(3, 9)
    assert [at for at, _ in shown.history] == [NOW + MINUTE, NOW + HOUR + MINUTE, NOW + 2 * HOUR + MINUTE]
    assert shown.history[-1][1] == shown.overall.rating


async def test_a_player_is_shown_to_those_on_the_same_server_or_to_all_if_listed(club: Club) -> None:
    await club.race(won(ANN), stuck(BOB), guild=1)
    archive = Archive(club.db)
    assert (await archive.profile(ANN, asker=DAN, guild=1)).player == ANN
    for guild in (2, None):
        with pytest.raises(StrangerError):
            await archive.profile(ANN, asker=DAN, guild=guild)
    await club.db.write(*standings.list_player(ANN, listed=True))
    assert (await archive.profile(ANN, asker=DAN, guild=2)).player == ANN
    await club.db.write(*standings.bar_player(ANN, barred=True))
    with pytest.raises(StrangerError):
        await archive.profile(ANN, asker=DAN, guild=2)
    empty = await archive.profile(DAN, asker=DAN, guild=None)
    assert (empty.overall, empty.games, empty.history, empty.streak) == (None, (), (), None)
