"""What the rules of a game are told with; the rules themselves stand with the games."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### {game}")
EXAMPLE_MOVE = Sentence("-# An example: the {card} may go from {source} to {target}.")
EXAMPLE_CALL = Sentence("-# An example: here the right call is **{call}**.")
