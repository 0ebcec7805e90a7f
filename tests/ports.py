"""Ports on which nothing listens, for servers that must be told theirs, and for clients that are to find nobody."""

from __future__ import annotations

import random
import socket

BELOW_THE_SYSTEMS_OWN = range(12_000, 32_000)
"""Ports that the system gives to nobody by itself, so that no other test can be given one in the meantime."""


def free_port() -> int:
    """Returns a port of the loopback address that is free."""
    chance = random.SystemRandom()
    while True:
        port = chance.choice(BELOW_THE_SYSTEMS_OWN)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
