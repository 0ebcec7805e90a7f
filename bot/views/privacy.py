"""The pages about what is stored of a player."""

from __future__ import annotations

import gzip

from bot.text import privacy as words_of
from bot.text import say
from bot.views.ids import PRIVACY, make_id
from bot.views.payload import ButtonStyle, File, Message, attached, button, container, row
from bot.views.payload import text as words

ACCENT = 0xDA373C
LARGE = 8 * 2**20
"""From how many bytes on an export is compressed; Discord takes files of 10 MiB."""


def export_page(data: bytes, policy: bytes) -> Message:
    """Returns the message with an export, compressed where it is large, and with what explains its parts."""
    name = "same-deal-export.json"
    export = File(f"{name}.gz", gzip.compress(data)) if len(data) >= LARGE else File(name, data)
    files = [export, File("PRIVACY.md", policy)]
    return Message.of(words(say(words_of.EXPORTED)), *(attached(file.name) for file in files), files=files)


def delete_page() -> Message:
    """Returns what is asked before everything about a player is deleted."""
    return Message.of(
        container(
            [
                words(f"{say(words_of.DELETE_TITLE)}\n{say(words_of.DELETE_TEXT)}"),
                row(
                    button(say(words_of.BUTTON_DELETE), make_id(PRIVACY, "delete"), ButtonStyle.DANGER),
                    button(say(words_of.BUTTON_KEEP), make_id(PRIVACY, "keep")),
                ),
            ],
            ACCENT,
        )
    )
