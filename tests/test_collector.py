"""The collector of cycles looks at young objects only while the bot runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from bot.collector import MIDDLE, YOUNG, short_pauses, spare_the_old


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leaves the collector as it was."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


async def test_what_has_become_old_is_never_looked_at_again() -> None:
    async with short_pauses():
        assert gc.get_threshold()[:2] == (YOUNG, MIDDLE)
        before = gc.get_freeze_count()
        kept = [[number] for number in range(1000)]
        gc.collect(0)
        spare_the_old()
        assert gc.get_freeze_count() - before < len(kept)  # they are young still
        gc.collect(1)
        spare_the_old()
        assert gc.get_freeze_count() - before >= len(kept)
    assert gc.get_freeze_count() == 0


async def test_what_is_spared_is_freed_all_the_same() -> None:
    class Kept:
        pass

    async with short_pauses():
        kept = Kept()
        gc.collect(1)
        spare_the_old()
        before = gc.get_freeze_count()
        del kept
        assert gc.get_freeze_count() < before
