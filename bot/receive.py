"""Receiving presses: straight from the gateway to the router.

discord.py rebuilds the pressed message with all its components for every press, and looks through its views. The
bot has no views and never reads that message, so it does without: most of what a press costs in discord.py goes
with it. The parsers are private API of discord.py 2.7, and this is the only module that touches them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import discord

EVENT = "INTERACTION_CREATE"
PRESSES = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)


def take_presses(
    client: discord.Client, handle: Callable[[discord.Interaction], Coroutine[Any, Any, None]]
) -> None:
    """Has *handle* called, in a task of its own, for every press, choice or form that *client* receives.

    Their interactions have no message. Commands go discord.py's own way.
    """
    state = client._connection
    usual = state.parsers[EVENT]
    under_way: set[asyncio.Task[None]] = set()

    def receive(data: Any) -> None:
        if data["type"] not in PRESSES:
            usual(data)
            return
        data.pop("message", None)
        interaction: discord.Interaction = discord.Interaction(data=data, state=state)
        task = asyncio.create_task(handle(interaction))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    state.parsers[EVENT] = receive
