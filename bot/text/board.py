"""What a board says."""

from __future__ import annotations

from bot.text import Sentence, say
from engine import Move, Role, role

BOARD_TITLE = Sentence("### {game}")
BOARD_CLOCK = Sentence("-# {cards} · {moves}{mistakes} · started {relative}")
BOARD_DONE = Sentence("-# {cards} · {moves}{mistakes}")
STOCK = Sentence("Stock")
WASTE = Sentence("Waste")
HAND = Sentence("Hand")
DISCARDED = Sentence("Discarded")
FOUNDATIONS = Sentence("Foundations")
OLDER = Sentence("{n} older")
BUTTON_DEAL = Sentence("Deal ({n})")
BUTTON_UNDO = Sentence("Undo")
BUTTON_MORE = Sentence("More")
BUTTON_BACK = Sentence("Back to the board")
BUTTON_FORFEIT = Sentence("Forfeit")
BUTTON_REALLY_FORFEIT = Sentence("Yes, give up")
CALL_DRAW = Sentence("Draw")
CALL_DISCARD = Sentence("Discard {n}")
CALL_RECYCLE = Sentence("Recycle")
FORFEIT_ASK = Sentence("**Give up this race?** You will be placed last. This cannot be taken back.")
NOTE_MISTAKE = Sentence("❌ **Not now.** That call costs 5 seconds.")
NOTE_STALE = Sentence("-# The board had moved on, so that press did nothing. This is how it stands.")
NOTE_UNDONE = Sentence("-# Taken back.")
PICKED = Sentence("**{pile}** is picked: press where its card goes, or press it again to let go.")

END_WAIT = Sentence("-# The result comes to the channel when everybody is done.")


def call_label(move: Move) -> str:
    """Returns what the button of a call says."""
    if role(move.source) is Role.STOCK:
        return say(CALL_DRAW)
    return say(CALL_RECYCLE) if role(move.target) is Role.HAND else say(CALL_DISCARD, n=move.count)
