"""Several processes on one PostgreSQL, each with its shards: killed, paused, replaced, refused."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import asyncpg
import pytest
import pytest_asyncio

from bot.playground import Fault, Interaction, Playground, routes_messages, text_of
from bot.store.postgres_leases import LIFE
from tests.cluster.play import Club, add_club, check
from tests.cluster.process import Process, add_guild_on
from tests.wire.conftest import is_board

SHARDS = 3
PLAYERS = 4
KILLS = 3

pytestmark = pytest.mark.slow


@dataclass
class Cluster:
    """A loopback Discord with a club on each shard, and the processes that serve them."""

    server: Playground
    url: str
    clubs: list[Club]
    processes: list[Process]

    @property
    def answered(self) -> dict[int, Interaction]:
        """All presses that were answered with a new board."""
        return {key: press for club in self.clubs for key, press in club.answered.items()}

    async def query(self, sql: str, *args: object) -> list[tuple[object, ...]]:
        db = await asyncpg.connect(self.url)
        try:
            return [tuple(row) for row in await db.fetch(sql, *args)]
        finally:
            await db.close()


@pytest_asyncio.fixture
async def cluster(database: str) -> AsyncIterator[Cluster]:
    async with Playground(shards=SHARDS) as server:
        clubs = [add_club(server, add_guild_on(server, shard, SHARDS), PLAYERS) for shard in range(SHARDS)]
        processes = [
            Process(server, database, shard_ids=str(shard), shard_count=SHARDS) for shard in range(SHARDS)
        ]
        try:
            yield Cluster(server, database, clubs, processes)
        finally:
            for process in processes:
                await process.kill()


@pytest.fixture
def database(postgres_url: str) -> str:
    return postgres_url


async def test_kill_9_of_one_of_three_under_load(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    clubs, processes = cluster.clubs, cluster.processes
    await asyncio.gather(*(process.start() for process in processes))
    assert cluster.server.gateway.identifies == SHARDS
    await asyncio.gather(*(club.race() for club in clubs))
    for number in range(KILLS):
        victim = number % SHARDS
        playing = [asyncio.create_task(club.play(4)) for club in clubs]
        done, _ = await asyncio.wait(playing, timeout=1)
        assert not done
        await processes[victim].kill()
        killed = cluster.server.world.next_id()  # what is answered after it was sent before
        await asyncio.gather(*playing)
        assert not [press for press in clubs[victim].answered if press > killed]
        await asyncio.gather(*(club.moves() for club in clubs if club is not clubs[victim]))
        await processes[victim].start()
        await clubs[victim].reopen()
        await check(cluster.url, cluster.answered)
    for club in clubs:
        await club.moves()
    events = await check(cluster.url, cluster.answered)
    with capsys.disabled():
        answered = len(cluster.answered)
        sys.stdout.write(f"\n{KILLS} kills of one of three: {answered} answered moves, {events} events\n")


async def test_a_countdown_goes_on_when_its_process_dies(cluster: Cluster) -> None:
    """The one that leads is paused meanwhile, so that the third has to take over from both."""
    leader, owner, other = cluster.processes
    await leader.start()
    await asyncio.gather(owner.start(), other.start())
    club = cluster.clubs[1]
    host = club.players[0]
    async with asyncio.timeout(60):
        while not await cluster.query("SELECT at FROM heartbeat WHERE shard = 1"):
            pass
    await host.press(await club.open(), "Start")
    leader.signal(signal.SIGSTOP)
    await owner.kill()
    board = await host.sees(is_board, channel=club.channel, seconds=LIFE + 60)
    assert await cluster.query("SELECT phase FROM race") == [("running",)]
    leader.signal(signal.SIGCONT)
    await owner.start()
    await host.sees("The bot was away", channel=club.channel, seconds=60)  # and the time was given back
    club.boards[host.id] = board
    club.players = [host]
    await club.moves()
    assert (
        await cluster.clubs[0].players[0].slash("rules", {"game": "links"}, channel=cluster.clubs[0].channel)
    )
    await check(cluster.url, club.answered)


async def test_a_paused_process_that_comes_back_does_no_harm(cluster: Cluster) -> None:
    paused, others = cluster.processes[0], cluster.processes[1:]
    await paused.start()
    await asyncio.gather(*(process.start() for process in others))
    club = cluster.clubs[0]
    await asyncio.gather(*(each.race() for each in cluster.clubs))
    await club.play(0.5)
    playing = asyncio.create_task(club.play(60))  # until nobody answers
    await cluster.server.signal.until(lambda: _grown(club), 60)
    paused.signal(signal.SIGSTOP)  # in the middle of whatever it does
    _, *gained = await asyncio.gather(playing, *(each.play(LIFE + 3) for each in cluster.clubs[1:]))
    assert all(gained)
    replacement = Process(cluster.server, cluster.url, shard_ids="0", shard_count=SHARDS)
    try:
        await replacement.start()
        await club.reopen()
        await club.moves()
        before = await check(cluster.url, cluster.answered)
        paused.signal(signal.SIGCONT)  # and finds all these presses in its mailbox
        assert await paused.ends() == 2
        assert paused.told().splitlines()[-1].startswith("same-deal: Another process has taken over")
        assert await check(cluster.url, cluster.answered) >= before
        await club.moves()
        await check(cluster.url, cluster.answered)
    finally:
        await replacement.kill()


async def test_a_result_that_is_sent_just_before_a_pause_stands_once(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process stops before it hears of it, and Discord has forgotten the nonce when another one sends it."""
    monkeypatch.setattr(routes_messages, "_NONCE_LIFE", 0.0)
    paused, club = cluster.processes[0], cluster.clubs[0]
    host = club.players[0]
    club.players = [host]
    await paused.start()
    await club.race()
    path = rf"POST /channels/{club.channel.id}/messages"
    cluster.server.faults.add(Fault(path, delay=1.5, after=True))
    board = club.boards[host.id]
    for label in ("More", "Forfeit", "Yes, give up"):
        await host.press(board, label)
    first = await host.sees(": result", channel=club.channel, seconds=30)
    paused.signal(signal.SIGSTOP)
    replacement = Process(cluster.server, cluster.url, shard_ids="0", shard_count=SHARDS)
    try:
        await asyncio.sleep(LIFE)  # until the server has ended the leases
        await replacement.start()
        second = await host.sees(
            lambda each: each.id > first.id and ": result" in text_of(each), channel=club.channel, seconds=30
        )
        async with asyncio.timeout(30):  # it stands when it is kept, not when it is seen
            while await cluster.query("SELECT result_message FROM race") != [(second.id,)]:
                pass
        paused.signal(signal.SIGCONT)
        assert await paused.ends() == 2
        assert first not in host.messages(club.channel)
        assert second in host.messages(club.channel)
        assert await cluster.query("SELECT result_message, announced FROM race") == [(second.id, 1)]
    finally:
        await replacement.kill()


