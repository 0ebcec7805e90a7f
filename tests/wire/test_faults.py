"""What the line does to a press: lost connections, 5xx, 429, double delivery, sessions that end.

Whatever happens, no move is lost or applied twice, and the player is served wherever that is possible at all.
"""

from __future__ import annotations

import pytest

from bot.playground import Fault, Message, UnansweredError, buttons, text_of
from tests.wire.conftest import Wire

CALLBACK = r"POST /interactions/\d+/[^/]+/callback"
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
    during = ada.press(board, "Deal (44)")
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
