"""Every sentence that the bot says: one module for each part of the bot, and here what they share.

A sentence is a template with named fields; :func:`say` fills them in, in the language of whoever is spoken to.
English is the source; other languages translate the templates (:mod:`bot.text.catalogue`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bot.text.catalogue import ENGLISH, language_of, translations

MAX_NAME = 24
MAX_MARKS = 2
"""How many combining marks one letter keeps: some writing needs two, towers of them cover other lines."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing, which the categories of Unicode do not tell."""

LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)
"""The language that the current task speaks."""


class Sentence(str):
    """A template with fields in braces.

    *context* tells sentences apart that are the same in English but not in other languages.
    """

    __slots__ = ("context",)
    context: str

    def __new__(cls, text: str, context: str = "") -> Sentence:
        """Returns the sentence."""
        made = super().__new__(cls, text)
        made.context = context
        return made


DECIMAL = Sentence("{whole}.{part}", "a number, as in 1.5 or 1:23.4")


def speak(locale: str) -> None:
    """Has the current task speak the language of *locale*, as Discord names it, from here on."""
    LANGUAGE.set(language_of(locale))


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Has the current task speak the language of *locale* meanwhile."""
    token = LANGUAGE.set(language_of(locale))
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def translate(one: str, many: str = "", count: int = 1, /) -> str:
    """Returns the template *one*, or what goes with *count* if there is a plural *many*, in the current language."""
    language = LANGUAGE.get()
    if language == ENGLISH or not one:
        return many if many and count != 1 else one
    found = translations(language)
    if context := getattr(one, "context", ""):
        return found.npgettext(context, one, many, count) if many else found.pgettext(context, one)
    return found.ngettext(one, many, count) if many else found.gettext(one)


def say(sentence: Sentence, **values: str | int) -> str:
    """Returns *sentence* with its fields filled in."""
    template = translate(sentence)
    return template.format_map(values) if values else str(template)


def count(one: Sentence, many: Sentence, n: int) -> str:
    """Returns the form of *one* and *many* that goes with the number *n*."""
    return translate(one, many, n).format(n=n)


def visible(name: str, most: int = MAX_NAME) -> str:
    """Returns *name* without invisible, reversing or piled up marks, at most *most* characters of it.

    It is for menus and alternative texts, which know no markup.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", name):
        category = unicodedata.category(char)
        if category in ("Mn", "Me"):
            marks += 1
            if marks <= MAX_MARKS:
                kept.append(char)
        elif char.isspace() or (category not in ("Cc", "Cf", "Cs", "Co", "Cn") and char not in _BLANK):
            kept.append(char)
            marks = 0
    shown = " ".join("".join(kept).split())
    return f"{shown[: most - 1].rstrip()}…" if len(shown) > most else shown


def harmless(name: str, most: int = MAX_NAME) -> str:
    """Returns *name* as it can stand in any message: no markdown, no mention, no invisible or reversing marks."""
    return _escaped(visible(name, most)) or "?"


def code(text: str) -> str:
    """Returns *text* in a code span, whatever it holds; no span can hold two grave accents in a row."""
    if "``" in text:
        return _escaped(text)
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def duration(milliseconds: int) -> str:
    """Returns a time as ``m:ss.t``, with hours in front where there are any."""
    tenths = milliseconds // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return decimal(f"{head}:{rest // 10:02}", rest % 10)


def decimal(whole: str | int, part: str | int) -> str:
    """Returns a number with the digits *part* behind the decimal point or comma."""
    return say(DECIMAL, whole=whole, part=part)


def instant(milliseconds: int, style: str = "R") -> str:
    """Returns Discord's own timestamp of an instant, to the second (R: from now, T: time of day, f: date)."""
    return f"<t:{milliseconds // 1000}:{style}>"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_~|<>\[\]()#@:-])", r"\\\1", text)
