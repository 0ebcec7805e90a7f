"""The reader's language: what translates templates, and which of them can be written in a picture."""

from __future__ import annotations

from typing import Protocol

from bot.render.brush import can_spell


class Say(Protocol):
    """What translates a template, by its plural form if there is one. gettext and ngettext in one."""

    def __call__(self, one: str, many: str = "", count: int = 1, /) -> str:
        """Returns the template in the reader's language."""


def english(one: str, many: str = "", count: int = 1, /) -> str:
    """Returns the template as it is."""
    return many if many and count != 1 else one


def spelled(say: Say, template: str, /, **values: str | int) -> str:
    """Returns *template* for a picture: translated where the outlines have all the letters, else as it is."""
    translated = say(template).format(**values)
    return translated if can_spell(translated) else template.format(**values)
