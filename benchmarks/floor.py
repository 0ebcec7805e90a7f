"""The floor that a press is measured against: a discord.py bot that answers every press with one character.

It uses discord.py as its documentation advises for buttons that outlive a restart (`DynamicItem`), and does nothing.
"""

from __future__ import annotations

import os
import re
import sys

import discord
import yarl

TEMPLATE = r"m:(?P<board>[0-9]+):(?P<pile>[a-z0-9]+)"


class Press(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=TEMPLATE):
    """A button of any board."""

    def __init__(self, board: str, pile: str) -> None:
        super().__init__(discord.ui.Button(label="x", custom_id=f"m:{board}:{pile}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str]
    ) -> Press:
        """Returns the button that was pressed."""
        return cls(match["board"], match["pile"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Answers with one character."""
        await interaction.response.edit_message(content="x")


class Floor(discord.Client):
    """The bot."""

    async def setup_hook(self) -> None:
        """Takes all presses."""
        self.add_dynamic_items(Press)


def main() -> int:
    """Runs the floor bot against the addresses of the environment."""
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])
    client = Floor(intents=discord.Intents(guilds=True), max_messages=None, guild_ready_timeout=0.2)
    client.run("a.b.c", log_handler=None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
