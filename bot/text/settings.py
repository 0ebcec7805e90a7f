"""What the page of a player's settings says."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### Your settings")
BOARD = Sentence(
    "**Boards**: how the cards are shown to you. A board that is open changes at its next press."
)
COLOURS = Sentence("**Colours**: two as on most cards, or one for each suit.")
SAMPLE = Sentence("Looks like this:")
BUTTON_TWO = Sentence("Two colours")
BUTTON_FOUR = Sentence("Four colours")
TELL = Sentence(
    "**At the end of a race**: a direct message with your place and a link to the result, or nothing."
)
BUTTON_TELL = Sentence("Send it")
BUTTON_QUIET = Sentence("Send nothing")
STYLE_PLACEHOLDER = Sentence("How boards are shown")

EMOJI, EMOJI_ABOUT = Sentence("Emoji"), Sentence("Small cards in lines of text; the quickest")
IMAGE, IMAGE_ABOUT = (
    Sentence("Picture"),
    Sentence("A picture of the table; it follows a moment after each press"),
)
TEXT, TEXT_ABOUT = Sentence("Words"), Sentence("Sentences that a screen reader reads well")
