"""Commands that can be pressed where a text names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NAMED = re.compile(r"`/([^`]+)`")


class Mentions:
    """The commands by name, as Discord shows them to be pressed. Until it has told their ids there are none."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def learn(self, commands: Iterable[str], ids: Mapping[str, int]) -> None:
        """Notes the *commands*, by full name, and the *ids* of their first words."""
        roots = ((name, name.partition(" ")[0]) for name in commands)
        self._known = {name: f"</{name}:{ids[root]}>" for name, root in roots if root in ids}

    def link(self, text: str) -> str:
        """Returns *text* with each command that it names in backticks, as in `/play`, to be pressed."""
        return _NAMED.sub(lambda found: self._known.get(found[1], found[0]), text)
