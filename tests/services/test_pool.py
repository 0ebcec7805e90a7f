"""The pool of certified deals, and the process that fills it."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.services import process as process_module
from bot.services.deals import draw_deal
from bot.services.pool import Pool, is_certifiable
from bot.services.proofs import AHEAD, BUSY, Proofs
from bot.services.prover import Proof, Threaded, Winnable, Worker, prove_deal
from bot.store import deals
from bot.store.database import ConflictError, Database
from bot.store.deals import Ready
from engine import GAMES, Rules, find_game

LINKS, TAKE_AWAY = find_game("links"), find_game("take-away")
NOW = 1_796_000_000_000


class Oracle:
    """Says at once what it is told to say."""

    def __init__(self, *proofs: Proof) -> None:
        self.proofs = list(proofs)
        self.asked: list[str] = []

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns the next proof."""
        self.asked.append(rules.key)
        return self.proofs.pop(0) if len(self.proofs) > 1 else self.proofs[0]

    async def close(self) -> None:
        """Does nothing."""


async def stock(db: Database) -> dict[str, int]:
    """Returns how many deals are ready by game."""
    return {key: count for (key, _), count in (await deals.counts(db)).items()}


def test_hand_games_are_not_certified() -> None:
    assert {rules.key for rules in GAMES if not is_certifiable(rules)} == {
        rules.key for rules in GAMES if rules.base in ("one-handed", "taking-silk")
    }


async def test_the_pool_is_filled_evenly_and_no_further(db: Database) -> None:
    pool = Pool(db, depth=3)
    oracle = Oracle(Proof(Winnable.YES, 2))
    while await pool.fill(oracle, NOW):
        pass
    assert await stock(db) == {rules.key: 3 for rules in GAMES if is_certifiable(rules)}
    assert len(set(oracle.asked[:6])) == 6
    assert not await pool.fill(oracle, NOW)


async def test_what_is_not_proved_is_not_kept(db: Database) -> None:
    pool = Pool(db, depth=1, games=(LINKS,))
    oracle = Oracle(Proof(Winnable.NO), Proof(), Proof(Winnable.YES, 3))
    assert [await pool.fill(oracle, NOW) for _ in range(4)] == [True, True, True, False]
    assert await stock(db) == {"links": 1}


async def test_a_deal_is_drawn_once(db: Database) -> None:
    pool = Pool(db)
    await db.write(deals.keep(LINKS, Ready("one", 1), NOW))
    drawn = [await draw_deal(pool, "links") for _ in range(2)]
    assert [(each.seed, each.band, each.typed) for each in drawn] == [("one", 1, False)] * 2
    await db.write(*drawn[0].claim)
    with pytest.raises(ConflictError):
        await db.write(*drawn[1].claim)
    empty = await draw_deal(pool, "links")
    assert (empty.band, empty.claim) == (None, ())
    assert len(empty.seed) == 13


async def test_typed_seeds_and_hand_games_leave_the_pool_alone(db: Database) -> None:
    pool = Pool(db)
    await db.write(deals.keep(LINKS, Ready("one", 1), NOW))
    typed = await draw_deal(pool, "links", " Friday ")
    assert (typed.seed, typed.typed, typed.band, typed.claim) == ("friday", True, None, ())
    assert (await draw_deal(pool, "one-handed")).claim == ()


async def test_deals_under_older_rules_are_left_alone(db: Database) -> None:
    await db.write(deals.keep(LINKS, Ready("one", 1), NOW))
    await db.write(*(statement for statement in [deals.take(LINKS, "one")]))
    assert await Pool(db).draw(LINKS) is None


@pytest.mark.parametrize("prover", [Threaded(), Worker()], ids=["thread", "process"])
async def test_deals_are_proved_in_a_thread_or_a_process(prover: Threaded | Worker) -> None:
    deals = [(find_game(key), f"deal {number}") for key in ("one-handed", "take-away") for number in range(3)]
    found = await asyncio.gather(*(prover.prove(*deal) for deal in deals))
    assert found == [prove_deal(rules.key, seed) for rules, seed in deals]
    assert all(proof.winnable is not Winnable.UNKNOWN for proof in found)
    await prover.close()


def test_where_a_game_calls_every_move_no_deal_is_called_hard() -> None:
    proofs = [prove_deal("one-handed-free", str(number)) for number in range(30)]
    assert {proof.winnable for proof in proofs} == {Winnable.YES, Winnable.NO}
    assert {proof.band for proof in proofs} == {None}


def test_deals_come_in_three_bands() -> None:
    proofs = [prove_deal("take-away", str(number)) for number in range(30)]
    assert {proof.band for proof in proofs} == {1, 2, 3}
    assert {proof.winnable for proof in proofs} == {Winnable.YES}


