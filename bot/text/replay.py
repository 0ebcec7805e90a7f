"""What a replay says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence
from engine import EndReason

TITLE = Sentence("### {game}: replay of {name}")
PAIR_TITLE = Sentence("### {game}: two replays")
PAIR_LINE = Sentence("**{number}** {name} · {counts}")
BEGIN = Sentence("**The deal**, before the first move")
STEP = Sentence("**Step {number} of {last}** · {time} · {what}")
PAIR_STEP = Sentence("**Step {number} of {last}** · {time} · {name}: {what}")
EARLIER = Sentence("-# {number} · {time} · {what}")
THOUGHT = Sentence("{what} (+{thought} s)")

MOVED = Sentence("{card} from {source} to {target}")
CALLED = Sentence("{call}")
DEALT = Sentence("a card from the stock")
WRONG = Sentence("❌ wrong call: {call}")
UNDONE = Sentence("↩️ taken back")
HINTED = Sentence("💡 a hint")
ENDED: Mapping[str, Sentence] = MappingProxyType(
    {
        "won": Sentence("🏁 won"),
        "stuck": Sentence("🏁 no moves left"),
        "dead": Sentence("🏁 it can no longer be won"),
        "time": Sentence("🏁 time is up"),
        "forfeit": Sentence("🏁 given up"),
    }
)

BUTTON_PLAY, BUTTON_PAUSE = Sentence("Play", "a replay"), Sentence("Pause")
BUTTON_FILM = Sentence("Film (GIF)")
BUTTON_ALONE = Sentence("Only {name}")
PICK_STEP = Sentence("Jump to…")
PICK_PLAYER = Sentence("Watch somebody else…")
PICK_RIVAL = Sentence("Side by side with…")
OPTION_STEP = Sentence("{number}: {time}, {what}")
OPTION_BEGIN = Sentence("0: the deal")
OPTION_PLACE = Sentence("{place}. {name}")
OPTION_OUT = Sentence("{name}, disqualified")

FILM = Sentence("### {game}: {name} in {seconds} seconds")
PAIR_FILM = Sentence("### {game}: {first} (1) and {second} (2) in {seconds} seconds")
FILM_ALT = Sentence("A film of the table, step by step: {steps} steps in {time}.")
PAIR_ALT = Sentence("1, left: {first} 2, right: {second}")

FILM_MISTAKE, FILM_UNDO, FILM_HINT = Sentence("WRONG CALL"), Sentence("UNDO"), Sentence("HINT")
FILM_MOVES, FILM_LEFT = Sentence("MOVES {n}"), Sentence("LEFT {n}")
FILM_ENDS: Mapping[EndReason, Sentence] = MappingProxyType(
    {
        EndReason.WON: Sentence("WON"),
        EndReason.STUCK: Sentence("STUCK"),
        EndReason.DEAD: Sentence("LOST"),
        EndReason.TIME: Sentence("TIME UP"),
        EndReason.FORFEIT: Sentence("GAVE UP"),
    }
)
"""What is written in pictures, which have no letters but the capitals from A to Z."""
