"""A machine whose clock is set while people race."""

from __future__ import annotations

import pytest

from tests.wire.conftest import Wire


@pytest.mark.parametrize("hours", [1, -1])
async def test_a_clock_that_is_set_ends_no_race(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    ann, bob = wire.discord.add_player("Ann"), wire.discord.add_player("Bob")
    boards = await wire.race(ann, bob)
    right = wire.clock.now
    monkeypatch.setattr(wire.clock, "now", lambda: right() + hours * 3_600_000)
    await wire.bot.desk.tick()
    assert not (await wire.attempt(boards[ann.id])).is_over
