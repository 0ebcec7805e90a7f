"""Permission bits of members and channels, computed as Discord computes them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import IntFlag

Overwrite = tuple[int, int, int]
"""Role or member id, allowed bits, denied bits."""


class Permission(IntFlag):
    """The bits that matter here."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    USE_APPLICATION_COMMANDS = 1 << 31
    SEND_MESSAGES_IN_THREADS = 1 << 38


ALL = Permission((1 << 50) - 1)

EVERYONE = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What every member of a new server may do."""


def effective(
    base: int, overwrites: Iterable[Overwrite], *, everyone_id: int, role_ids: Container[int], member_id: int
) -> int:
    """Returns what a member with the *base* bits may do in a channel with these *overwrites*.

    The overwrite for everyone comes first, then those of the member's roles together, then the member's own.
    """
    if base & Permission.ADMINISTRATOR:
        return int(ALL)
    rules = tuple(overwrites)
    for applies in (
        [rule for rule in rules if rule[0] == everyone_id],
        [rule for rule in rules if rule[0] in role_ids and rule[0] != everyone_id],
        [rule for rule in rules if rule[0] == member_id],
    ):
        allowed = denied = 0
        for _, allow, deny in applies:
            allowed |= allow
            denied |= deny
        base = base & ~denied | allowed
    return base if base & Permission.VIEW_CHANNEL else 0
