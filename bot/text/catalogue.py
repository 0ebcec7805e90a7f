"""The translations: one gettext catalogue for each language in ``bot/locale``, read as it is written.

A language is there as soon as its file is: ``bot/locale/<language>/same-deal.po``, named as Discord names the
language ("de", "pt-BR"). A sentence that is not translated is said in English.
"""

from __future__ import annotations

import io
from functools import lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ENGLISH: Final = "en"
DOMAIN: Final = "same-deal.po"
FOLDER: Final = files("bot") / "locale"


LANGUAGE_NAMES: Final = {"en-US": "English", "de": "Deutsch", "fr": "Français"}
"""The languages by Discord's names, as they call themselves."""


@lru_cache(maxsize=1)
def languages() -> frozenset[str]:
    """Returns the languages that there are, English among them."""
    found = (each.name for each in FOLDER.iterdir() if (each / DOMAIN).is_file()) if FOLDER.is_dir() else ()
    return frozenset((ENGLISH, *found))


@lru_cache(maxsize=256)
def language_of(locale: str) -> str:
    """Returns the language in which the bot speaks to somebody with this *locale*: English if it knows no better."""
    for name in (locale, locale.partition("-")[0]):
        if name in languages():
            return name
    return ENGLISH


@lru_cache(maxsize=64)
def translations(language: str) -> GNUTranslations:
    """Returns the catalogue of a *language* other than English."""
    with (FOLDER / language / DOMAIN).open("rb") as file:
        catalogue = read_po(file, locale=language.replace("-", "_"))
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
