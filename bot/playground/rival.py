"""A scripted opponent: it joins what others start, gets ready, and plays its board at a person's pace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from random import Random

from bot.playground.errors import UnansweredError
from bot.playground.models import Message
from bot.playground.player import Player
from bot.playground.reading import button_for, text_of
from bot.playground.strategy import Passable, Strategy, enabled
from bot.playground.world import Event, MessageEvent, World

Pause = Callable[[float], Awaitable[None]]

_SHORTEST, _LONGEST = 0.7, 2.0
"""Seconds between two presses."""
_EAGER = 0.25
"""Seconds until it joins a race."""


class Rival:
    """Plays for one player of the world, reading only what that player sees and pressing as anybody does.

    It never starts a race. *seed* fixes its choices; *pause* waits between them (tests do not).
    """

    def __init__(
        self,
        world: World,
        player: Player,
        *,
        seed: int | None = None,
        strategy: Strategy | None = None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        player.user.scripted = True
        self._world = world
        self._player = player
        self._random = Random(seed)
        self._strategy = strategy or Passable()
        self._pause = pause
        self._joined: set[int] = set()
        self._pressed: dict[int, int] = {}
        """The revision at which each message was pressed last: nothing is pressed twice in the same state."""
        self._changed = asyncio.Event()
        self._stop_watching: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to watch the channels."""
        self._stop_watching = self._world.watch(self._observe)
        self._task = asyncio.create_task(self._run())
        self._changed.set()

    async def stop(self) -> None:
        """Ends, whatever is under way."""
        if self._stop_watching is not None:
            self._stop_watching()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _observe(self, event: Event) -> None:
        if isinstance(event, MessageEvent) and event.what != "delete":
            self._changed.set()

    async def _run(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            while (message := self._wanting()) is not None:
                thinking = self._random.triangular(_SHORTEST, _LONGEST, _SHORTEST)
                await self._pause(_EAGER if message.audience is None else thinking)
                message = self._wanting()
                if message is not None:
                    await self._press(message)

    async def _press(self, message: Message) -> None:
        """Presses a button; that nobody answered, or that it went away meanwhile, is no reason to stop."""
        self._pressed[message.id] = message.revision
        if message.audience is None:
            self._joined.add(message.id)
            custom_id = button_for(message, "join") or button_for(message, "board")
        else:
            custom_id = self._strategy(message, self._random)
        if custom_id is None:
            return
        try:
            await self._player.press(message, custom_id)
        except UnansweredError:
            del self._pressed[message.id]
        except ValueError:
            return

    def _wanting(self) -> Message | None:
        """Returns the newest message on which there may be something to press, None without one."""
        for message in self._screen():
            if self._pressed.get(message.id) == message.revision:
                continue
            if message.audience == self._player.id and enabled(message):
                return message
            if message.audience is not None or message.id in self._joined:
                continue
            if self._is_invitation(message) or self._has_lost_its_board(message):
                return message
        return None

    def _screen(self) -> Iterator[Message]:
        """Yields the messages of all channels that the rival sees, the newest first."""
        user = self._player.user
        return (each for each in reversed(self._world.messages.values()) if self._world.sees(user, each))

    def _is_invitation(self, message: Message) -> bool:
        """Whether *message* is the lobby of somebody else's race."""
        author = (message.interaction or {}).get("user", {}).get("id")
        return (
            message.author_id == self._world.bot.id
            and author != str(self._player.id)
            and button_for(message, "join") is not None
        )

    def _has_lost_its_board(self, message: Message) -> bool:
        """Whether *message* is a race of the rival without a board: it began before the demo was started again."""
        return (
            message.author_id == self._world.bot.id
            and button_for(message, "board") is not None
            and self._player.name in text_of(message)
            and not any(enabled(own) for own in self._screen() if own.audience == self._player.id)
        )
