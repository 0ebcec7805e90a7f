"""Direct messages to entrants who want to be told when their race has ended."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord

from bot.services.players import Players
from bot.services.races import RaceView
from bot.services.standings import Verdict, placings
from bot.text import speaking
from bot.transport import message_parameters
from bot.views.help import ended

_log = logging.getLogger(__name__)

CANNOT_SEND = 50007
"""Discord's code for somebody who takes no messages from this bot."""


class Teller:
    """Tells entrants of the ends of their races, at most once: a bot that dies meanwhile tells nobody later."""

    def __init__(self, client: discord.Client, players: Players) -> None:
        self._client = client
        self._players = players

    async def race_ended(self, view: RaceView, verdict: Verdict, message: int, now: int) -> None:
        """Tells those entrants who have asked for it, with the place and a link to the *message* with the result."""
        placed = {
            entrant.player: place for place, entrant in placings(view.record.race, verdict.disqualified)
        }
        tastes = await self._players.tastes(placed, now)
        url = f"https://discord.com/channels/{view.record.guild}/{view.record.channel}/{message}"
        letters = []
        for player, place in placed.items():
            if tastes[player].tell and player > 0:
                with speaking(tastes[player].locale):
                    shown = ended(view.record.rules, place, len(placed), url)
                params = message_parameters(shown, nonce=f"e{view.record.id}")
                letters.append(self._send(player, params))
        await asyncio.gather(*letters)

    async def _send(self, player: int, params: discord.http.MultipartParameters) -> None:
        try:
            channel = await self._client.http.start_private_message(player)
            await self._client.http.send_message(channel["id"], params=params)
        except discord.HTTPException as error:
            if error.code == CANNOT_SEND:
                await self._players.silence(player)
            _log.info("player %s could not be told of the end of a race: %s", player, error)
        except (aiohttp.ClientError, OSError) as error:
            _log.info("player %s could not be told of the end of a race: %s", player, error)
