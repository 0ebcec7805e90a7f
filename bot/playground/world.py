"""Everything that exists: one application, its servers, channels, players and messages, and who sees what."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bot.playground import permissions, snowflakes
from bot.playground.errors import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ApiError
from bot.playground.models import DM, GUILD_TEXT, Attachment, Channel, Emoji, Guild, Message, Role, User
from bot.playground.permissions import Permission
from bot.playground.snowflakes import Clock, Snowflakes

DAY = 86_400.0
SERVER_AGE = 400 * DAY
MESSAGES_KEPT = 20_000
"""Older messages are forgotten, so that a benchmark cannot fill the memory."""

BOT_PERMISSIONS = permissions.EVERYONE
MODERATOR_PERMISSIONS = Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS


@dataclass(frozen=True, slots=True)
class MessageEvent:
    """A message appeared, changed or went away."""

    what: Literal["create", "update", "delete"]
    message: Message


@dataclass(frozen=True, slots=True)
class ListEvent:
    """One of the lists that a client shows has changed."""

    what: Literal["players", "channels", "commands", "emoji"]


Event = MessageEvent | ListEvent
Observer = Callable[[Event], None]


class World:
    """The state behind the gateway, the REST routes and the page. Changes are told to observers at once.

    Accounts, servers and channels have the same ids in every world that was *founded* at the same time (in Unix
    seconds; None: now), so that a bot that has met them before knows them again.
    """

    def __init__(self, clock: Clock, *, bot_name: str, founded: float | None = None) -> None:
        self.clock = clock
        self.founded = clock() if founded is None else founded
        self.next_id = Snowflakes(clock)
        self.base_url = ""
        """Where files are served, without a slash at the end; set when the server listens."""
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.files: dict[int, Attachment] = {}
        self.emoji: dict[int, Emoji] = {}
        self.dispatch: Callable[[str, dict[str, object], Guild | None], None] = lambda event, data, guild: (
            None
        )
        """Sends a gateway event; set by the server."""
        self._observers: list[Observer] = []
        founding = Snowflakes(lambda: self.founded - SERVER_AGE)
        self._found_id = self.next_id if founded is None else founding
        self.bot = self.add_user(bot_name, age_days=900, bot=True)

    def watch(self, observer: Observer) -> Callable[[], None]:
        """Calls *observer* with every event from now on; returns a function that ends this."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def tell(self, event: Event) -> None:
        """Tells all observers of an event."""
        for observer in tuple(self._observers):
            observer(event)

    # ------------------------------------------------------------------ making

    def add_user(self, name: str, *, age_days: float, bot: bool = False, locale: str = "en-US") -> User:
        """Makes an account that was *age_days* old when the world was founded, by its id."""
        user_id = snowflakes.at(self.founded - age_days * DAY, zlib.crc32(name.encode()))
        while user_id in self.users:
            user_id += 1
        user = User(user_id, name, bot, locale)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, channels: tuple[str, ...], owner: User) -> Guild:
        """Makes a server with the bot and *owner* as its members."""
        created = self.founded - SERVER_AGE
        guild = Guild(self._found_id(), name, owner.id, created)
        bot_role = Role(self._found_id(), self.bot.name, int(BOT_PERMISSIONS), managed=True)
        moderator = Role(self._found_id(), "Moderator", int(MODERATOR_PERMISSIONS))
        everyone = Role(guild.id, "@everyone", int(permissions.EVERYONE))
        guild.roles = {role.id: role for role in (everyone, bot_role, moderator)}
        guild.members = {self.bot.id: [bot_role.id], owner.id: []}
        self.guilds[guild.id] = guild
        for channel in channels:
            self.add_channel(guild, channel)
        return guild

    def add_channel(self, guild: Guild, name: str, topic: str = "") -> Channel:
        """Makes a text channel."""
        channel = Channel(self._found_id(), GUILD_TEXT, name, guild_id=guild.id, topic=topic)
        guild.channels[channel.id] = self.channels[channel.id] = channel
        self.tell(ListEvent("channels"))
        return channel

    def private_channel(self, user: User) -> Channel:
        """Returns the private conversation of *user* with the bot, made when first asked for."""
        for channel in self.channels.values():
            if channel.recipient_id == user.id:
                return channel
        channel = Channel(self.next_id(), DM, self.bot.name, recipient_id=user.id)
        self.channels[channel.id] = channel
        self.tell(ListEvent("channels"))
        return channel

    # ----------------------------------------------------------------- finding

    def channel(self, channel_id: int) -> Channel:
        """Returns a channel.

        :raises ApiError: 10003, there is none with this id
        """
        try:
            return self.channels[channel_id]
        except KeyError:
            raise ApiError(UNKNOWN_CHANNEL) from None

    def message(self, message_id: int, channel_id: int | None = None) -> Message:
        """Returns a message, of the given channel if there is one.

        :raises ApiError: 10008, there is none with this id
        """
        message = self.messages.get(message_id)
        if message is None or channel_id not in (None, message.channel_id):
            raise ApiError(UNKNOWN_MESSAGE)
        return message

    def guild_of(self, channel: Channel) -> Guild | None:
        """Returns the server of a channel, None for a private one."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def permissions(self, user: User, channel: Channel) -> int:
        """Returns the permission bits of *user* in *channel*, 0 if the channel is not theirs to see."""
        guild = self.guild_of(channel)
        if guild is not None:
            return guild.permissions_in(channel, user.id)
        return int(permissions.EVERYONE) if user.id in (self.bot.id, channel.recipient_id) else 0

    def sees(self, user: User, message: Message) -> bool:
        """Whether *message* is on the screen of *user*."""
        if message.audience is not None and (message.audience != user.id or message.dismissed):
            return False
        channel = self.channels[message.channel_id]
        return bool(self.permissions(user, channel) & Permission.VIEW_CHANNEL)

    def visible(self, user: User, channel: Channel) -> list[Message]:
        """Returns the messages of *channel* that *user* sees, oldest first."""
        messages = (self.messages[message_id] for message_id in channel.message_ids)
        return [message for message in messages if self.sees(user, message)]

    # ---------------------------------------------------------------- changing

    def post(self, message: Message) -> None:
        """Adds a new message."""
        self.messages[message.id] = message
        self.channels[message.channel_id].message_ids.append(message.id)
        if len(self.messages) > MESSAGES_KEPT:
            self._forget(next(iter(self.messages.values())))
        self.tell(MessageEvent("create", message))

    def changed(self, message: Message) -> None:
        """Says that a message has been edited."""
        message.revision += 1
        self.tell(MessageEvent("update", message))

    def delete(self, message: Message) -> None:
        """Removes a message and its files."""
        self._forget(message)
        self.tell(MessageEvent("delete", message))

    def dismiss(self, message: Message) -> None:
        """Puts an ephemeral message out of its owner's sight; tokens still reach it."""
        message.dismissed = True
        self.tell(MessageEvent("delete", message))

    def _forget(self, message: Message) -> None:
        self.messages.pop(message.id, None)
        self.channels[message.channel_id].message_ids.remove(message.id)
        for attachment in message.attachments:
            self.files.pop(attachment.id, None)
