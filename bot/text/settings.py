"""What the page of a player's settings says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.store.players import Style
from bot.text import Sentence

TITLE = Sentence("### Your settings")
BOARD = Sentence(
    "**Boards**: how the cards are shown to you. A board that is open changes at its next press."
)
COLOURS = Sentence("**Colours**: two as on most cards, or one for each suit.")
SAMPLE = Sentence("Looks like this:")
BUTTON_TWO = Sentence("Two colours")
BUTTON_FOUR = Sentence("Four colours")
STYLE_PLACEHOLDER = Sentence("How boards are shown")

STYLES: Mapping[Style, tuple[Sentence, Sentence]] = MappingProxyType(
    {
        Style.EMOJI: (Sentence("Emoji"), Sentence("Small cards in lines of text; the quickest")),
        Style.IMAGE: (
            Sentence("Picture"),
            Sentence("A picture of the table; it follows a moment after each press"),
        ),
        Style.TEXT: (Sentence("Words"), Sentence("Sentences that a screen reader reads well")),
    }
)
