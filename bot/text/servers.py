"""What servers are told: how they are set up, what is missing, and the one welcome."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### Races on this server")
CHANNELS = Sentence("**Channels** in which races may be opened. None chosen: all of them.")
GAMES = Sentence("**Games** that may be raced. None chosen: all of them.")
MINUTES = Sentence("**Time limit** of a race that names none.")
ROLE = Sentence("**Who may open races**. No role chosen: everybody. All may join.")
LANGUAGE = Sentence("**Language** of the messages that everybody sees. Private ones speak the player's own.")
PICK_CHANNELS = Sentence("All channels")
PICK_GAMES = Sentence("All games")
PICK_ROLE = Sentence("Everybody")
PICK_MINUTES = Sentence("Time limit")
PICK_LANGUAGE = Sentence("Language")
MINUTES_ONE, MINUTES_MANY = Sentence("{n} minute"), Sentence("{n} minutes")
OWN_LANGUAGE = Sentence("The server's language in Discord")
DAILY_HINT = Sentence("-# The daily post, its hour and its role: `/setup daily`. Judgements: `/moderate`.")
ALL_WELL = Sentence("✅ **Permissions**: I have all that I need here.")
LACKING = Sentence("⚠️ **Missing permissions**. Grant them to me in the settings of the channel:\n{lines}")
LACKING_LINE = Sentence("- <#{channel}>: {permissions}")
GONE = Sentence("the channel is gone; choose others above")
LACKING_MORE_ONE, LACKING_MORE = (
    Sentence("- and in {n} more channel"),
    Sentence("- and in {n} more channels"),
)

WELCOME_TITLE = Sentence("### Hello! I deal the same cards to everybody.")
WELCOME = Sentence(
    "`/race new` opens a race: everybody who joins gets the same shuffled deal of a solitaire game, plays "
    "it at the same time on a private board, and is ranked. `/daily play` has one more deal for everybody "
    "each day.\n"
    "`/help` says more. If you manage this server: `/setup races`, `/setup daily` and `/moderate`."
)
