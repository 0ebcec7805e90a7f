"""Every sentence that the bot says: one module for each part of the bot, and here what they share.

A sentence is a template with named fields; :func:`say` fills them in, in the language of whoever is spoken to.
English is the source; other languages translate the templates.
"""

from __future__ import annotations

import re
import unicodedata

MAX_NAME = 24


class Sentence(str):
    """A template with fields in braces."""

    __slots__ = ()


def say(sentence: Sentence, **values: str | int) -> str:
    """Returns *sentence* with its fields filled in."""
    return sentence.format_map(values) if values else str(sentence)


def count(one: Sentence, many: Sentence, n: int) -> str:
    """Returns *one* or *many*, whichever goes with the number *n*."""
    return say(one if n == 1 else many, n=n)


def harmless(name: str) -> str:
    """Returns *name* as it can stand in any message: no markdown, no mention, no invisible or reversing marks."""
    kept = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", name))
    kept = "".join(char for char in kept if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    kept = " ".join(kept.split())
    if len(kept) > MAX_NAME:
        kept = kept[: MAX_NAME - 1].rstrip() + "…"
    return re.sub(r"([\\`*_~|<>\[\]()#@:-])", r"\\\1", kept) or "?"


def duration(milliseconds: int) -> str:
    """Returns a time as ``m:ss.t``, with hours in front where there are any."""
    tenths = milliseconds // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{head}:{rest // 10:02}.{rest % 10}"


def instant(milliseconds: int, style: str = "R") -> str:
    """Returns Discord's own timestamp of an instant, to the second (R: from now, T: time of day, f: date)."""
    return f"<t:{milliseconds // 1000}:{style}>"
