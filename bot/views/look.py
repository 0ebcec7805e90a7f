"""How a player sees a board."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.render.palette import Colours
from bot.store.players import Style, Taste
from bot.views.faces import Faces


@dataclass(frozen=True, slots=True)
class Look:
    """The style of a board, the colours of its suits, and the way to write a card in a line of text."""

    style: Style
    colours: Colours
    faces: Faces

    @property
    def is_drawn(self) -> bool:
        """Tells whether the board is a picture, which takes too long to draw between two heartbeats."""
        return self.style is Style.IMAGE

    def in_style(self, style: Style) -> Look:
        """Returns the look in another *style*."""
        return replace(self, style=style)


def colours_of(taste: Taste) -> Colours:
    """Returns the colours of a player's *taste*."""
    return Colours.FOUR if taste.four_colours else Colours.TWO
