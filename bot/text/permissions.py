"""What Discord calls its permissions, in the language of whoever may grant them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence, say

PERMISSIONS: Mapping[str, Sentence] = MappingProxyType(
    {
        "view_channel": Sentence("View Channel"),
        "send_messages": Sentence("Send Messages"),
        "send_messages_in_threads": Sentence("Send Messages in Threads"),
        "attach_files": Sentence("Attach Files"),
    }
)
"""The permissions that the bot needs, by discord.py's names."""


def permission_name(permission: str) -> str:
    """Returns what a permission is called in Discord's own settings."""
    return say(PERMISSIONS[permission])
