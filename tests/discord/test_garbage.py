"""What a press leaves behind: nothing that Python's collector would have to look for."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import discord
import pytest

from tests.discord.table import Table, ids_of
from tests.discord.test_practice import practise


@contextmanager
def cycles() -> Iterator[Counter[str]]:
    """Counts what nothing refers to any more after the block but itself, by type."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("button", [":undo", ":more"])
async def test_a_press_leaves_no_cycles(table: Table, button: str) -> None:
    """The interaction and all that it refers to is freed at once, whether its press is saved or only answered."""
    ann = table.player("ann")
    board = await practise(table, ann, game="take-away")
    await ann.click(board, custom_id=next(each for each in ids_of(board) if ":pile:" in each))
    with cycles() as found:
        await ann.click(board, custom_id=next(each for each in ids_of(board) if each.endswith(button)))
    assert not [name for name in found if name.startswith(("bot.", "discord.interactions"))]


async def test_a_press_in_a_race_is_freed_although_its_board_is_kept_in_mind(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links")
    with cycles() as found:
        await race.press(ann, "Deal (44)")
        assert len(table.bot.desk.seats._open) == 1
        assert not [each for each in gc.get_objects() if isinstance(each, discord.Interaction)]
    assert not [name for name in found if name.startswith(("bot.", "discord.interactions"))]
