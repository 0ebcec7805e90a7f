"""Routes of channels and their messages, servers and users, each with the permissions it asks for."""

from __future__ import annotations

from bot.playground import composing, payloads
from bot.playground.errors import (
    CANNOT_SEND_TO_USER,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NOT_AUTHOR,
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    ApiError,
    form_error,
)
from bot.playground.models import DM, EPHEMERAL, Channel, Guild, Message, User
from bot.playground.permissions import Permission
from bot.playground.ratelimits import RateLimits
from bot.playground.rest import Call, Reply, Route
from bot.playground.world import World

_NONCE_LIFE = 300.0
"""Seconds for which ``enforce_nonce`` recognizes a nonce ("the past few minutes")."""
_NONCES_KEPT = 1000


class MessageRoutes:
    """``/channels/…``, ``/guilds/…`` and ``/users/…``."""

    def __init__(self, world: World, limits: RateLimits) -> None:
        self._world = world
        self._limits = limits
        self._nonces: dict[tuple[int, str], Message] = {}

    def routes(self) -> list[Route]:
        """Returns what is served here."""
        one = "/channels/{channel_id}/messages/{message_id}"
        return [
            ("POST", "/channels/{channel_id}/messages", self.post),
            ("GET", "/channels/{channel_id}/messages", self.history),
            ("GET", one, self.read),
            ("PATCH", one, self.edit),
            ("DELETE", one, self.delete),
            ("POST", "/channels/{channel_id}/typing", self.typing),
            ("GET", "/channels/{channel_id}", self.channel),
            ("GET", "/guilds/{guild_id}", self.guild),
            ("GET", "/guilds/{guild_id}/channels", self.channels),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self.member),
            ("GET", "/users/@me", lambda call: Reply(payloads.bot_user(self._world))),
            ("GET", "/users/@me/guilds", self.guilds),
            ("POST", "/users/@me/channels", self.open_private),
            ("GET", "/users/{user_id}", self.user),
        ]

    # --------------------------------------------------------------- messages

    def post(self, call: Call) -> Reply:
        """Posts a message, unless one with the same enforced nonce is there already."""
        needed = Permission.SEND_MESSAGES | (Permission.ATTACH_FILES if call.uploads else Permission(0))
        channel = self._channel(call, needed)
        nonce = call.body.get("nonce")
        if nonce is not None and len(str(nonce)) > 25:
            raise form_error("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        known = self._nonces.get((channel.id, str(nonce))) if call.body.get("enforce_nonce") else None
        if known is not None and self._world.clock() - known.created < _NONCE_LIFE:
            return Reply(payloads.message(self._world, known))
        headers = self._limits.spend(f"send:{channel.id}")
        if (call.body.get("flags") or 0) & EPHEMERAL:
            raise form_error("flags", "MESSAGE_FLAGS_INVALID", "Only interactions can answer in private.")
        message = composing.compose(self._world, channel, call.body, call.uploads)
        message.nonce = nonce
        if nonce is not None:
            self._nonces[(channel.id, str(nonce))] = message
            if len(self._nonces) > _NONCES_KEPT:
                del self._nonces[next(iter(self._nonces))]
        self._world.post(message)
        return Reply(payloads.message(self._world, message), headers=headers)

    def history(self, call: Call) -> Reply:
        """Returns the last messages, newest first."""
        channel = self._channel(call, Permission.READ_MESSAGE_HISTORY)
        limit = call.query.get("limit", "50")
        if not limit.isdigit() or not 1 <= int(limit) <= 100:
            raise form_error("limit", "NUMBER_TYPE_RANGE", "int value should be between 1 and 100.")
        messages = [self._world.messages[number] for number in channel.message_ids]
        public = [message for message in messages if message.audience is None][-int(limit) :]
        return Reply([payloads.message(self._world, message) for message in reversed(public)])

    def read(self, call: Call) -> Reply:
        """Returns a message."""
        channel = self._channel(call, Permission.READ_MESSAGE_HISTORY)
        return Reply(payloads.message(self._world, self._public(call, channel)))

    def edit(self, call: Call) -> Reply:
        """Changes a message of the bot."""
        channel = self._channel(call, Permission(0))
        message = self._public(call, channel)
        if message.author_id != self._world.bot.id:
            raise ApiError(NOT_AUTHOR)
        headers = self._limits.spend(f"edit:{channel.id}")
        self._limits.edit(message)
        composing.revise(self._world, message, call.body, call.uploads)
        return Reply(payloads.message(self._world, message), headers=headers)

    def delete(self, call: Call) -> Reply:
        """Removes a message; one of somebody else takes the permission for it."""
        channel = self._channel(call, Permission(0))
        message = self._public(call, channel)
        if message.author_id != self._world.bot.id:
            self._channel(call, Permission.MANAGE_MESSAGES)
        headers = self._limits.spend(f"delete:{channel.id}")
        self._world.delete(message)
        return Reply(headers=headers)

    def typing(self, call: Call) -> Reply:
        """Accepts the typing indicator, and shows nothing of it."""
        self._channel(call, Permission.SEND_MESSAGES)
        return Reply()

    def _public(self, call: Call, channel: Channel) -> Message:
        message = self._world.message(call.number("message_id"), channel.id)
        if message.audience is not None:
            raise ApiError(UNKNOWN_MESSAGE)
        return message

    def _channel(self, call: Call, needed: Permission) -> Channel:
        """Returns the channel if the bot sees it and has the permissions *needed* there."""
        channel = self._world.channel(call.number("channel_id"))
        bits = self._world.permissions(self._world.bot, channel)
        if not bits & Permission.VIEW_CHANNEL:
            raise ApiError(MISSING_ACCESS)
        if needed & ~bits:
            raise ApiError(MISSING_PERMISSIONS)
        if channel.kind == DM and needed & Permission.SEND_MESSAGES:
            assert channel.recipient_id is not None
            if not self._world.users[channel.recipient_id].accepts_messages:
                raise ApiError(CANNOT_SEND_TO_USER)
        return channel

    # ------------------------------------------------------- servers and users

    def channel(self, call: Call) -> Reply:
        """Returns a channel."""
        return Reply(payloads.channel(self._world, self._channel(call, Permission(0))))

    def _guild(self, call: Call) -> Guild:
        guild = self._world.guilds.get(call.number("guild_id"))
        if guild is None or self._world.bot.id not in guild.members:
            raise ApiError(UNKNOWN_GUILD)
        return guild

    def guild(self, call: Call) -> Reply:
        """Returns a server."""
        body = payloads.guild(self._world, self._guild(call))
        return Reply({name: value for name, value in body.items() if name not in ("channels", "members")})

    def guilds(self, call: Call) -> Reply:
        """Returns the servers that the bot is in, with what it may do there."""
        bot = self._world.bot.id
        return Reply(
            [
                {"id": str(guild.id), "name": guild.name, "permissions": str(guild.base_permissions(bot))}
                for guild in self._world.guilds.values()
                if bot in guild.members
            ]
        )

    def channels(self, call: Call) -> Reply:
        """Returns the channels of a server."""
        guild = self._guild(call)
        return Reply([payloads.channel(self._world, channel) for channel in guild.channels.values()])

    def member(self, call: Call) -> Reply:
        """Returns a member of a server."""
        guild = self._guild(call)
        user = self._user(call)
        if user.id not in guild.members:
            raise ApiError(UNKNOWN_MEMBER)
        return Reply(payloads.member(self._world, guild, user))

    def _user(self, call: Call) -> User:
        user = self._world.users.get(call.number("user_id"))
        if user is None:
            raise ApiError(UNKNOWN_USER)
        return user

    def user(self, call: Call) -> Reply:
        """Returns a user."""
        return Reply(self._user(call).payload())

    def open_private(self, call: Call) -> Reply:
        """Returns the private conversation with a user."""
        recipient = str(call.body.get("recipient_id") or "")
        if not recipient.isdigit() or int(recipient) not in self._world.users:
            raise form_error("recipient_id", "NUMBER_TYPE_COERCE", f'Value "{recipient}" is not snowflake.')
        channel = self._world.private_channel(self._world.users[int(recipient)])
        return Reply(payloads.channel(self._world, channel))
