"""What a board says."""

from __future__ import annotations

from bot.text import Sentence, say
from engine import Move, Role, role

TITLE_RACE, TITLE_DAILY = Sentence("### {game} · race"), Sentence("### {game} · daily")
TITLE_ARCHIVE, TITLE_PRACTICE = Sentence("### {game} · archive"), Sentence("### {game} · practice")
BOARD_CLOCK = Sentence("-# {counts} · started {relative}")
BOARD_DONE = Sentence("-# {counts}")
STOCK = Sentence("**Stock** {n}")
WASTE = Sentence("Waste {n}")
HAND = Sentence("**Hand** {n}")
DISCARDED = Sentence("**Discarded** {n}")
FOUNDATIONS = Sentence("**Foundations** {cards}")
FOUNDATIONS_HEADING = Sentence("### Foundations {cards}")
OLDER = Sentence("-# **Older cards** {cards}")

BUTTON_CARD = Sentence("{pile}: {card}")
BUTTON_CHOSEN = Sentence("{button} (chosen)")
BUTTON_TARGET = Sentence("{button} (can go here)")
BUTTON_HINTED = Sentence("{button} (hint)")
BUTTON_DEAL = Sentence("Deal ({n})")
BUTTON_WASTE = Sentence("Waste")
BUTTON_UNDO = Sentence("Undo")
BUTTON_HINT = Sentence("Hint")
BUTTON_AUTO = Sentence("Auto")
BUTTON_FINISH = Sentence("Finish")
BUTTON_MORE = Sentence("More")
BUTTON_BACK = Sentence("Back to the board")
BUTTON_TYPE = Sentence("Type moves")
BUTTON_FREE = Sentence("Choose both ends")
BUTTON_EMOJI = Sentence("As emoji")
BUTTON_IMAGE = Sentence("As a picture")
BUTTON_TEXT = Sentence("In words")
BUTTON_RULES = Sentence("Rules")
BUTTON_FORFEIT = Sentence("Forfeit")
BUTTON_REALLY_FORFEIT = Sentence("Yes, give up")
CALL_DRAW = Sentence("Draw")
CALL_DISCARD = Sentence("Discard {n}")
CALL_RECYCLE = Sentence("Recycle")

MORE_TITLE = Sentence("### {game}: more")
MORE_TYPE = Sentence(
    "**Type moves**: several at once, such as `{example}`. The piles are called `{piles}` ({letters})."
)
MORE_FREE = Sentence(
    "**Choose both ends**: the next card goes where you say, not where it would go by itself."
)
MORE_AUTO = Sentence("**Auto** plays the cards to the foundations that nothing else can need any more.")
MORE_LOOK = Sentence("**Look at the board** once in another way; `/settings` changes it for good.")
FORFEIT_RACE = Sentence("**Give up this race?** You will be placed last. This cannot be taken back.")
FORFEIT_DAILY = Sentence("**Give up today's deal?** It counts as not finished. This cannot be taken back.")
FORFEIT_ALONE = Sentence("**Give up this deal?** This cannot be taken back.")

TIP_PILES = Sentence("-# Press a card, then its place if you are asked.")
TIP_CALLS = Sentence("-# Call what the fan allows. A wrong call costs 5 seconds.")
TIP_FREE = Sentence("-# Press a card, then the place where it goes.")
PICKED = Sentence("Picked: **{card}**. Press its place, or it again to let go.")
PICKED_PLACE = Sentence("Picked: **{pile}**. Press the card for it, or it again to let go.")

NOTE_MISTAKE = Sentence("❌ **{call}** was wrong: that costs 5 seconds.")
NOTE_STALE = Sentence("-# The board had moved on, so that press did nothing.")
NOTE_UNDONE = Sentence("-# Taken back.")
NOTE_PLAYED_ONE, NOTE_PLAYED = Sentence("-# Played {n} move."), Sentence("-# Played {n} moves.")
NOTE_REFUSED = Sentence("❌ `{move}` is not possible there; what comes after it was left out. Played: {n}.")
NOTE_NOTHING = Sentence("-# There was no move in that.")
HINT_CARD = Sentence("💡 **{card}** from {source} to {target}")
HINT_DEAL = Sentence("💡 Deal a card.")
HINT_NONE = Sentence("💡 I see no move that leads to a win. It was not counted as a hint.")

FORM_TITLE = Sentence("Type moves")
FORM_LABEL = Sentence("Moves, one after the other")
FORM_HELP = Sentence("From pile to pile, as in {example}. Played up to the first impossible one.")
END_WAIT = Sentence("-# As soon as everybody is done, the result is in the channel.")


def call_label(move: Move) -> str:
    """Returns what the button of a call says."""
    if role(move.source) is Role.STOCK:
        return say(CALL_DRAW)
    return say(CALL_RECYCLE) if role(move.target) is Role.HAND else say(CALL_DISCARD, n=move.count)
