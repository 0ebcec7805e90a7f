"""A language for tests of what has to fit somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from unittest.mock import patch

import bot.text
from bot.text.catalogue import ENGLISH, languages, translations


@cache
def _longest(method: str, *arguments: str | int) -> str:
    known = [NullTranslations(), *(translations(each) for each in languages() - {ENGLISH})]
    return max((str(getattr(each, method)(*arguments)) for each in known), key=len)


class Longest:
    """No language, but as long as the longest: of each sentence the form that takes the most room in any of them."""

    def gettext(self, text: str) -> str:
        return _longest("gettext", text)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return _longest("ngettext", one, many, n)

    def pgettext(self, context: str, text: str) -> str:
        return _longest("pgettext", context, text)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return _longest("npgettext", context, one, many, n)


@contextmanager
def all_speak(language: object) -> Iterator[None]:
    """Has the bot speak *language*, which translates as gettext's own do, to everybody."""
    mark = bot.text.LANGUAGE.set("that one")
    try:
        with (
            patch.object(bot.text, "language_of", lambda _: "that one"),
            patch.object(bot.text, "translations", lambda _: language),
        ):
            yield
    finally:
        bot.text.LANGUAGE.reset(mark)
