"""The commands in the languages of Discord's clients: their descriptions, options and choices.

The names of commands stay as they are: players tell one another to type ``/race new``, in servers where clients
speak different languages, and so does the bot.
"""

from __future__ import annotations

from discord import Locale
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, Translator, locale_str

from bot.text.catalogue import ENGLISH, language_of, translations

OPTION = "option"
"""The context of the names of options, which are words of lower case."""
_NAMES = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)


class CommandTranslator(Translator):
    """Looks the words of commands up in the catalogues."""

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Returns *string* in the language of *locale*, or None where it stays as it is."""
        language = language_of(locale.value)
        if language == ENGLISH or context.location in _NAMES:
            return None
        catalogue = translations(language)
        if context.location is TranslationContextLocation.parameter_name:
            found = catalogue.pgettext(OPTION, string.message)
        else:
            found = catalogue.gettext(string.message)
        return found if found != string.message else None
