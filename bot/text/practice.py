"""What is said of practice, and of whether a deal can be won."""

from __future__ import annotations

from bot.text import Sentence

CERTIFIED = Sentence("-# This deal is certified winnable.")
NOT_CERTIFIED = Sentence("-# This deal is not certified: perhaps nobody could win it.")
WINNABLE = Sentence("This deal can be won")
WINNABLE_BAND = Sentence("This deal can be won; difficulty: {band}")
LOST = Sentence("This deal cannot be won")
UNKNOWN = Sentence("Whether this deal can be won is not known")
PENDING = Sentence("-# Whether this deal can be won is being found out.")
VERDICT = Sentence("-# {verdict}.")
VERDICT_DEAL = Sentence("-# {verdict} · deal {code}")

BUTTON_RESTART = Sentence("Start over")
BUTTON_NEW = Sentence("Another deal")
RESTARTED = Sentence("-# The same deal from the beginning.")