async def test_the_pool_is_filled_with_what_the_solver_has_proved(db: Database) -> None:
    pool = Pool(db, depth=2)
    while await pool.fill(Threaded(), NOW):
        pass
    for rules in GAMES:
        if is_certifiable(rules):
            for ready in await deals.ready(db, rules, 9):
                assert prove_deal(rules.key, ready.seed) == Proof(Winnable.YES, ready.band)


def environment(pid: int) -> bytes:
    """Returns the environment that a process was begun with; nothing where the system does not tell."""
    path = Path(f"/proc/{pid}/environ")
    return path.read_bytes() if path.exists() else b""


async def test_the_process_runs_at_the_lowest_priority_and_without_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    worker = Worker()
    await worker.prove(find_game("one-handed"), "friday")
    assert worker.pid is not None
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) == 19
    if sys.platform == "linux":
        assert os.sched_getscheduler(worker.pid) == os.SCHED_IDLE
    assert b"DISCORD_TOKEN" not in environment(worker.pid)
    await worker.close()
    assert worker.pid is None
    assert await worker.prove(find_game("one-handed"), "friday") == Proof()


async def test_a_process_that_fails_is_left_in_peace_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "REST", 0.0)
    worker = Worker()
    await worker.prove(find_game("one-handed"), "friday")
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    assert await worker.prove(find_game("one-handed"), "friday") == Proof()
    assert await worker.prove(find_game("one-handed"), "friday") == prove_deal("one-handed", "friday")
    await worker.close()


async def test_a_request_that_is_given_up_does_not_confuse_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker()
    slow = asyncio.create_task(worker.prove(find_game("one-handed"), "monday"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)
    assert await worker.prove(find_game("one-handed"), "friday") == prove_deal("one-handed", "friday")
    await worker.close()


PARENT = """
import asyncio
from bot.services.prover import Worker
from engine import find_game

async def main():
    worker = Worker()
    await worker.prove(find_game("one-handed"), "friday")
    print(worker.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
def test_the_process_ends_when_the_bot_is_killed() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as parent:
        assert parent.stdout is not None
        ended = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    try:
        assert select.select([ended], [], [], 20)[0]
    finally:
        os.close(ended)


async def test_what_is_known_of_a_deal_is_asked_for_once() -> None:
    oracle = Oracle(Proof(Winnable.YES, 3))
    proofs = Proofs(oracle)
    proofs.foresee(LINKS, "friday")
    assert await proofs.of(LINKS, "friday") == Proof(Winnable.YES, 3)
    assert await proofs.of(LINKS, "friday") == Proof(Winnable.YES, 3)
    assert await proofs.of(TAKE_AWAY, "friday", 1) == Proof(Winnable.YES, 1)
    assert oracle.asked == ["links"]
    await proofs.close()


async def test_nobody_waits_long_for_what_is_not_known() -> None:
    class Slow(Oracle):
        async def prove(self, rules: Rules, seed: str) -> Proof:
            await asyncio.sleep(30)
            return Proof(Winnable.YES, 1)

    proofs = Proofs(Slow())
    assert await proofs.of(LINKS, "friday", patience=0.01) == Proof()
    await proofs.close()


async def test_little_is_asked_ahead_of_time_while_much_waits() -> None:
    class Slow(Oracle):
        async def prove(self, rules: Rules, seed: str) -> Proof:
            self.asked.append(seed)
            await asyncio.sleep(30)
            return Proof()

    slow = Slow()
    proofs = Proofs(slow)
    for number in range(2 * BUSY):
        proofs.foresee(LINKS, str(number))
    await asyncio.sleep(0)
    assert len(slow.asked) == AHEAD
    for number in range(2 * BUSY):
        assert await proofs.of(LINKS, str(number), patience=0.0) == Proof()
    assert len(slow.asked) == BUSY
    await proofs.close()


async def test_what_could_not_be_found_out_is_asked_again() -> None:
    oracle = Oracle(Proof(), Proof(Winnable.NO))
    proofs = Proofs(oracle)
    assert await proofs.of(LINKS, "friday") == Proof()
    assert await proofs.of(LINKS, "friday") == Proof(Winnable.NO)
    await proofs.close()


async def test_only_so_much_is_remembered() -> None:
    oracle = Oracle(Proof(Winnable.NO))
    proofs = Proofs(oracle, cached=2)
    for seed in ("one", "two", "three", "one"):
        await proofs.of(LINKS, seed)
    assert len(oracle.asked) == 4
    await proofs.close()
