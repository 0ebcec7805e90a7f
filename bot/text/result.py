"""How an attempt is told: its end, all that is counted, and the result of a race."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence
from engine import EndReason

CARDS_LEFT_ONE, CARDS_LEFT = Sentence("{n} card left"), Sentence("{n} cards left")
MOVES_ONE, MOVES = Sentence("{n} move"), Sentence("{n} moves")
MISTAKES_ONE, MISTAKES = Sentence("{n} mistake"), Sentence("{n} mistakes")
UNDOS_ONE, UNDOS = Sentence("{n} undo"), Sentence("{n} undos")
HINTS_ONE, HINTS = Sentence("{n} hint"), Sentence("{n} hints")
CARDS_LEFT_SIGN, MOVES_SIGN, MISTAKES_SIGN, UNDOS_SIGN, HINTS_SIGN, RATING_SIGN = "▤", "→", "✗", "↶", "?", "★"
"""What stands before a number where many entrants leave no room for words; :data:`RESULT_KEY` explains them."""

MEDALS: Mapping[int, str] = MappingProxyType({1: "🥇", 2: "🥈", 3: "🥉"})
"""The signs of the places that have one."""

ENDS: Mapping[EndReason, Sentence] = MappingProxyType(
    {
        EndReason.WON: Sentence("🏆 **Won** in {time}"),
        EndReason.STUCK: Sentence("**No moves left**, after {time}"),
        EndReason.DEAD: Sentence("**It can no longer be won**, after {time}"),
        EndReason.TIME: Sentence("**Time is up**"),
        EndReason.FORFEIT: Sentence("**Forfeited** after {time}"),
    }
)

RESULT_TITLE = Sentence("### {game}: result")
RESULT_LINE = Sentence("{medal} **{name}** · {end} · {details} · curve {number}")
RESULT_SHORT_LINE = Sentence("{medal} **{name}** · {end} {time} · {counts} #{number}")
RESULT_KEY = Sentence(
    "-# ▤ cards left · → moves · ✗ mistakes · ↶ undos · ? hints · # line in the picture · ★ rating"
)
RESULT_OUT = Sentence("– **{name}** · disqualified · curve {number}")
RESULT_VOIDED = Sentence("🚫 **This race has been voided by a moderator**: it counts for nothing.")
BUTTON_REPLAY = Sentence("Replay")
RATING_NEW = Sentence(" · rating {rating}")
RATING_CHANGED = Sentence(" · rating {rating} ({gain})")
RESULT_RULE = Sentence(
    "-# Won before not won; then fewer cards left; then less time with penalties; forfeits last. Equal is equal."
)
RESULT_DEAL = Sentence("-# Deal {code} · salt `{salt}` · SHA-256 `{hash}`")

SHORT_ENDS: Mapping[EndReason, Sentence] = MappingProxyType(
    {
        EndReason.WON: Sentence("won"),
        EndReason.STUCK: Sentence("stuck"),
        EndReason.DEAD: Sentence("lost"),
        EndReason.TIME: Sentence("time up"),
        EndReason.FORFEIT: Sentence("forfeit"),
    }
)
