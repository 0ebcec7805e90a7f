"""Replays: every step of what happened, and who may see the cards."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import NoReplayError, ReplayClosedError
from bot.periods import DAY
from bot.services.replays import Pair, Reel, Replays
from bot.store import attempts, dailies, players, results, standings
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.dailies import Daily
from bot.store.database import Database, Statement
from engine import GAMES, Attempt, EndReason, Event, EventKind, Rules, find_game
from engine.attempt import PENALTY
from tests.services.conftest import ANN, BOB, CID, DAN, HOUR, NOW, Club, forfeit, stuck, won

THREE_QUARTERS = 3 * HOUR // 4


def played(rules: Rules, seed: int, *, most: int = 60) -> tuple[Attempt, list[Event]]:
    """Returns an attempt that was played at random, with undos and wrong calls, and what happened."""
    random = Random(seed)
    attempt, events = Attempt.begin(rules, f"replay {seed}", start=NOW), list[Event]()
    at = NOW
    while not attempt.is_over and len(events) < most:
        at += random.randrange(200, 9_000)
        if attempt.can_undo and random.random() < 0.1:
            new = attempt.undo(at)
        elif rules.calls and random.random() < 0.2:
            new = attempt.play(random.choice(rules.calls), at)
        else:
            new = attempt.play(random.choice(rules.legal_moves(attempt.state)), at)
        attempt, events = attempt.extend(new), events + list(new)
    if not attempt.is_over:
        new = attempt.forfeit(at + 5_000)
        attempt, events = attempt.extend(new), events + list(new)
    return attempt, events


def reel_of(rules: Rules, seed: int, *, player: int = ANN, number: int = 1, most: int = 60) -> Reel:
    """Returns the replay of such an attempt."""
    attempt, events = played(rules, seed, most=most)
    return Reel(AttemptRecord(number, player, Purpose.RACE, attempt, race=7), "ann", tuple(events))


async def attempt_of(
    db: Database,
    player: int,
    purpose: Purpose,
    *,
    number: int,
    day: int | None = None,
    over: bool = True,
    game: str = "links",
) -> int:
    """Stores an attempt that is of no race, and returns its name."""
    begun = Attempt.begin(find_game(game), "friday", start=NOW)
    record = AttemptRecord(number, player, purpose, begun, day=day)
    statements = [attempts.insert(record)]
    if over:
        events = begun.forfeit(NOW + HOUR)
        statements += attempts.append(record, events, begun.extend(events))
    await db.write(players.seen(player, f"P{player % 1000}", "en-US", NOW), *statements)
    return number


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
def test_the_steps_are_the_whole_record(rules: Rules) -> None:
    reel = reel_of(rules, 3)
    assert reel.at(0) == reel.start
    assert reel.at(reel.last) == reel.record.attempt
    assert [step.event for step in reel.steps] == list(reel.events)
    assert all(step.after == step.before.push(step.event) for step in reel.steps)
    assert reel.time_at(0) == 0
    result = reel.record.attempt.result
    assert result is not None
    assert reel.time_at(reel.last) == result.time


def test_a_wrong_call_takes_its_penalty() -> None:
    rules = find_game("one-handed")
    begun = Attempt.begin(rules, "friday", start=NOW)
    wrong = next(move for move in rules.calls if not rules.is_legal(begun.state, move))
    events = begun.play(wrong, NOW + 2_000)
    attempt = begun.extend(events)
    events += attempt.forfeit(NOW + 3_000)
    reel = Reel(AttemptRecord(1, ANN, Purpose.RACE, attempt.extend(events[1:])), None, events)
    assert [(step.time, step.thought) for step in reel.steps] == [
        (2_000 + PENALTY, 2_000 + PENALTY),
        (3_000 + PENALTY, 1_000),
    ]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from(["links", "one-handed", "take-away"]))
def test_two_attempts_go_side_by_side_in_the_order_of_time(first: int, second: int, game: str) -> None:
    rules = find_game(game)
    pair = Pair(reel_of(rules, first), reel_of(rules, second, player=BOB, number=2))
    assert pair.order[0] == (0, 0)
    assert pair.order[-1] == (pair.first.last, pair.second.last)
    assert pair.last == pair.first.last + pair.second.last
    times = [pair.time_at(number) for number in range(pair.last + 1)]
    assert times == sorted(times)
    for (one, two), (next_one, next_two) in zip(pair.order, pair.order[1:], strict=False):
        assert (next_one - one) + (next_two - two) == 1


def test_the_last_step_comes_at_the_time_of_the_result() -> None:
    rules, limit = find_game("one-handed"), 60_000
    attempt = Attempt.begin(rules, "calls", start=NOW, limit=limit)
    wrong = next(call for call in rules.calls if call not in rules.legal_moves(attempt.state))
    events = list(attempt.play(wrong, NOW + 2_000))
    attempt = attempt.extend(events)
    late = attempt.run_out()
    reel = Reel(AttemptRecord(1, ANN, Purpose.RACE, attempt.extend(late), race=7), "ann", (*events, *late))
    assert [step.time for step in reel.steps] == [2_000 + PENALTY, limit]


async def test_a_race_that_is_over_is_open_to_its_server_and_its_entrants(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB), guild=1)
    replays = Replays(club.db)
    best = await replays.best_of(race)
    for viewer, guild in ((CID, 1), (ANN, 2), (BOB, None)):
        reel = await replays.watch(best, viewer=viewer, guild=guild)
        assert (reel.record.player, reel.name) == (ANN, "P1")
    for guild in (2, None):
        with pytest.raises(NoReplayError):
            await replays.watch(best, viewer=CID, guild=guild)


async def test_while_a_race_goes_on_only_the_own_end_can_be_watched(club: Club) -> None:
    race = await club.race(won(ANN), stuck(BOB), count=False)
    await club.db.write(
        Statement("UPDATE race SET phase = 'running' WHERE id = $1", (race,)),
        Statement("UPDATE attempt SET ended_at = NULL WHERE player = $1", (BOB,)),
        Statement("DELETE FROM event WHERE attempt = $1", (race + 2,)),
    )
    replays = Replays(club.db)
    own = await replays.watch(race + 1, viewer=ANN, guild=1)
    assert own.record.player == ANN
    assert await replays.rivals(own, 1) == ()
    for viewer, attempt in ((BOB, race + 1), (CID, race + 1), (BOB, race + 2), (ANN, race + 2)):
        with pytest.raises(ReplayClosedError):
            await replays.watch(attempt, viewer=viewer, guild=1)


async def test_a_daily_is_open_to_those_who_are_done_and_after_its_day_to_all(club: Club) -> None:
    today = NOW // DAY
    db, replays = club.db, Replays(club.db)
    daily = Daily(today, find_game("links"), "friday")
    await db.write(dailies.insert(daily, NOW))
    mine = await attempt_of(db, ANN, Purpose.DAILY, number=101, day=today)
    await attempt_of(db, BOB, Purpose.DAILY, number=102, day=today)
    await attempt_of(db, CID, Purpose.DAILY, number=103, day=today, over=False)
    await attempt_of(db, DAN, Purpose.DAILY, number=104, day=today, game="take-away")
    await db.write(results.join(ANN, 1))
    for viewer in (ANN, BOB):
        assert (await replays.watch(mine, viewer=viewer, guild=1)).id == mine
    for viewer in (CID, DAN):
        with pytest.raises(ReplayClosedError):
            await replays.watch(mine, viewer=viewer, guild=1)
    await db.write(dailies.close(daily, NOW))
    assert (await replays.watch(mine, viewer=CID, guild=1)).id == mine
    with pytest.raises(ReplayClosedError):
        await replays.watch(103, viewer=CID, guild=1)


async def test_beside_a_daily_the_best_of_the_server_can_be_watched(club: Club) -> None:
    today, db, replays = NOW // DAY, club.db, Replays(club.db)
    for number, player in enumerate((ANN, BOB, CID, DAN), start=101):
        await attempt_of(db, player, Purpose.DAILY, number=number, day=today, over=player != DAN)
        await db.write(players.seen(player, f"P{number}", "en-US", NOW), results.join(player, 2 - player % 2))
    await db.write(Statement("UPDATE attempt SET disqualified = 1 WHERE player = $1", (CID,)))
    await db.write(results.join(BOB, 1), results.join(CID, 1), results.join(DAN, 1))
    reel = await replays.watch(101, viewer=ANN, guild=1)
    assert [(each.attempt, each.place, each.name) for each in await replays.rivals(reel, 1)] == [
        (101, 1, "P101"),
        (102, 1, "P102"),
    ]
    daily = Daily(today, find_game("links"), "friday")
    await db.write(dailies.insert(daily, NOW), dailies.judge(daily, is_voided=True))
    assert [(each.place, each.is_out) for each in await replays.rivals(reel, 1)] == [(None, False)] * 2
    assert await replays.rivals(reel, None) == ()
    practice = await attempt_of(db, ANN, Purpose.PRACTICE, number=110, day=today)
    assert await replays.rivals(await replays.watch(practice, viewer=ANN, guild=1), 1) == ()


async def test_a_daily_of_a_stranger_is_not_shown_unless_that_one_is_listed(club: Club) -> None:
    today = NOW // DAY
    mine = await attempt_of(club.db, ANN, Purpose.DAILY, number=101, day=today)
    replays = Replays(club.db)
    for guild in (1, None):
        with pytest.raises(NoReplayError):
            await replays.watch(mine, viewer=BOB, guild=guild)
    await club.db.write(*standings.list_player(ANN, listed=True))
    assert (await replays.watch(mine, viewer=BOB, guild=None)).id == mine


async def test_practice_is_nobody_elses_business(club: Club) -> None:
    for number, purpose in enumerate((Purpose.PRACTICE, Purpose.ARCHIVE), start=1):
        mine = await attempt_of(club.db, ANN, purpose, number=number, day=1)
        assert (await Replays(club.db).watch(mine, viewer=ANN, guild=None)).id == mine
        with pytest.raises(NoReplayError):
            await Replays(club.db).watch(mine, viewer=BOB, guild=1)


async def test_what_does_not_exist_is_not_shown(club: Club) -> None:
    replays = Replays(club.db)
    with pytest.raises(NoReplayError):
        await replays.watch(7, viewer=ANN, guild=1)
    with pytest.raises(NoReplayError):
        await replays.best_of(7)


async def test_the_rivals_come_best_first_and_without_places_last(club: Club) -> None:
    race = await club.race(stuck(ANN), won(BOB), forfeit(CID))
    replays = Replays(club.db)
    reel = await replays.watch(race + 1, viewer=ANN, guild=1)
    assert [(each.player, each.place) for each in await replays.rivals(reel, 1)] == [
        (BOB, 1),
        (ANN, 2),
        (CID, 3),
    ]
    await club.standings.disqualify(race, BOB, NOW)
    assert [(each.player, each.place, each.is_out) for each in await replays.rivals(reel, 1)] == [
        (ANN, 1, False),
        (CID, 2, False),
        (BOB, None, True),
    ]
    assert await replays.best_of(race) == race + 1


async def test_a_race_is_named_by_its_id_or_the_link_to_either_message(club: Club) -> None:
    first = await club.race(won(ANN), stuck(BOB))
    await club.race(won(BOB), stuck(ANN), start=NOW + HOUR)
    await club.db.write(Statement("UPDATE race SET result_message = 4242 WHERE id = $1", (first,)))
    replays = Replays(club.db)
    for reference in (
        str(first),
        f"  https://discord.com/channels/1/7/{first + 90} ",
        "https://ptb.discord.com/channels/1/7/4242",
    ):
        chosen = await replays.choose(reference=reference, player=None, viewer=CID, guild=1)
        assert chosen == first + 1
        theirs = await replays.choose(reference=reference, player=BOB, viewer=CID, guild=1)
        assert theirs == first + 2
    for nonsense in ("", "latest", "https://discord.com/channels/1/7/5", "٣", "9" * 30):
        with pytest.raises(NoReplayError):
            await replays.choose(reference=nonsense, player=None, viewer=CID, guild=1)
    with pytest.raises(NoReplayError):
        await replays.choose(reference=str(first), player=DAN, viewer=CID, guild=1)


async def test_without_a_name_it_is_the_newest_one(club: Club) -> None:
    first = await club.race(won(ANN), stuck(BOB))
    second = await club.race(won(BOB), stuck(CID), start=NOW + HOUR)
    replays = Replays(club.db)

    async def newest(viewer: int, *, player: int | None = None, guild: int | None = 1) -> int:
        return await replays.choose(reference=None, player=player, viewer=viewer, guild=guild)

    assert await newest(ANN) == first + 1
    assert await newest(ANN, player=CID) == second + 2
    assert await newest(DAN) == second + 1
    mine = await attempt_of(club.db, ANN, Purpose.PRACTICE, number=second + 77)
    assert await newest(ANN) == mine
    assert await newest(DAN, player=ANN) == first + 1
    for guild in (2, None):
        with pytest.raises(NoReplayError):
            await newest(DAN, player=ANN, guild=guild)
    with pytest.raises(NoReplayError):
        await newest(DAN, guild=None)
    with pytest.raises(NoReplayError):
        await newest(DAN, guild=2)


def test_every_end_is_a_step() -> None:
    for reason in EndReason:
        begun = Attempt.begin(find_game("links"), "friday", start=NOW, limit=HOUR)
        event = Event(1, EventKind.END, NOW + THREE_QUARTERS, reason=reason)
        record = AttemptRecord(1, ANN, Purpose.RACE, replace(begun, end=event, seq=1))
        expected = HOUR if reason is EndReason.TIME else THREE_QUARTERS
        assert Reel(record, None, (event,)).steps[-1].time == expected
