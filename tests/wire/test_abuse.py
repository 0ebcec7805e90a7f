"""One who presses fifty times at once: every press is answered, the move is made once, and others do not notice."""

from __future__ import annotations

import asyncio
import time

from bot.playground import Interaction, text_of
from bot.turnstile import AT_ONCE
from tests.wire.conftest import Wire

PRESSES = 50
SOON = 3.0
"""Within how many seconds somebody else is answered meanwhile: Discord waits no longer.

That is of the process's own time: what the machine does besides is no fault of the flood."""


async def test_fifty_presses_at_once_are_answered_and_slow_nobody(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    boards = await wire.race(ada, ben)
    flood = [ada.press(boards[ada.id], "Deal (44)") for _ in range(PRESSES)]
    began = time.process_time()
    await ben.press(boards[ben.id], "Deal (44)")
    assert time.process_time() - began < SOON
    answers: list[Interaction] = await asyncio.gather(*flood)
    refused = [each for each in answers if each.message and "faster than I can" in text_of(each.message)]
    assert 0 < len(refused) <= PRESSES - AT_ONCE
    assert (await wire.attempt(boards[ada.id])).seq == 1
    assert (await wire.attempt(boards[ben.id])).seq == 1
    assert len(wire.bot.turnstile) == 0
    await ada.press(boards[ada.id], "Deal (43)")
    assert (await wire.attempt(boards[ada.id])).seq == 2
