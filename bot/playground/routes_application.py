"""Routes of the application itself: what it is, its commands, its emoji, and where the gateway is."""

from __future__ import annotations

import base64
import binascii
import re

from bot.playground import payloads
from bot.playground.commands import Commands
from bot.playground.errors import (
    MISSING_ACCESS,
    TOO_MANY_EMOJI,
    UNKNOWN_APPLICATION,
    UNKNOWN_EMOJI,
    ApiError,
    form_error,
)
from bot.playground.gateway import Gateway
from bot.playground.models import Emoji
from bot.playground.rest import Call, Reply, Route
from bot.playground.world import ListEvent, World

MAX_EMOJI = 2000
MAX_EMOJI_BYTES = 256 * 1024

_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,")
_EMOJI_NAME = re.compile(r"\w{2,32}", re.ASCII)


class ApplicationRoutes:
    """``/applications/…`` and ``/gateway…``."""

    def __init__(self, world: World, commands: Commands, gateway: Gateway, *, shards: int) -> None:
        self._world = world
        self._commands = commands
        self._gateway = gateway
        self._shards = shards

    def routes(self) -> list[Route]:
        """Returns what is served here."""
        routes: list[Route] = [
            ("GET", "/gateway", lambda call: Reply({"url": self._gateway.url})),
            ("GET", "/gateway/bot", self.gateway),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/applications/@me", self.application),
        ]
        for scope in ("/applications/{application_id}", "/applications/{application_id}/guilds/{guild_id}"):
            routes += [
                ("GET", scope + "/commands", self.list_commands),
                ("PUT", scope + "/commands", self.replace_commands),
                ("POST", scope + "/commands", self.upsert_command),
                ("GET", scope + "/commands/{command_id}", self.command),
                ("DELETE", scope + "/commands/{command_id}", self.remove_command),
            ]
        emoji = "/applications/{application_id}/emojis"
        routes += [
            ("GET", emoji, self.list_emoji),
            ("POST", emoji, self.create_emoji),
            ("GET", emoji + "/{emoji_id}", self.emoji),
            ("PATCH", emoji + "/{emoji_id}", self.rename_emoji),
            ("DELETE", emoji + "/{emoji_id}", self.remove_emoji),
        ]
        return routes

    def gateway(self, call: Call) -> Reply:
        """Returns where and how to connect."""
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        limit["remaining"] -= min(1000, self._gateway.identifies)
        return Reply({"url": self._gateway.url, "shards": self._shards, "session_start_limit": limit})

    def application(self, call: Call) -> Reply:
        """Returns the application."""
        return Reply(payloads.application(self._world))

    # --------------------------------------------------------------- commands

    def _scope(self, call: Call) -> int | None:
        """Returns the server that the path names, None for the global commands."""
        self._check(call)
        if "guild_id" not in call.path:
            return None
        guild = self._world.guilds.get(call.number("guild_id"))
        if guild is None or self._world.bot.id not in guild.members:
            raise ApiError(MISSING_ACCESS)
        return guild.id

    def list_commands(self, call: Call) -> Reply:
        """Returns the registered commands."""
        return Reply(self._commands.listed(self._scope(call)))

    def replace_commands(self, call: Call) -> Reply:
        """Replaces all registered commands."""
        return Reply(self._commands.replace(self._scope(call), call.payload))

    def upsert_command(self, call: Call) -> Reply:
        """Adds or replaces a command."""
        return Reply(self._commands.upsert(self._scope(call), call.body), status=201)

    def command(self, call: Call) -> Reply:
        """Returns a command."""
        return Reply(self._commands.get(self._scope(call), call.number("command_id")))

    def remove_command(self, call: Call) -> Reply:
        """Removes a command."""
        self._commands.remove(self._scope(call), call.number("command_id"))
        return Reply()

    def _check(self, call: Call) -> None:
        if call.number("application_id") != self._world.bot.id:
            raise ApiError(UNKNOWN_APPLICATION)

    # ------------------------------------------------------------------ emoji

    def list_emoji(self, call: Call) -> Reply:
        """Returns all emoji of the application."""
        self._check(call)
        return Reply({"items": [payloads.emoji(self._world, item) for item in self._world.emoji.values()]})

    def create_emoji(self, call: Call) -> Reply:
        """Takes a picture as a new emoji."""
        self._check(call)
        name = self._free_name(call.body.get("name"))
        data = _decode(call.body.get("image"))
        if len(self._world.emoji) >= MAX_EMOJI:
            raise ApiError(TOO_MANY_EMOJI)
        item = Emoji(self._world.next_id(), name, data)
        self._world.emoji[item.id] = item
        self._world.tell(ListEvent("emoji"))
        return Reply(payloads.emoji(self._world, item), status=201)

    def emoji(self, call: Call) -> Reply:
        """Returns an emoji."""
        return Reply(payloads.emoji(self._world, self._emoji(call)))

    def rename_emoji(self, call: Call) -> Reply:
        """Renames an emoji."""
        old = self._emoji(call)
        name = call.body.get("name")
        renamed = Emoji(old.id, old.name if name == old.name else self._free_name(name), old.data)
        self._world.emoji[old.id] = renamed
        return Reply(payloads.emoji(self._world, renamed))

    def remove_emoji(self, call: Call) -> Reply:
        """Removes an emoji."""
        del self._world.emoji[self._emoji(call).id]
        return Reply()

    def _emoji(self, call: Call) -> Emoji:
        self._check(call)
        item = self._world.emoji.get(call.number("emoji_id"))
        if item is None:
            raise ApiError(UNKNOWN_EMOJI)
        return item

    def _free_name(self, name: object) -> str:
        if not isinstance(name, str) or not _EMOJI_NAME.fullmatch(name):
            message = "Must be between 2 and 32 in length and alphanumeric."
            raise form_error("name", "STRING_TYPE_REGEX", message)
        if any(item.name == name for item in self._world.emoji.values()):
            message = "The emoji name is already taken"
            raise form_error("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", message)
        return name


def _decode(image: object) -> bytes:
    """Returns the picture in a data URI, which must not be too large."""
    head = _IMAGE.match(image) if isinstance(image, str) else None
    try:
        data = base64.b64decode(str(image)[head.end() :], validate=True) if head else b""
    except binascii.Error:
        data = b""
    if not data:
        raise form_error("image", "IMAGE_INVALID", "Invalid image data")
    if len(data) > MAX_EMOJI_BYTES:
        raise form_error("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return data
