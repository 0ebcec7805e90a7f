"""The collector of cycles looks at young objects only while the bot runs."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.collector import YOUNG, look_through_all, short_pauses, spare_the_old


class Thing:
    """Something that can refer to itself."""

    itself: Thing


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leaves the collector as it was."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


async def test_what_has_been_looked_at_is_not_looked_at_again() -> None:
    async with short_pauses():
        assert gc.get_threshold()[0] == YOUNG
        before = gc.get_freeze_count()
        kept = [[number] for number in range(1000)]
        spare_the_old()
        assert gc.get_freeze_count() - before < len(kept)  # they are young still
        gc.collect(0)
        spare_the_old()
        assert gc.get_freeze_count() - before >= len(kept)
    assert gc.get_freeze_count() == 0


async def test_what_is_spared_is_freed_all_the_same() -> None:
    async with short_pauses():
        thing = Thing()
        gone = weakref.ref(thing)
        gc.collect(0)
        spare_the_old()
        del thing
        assert gone() is None


async def test_cycles_that_are_there_already_are_not_spared() -> None:
    async with short_pauses():
        gc.collect(0)
        thing = Thing()
        thing.itself = thing
        gone = weakref.ref(thing)
        del thing
        spare_the_old()
        assert gone() is None


async def test_cycles_among_what_is_spared_are_found_in_the_end() -> None:
    async with short_pauses():
        thing = Thing()
        thing.itself = thing
        gone = weakref.ref(thing)
        gc.collect(0)
        spare_the_old()
        del thing
        gc.collect()
        assert gone() is not None
        look_through_all()
        assert gone() is None
