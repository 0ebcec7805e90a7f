"""Ratings: fair to equals, a function of the results, right again after any change of the past."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.services.ratings import Model, is_old_enough
from bot.services.standings import Standings
from bot.store import ratings
from bot.store.database import ConflictError, Database, Statement, StoreError, open_database
from bot.store.ratings import Belief
from bot.store.results import ALL_GAMES
from tests.services.conftest import (
    ANN,
    BOB,
    CID,
    DAN,
    DAY,
    HOUR,
    MINUTE,
    NOW,
    ROOT,
    Club,
    Run,
    account,
    forfeit,
    stuck,
    won,
)

PLAYERS = (ANN, BOB, CID, DAN, account(5))
beliefs = st.builds(Belief, st.floats(0, 50), st.floats(1, 9))


@given(belief=beliefs, losers=st.integers(1, 24), seed=st.integers())
def test_equal_losers_get_equal_updates(belief: Belief, losers: int, seed: int) -> None:
    places = [1] + [2] * losers
    Random(seed).shuffle(places)
    after = Model().rate([belief] * len(places), places)
    lost = [each for each, place in zip(after, places, strict=True) if place == 2]
    (winner,) = (each for each, place in zip(after, places, strict=True) if place == 1)
    assert len(set(lost)) == 1
    assert winner.mu > belief.mu > lost[0].mu


@given(belief=beliefs, count=st.integers(2, 25))
def test_equals_who_tie_stay_equal(belief: Belief, count: int) -> None:
    after = Model().rate([belief] * count, [1] * count)
    assert len(set(after)) == 1
    assert after[0].mu == pytest.approx(belief.mu)


@given(st.lists(st.tuples(beliefs, st.integers(1, 5)), min_size=2, max_size=8), st.integers())
def test_a_rating_does_not_depend_on_who_is_named_first(field: list[tuple[Belief, int]], seed: int) -> None:
    order = list(range(len(field)))
    Random(seed).shuffle(order)
    places = [1 + sum(other < place for _, other in field) for _, place in field]
    plain = Model().rate([belief for belief, _ in field], places)
    mixed = Model().rate([field[index][0] for index in order], [places[index] for index in order])
    for index, after in zip(order, mixed, strict=True):
        assert (after.mu, after.sigma) == pytest.approx((plain[index].mu, plain[index].sigma))


async def rating_of(db: Database, player: int, board: str = "one-handed/1") -> int | None:
    history = await ratings.history(db, player, board, limit=9)
    return history[-1][1] if history else None


async def test_a_race_rates_its_game_and_all_games(club: Club) -> None:
    await club.race(stuck(ANN, 50_000), stuck(BOB))
    await club.race(stuck(ANN), stuck(BOB, 50_000), game="links", start=NOW + HOUR)
    first, second = await rating_of(club.db, ANN), await rating_of(club.db, ANN, "links/1")
    assert first is not None
    assert second is not None
    assert first > second
    overall = await ratings.history(club.db, ANN, ALL_GAMES, limit=9)
    assert [at for at, _ in overall] == [NOW + MINUTE, NOW + HOUR + MINUTE]
    assert overall[0][1] == first


async def test_the_result_tells_the_rating_and_its_change(club: Club) -> None:
    one = await club.race(stuck(ANN, 50_000), stuck(BOB))
    two = await club.race(stuck(ANN, 50_000), stuck(BOB), start=NOW + HOUR)
    before, after = await club.standings.verdict(one), await club.standings.verdict(two)
    assert before.ratings[ANN].gain is None
    assert after.ratings[ANN].gain == after.ratings[ANN].rating - before.ratings[ANN].rating > 0


async def test_unranked_races_lone_players_and_new_accounts_are_not_rated(club: Club) -> None:
    young = account(7, age=6 * DAY)
    for race in (
        await club.race(stuck(ANN), won(BOB), ranked=False),
        await club.race(won(ANN), start=NOW + HOUR),
        await club.race(won(ANN), stuck(young), start=NOW + 2 * HOUR),
    ):
        assert (await club.standings.verdict(race)).ratings == {}


async def test_a_new_account_is_left_out_of_the_ratings_of_the_others(club: Club) -> None:
    young = account(7, age=7 * DAY - 1)
    race = await club.race(won(young), stuck(ANN, 50_000), stuck(BOB))
    rated = (await club.standings.verdict(race)).ratings
    assert rated.keys() == {ANN, BOB}
    other = Club(club.db, club.standings, club.ids)
    await other.race(won(CID), stuck(DAN))
    assert rated[ANN].rating == await rating_of(club.db, CID)


async def test_an_account_is_old_enough_after_seven_days(club: Club) -> None:
    race = await club.race(won(account(7, age=7 * DAY)), stuck(ANN))
    assert len((await club.standings.verdict(race)).ratings) == 2


def test_nobody_knows_how_old_a_deleted_account_is() -> None:
    assert not is_old_enough(-1, NOW)
    assert not is_old_enough(-(1 << 62), NOW)


async def test_forfeits_tie_for_last(club: Club) -> None:
    race = await club.race(won(ANN), forfeit(BOB, 10_000), forfeit(CID, 50_000))
    rated = (await club.standings.verdict(race)).ratings
    assert rated[BOB] == rated[CID]
    assert rated[ANN].rating > rated[BOB].rating


async def test_counting_twice_and_by_two_at_once_rates_once(club: Club) -> None:
    others = [Standings(club.db) for _ in range(3)]
    races = [
        await club.race(
            stuck(ANN, 50_000), stuck(BOB), start=NOW + number * MINUTE, guild=number, count=False
        )
        for number in range(1, 6)
    ]
    await asyncio.gather(*(each.verdict(race) for race in races for each in (club.standings, *others)))
    await asyncio.gather(*(each.work() for each in others))
    await club.settle()
    once = Club(club.db, club.standings)
    many = await once.dump()
    assert [row[7] for row in many[0]] == [0] * 10  # type: ignore[index]
    async with await open_database("sqlite:///:memory:", ROOT / "migrations") as db:
        fresh = Club(db, Standings(db))
        for number in range(1, 6):
            await fresh.race(stuck(ANN, 50_000), stuck(BOB), start=NOW + number * MINUTE, guild=number)
        assert await fresh.dump() == many


async def test_a_crash_between_entering_and_rating_loses_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = await club.race(stuck(ANN, 50_000), stuck(BOB), count=False)
    write, calls = type(club.db).write, 0

    async def dies(db: Database, *statements: Statement) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise StoreError("killed")
        await write(db, *statements)

    monkeypatch.setattr(type(club.db), "write", dies)
    with pytest.raises(StoreError):
        await club.standings.verdict(race)
    monkeypatch.undo()
    assert await rating_of(club.db, ANN) is None
    revived = Standings(club.db)
    await revived.work()
    assert (await revived.verdict(race)).ratings.keys() == {ANN, BOB}
    assert await rating_of(club.db, ANN) == 1150


async def test_what_was_computed_from_an_older_version_is_not_written(club: Club) -> None:
    """Two processes rate the last of three races; between them the second race comes in, and outdates both."""
    first = await club.race(stuck(ANN, 50_000), stuck(BOB))
    second = await club.race(stuck(ANN, 50_000), stuck(BOB), start=NOW + HOUR, guild=2, count=False)
    third = await club.race(stuck(ANN, 50_000), stuck(BOB), start=NOW + 2 * HOUR, count=False)
    await club.standings.count(third)
    slow = await ratings.field(club.db, third)
    assert slow is not None
    await club.standings.ratings.rate(third)
    await club.standings.verdict(second)
    with pytest.raises(ConflictError):
        await club.db.write(*club.standings.ratings.outcome(slow))
    await club.settle()
    gains = [(await club.standings.verdict(race)).ratings[ANN].rating for race in (first, second, third)]
    assert gains == [1150, 1401, 1600]


@dataclass(frozen=True, slots=True)
class Plan:
    """A race of a made-up history: who runs how, and what a moderator does to it in the end."""

    runs: tuple[Run, ...]
    game: str
    guild: int
    voided: bool
    out: frozenset[int]


def run(player: int, kind: int, time: int) -> Run:
    return (won, stuck, forfeit)[kind](player, time * 1000)


runs = st.permutations(PLAYERS).flatmap(
    lambda order: st.integers(1, len(PLAYERS)).flatmap(
        lambda count: st.tuples(
            *(
                st.builds(run, st.just(player), st.integers(0, 2), st.integers(1, 3))
                for player in order[:count]
            )
        )
    )
)
plans = st.builds(
    Plan,
    runs,
    st.sampled_from(["one-handed", "one-handed-free", "links"]),
    st.integers(1, 2),
    st.booleans(),
    st.frozensets(st.sampled_from(PLAYERS), max_size=2),
)


def with_club(story: Callable[[Club], Awaitable[object]]) -> object:
    """Returns what *story* comes to on an empty database."""

    async def tell() -> object:
        async with await open_database("sqlite:///:memory:", ROOT / "migrations") as db:
            return await story(Club(db, Standings(db)))

    return asyncio.run(tell())


def effective(results: list[object]) -> list[object]:
    """Returns those of *results* that count for anything."""
    return [row for row in results if row[3]]  # type: ignore[index]


@settings(max_examples=20, deadline=None)
@given(st.lists(plans, min_size=1, max_size=7), st.integers())
def test_after_any_judgement_all_is_as_if_it_had_never_been_otherwise(history: list[Plan], seed: int) -> None:
    """Races are counted in any order, voided, restored, and their entrants put out; then compared with a history
    that has had no others from the first."""
    random, end = Random(seed), NOW + DAY // 4

    async def judged(club: Club) -> object:
        standings = club.standings
        races = [
            await club.race(
                *plan.runs, game=plan.game, guild=plan.guild, start=NOW + index * MINUTE, count=False
            )
            for index, plan in enumerate(history)
        ]
        for index in random.sample(range(len(races)), len(races)):
            await standings.count(races[index])
            if random.random() < 0.5:
                await standings.ratings.rate(races[index])
        if random.random() < 0.5:
            await club.settle()
        steps: list[tuple[int, int]] = []
        for index, plan in enumerate(history):
            steps += [(index, 0)] * (1 if plan.voided else 2 * random.randrange(2))
            for player in plan.out & {each.player for each in plan.runs}:
                steps += [(index, player)] * (1 + 2 * random.randrange(2))
        random.shuffle(steps)
        voided: set[int] = set()
        out: set[tuple[int, int]] = set()
        for index, player in steps:
            if not player:
                await (standings.restore if index in voided else standings.void)(races[index], end)
                voided ^= {index}
            else:
                back = (index, player) in out
                await (standings.reinstate if back else standings.disqualify)(races[index], player, end)
                out ^= {(index, player)}
            if random.random() < 0.3:
                await standings.work()
        await club.settle()
        results, lines = await club.dump()
        return effective(results), lines

    async def pure(club: Club) -> object:
        for index, plan in enumerate(history):
            runs = [each for each in plan.runs if each.player not in plan.out]
            # the numbers of races and attempts follow from how many there were
            club.ids = index * 100
            if runs and not plan.voided:
                await club.race(*runs, game=plan.game, guild=plan.guild, start=NOW + index * MINUTE)
        results, lines = await club.dump()
        return effective(results), lines

    assert with_club(judged) == with_club(pure)
