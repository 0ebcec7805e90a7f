"""What the public message of a race says, and the private one of an entrant who waits for it."""

from __future__ import annotations

from bot.text import Sentence

RACE_TITLE = Sentence("### {game}: a race")
HOSTED = Sentence("Host: **{host}** · time limit {minutes} min · {kind}")
RANKED = Sentence("ranked")
UNRANKED = Sentence("unranked")
UNRANKED_SEED = Sentence("unranked, since the seed was typed")
ENTRANTS = Sentence("**In the race ({n} of {most})**")
READY_MARK = Sentence("ready")
COMMITMENT = Sentence(
    "-# The deal is drawn and fixed: SHA-256 `{hash}`. Seed and salt are shown with the result."
)
INVITED = Sentence("A rematch. Also invited: {names}")
JOIN_HINT = Sentence(
    "-# Everybody gets the same deal. It starts when the host presses Start or all are ready."
)
STARTS = Sentence("**Starts {relative}**, at {time}. The board comes to everybody's private message.")
RUNNING = Sentence("**Started {relative}**, ends by {time} at the latest.")
OUTAGE = Sentence("-# The bot was away for {seconds} s; the time limit is longer by as much.")
FINISHED = Sentence("**Finished.** The result is below.")
CANCELLED = Sentence("**Cancelled.** No result, nothing is counted.")
RUNNER = Sentence("`{bar}` **{name}** · {state}")
WAITING = Sentence("waiting")
NOT_DONE = Sentence("{cards} · {moves}{mistakes}")
DONE_SHORT = Sentence("**{end}** · {time}")

BUTTON_JOIN = Sentence("Join")
BUTTON_START = Sentence("Start")
BUTTON_RULES = Sentence("Rules")
BUTTON_OPEN = Sentence("Open my board")
BUTTON_READY = Sentence("Ready")
BUTTON_NOT_READY = Sentence("Not ready")
BUTTON_LEAVE = Sentence("Leave")
BUTTON_CANCEL = Sentence("Cancel the race")
BUTTON_REMATCH = Sentence("Rematch")
BUTTON_AGAIN = Sentence("Play this deal")

SEAT_TITLE = Sentence("### You are in: {game}")
SEAT_READY = Sentence("You are **ready**. Your board appears here when the race starts.")
SEAT_NOT_READY = Sentence(
    "Press **Ready** when you are. Your board appears here when the race starts; the clock starts with it."
)
SEAT_HOST = Sentence("You host this race: press **{start}** above whenever you like.")
SEAT_LOST = Sentence("-# Lost this message? Press **{open}** on the race, or type `/board`.")
SEAT_LEFT = Sentence("You have left the race.")
SEAT_REMOVED = Sentence("The host has removed you from this race.")
SEAT_STARTS = Sentence("**Get ready: it starts {relative}**, at {time}. Your board appears here.")
SEAT_ALONE = Sentence("Nobody else is in yet.")
BUTTON_REMOVE = Sentence("Send somebody away…")
REMOVE_PLACEHOLDER = Sentence("Who is to leave the race?")
