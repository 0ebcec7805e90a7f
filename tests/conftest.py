"""What tests of all folders share: chance that falls the same way each time, and a PostgreSQL server."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import postgres_database, postgres_server

# A machine that stands still for a moment is no fault of the example that it happens in.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def repeatable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws the same deals, salts and examples in each run of one test, so that a failure can be seen again."""
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(secrets, "token_hex", lambda nbytes=32: chance.randbytes(nbytes).hex())
    random.seed(request.node.nodeid)


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
