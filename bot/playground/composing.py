"""Writing and editing messages: payload and files in, a checked message out."""

from __future__ import annotations

import mimetypes
import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.playground.errors import EMPTY_MESSAGE, TOO_LARGE, ApiError, Form, Json, form_error
from bot.playground.limits import SELECTS, Examination, Kind, texts
from bot.playground.models import (
    COMPONENTS_V2,
    EPHEMERAL,
    FILE_LIMIT,
    LOADING,
    Attachment,
    Channel,
    Message,
    image_size,
)
from bot.playground.world import World

_LEGACY = ("content", "embeds", "sticker_ids", "poll")
_SENDABLE = 1 << 2 | EPHEMERAL | 1 << 12 | COMPONENTS_V2
_LEAVES = frozenset({Kind.BUTTON, Kind.TEXT, Kind.STRING_SELECT, Kind.SEPARATOR})
_DEFAULTS: dict[int, Json] = {
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
    Kind.THUMBNAIL: {"description": None, "spoiler": False},
    Kind.FILE: {"spoiler": False},
    Kind.SEPARATOR: {"divider": True, "spacing": 1},
    **{kind: {"min_values": 1, "max_values": 1} for kind in SELECTS},
}
"""What Discord fills in where a component does not say it."""
_MENTION = re.compile(r"<@([&!]?)(\d+)>|@(everyone|here)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request. *field* is the number in ``files[0]``."""

    field: int
    filename: str
    content_type: str
    data: bytes


def compose(
    world: World,
    channel: Channel,
    payload: Json,
    uploads: Sequence[Upload] = (),
    *,
    audience: int | None = None,
    author_id: int | None = None,
) -> Message:
    """Returns the message that *payload* describes, not yet posted.

    :raises ApiError: the payload is over a limit, or there is nothing in it
    """
    flags = _flags(payload)
    message = Message(
        id=world.next_id(),
        channel_id=channel.id,
        author_id=world.bot.id if author_id is None else author_id,
        created=world.clock(),
        flags=flags & _SENDABLE & ~EPHEMERAL | (EPHEMERAL if audience is not None else 0),
        audience=audience,
    )
    _write(world, message, payload, uploads)
    message.pinged = _pinged(message, payload.get("allowed_mentions"))
    return message


def placeholder(world: World, channel: Channel, *, audience: int | None) -> Message:
    """Returns the "is thinking…" message of a deferred answer."""
    flags = LOADING | (EPHEMERAL if audience is not None else 0)
    return Message(world.next_id(), channel.id, world.bot.id, world.clock(), flags, audience=audience)


def revise(world: World, message: Message, payload: Json, uploads: Sequence[Upload] = ()) -> None:
    """Changes *message* as *payload* says; what it does not name stays. On an error nothing has changed.

    :raises ApiError: as for `compose`; and 50035, components V2 cannot be taken back
    """
    if payload.get("flags") is not None:
        flags = _flags(payload)
        if message.is_v2 and not flags & COMPONENTS_V2:
            text = "The IS_COMPONENTS_V2 flag cannot be removed from a message"
            raise form_error("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", text)
    else:
        flags = 0
    before = (message.flags, message.content, message.embeds, message.components, message.attachments)
    message.flags |= flags & COMPONENTS_V2
    first_content = message.loading
    message.flags &= ~LOADING
    try:
        _write(world, message, payload, uploads)
    except ApiError:
        message.flags, message.content, message.embeds, message.components, message.attachments = before
        raise
    kept = {attachment.id for attachment in message.attachments}
    for attachment in before[4]:
        if attachment.id not in kept:
            world.files.pop(attachment.id, None)
    message.edited = None if first_content else world.clock()
    world.changed(message)


def _flags(payload: Json) -> int:
    flags = payload.get("flags") or 0
    if not isinstance(flags, int):
        raise form_error("flags", "NUMBER_TYPE_COERCE", f'Value "{flags}" is not int.')
    return flags


def _write(world: World, message: Message, payload: Json, uploads: Sequence[Upload]) -> None:
    """Applies what *payload* names to *message*, checking the whole."""
    form = Form()
    content = payload.get("content", message.content)
    form.text("content", content or "", 0, 2000)
    embeds = payload.get("embeds", message.embeds)
    form.length("embeds", len(embeds or ()), 0, 10)
    if message.is_v2:
        written = {"content": content, "embeds": embeds}
        for name in _LEGACY:
            if payload.get(name) or written.get(name):
                text = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                form.refuse(name, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
    form.close()
    attachments = _attachments(world, message, payload, uploads)
    components = message.components
    look = Examination(world.emoji, {attachment.filename for attachment in attachments})
    if "components" in payload:
        components = payload["components"] or []
        if components or not message.is_v2:
            look.message(components, v2=message.is_v2)
    if not (content or embeds or components or attachments) or (message.is_v2 and not components):
        raise ApiError(EMPTY_MESSAGE)
    message.content, message.embeds, message.attachments = content or "", embeds or [], attachments
    if "components" in payload:
        message.components = _Resolver(world, attachments, look.ids).all(components)
    for attachment in attachments:
        world.files[attachment.id] = attachment


def _attachments(
    world: World, message: Message, payload: Json, uploads: Sequence[Upload]
) -> list[Attachment]:
    """Returns the files that *message* has afterwards: those that stay, then the new ones."""
    if len(uploads) > 10:
        raise form_error("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    if any(len(upload.data) > FILE_LIMIT for upload in uploads):
        raise ApiError(TOO_LARGE)
    named = payload.get("attachments")
    described = {str(item.get("id")): item for item in named or () if isinstance(item, dict)}
    kept = [
        attachment
        for attachment in message.attachments
        if "attachments" not in payload or str(attachment.id) in described
    ]
    for upload in uploads:
        about = described.get(str(upload.field), {})
        attachment_id = world.next_id()
        filename = re.sub(r"[^\w.-]", "_", str(about.get("filename") or upload.filename)) or "file"
        place = f"{world.base_url}/cdn/attachments/{message.channel_id}/{attachment_id}/{quote(filename)}"
        kept.append(
            Attachment(
                id=attachment_id,
                filename=filename,
                content_type=mimetypes.guess_type(filename)[0] or "application/octet-stream",
                data=upload.data,
                url=f"{place}?hm={secrets.token_hex(16)}",
                description=about.get("description"),
                ephemeral=message.audience is not None,
            )
        )
    return kept


class _Resolver:
    """Copies components with their numbers filled in and their ``attachment://`` addresses replaced."""

    def __init__(self, world: World, attachments: Sequence[Attachment], taken: Collection[int]) -> None:
        self._world = world
        self._files = {attachment.filename: attachment for attachment in attachments}
        self._taken = taken
        self._last = 0

    def all(self, components: Sequence[Json]) -> list[Json]:
        return [self._one(component) for component in components]

    def _one(self, component: Json) -> Json:
        copy: Json = dict(component)
        if None in copy.values():
            copy = {name: value for name, value in copy.items() if value is not None}
        copy = _DEFAULTS.get(copy["type"], {}) | copy
        copy["id"] = copy.get("id") or self._next()
        if copy["type"] in _LEAVES:
            return copy
        if isinstance(copy.get("components"), list):
            copy["components"] = self.all(copy["components"])
        if "accessory" in copy:
            copy["accessory"] = self._one(copy["accessory"])
        if "media" in copy:
            copy["media"] = self._media(copy["media"])
        if "file" in copy:
            copy["file"] = self._media(copy["file"])
            attachment = self._files.get(component["file"]["url"].partition("://")[2])
            if attachment is not None:
                copy |= {"name": attachment.filename, "size": len(attachment.data)}
        if "items" in copy:
            copy["items"] = [
                {"description": None, "spoiler": False, **item, "media": self._media(item["media"])}
                for item in copy["items"]
            ]
        return copy

    def _next(self) -> int:
        self._last += 1
        while self._last in self._taken:
            self._last += 1
        return self._last

    def _media(self, media: Json) -> Json:
        url = media["url"]
        scheme, _, name = url.partition("://")
        if scheme != "attachment":
            return {"id": str(self._world.next_id()), "url": url, "proxy_url": url, **media}
        attachment = self._files[name]
        size = image_size(attachment.data)
        return {
            "id": str(self._world.next_id()),
            "url": attachment.url,
            "proxy_url": attachment.url,
            "content_type": attachment.content_type,
            "attachment_id": str(attachment.id),
            "width": size[0] if size else None,
            "height": size[1] if size else None,
            "loading_state": 2,
            "flags": 0,
        }


def _pinged(message: Message, allowed: Any) -> frozenset[int]:
    """Returns the users and roles that *message* notifies (0: everyone), given its ``allowed_mentions``."""
    parse = ("users", "roles", "everyone") if allowed is None else allowed.get("parse") or ()
    named = {
        field: {int(number) for number in (allowed or {}).get(field) or ()} for field in ("users", "roles")
    }
    pinged: set[int] = set()
    for text in (message.content, *texts(message.components)):
        for kind, number, everyone in _MENTION.findall(text):
            field = "everyone" if everyone else "roles" if kind == "&" else "users"
            target = int(number or 0)
            if field in parse or target in named.get(field, ()):
                pinged.add(target)
    return frozenset(pinged)
