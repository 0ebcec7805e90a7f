"""What the line does to a press: lost connections, 5xx, 429, double delivery, sessions that end.

Whatever happens, no move is lost or applied twice, and the player is served wherever that is possible at all.
"""

from __future__ import annotations

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from bot import transport
from bot.playground import Fault, Message, UnansweredError, buttons, text_of
from tests.wire.conftest import AMPLE, Wire

CALLBACK = r"POST /interactions/\d+/[^/]+/callback"
EDIT = r"PATCH /webhooks/.*/@original"
POST = r"POST /webhooks/\d+/[^/]+$"
GONE = {"message": "Unknown interaction", "code": 10062}
ACKNOWLEDGED = {"message": "Interaction has already been acknowledged.", "code": 40060}

SERVED = {
    "nothing": [],
    "503 once": [Fault(CALLBACK, status=503)],
    "503 twice": [Fault(CALLBACK, status=503, times=2)],
    "500, 502, 504": [Fault(CALLBACK, status=status) for status in (500, 502, 504)],
    "connection reset": [Fault(CALLBACK, drop=True)],
    "connection reset twice": [Fault(CALLBACK, drop=True, times=2)],
    "done, then connection reset": [Fault(CALLBACK, drop=True, after=True)],
    "done, then 502": [Fault(CALLBACK, status=502, after=True)],
    "429 that fits": [Fault.rate_limited(CALLBACK, 0.05)],
    "acknowledged already": [Fault(CALLBACK, status=400, body=ACKNOWLEDGED, after=True)],
}


@pytest.mark.parametrize("faults", SERVED.values(), ids=SERVED)
async def test_a_move_is_served_once_whatever_the_line_does(wire: Wire, faults: list[Fault]) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    wire.discord.faults.add(*faults)
    await ada.press(board, "Deal (44)")
    assert list(wire.discord.faults.pending) == []
    assert "1 move" in text_of(board)
    await ada.press(board, "Deal (43)")
    assert "2 moves" in text_of(board)


LOST = {
    "gone": [Fault(CALLBACK, status=404, body=GONE)],
    "429 that does not fit": [Fault.rate_limited(CALLBACK, 60)],
    "429 twice": [Fault.rate_limited(CALLBACK, 0.01, times=2)],
    "forbidden": [Fault(CALLBACK, status=403, body={"message": "Missing Access", "code": 50001})],
}


@pytest.mark.parametrize("faults", LOST.values(), ids=LOST)
async def test_what_cannot_be_answered_is_shown_at_the_next_press(wire: Wire, faults: list[Fault]) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    wire.discord.faults.add(*faults)
    lost = ada.press(board, "Deal (44)")
    await wire.discord.signal.until(lambda: not wire.discord.faults.pending)
    again = await ada.press(board, "Deal (44)")
    assert "moved on" in text_of(again.message or board)
    assert "1 move" in text_of(board)
    assert len(wire.discord.record.find(f"POST /interactions/{lost.id}/")) == sum(
        each.times for each in faults
    )


async def test_a_command_whose_answer_was_lost_still_finds_its_message(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    wire.discord.faults.add(Fault(CALLBACK, drop=True, after=True))
    lobby = await wire.open(ada)
    ben = wire.discord.add_player("Ben")
    await ben.press(lobby, "Join")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "Ben" in text_of(lobby))
    assert len([each for each in ada.messages() if each.audience is None]) == 1


FOLLOWED = {
    "connection reset": Fault(EDIT, drop=True),
    "connection reset twice": Fault(EDIT, drop=True, times=2),
    "done, then connection reset": Fault(EDIT, drop=True, after=True),
    "silence": Fault(EDIT, delay=1.5),
}


@pytest.mark.parametrize("fault", FOLLOWED.values(), ids=FOLLOWED)
async def test_what_follows_an_acknowledgement_is_tried_again(
    wire: Wire, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "LATER_TRY", 0.5)
    monkeypatch.setattr(transport, "LATER_PAUSES", (0.01, 0.01, 0.01))
    ada = wire.discord.add_player("Ada")
    wire.discord.faults.add(fault)
    shown = (await ada.slash("privacy export")).message
    assert shown is not None
    await wire.discord.signal.until(lambda: not shown.loading)
    assert len(shown.attachments) == 2, "the files are sent whole again"
    assert all(each.data for each in shown.attachments)


