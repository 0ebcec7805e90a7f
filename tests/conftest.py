"""What tests of all folders share: a PostgreSQL server, where one is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.postgres import postgres_database, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Yields the address of a PostgreSQL server. Without one the test is skipped, but not where CI is set."""
    try:
        with postgres_server() as server:
            yield server
    except LookupError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """Yields the URL of an empty PostgreSQL database."""
    with postgres_database(postgres) as url:
        yield url
