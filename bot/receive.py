"""Receiving presses: straight from the gateway to the router.

discord.py rebuilds the pressed message with all its components for every press, and looks through its views. The
bot has no views and never reads that message, so it does without: most of what a press costs in discord.py goes
with it. The parsers are private API of discord.py 2.7, and this is the only module that touches them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import discord

_log = logging.getLogger(__name__)

EVENT = "INTERACTION_CREATE"
COMMAND_TASK = "CommandTree-invoker"
"""What discord.py calls the tasks of commands."""
LAST_WORDS = 0.2
"""How many seconds what has been given up may take to end."""
PRESSED = "pressed"
"""Where the extras of an interaction keep the id of the message that was pressed, 0 if there is none."""
PRESSES = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)


class Presses:
    """Has *handle* called, in a task of its own, for every press, choice or form that *client* receives.

    Their interactions have no message, only its id among their extras. Commands go discord.py's own way.
    """

    def __init__(
        self, client: discord.Client, handle: Callable[[discord.Interaction], Coroutine[Any, Any, None]]
    ) -> None:
        self._state = client._connection
        self._usual = self._state.parsers[EVENT]
        self._handle = handle
        self._under_way: set[asyncio.Task[None]] = set()
        self._is_open = True
        self._state.parsers[EVENT] = self._receive

    def _receive(self, data: Any) -> None:
        if not self._is_open:
            return
        if data["type"] not in PRESSES:
            self._usual(data)
            return
        message = data.pop("message", None)
        interaction: discord.Interaction = discord.Interaction(data=data, state=self._state)
        interaction.extras[PRESSED] = 0 if message is None else int(message["id"])
        task = asyncio.create_task(self._handle(interaction))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def finish(self, seconds: float) -> None:
        """Takes no more, and waits for what is under way, commands too, for *seconds* at most.

        What is left then is given up: it could only find that there is no connection any more.
        """
        self._is_open = False
        commands = {task for task in asyncio.all_tasks() if task.get_name() == COMMAND_TASK}
        if not (under_way := self._under_way | commands):
            return
        _, left = await asyncio.wait(under_way, timeout=seconds)
        if left:
            _log.warning("interactions that could not be finished before the stop: %d", len(left))
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=LAST_WORDS)
