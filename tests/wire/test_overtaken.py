"""A process that stands still while another one does its work, and goes on: there is one message of each kind.

It stands still before its last look, or after it; then Discord may know the nonce still, or have forgotten it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bot.app import FAREWELL, LAST_ANSWERS
from bot.desk import Desk
from bot.outbox import PATIENCE, Outbox, OvertakenError, Slot
from bot.playground import Fault
from bot.publish import OLD
from bot.receive import LAST_WORDS
from bot.services.adviser import ThreadedAdviser
from bot.services.bulletins import LEASE
from bot.services.moderation import Judge
from bot.services.press import Press
from bot.services.prover import Threaded
from bot.snowflake import snowflake_at
from bot.store.database import StoreError
from bot.store.moderation import OPERATOR
from bot.transport import message_parameters
from bot.views.lobby import sentence
from tests.wire.conftest import Wire
from tests.wire.test_daily_posts import set_up

POST, DELETE = r"POST /channels/\d+/messages", r"DELETE /channels/"
Work = Callable[[Desk], Awaitable[None]]
NONCE_LIFE = 300.0
"""For how many seconds the loopback Discord knows a nonce."""


def another(wire: Wire) -> Desk:
    """Returns the desk of another process on the same database."""
    return Desk(wire.bot, wire.db, wire.clock, Threaded(), ThreadedAdviser())


@dataclass
class Pause:
    """A step of an outbox, at which its process stands still until it may *go on*."""

    reached: asyncio.Event
    go_on: asyncio.Event

    @classmethod
    def at(cls, monkeypatch: pytest.MonkeyPatch, outbox: Outbox, step: str) -> Pause:
        """Makes a process stand still before the next *step*, once."""
        pause, real = cls(asyncio.Event(), asyncio.Event()), getattr(outbox, step)

        async def slow(*args: object) -> int:
            if not pause.reached.is_set():
                pause.reached.set()
                await pause.go_on.wait()
            done: int = await real(*args)
            return done

        monkeypatch.setattr(outbox, step, slow)
        return pause

    async def stands(self) -> None:
        """Waits until the process stands still."""
        async with asyncio.timeout(60):
            await self.reached.wait()


async def drawn(desk: Desk) -> None:
    """Waits until nothing is to be drawn any more."""
    while tasks := [state.task for state in desk.publisher._channels.values() if state.task is not None]:
        await asyncio.wait(tasks)


async def tended(desk: Desk) -> None:
    """Does what is due of the dailies."""
    desk.upkeep.tick(desk.discord_now(), leads=True)
    assert desk.upkeep._work is not None
    await desk.upkeep._work


async def running(wire: Wire) -> tuple[int, int]:
    """Returns a race that has just begun, and its channel."""
    await wire.race(wire.discord.add_player("Ada"), wire.discord.add_player("Ben"), minutes=120)
    with wire.clock.skip():
        await drawn(wire.bot.desk)
    ((race, channel),) = await wire.db.read("SELECT id, channel FROM race")
    return race, channel


async def finished(wire: Wire) -> tuple[int, int]:
    """Returns a race that has just ended, and its channel."""
    race, channel = await running(wire)
    desk = wire.bot.desk
    for number, entrant in enumerate((await desk.races.find(race)).race.entrants):
        press = Press(snowflake_at(wire.clock.now()) + number, entrant.player, "P")
        await desk.attempts.act(press, entrant.attempt, 0, lambda own, at: own.forfeit(at))
    await desk.races.settle(race)
    return race, channel


async def the_public_message(wire: Wire) -> Work:
    """Has the message of a race grow so old that a new one follows."""
    race, channel = await running(wire)
    wire.clock.ahead += OLD / 1000
    wire.bot.desk.publisher.forget()  # one that shows all there is to show stays where it is
    return lambda desk: draw(desk, race, channel)


async def the_result(wire: Wire) -> Work:
    """Has a race end."""
    race, channel = await finished(wire)
    return lambda desk: draw(desk, race, channel)


async def a_judgement(wire: Wire) -> Work:
    """Has a result that is too old for edits judged."""
    race, channel = await finished(wire)
    with wire.clock.skip():
        await draw(wire.bot.desk, race, channel)
    wire.clock.ahead += OLD / 1000
    await wire.bot.desk.moderation.void(Judge(1, OPERATOR, OPERATOR, wire.clock.now(), "a reason"), race)
    return lambda desk: draw(desk, race, channel)


async def the_daily_post(wire: Wire) -> Work:
    """Has the hour of a daily post come."""
    await set_up(wire)
    return tended


async def draw(desk: Desk, race: int, channel: int) -> None:
    """Brings the messages of a race up to date."""
    desk.publisher.mark(race, channel)
    await drawn(desk)


KINDS = {
    "the public message": (the_public_message, "SELECT message FROM race"),
    "the result": (the_result, "SELECT result_message FROM race"),
    "a judgement": (a_judgement, "SELECT result_message FROM race WHERE retell = 0"),
    "the daily post": (the_daily_post, "SELECT message FROM daily_post WHERE state = 'sent'"),
}


def public(wire: Wire) -> set[int]:
    """Returns all messages of all channels that everybody sees."""
    return {message.id for message in wire.discord.world.messages.values() if message.audience is None}


@pytest.mark.parametrize(
    ("kind", "step", "later", "deleted"),
    [
        *((kind, "post", NONCE_LIFE, 0) for kind in KINDS),
        *((kind, "_send", NONCE_LIFE, 1) for kind in KINDS),
        ("the result", "_send", 0.0, 0),  # Discord knows the nonce still: it is the same message
    ],
)
async def test_a_process_that_stands_still_posts_nothing_twice(
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    step: str,
    later: float,
    deleted: int,
) -> None:
    prepare, known = KINDS[kind]
    work = await prepare(wire)
    before, here, there = public(wire), wire.bot.desk, another(wire)
    wire.discord.record.clear()
    pause = Pause.at(monkeypatch, here.outbox, step)
    with wire.clock.skip():
        standing = asyncio.ensure_future(work(here))
        await pause.stands()
        wire.clock.ahead += LEASE / 1000 + 1
        await work(there)
        (own,) = public(wire) - before
        wire.clock.ahead += later
        pause.go_on.set()
        await standing
    assert public(wire) - before == {own}
    assert await wire.db.read(known) == [(own,)]
    assert len(wire.discord.record.find(DELETE)) == deleted
    with wire.clock.skip():
        await work(there)
        await work(here)
    assert public(wire) - before == {own}
    await there.close()


@pytest.mark.parametrize("kind", ["the public message", "the result", "the daily post"])
async def test_who_comes_back_before_the_other_one_has_posted_keeps_the_place(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    prepare, known = KINDS[kind]
    work = await prepare(wire)
    before, here, there = public(wire), wire.bot.desk, another(wire)
    first, second = (Pause.at(monkeypatch, desk.outbox, "_send") for desk in (here, there))
    with wire.clock.skip():
        tasks = [asyncio.ensure_future(work(here))]
        await first.stands()
        wire.clock.ahead += LEASE / 1000 + 1
        tasks.append(asyncio.ensure_future(work(there)))
        await second.stands()
        first.go_on.set()
        await tasks[0]
        (own,) = public(wire) - before
        wire.clock.ahead += NONCE_LIFE
        second.go_on.set()
        await tasks[1]
    assert public(wire) - before == {own}
    assert await wire.db.read(known) == [(own,)]
    await there.close()


async def test_a_lobby_that_another_process_has_shown_meanwhile_is_shown_once(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, here, there = public(wire), wire.bot.desk, another(wire)
    pause = Pause.at(monkeypatch, here.outbox, "keep")
    ada = wire.discord.add_player("Ada")
    opening = asyncio.ensure_future(wire.open(ada))
    await pause.stands()
    ((race, channel),) = await wire.db.read("SELECT id, channel FROM race")
    with wire.clock.skip():
        await draw(there, race, channel)
        assert len(public(wire) - before) == 2
        pause.go_on.set()
        await opening
        await wire.discord.signal.until(lambda: len(public(wire) - before) == 1)
        await drawn(here)
    assert await wire.db.read("SELECT message FROM race") == [(*(public(wire) - before),)]
    await there.close()


@pytest.mark.parametrize("status", [403, 404])
async def test_what_cannot_be_deleted_is_no_fault(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    work = await the_result(wire)
    wire.discord.faults.add(Fault(DELETE, status, {"message": "No", "code": 0}))
    here, there = wire.bot.desk, another(wire)
    pause = Pause.at(monkeypatch, here.outbox, "_send")
    with caplog.at_level("INFO", "bot"), wire.clock.skip():
        standing = asyncio.ensure_future(work(here))
        await pause.stands()
        await work(there)
        wire.clock.ahead += NONCE_LIFE
        pause.go_on.set()
        await standing
    told = [each for each in caplog.records if each.name == "bot.outbox"]
    assert [each.levelname for each in told] == ["INFO"]
    assert [each for each in caplog.records if each.levelname in ("WARNING", "ERROR")] == []
    await there.close()


async def test_who_has_been_replaced_posts_and_edits_nothing(wire: Wire) -> None:
    race, channel = await finished(wire)
    member, desk = asyncio.Event(), wire.bot.desk

    async def is_member() -> bool:
        return member.is_set()

    desk.outbox = desk.publisher._outbox = Outbox(wire.bot, is_member)
    wire.discord.record.clear()
    desk.publisher.forget()
    desk.publisher.mark(race, channel)
    state = desk.publisher._channels[channel]
    with wire.clock.skip():
        await wire.clock.sleep(1)
        assert state.task is not None
        await asyncio.wait([state.task], timeout=0.1)
        assert not state.task.done(), "it is tried again, for the case that it was no more than a moment"
        assert list(wire.discord.record.requests) == []
        member.set()
        await drawn(desk)
    assert len(wire.discord.record.find(POST)) == 1


async def test_a_judgement_of_a_race_without_a_result_is_told_once(wire: Wire) -> None:
    race, channel = await finished(wire)
    desk = wire.bot.desk
    await desk.races.announced(race)  # as of one whose result could not be posted for long
    await desk.moderation.void(Judge(1, OPERATOR, OPERATOR, wire.clock.now(), "a reason"), race)
    wire.discord.record.clear()
    with wire.clock.skip():
        await draw(desk, race, channel)
        await draw(desk, race, channel)
    assert [request.method for request in wire.discord.record.requests] == ["POST"]
    assert await wire.db.read("SELECT retell FROM race") == [(0,)]


@pytest.mark.parametrize("is_slow", [False, True])
async def test_a_stop_lets_what_is_on_its_way_arrive_and_be_kept(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, is_slow: bool
) -> None:
    kept: list[int] = []

    async def is_free() -> bool:
        return True

    async def keep(message: int) -> bool:
        kept.append(message)
        return True

    outbox = Outbox(wire.bot, is_free)
    channel = wire.discord.owner.home.id
    monkeypatch.setattr("bot.outbox.PATIENCE", 0.0 if is_slow else 10.0)
    wire.discord.faults.add(Fault(POST, delay=0.1, after=True))
    posting = asyncio.create_task(
        outbox.post(channel, message_parameters(sentence("hello")), Slot(is_free, keep))
    )
    await wire.discord.signal.until(lambda: bool(public(wire)))
    posting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await posting
    assert kept == []
    await outbox.close()
    assert outbox._sending == set()
    assert set(kept) == (set() if is_slow else public(wire))
    await outbox.close()  # with nothing on its way


async def test_a_process_that_has_been_overtaken_takes_back_what_is_on_its_way(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little time a stop leaves for that otherwise."""

    async def is_free() -> bool:
        return True

    async def keep(_message: int) -> bool:
        return False

    async def is_member() -> bool:
        return False

    monkeypatch.setattr("bot.outbox.PATIENCE", 0.0)
    wire.discord.faults.add(Fault(POST, delay=0.1, after=True))
    outbox, channel = wire.bot.desk.outbox, wire.discord.owner.home.id
    posting = asyncio.create_task(
        outbox.post(channel, message_parameters(sentence("hello")), Slot(is_free, keep))
    )
    await wire.discord.signal.until(lambda: bool(public(wire)))
    monkeypatch.setattr(wire.bot.desk.fleet, "is_member", is_member)
    assert not await wire.bot._tick()
    await wire.bot._stopping
    assert public(wire) == set()
    with pytest.raises(OvertakenError):
        await posting


@pytest.mark.parametrize("outcomes", [[True, StoreError("gone"), True], [True, False]])
async def test_who_is_not_let_in_for_long_keeps_its_place_meanwhile(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, outcomes: list[bool | StoreError]
) -> None:
    asked = iter(outcomes)
    left = len(outcomes)

    async def is_member() -> bool:
        nonlocal left
        left -= 1
        if not left and outcomes[-1]:
            wire.bot._ready.set()
        outcome = next(asked)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    await wire.bot.wait_until_ready()
    wire.bot._ready.clear()
    monkeypatch.setattr("bot.app.TICK", 0.01)
    monkeypatch.setattr(wire.bot.desk.fleet, "is_member", is_member)
    async with asyncio.timeout(60):
        await wire.bot._before_tick()
    assert left == 0
    assert wire.bot.is_ready() is outcomes[-1]
    wire.bot._ready.set()


def test_a_stop_is_over_in_time_however_slow_discord_is() -> None:
    assert LAST_ANSWERS + LAST_WORDS + PATIENCE + FAREWELL < 5
