"""The daily post on the wire: one post a day, whatever is lost between sending it and noting that."""

from __future__ import annotations

import pytest

from bot.app import SameDeal
from bot.clock import Skew
from bot.playground import Fault, Message, Permission, text_of
from bot.services.bulletins import LEASE
from bot.store.database import Statement
from tests.wire.conftest import Wire

POST = r"POST /channels/\d+/messages"
MINUTE, HOUR = 60_000, 3_600_000


async def set_up(wire: Wire) -> None:
    """Sets the daily post up for the next hour, and lets that hour come."""
    if HOUR - wire.clock.now() % HOUR < MINUTE:
        wire.clock.ahead += 60  # so that the hour does not come while the command is on its way
    now = wire.clock.now()
    hour = (now // HOUR + 1) % 24
    channel = wire.discord.channel("daily-deal")
    await wire.discord.owner.slash("setup daily", {"channel": str(channel.id), "hour": hour})
    wire.clock.ahead += (HOUR - now % HOUR + 1000) / 1000


def posts(wire: Wire) -> list[Message]:
    """Returns the daily posts in the channel."""
    found = wire.discord.owner.messages(wire.discord.channel("daily-deal"))
    return [message for message in found if "Today's game" in text_of(message)]


async def tend(wire: Wire, bot: SameDeal | None = None) -> None:
    """Lets the bot do what is due of the dailies."""
    desk = (bot or wire.bot).desk
    upkeep = desk.upkeep
    upkeep.tick(desk.discord_now(), leads=True)
    assert upkeep._work is not None
    await upkeep._work


async def test_days_end_by_discords_clock(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, told = wire.bot.desk, list[int]()
    desk.skew = Skew()
    desk.skew.learn(wire.clock.now() - 10_000, wire.clock.now())
    monkeypatch.setattr(desk.upkeep, "tick", lambda true, *, leads: told.append(true))
    await desk.tick()
    assert wire.clock.now() - 20_000 < told[0] < wire.clock.now() - 9_000


async def test_a_post_is_sent_once(wire: Wire) -> None:
    await set_up(wire)
    for _ in range(3):
        await tend(wire)
    (post,) = posts(wire)
    assert post.nonce is not None


@pytest.mark.parametrize(
    "fault",
    [Fault(POST, drop=True, after=True), Fault(POST, status=502, after=True), Fault(POST, drop=True)],
    ids=["sent, then the connection is lost", "sent, then 502", "not sent, the connection is lost"],
)
async def test_an_answer_that_is_lost_posts_nothing_twice(wire: Wire, fault: Fault) -> None:
    await set_up(wire)
    wire.discord.faults.add(fault)
    with wire.clock.skip():
        await tend(wire)
    wire.clock.ahead += LEASE / 1000 + 1
    for _ in range(3):
        await tend(wire)
    assert len(posts(wire)) == 1
    (row,) = await wire.db.read("SELECT state, message FROM daily_post")
    assert row == ("sent", posts(wire)[0].id)


async def test_a_post_that_comes_when_discord_lets_nothing_through_is_sent_later(wire: Wire) -> None:
    await set_up(wire)
    wire.discord.faults.add(Fault(POST, status=429, body={"message": "banned for a while"}))
    await tend(wire)
    assert posts(wire) == []
    wire.clock.ahead += LEASE / 1000 + 1
    await tend(wire)
    assert len(posts(wire)) == 1


@pytest.mark.parametrize("later", [70, 1000])
async def test_a_crash_between_sending_and_noting_posts_nothing_twice(wire: Wire, later: int) -> None:
    await set_up(wire)
    await tend(wire)
    await wire.db.write(Statement("UPDATE daily_post SET state = 'sending', message = NULL", rows=1))
    wire.clock.ahead += later
    for _ in range(3):
        await tend(wire)
    assert len(posts(wire)) == 1


async def test_a_crash_before_sending_posts_after_the_restart(wire: Wire) -> None:
    await set_up(wire)
    (setup,) = await wire.bot.desk.bulletins.due(wire.clock.now())
    await wire.bot.desk.bulletins.announce(setup, wire.clock.now())
    await tend(wire)
    assert posts(wire) == []
    wire.clock.ahead += 1000
    await tend(wire)
    assert len(posts(wire)) == 1


async def test_where_it_cannot_look_it_is_silent_rather_than_twice(wire: Wire) -> None:
    await set_up(wire)
    await tend(wire)
    await wire.db.write(Statement("UPDATE daily_post SET state = 'sending', message = NULL", rows=1))
    wire.discord.allow(wire.discord.channel("daily-deal"), deny=Permission.READ_MESSAGE_HISTORY)
    wire.clock.ahead += 1000
    for _ in range(3):
        await tend(wire)
    assert len(posts(wire)) == 1
    shown = await wire.discord.owner.slash("setup daily", {})
    assert "Read Message History" in text_of(shown.message or posts(wire)[0])