@pytest.mark.parametrize(
    ("fault", "shown"), [(Fault(POST, drop=True), 0), (Fault(POST, drop=True, after=True), 1)]
)
async def test_a_further_message_that_may_be_there_is_not_sent_again(
    wire: Wire, fault: Fault, shown: int
) -> None:
    ada = wire.discord.add_player("Ada")
    wire.discord.faults.add(fault)
    await wire.open(ada)
    await wire.discord.signal.until(lambda: not wire.discord.faults.pending)
    await ada.slash("help")
    assert len([each for each in ada.messages() if "You are in" in text_of(each)]) == shown
    assert len(wire.discord.record.find(POST)) == 1


async def test_a_further_message_is_sent_when_there_is_a_connection(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that could not even begin to be sent is not there yet."""
    monkeypatch.setattr(transport, "LATER_PAUSES", (0.01,))
    ada = wire.discord.add_player("Ada")
    session = transport._session(wire.bot.http)
    key = ConnectionKey("localhost", 443, True, True, None, None, None)
    request, refusals = session.request, [111]

    def refused_once(method: str, url: str, **options: object) -> object:
        if refusals and method == "POST":
            raise aiohttp.ClientConnectorError(key, OSError(refusals.pop(), "refused"))
        return request(method, url, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "request", refused_once)
    await wire.open(ada)
    assert await ada.sees("You are in")
    assert refusals == []


async def test_a_judgement_whose_answer_was_lost_is_told_where_the_race_stands(wire: Wire) -> None:
    ada, mod = wire.discord.add_player("Ada"), wire.discord.add_player("Mod", moderator=True)
    lobby = await wire.open(ada)
    await ada.sees("You are in")
    await wire.bot.wait_until_ready()  # from here on nothing is about to be drawn
    race = str(next(buttons(lobby))["custom_id"]).split(":")[1]
    wire.discord.faults.add(Fault(CALLBACK, status=404, body=GONE))
    mod.slash("moderate cancel", {"race": race, "reason": "wrong channel"})
    await wire.discord.signal.until(lambda: not wire.discord.faults.pending)
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "wrong channel" in text_of(lobby))


async def test_a_silent_line_does_not_keep_a_channel_from_what_is_new(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    monkeypatch.setattr(transport, "SILENCE", 0.3)
    transport.bound_silence(wire.bot.http)
    wire.discord.faults.add(Fault(rf"PATCH /channels/\d+/messages/{lobby.id}", delay=60))
    await ben.press(lobby, "Join")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "Ben" in text_of(lobby))
    assert wire.bot.is_ready()


async def test_an_interaction_that_is_delivered_twice_is_handled_once(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    wire.discord.gateway.repeats = 1
    first = await ada.press(board, "Deal (44)")
    wire.discord.redeliver(first)
    await ada.press(board, "Deal (43)")
    assert "2 moves" in text_of(board)


async def test_two_quick_presses_apply_once(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    presses = [ada.press(board, "Deal (44)") for _ in range(10)]
    for press in presses:
        await press
    assert "1 move" in text_of(board)


async def test_quick_wrong_calls_of_one_board_count_once(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada, game="one-handed"))[ada.id]
    calls = [str(each["custom_id"]) for each in buttons(board) if ":call:" in str(each["custom_id"])]
    attempt = await wire.attempt(board)
    right = {str(move) for move in attempt.rules.legal_moves(attempt.state)}
    wrong = [each for each in calls if each.split(":")[-1] not in right]
    presses = [ada.press(board, each) for each in wrong * 2]
    for press in presses:
        await press
    attempt = await wire.attempt(board)
    assert (attempt.mistakes, attempt.seq) == (1, 1)


@pytest.mark.parametrize("trouble", ["reconnect", "close", "reset", "invalid", "invalid resumable"])
async def test_presses_are_answered_after_any_trouble_of_the_session(wire: Wire, trouble: str) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    gateway = wire.discord.gateway
    match trouble:
        case "reconnect":
            gateway.reconnect()
        case "close":
            gateway.close(4000)
        case "reset":
            gateway.reset()
        case "invalid":
            gateway.invalidate(resumable=False)
        case _:
            gateway.invalidate(resumable=True)
    if trouble.startswith("invalid"):  # then nobody answers
        wire.discord.interactions.deadline = 3.0
    during = ada.press(board, "Deal (44)")
    wire.discord.interactions.deadline = AMPLE
    try:
        await during
    except UnansweredError:
        assert trouble.startswith("invalid")
    await gateway.ready()
    after = await ada.press(board, _deal(board))
    assert after.message is not None
    attempt = await wire.attempt(board)
    assert attempt.seq == attempt.moves == (2 if during.answered_at else 1) or attempt.seq == 2
    assert f"{attempt.moves} move" in text_of(board)


def _deal(board: Message) -> str:
    """Returns the label of the board's button that deals."""
    return next(label for each in buttons(board) if (label := str(each["label"])).startswith("Deal"))
