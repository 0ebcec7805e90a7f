"""Injected faults, and the record of what the bot did."""

from __future__ import annotations

import time

import aiohttp
import pytest

from bot.playground import Fault, Playground, text_of
from tests.playground.toy import Api, text, v2

CALLBACK = r"POST /interactions/.*/callback"


async def test_a_status_comes_as_often_as_asked_and_nothing_is_done(api: Api, playground: Playground) -> None:
    fault = Fault(CALLBACK, status=503, times=2)
    playground.faults.add(fault)
    interaction = playground.owner.slash("play")
    answers = [await api.answer(interaction, 4, v2(text("x"))) for _ in range(3)]
    assert [status for status, _ in answers] == [503, 503, 200]
    assert playground.faults.pending == []
    assert len(playground.owner.messages()) == 1


async def test_a_lost_answer_was_an_action(api: Api, playground: Playground) -> None:
    playground.faults.add(Fault(CALLBACK, drop=True, after=True))
    interaction = playground.owner.slash("play")
    with pytest.raises(aiohttp.ClientError):
        await api.answer(interaction, 4, v2(text("done")))
    assert text_of((await interaction).message or pytest.fail("no message")) == "done"
    status, body = await api.answer(interaction, 4, v2(text("again")))
    assert (status, body["code"]) == (400, 40060)
    assert [str(r).rpartition("-> ")[2] for r in playground.record.find("callback")] == ["0", "400 (40060)"]


async def test_a_dropped_request_was_none(api: Api, playground: Playground) -> None:
    playground.faults.add(Fault(CALLBACK, drop=True))
    interaction = playground.owner.slash("play")
    with pytest.raises(aiohttp.ClientError):
        await api.answer(interaction, 4, v2(text("x")))
    assert (await api.answer(interaction, 4, v2(text("x"))))[0] == 200


async def test_rate_limits_look_like_discords(api: Api, playground: Playground) -> None:
    playground.faults.add(Fault.rate_limited(CALLBACK, 0.25))
    interaction = playground.owner.slash("play")
    status, body = await api.answer(interaction, 5)
    assert (status, body["retry_after"], body["global"]) == (429, 0.25, False)
    assert (await api.answer(interaction, 5))[0] == 200


async def test_delays_hold_up_the_request_or_its_answer(api: Api, playground: Playground) -> None:
    playground.faults.add(Fault(CALLBACK, delay=0.05), Fault(CALLBACK, delay=0.05, after=True))
    for after in (False, True):
        interaction = playground.owner.slash("play")
        begun = time.perf_counter()
        assert (await api.answer(interaction, 5))[0] == 200
        ended = time.perf_counter()
        assert interaction.answered_at is not None
        before, held_up = (begun, interaction.answered_at) if not after else (interaction.answered_at, ended)
        assert held_up - before >= 0.05


async def test_faults_can_be_called_off(api: Api, playground: Playground) -> None:
    playground.faults.add(Fault("", status=500, times=99))
    playground.faults.clear()
    assert (await api.call("GET", "/users/@me"))[0] == 200


async def test_the_record_holds_payloads_and_times(api: Api, playground: Playground) -> None:
    playground.record.clear()
    begun = time.perf_counter()
    path = f"/channels/{playground.channel('lounge').id}/messages"
    await api.upload("POST", path, {"content": "log"}, ("log.txt", b"lines"))
    (request,) = playground.record.requests
    assert (request.method, request.path, request.status, request.code) == ("POST", path, 200, 0)
    assert request.payload == {"content": "log"}
    assert [(upload.filename, upload.data) for upload in request.uploads] == [("log.txt", b"lines")]
    assert begun < request.at < time.perf_counter()
    await api.call("GET", "/users/1")
    assert [error.code for error in playground.record.errors] == [10013]


async def test_forgets_old_requests() -> None:
    async with Playground(record=2) as server, aiohttp.ClientSession() as session:
        for _ in range(3):
            await (await session.get(server.api_url + "/gateway")).read()
        assert (len(server.record.requests), server.record.count) == (2, 3)
