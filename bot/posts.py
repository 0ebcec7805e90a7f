"""The daily posts on their way to Discord: once a server and day, over crashes, restarts and downtime."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TypeVar

import aiohttp
import discord
from discord.http import Route

from bot.outbox import Outbox, OvertakenError, Slot
from bot.services.bulletins import Bulletin, Bulletins
from bot.services.servers import Servers
from bot.snowflake import snowflake_at
from bot.store.bulletins import Post, Setup
from bot.text import speaking
from bot.transport import may_pass, message_parameters
from bot.views.bulletin import bulletin, is_bulletin
from bot.views.payload import Message

_log = logging.getLogger(__name__)

T = TypeVar("T", Setup, Post)

AT_ONCE = 10
"""How many servers are posted to at the same time."""
LOOK_BACK = 60_000
"""From how long before its announcement on a lost post is looked for, in milliseconds: clocks may differ."""
SEEN = 100
"""How many messages are looked through for it."""
NONCE_LIFE = 120_000
"""For how long Discord is trusted to send the same message once only, in milliseconds."""
TROUBLES = {50013: "permission", 50001: "access", 10003: "channel"}
"""Discord's codes for what somebody who manages the server can change."""


class DailyPosts:
    """Sends the daily posts of the servers that this process is connected for."""

    def __init__(
        self, client: discord.Client, outbox: Outbox, bulletins: Bulletins, servers: Servers
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._bulletins = bulletins
        self._servers = servers

    async def work(self, now: int) -> None:
        """Sends what is due, what was lost, and what yesterday's end adds to posts that are there."""
        await self._each(await self._bulletins.due(now), lambda setup: self._begin(setup, now))
        await self._each(await self._bulletins.lost(now), lambda lost: self._recover(lost, now))
        await self._each(await self._bulletins.unfinished(now), self._complete)

    async def _each(self, wanted: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Does *work* for those of this process's servers, some at once; the trouble of one is not that of others."""
        rest = iter([each for each in wanted if self._client.get_guild(each.guild) is not None])
        while some := list(islice(rest, AT_ONCE)):
            for each, failure in zip(
                some, await asyncio.gather(*map(work, some), return_exceptions=True), strict=True
            ):
                if isinstance(failure, BaseException):
                    _log.error("the daily post of server %s failed", each.guild, exc_info=failure)

    async def _begin(self, setup: Setup, now: int) -> None:
        """Sends the post of a server, unless another process does."""
        post = await self._bulletins.announce(setup, now)
        if post is not None:
            await self._send(post, setup)

    async def _send(self, post: Post, setup: Setup | None) -> None:
        """Sends *post*; what may work later stays announced and is found by the next :meth:`work`."""
        shown = await self._bulletins.write(post, self._role(setup))
        message = await self._say(shown, post)
        params = message_parameters(message, nonce=f"{post.guild:x}-{post.day:x}", ping=shown.role)
        try:
            await self._outbox.post(post.channel, params, self._slot(post, podium=shown.podiums is not None))
        except OvertakenError:
            _log.info("the daily post of server %s is another process's", post.guild)
        except discord.HTTPException as error:
            if may_pass(error):
                _log.info("the daily post of server %s was not sent yet: %s", post.guild, error)
                return
            trouble = TROUBLES.get(error.code, "other")
            level = logging.INFO if error.code in TROUBLES else logging.ERROR
            _log.log(level, "the daily post of server %s was refused: %s", post.guild, error)
            await self._bulletins.refused(post, trouble)
        except (aiohttp.ClientError, OSError) as error:
            _log.info("the daily post of server %s was not sent yet: %s", post.guild, error)

    def _slot(self, post: Post, *, podium: bool) -> Slot:
        return Slot(
            partial(self._bulletins.is_waiting, post), partial(self._bulletins.sent, post, podium=podium)
        )

    async def _recover(self, lost: Post, now: int) -> None:
        """Finds a post that was sent without anybody hearing of it, or sends it."""
        post = await self._bulletins.take_over(lost, now)
        if post is None:
            return
        if now - post.begun_at > NONCE_LIFE and not self._may_look(post):
            # It may be there or not: to be silent for a day is better than to say the same twice.
            await self._bulletins.refused(post, "lost")
            return
        try:
            message = await self._look_for(post)
        except (discord.Forbidden, discord.NotFound) as error:
            await self._bulletins.refused(post, TROUBLES.get(error.code, "other"))
            return
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return
        if message is None:
            await self._send(post, await self._bulletins.find(post.guild))
        else:
            with suppress(OvertakenError):
                await self._outbox.keep(post.channel, message, self._slot(post, podium=False))

    def _may_look(self, post: Post) -> bool:
        """Tells whether the bot may read what has been written in the channel of *post*."""
        guild = self._client.get_guild(post.guild)
        channel = None if guild is None else guild.get_channel_or_thread(post.channel)
        if guild is None or channel is None:
            return False
        return channel.permissions_for(guild.me).read_message_history

    async def _look_for(self, post: Post) -> int | None:
        """Returns the message that *post* already is in its channel, or None."""
        assert self._client.user is not None
        own = str(self._client.user.id)
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=post.channel)
        after = snowflake_at(post.begun_at - LOOK_BACK)
        found = await self._client.http.request(route, params={"after": str(after), "limit": str(SEEN)})
        for message in found:
            if message["author"]["id"] == own and is_bulletin(message["components"], post.day):
                return int(message["id"])
        return None

    async def _complete(self, post: Post) -> None:
        """Adds to a post how the day before has ended."""
        assert post.message is not None
        setup = await self._bulletins.find(post.guild)
        shown = await self._bulletins.write(post, self._role(setup))
        params = message_parameters(await self._say(shown, post), edit=True)
        try:
            await self._outbox.check()
            await self._client.http.edit_message(post.channel, post.message, params=params)
        except OvertakenError:
            return
        except discord.HTTPException as error:
            if may_pass(error):
                return
            _log.info("the daily post of server %s could not be completed: %s", post.guild, error)
        except (aiohttp.ClientError, OSError):
            return
        await self._bulletins.sent(post, post.message, podium=True)

    async def _say(self, shown: Bulletin, post: Post) -> Message:
        """Returns the post in the language of its server."""
        choices = await self._servers.choices(post.guild, post.tried_at)
        guild = self._client.get_guild(post.guild)
        own = "en-US" if guild is None else guild.preferred_locale.value
        with speaking(choices.language or own):
            return bulletin(shown)

    def _role(self, setup: Setup | None) -> int | None:
        """Returns the role that is pinged, if it is still there."""
        if setup is None or setup.role is None:
            return None
        guild = self._client.get_guild(setup.guild)
        return setup.role if guild is not None and guild.get_role(setup.role) is not None else None
