"""The things of the world: users, servers, channels, messages, files and emoji, with their payloads."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.playground import permissions
from bot.playground.errors import Json
from bot.playground.permissions import Overwrite, Permission

GUILD_TEXT, DM = 0, 1

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15
"""Message flags."""

FILE_LIMIT = 10 * 2**20
"""The largest file that a bot may send, in bytes."""


def iso(unix_seconds: float) -> str:
    """Returns a time as Discord writes it."""
    return datetime.fromtimestamp(unix_seconds, UTC).isoformat()


@dataclass(slots=True)
class User:
    """An account, of a person or of the bot."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    accepts_messages: bool = True
    """Whether others may begin a private conversation."""
    scripted: bool = False
    """Whether it plays by itself."""

    def payload(self) -> Json:
        """Returns Discord's user object."""
        return {
            "id": str(self.id),
            "username": "".join(c for c in self.name.lower() if c.isalnum() or c in "._") or "player",
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass(slots=True)
class Role:
    """A role of a server."""

    id: int
    name: str
    permissions: int
    managed: bool = False

    def payload(self, position: int) -> Json:
        """Returns Discord's role object."""
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": position,
            "managed": self.managed,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "mentionable": False,
            "flags": 0,
        }


@dataclass(slots=True)
class Channel:
    """A text channel of a server, or the private conversation of one user with the bot."""

    id: int
    kind: int
    name: str
    guild_id: int | None = None
    recipient_id: int | None = None
    topic: str = ""
    overwrites: list[Overwrite] = field(default_factory=list)
    message_ids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Guild:
    """A server with its roles, channels and members."""

    id: int
    name: str
    owner_id: int
    created: float
    roles: dict[int, Role] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    """The role ids of each member."""

    def base_permissions(self, user_id: int) -> int:
        """Returns the bits that a member has in the whole server."""
        if user_id == self.owner_id:
            return int(permissions.ALL)
        bits = 0
        for role_id in (self.id, *self.members.get(user_id, ())):
            bits |= self.roles[role_id].permissions
        return int(permissions.ALL) if bits & Permission.ADMINISTRATOR else bits

    def permissions_in(self, channel: Channel, user_id: int) -> int:
        """Returns the bits that a member has in *channel*; 0 for strangers."""
        if user_id not in self.members:
            return 0
        return permissions.effective(
            self.base_permissions(user_id),
            channel.overwrites,
            everyone_id=self.id,
            role_ids=self.members[user_id],
            member_id=user_id,
        )


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message, as it was sent."""

    id: int
    filename: str
    content_type: str
    data: bytes
    url: str
    description: str | None = None
    ephemeral: bool = False

    def payload(self) -> Json:
        """Returns Discord's attachment object."""
        size = image_size(self.data)
        body: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "content_type": self.content_type,
            "url": self.url,
            "proxy_url": self.url,
        }
        if size:
            body["width"], body["height"] = size
        if self.description:
            body["description"] = self.description
        if self.ephemeral:
            body["ephemeral"] = True
        return body


@dataclass(frozen=True, slots=True)
class Emoji:
    """A picture that belongs to the application and can be used in texts and on buttons."""

    id: int
    name: str
    data: bytes

    @property
    def animated(self) -> bool:
        """Whether it is a GIF."""
        return self.data.startswith(b"GIF8")


@dataclass(slots=True)
class Message:
    """A message; *audience* is the one user who sees it, if it is ephemeral."""

    id: int
    channel_id: int
    author_id: int
    created: float
    flags: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    edited: float | None = None
    audience: int | None = None
    dismissed: bool = False
    interaction: Json | None = None
    """Which interaction it answers (Discord's ``interaction_metadata``)."""
    reference_id: int | None = None
    nonce: str | int | None = None
    pinged: frozenset[int] = frozenset()
    """The users (and roles) that its creation notified."""
    revision: int = 0
    """Grows with every change."""

    @property
    def is_v2(self) -> bool:
        """Whether it consists of components only."""
        return bool(self.flags & COMPONENTS_V2)

    @property
    def loading(self) -> bool:
        """Whether it is the placeholder of a deferred answer."""
        return bool(self.flags & LOADING)


def image_size(data: bytes) -> tuple[int, int] | None:
    """Returns width and height in pixels of a PNG or GIF, None for other files."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return None
