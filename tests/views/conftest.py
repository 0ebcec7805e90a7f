"""What the tests of limits share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.languages import Longest, all_speak


@pytest.fixture
def longest() -> Iterator[None]:
    """Has every sentence said in that language in which it is the longest: what fits then fits in all of them."""
    with all_speak(Longest()):
        yield
