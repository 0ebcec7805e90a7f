"""The app's own emoji: found by name, drawn and uploaded where they are missing, replaced when the art changes.

An emoji's name holds its key and a hash of its drawing (see :mod:`bot.render.art`), so nothing about them has to
be stored. Emoji of the app that are none of ours are left alone. While some are missing, boards are written in
characters; nothing ever waits for an upload.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Mapping
from types import MappingProxyType

import aiohttp
import discord

from bot.clock import Clock
from bot.render.art import EmojiArt, draw_emoji, emoji_names, key_of_name
from bot.render.inline import EmojiText
from bot.render.palette import Colours
from bot.views.faces import CodeFaces, EmojiFaces, Faces

_log = logging.getLogger(__name__)

MOST = 2_000
"""How many emoji Discord lets an application have."""
AGAIN = (30.0, 120.0, 600.0, 3600.0)
"""How long to wait before each new try, in seconds; the last one repeats."""
TAKEN_OR_FULL = (50035, 30008)
"""Discord's codes for a name that is taken and for an application that has no room left."""


class CardEmoji:
    """The emoji as Discord knows them, and the way to write cards with them."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._faces: dict[Colours, Faces] = {}
        self._use({})

    def faces(self, colours: Colours) -> Faces:
        """Returns how to write cards in *colours*: as emoji if all that it takes are there, else in characters."""
        return self._faces[colours]

    def start(self) -> None:
        """Begins to bring the emoji up to date in the background."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Ends what is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def distrust(self) -> None:
        """Does without emoji from here on, since Discord has refused one, until they have been looked at anew."""
        self._use({})
        if self._task is not None:
            self.start()

    async def refresh(self) -> bool:
        """Brings the emoji up to date, as far as Discord lets it, and tells whether all are there now.

        :raises discord.HTTPException: if Discord does not answer as it should.
        """
        existing = await self._fetch()
        ids = {key: existing[name] for key, name in emoji_names().items() if name in existing}
        self._use(ids)
        missing = [key for key in _by_need() if key not in ids]
        if missing and len(existing) + len(missing) > MOST:
            _log.warning("the application has no room for %d more emoji: boards stay in text", len(missing))
            return False
        for key in missing:  # one by one, since a stop waits for the thread
            identity = await self._upload(await asyncio.to_thread(draw_emoji, key))
            if identity is None:
                return False
            ids[key] = identity
            self._use(ids)
        if missing:
            _log.info("uploaded %d emoji", len(missing))
        if len(ids) == len(emoji_names()):
            await self._remove_old(existing)
        return len(ids) == len(emoji_names())

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                if await self.refresh():
                    return
            except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
                _log.warning("the emoji could not be brought up to date: %s", error)
            await self._clock.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
            tries += 1

    async def _fetch(self) -> dict[str, str]:
        """Returns the ids of the app's emoji by their names."""
        listed = await self._client.http.get_application_emojis(self._application)
        return {str(item["name"]): str(item["id"]) for item in listed["items"]}

    async def _upload(self, art: EmojiArt) -> str | None:
        """Uploads one emoji and returns its id, None if Discord takes no more.

        discord.py keeps to the limits that Discord's answers name.
        """
        try:
            sent = await self._client.http.create_application_emoji(
                self._application, art.name, _data_uri(art)
            )
        except discord.HTTPException as error:
            if error.code not in TAKEN_OR_FULL:
                raise
            # another process of ours was quicker, or the last places went to others
            found = (await self._fetch()).get(art.name)
            if found is None:
                _log.warning("the emoji %s could not be uploaded: %s", art.name, error)
            return found
        return str(sent["id"])

    async def _remove_old(self, existing: Mapping[str, str]) -> None:
        """Deletes emoji of ours whose art has changed, now that the new ones are there."""
        current = set(emoji_names().values())
        for name, identity in existing.items():
            if name not in current and key_of_name(name) is not None:
                try:
                    await self._client.http.delete_application_emoji(self._application, int(identity))
                except discord.NotFound:
                    continue

    def _use(self, ids: Mapping[str, str]) -> None:
        known = MappingProxyType(dict(ids))
        for colours in Colours:
            whole = all(key in known for key in _needed(colours))
            self._faces[colours] = EmojiFaces(EmojiText(known, colours)) if whole else CodeFaces()

    @property
    def _application(self) -> int:
        assert self._client.application_id is not None
        return self._client.application_id


def _needed(colours: Colours) -> list[str]:
    """Returns the keys that boards in *colours* are written with."""
    others = tuple(each.value + "_" for each in Colours if each is not colours)
    return [key for key in emoji_names() if not key.startswith(others)]


def _by_need() -> list[str]:
    """Returns all keys in the order in which they are missed most: the two-colour deck is the usual one."""
    first = _needed(Colours.TWO)
    return first + [key for key in emoji_names() if key not in first]


def _data_uri(art: EmojiArt) -> str:
    return f"data:image/png;base64,{base64.b64encode(art.png).decode()}"
