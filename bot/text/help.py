"""What the help says, and what somebody is told at the first race."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### Same Deal: everybody plays the same cards")
RACES = Sentence(
    "**Race** on a server\n"
    "- `/race new` opens a race. The others press **Join**; all get the same shuffled deal.\n"
    "- The host presses **Start**, or all press **Ready**. Your private message becomes your board.\n"
    "- `/board` shows your board again, whatever became of that message. `/race leave` takes you out.\n"
    "- Won comes before not won; then fewer cards left; then less time."
)
ALONE = Sentence(
    "**Play alone**, here or in direct messages\n"
    "- `/daily play`: one deal a day for everybody. Your first try counts; days in a row make a streak.\n"
    "- `/daily results`: how it went, and a card to share without spoilers. `/daily archive`: past days.\n"
    "- `/play`: practice with hints and undo; a word as the seed gives your friends the same deal."
)
LOOK = Sentence(
    "**Look up**\n"
    "- `/rules`: how each game goes. `/leaderboard`, `/profile`, `/race history`, `/replay`: what was played.\n"
    "- `/settings`: cards as emoji, as a picture or in words; four colours; a message when a race has ended."
)
OWN = Sentence(
    "**Your data**\n"
    "- `/privacy export` gives you all of it, `/privacy delete` deletes it, `/privacy listing` puts you on "
    "the world boards or takes you off them."
)
MANAGE = Sentence(
    "**You manage this server**\n"
    "- `/setup races`: channels, games, time limit, role, language, and which permissions I lack.\n"
    "- `/setup daily`: the daily post.\n"
    "- `/moderate`: void a race, disqualify, cancel, take back; all with a reason, kept in `/moderate audit`."
)
FIRST_RACE = Sentence("-# Your first race here? Press **{rules}** on the race, and `/help` tells the rest.")

ENDED = Sentence("🏁 Your race of **{game}** has ended: place {place} of {n}. {link}")
ENDED_OUT = Sentence("🏁 Your race of **{game}** has ended. {link}")
LINK = Sentence("[The result]({url})")
