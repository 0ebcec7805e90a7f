"""A loopback Discord that unmodified discord.py connects to, and a browser page that looks like it.

The demo, the wire-level tests and the load benchmark stand on it. See `Playground`.
"""

from bot.playground.errors import ApiError, UnansweredError
from bot.playground.faults import Fault, Request
from bot.playground.interaction import Interaction
from bot.playground.models import Channel, Guild, Message
from bot.playground.permissions import Permission
from bot.playground.player import Player
from bot.playground.reading import button_for, buttons, find_button, selects, text_of
from bot.playground.server import Playground

__all__ = [
    "ApiError",
    "Channel",
    "Fault",
    "Guild",
    "Interaction",
    "Message",
    "Permission",
    "Player",
    "Playground",
    "Request",
    "UnansweredError",
    "button_for",
    "buttons",
    "find_button",
    "selects",
    "text_of",
]