async def test_a_short_pause_is_no_more_than_an_outage(cluster: Cluster) -> None:
    process, *others = cluster.processes
    await asyncio.gather(*(each.start() for each in cluster.processes))
    club = cluster.clubs[0]
    await asyncio.gather(club.race(), cluster.clubs[1].race())
    playing = asyncio.create_task(club.play(60))  # until nobody answers
    await cluster.server.signal.until(lambda: _grown(club), 60)
    process.signal(signal.SIGSTOP)
    _, gained = await asyncio.gather(playing, cluster.clubs[1].play(7))
    assert gained > 0  # nobody waits for rows that it may have kept
    process.signal(signal.SIGCONT)
    await club.players[0].sees("The bot was away", channel=club.channel, seconds=60)
    await club.reopen()
    await club.moves()
    await check(cluster.url, cluster.answered)
    outages = await cluster.query("SELECT outage FROM race ORDER BY guild")
    assert [bool(outage) for (outage,) in outages].count(True) == 1
    assert len(others) == SHARDS - 1


async def test_two_processes_on_the_same_shards_are_refused(cluster: Cluster) -> None:
    first = cluster.processes[0]
    await first.start()
    twin = Process(cluster.server, cluster.url, shard_ids="0", shard_count=SHARDS)
    await twin.spawn()
    assert await twin.ends() == 2
    assert twin.told().splitlines()[-1] == "same-deal: Another process serves shard 0 of 3 already."
    await twin.kill()
    assert (
        await cluster.clubs[0].players[0].slash("rules", {"game": "links"}, channel=cluster.clubs[0].channel)
    )


def _grown(club: Club) -> bool:
    return len(club.answered) > 5
