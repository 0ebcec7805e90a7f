"""Health and metrics: the watch over the loop, what counts as well, and the port."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping

import aiohttp
import pytest

from bot import health
from bot.health import Health, HealthError, HealthServer, LoopWatch, database_trouble, loop_trouble
from bot.metrics import Fault, Metrics, Outcome
from bot.store.database import StoreError
from tests.ports import free_port

WELL = Health("", "", "")


async def nothing() -> Mapping[str, int]:
    return {"live_races": 3}


async def broken() -> Mapping[str, int]:
    raise StoreError("the disk is full")


def server(metrics: Metrics, state: Health = WELL, *, port: int | None = None) -> HealthServer:
    return HealthServer(
        "127.0.0.1", free_port() if port is None else port, metrics, look=lambda: state, amounts=nothing
    )


async def get(served: HealthServer, path: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{served.port}{path}") as answer,
    ):
        return answer.status, await answer.text()


async def test_all_is_well() -> None:
    async with server(Metrics()) as served:
        assert await get(served, "/healthz") == (200, '{"gateway": "ok", "database": "ok", "loop": "ok"}')
        assert (await get(served, "/other"))[0] == 404


async def test_what_is_wrong_is_said() -> None:
    state = Health("not connected yet", database_trouble(StoreError("disk full"), 0), loop_trouble(2.5))
    async with server(Metrics(), state) as served:
        status, body = await get(served, "/healthz")
    assert status == 503
    assert "not connected yet" in body
    assert "nothing is saved: disk full" in body
    assert "stood still for 2.5 s" in body


def test_a_silent_database_is_not_well() -> None:
    assert database_trouble(None, 3) == ""
    assert database_trouble(None, health.SILENT + 1) == "no write was finished for 16 s"


def test_a_short_delay_is_well() -> None:
    assert loop_trouble(0.4) == ""


async def test_metrics_are_in_prometheus_form() -> None:
    metrics = Metrics()
    metrics.served("board", Outcome.ANSWERED)
    metrics.served("board", Outcome.ANSWERED)
    metrics.served("race new", Outcome.REFUSED)
    metrics.answered(0.02)
    metrics.fault(Fault.RETRY)
    metrics.committed(17, 0.004, None)
    async with server(metrics) as served:
        status, text = await get(served, "/metrics")
    assert status == 200
    for line in (
        'same_deal_interactions_total{kind="board",outcome="answered"} 2.0',
        'same_deal_interactions_total{kind="race new",outcome="refused"} 1.0',
        'same_deal_answer_seconds_bucket{le="0.025"} 1.0',
        'same_deal_faults_total{kind="retry"} 1.0',
        'same_deal_faults_total{kind="reset"} 0.0',
        'same_deal_store_group_writes_bucket{le="32.0"} 1.0',
        'same_deal_stored{what="live_races"} 3.0',
        "same_deal_gateway_connected 1.0",
    ):
        assert line in text.splitlines()


async def test_metrics_go_on_while_the_database_does_not_answer() -> None:
    metrics = Metrics()
    served = HealthServer("127.0.0.1", free_port(), metrics, look=lambda: WELL, amounts=broken)
    async with served:
        assert (await get(served, "/metrics"))[0] == 200


async def test_the_store_is_well_again_after_one_good_group() -> None:
    metrics = Metrics()
    metrics.committed(3, 0.1, StoreError("disk full"))
    assert str(metrics.store_error) == "disk full"
    metrics.committed(1, 0.1, None)
    assert metrics.store_error is None
    assert "same_deal_store_failed_groups_total 1.0" in metrics.text().decode()


async def test_port_0_serves_nothing() -> None:
    async with server(Metrics(), port=0) as served:
        assert served.port == 0


async def test_a_taken_port_that_was_asked_for_stops_the_start() -> None:
    async with server(Metrics()) as first:
        with pytest.raises(
            HealthError,
            match=rf"HEALTH_PORT {first.port} on HEALTH_HOST 127.0.0.1 cannot be used \(.*\): cho",
        ):
            async with server(Metrics(), port=first.port):
                pass


async def test_a_taken_usual_port_is_done_without(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with server(Metrics()) as first:
        monkeypatch.setattr(health, "DEFAULT_PORT", first.port)
        usual = HealthServer("127.0.0.1", None, Metrics(), look=lambda: WELL, amounts=nothing)
        with caplog.at_level(logging.WARNING):
            async with usual:
                assert "there is no /healthz" in caplog.text


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
async def test_a_host_that_is_not_here_stops_the_start(host: str) -> None:
    with pytest.raises(HealthError, match=rf"on HEALTH_HOST {host} cannot be used"):
        async with HealthServer(host, None, Metrics(), look=lambda: WELL, amounts=nothing):
            pass


def test_the_worst_delay_is_forgotten_after_its_time() -> None:
    watch = LoopWatch(Metrics())
    assert watch.worst == 0
    for at, lag in ((0, 0.1), (1, 0.7), (2, 0.2), (3, 0.3)):
        watch.note(at, lag)
    assert watch.worst == 0.7
    watch.note(11.5, 0.05)
    assert watch.worst == 0.3
    watch.note(40, 0.01)
    assert watch.worst == 0.01


async def test_the_watch_measures_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "STEP", 0.001)
    metrics = Metrics()
    watch = LoopWatch(metrics)
    watch.stop()  # before it was ever started
    watch.start()
    async with asyncio.timeout(30):
        while not watch.worst > 0.002:
            _keep_busy(0.004)
            await asyncio.sleep(0)
    watch.stop()
    counted = metrics.text()
    _keep_busy(0.002)
    await asyncio.sleep(0)
    assert metrics.text() == counted


def _keep_busy(seconds: float) -> None:
    """Holds the loop up."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
