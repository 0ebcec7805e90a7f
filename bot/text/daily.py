"""What is said of the daily challenge: its board, its results, its post in a server's channel, and its setup."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence
from engine import EndReason

BEGUN = Sentence(
    "-# The clock runs. Your first try counts, there are no hints, and it ends {relative} at the latest."
)
RESUMED = Sentence("-# Your try goes on; it ends {relative} at the latest.")
YESTERDAY = Sentence(
    "-# This is yesterday's deal, which you had begun. It counts until {time}; then comes today's."
)

TITLE = Sentence("### Daily challenge · {game}")
TODAY = Sentence("Today's deal, open until {end}")
LATE = Sentence("Its day is over; tries that were begun in time may go on until {end}")
OVER = Sentence("{date}, closed")
VOID = Sentence("⚠️ The operator has voided this daily: no places, no points. Streaks go on.")
BEGAN_ONE, BEGAN = Sentence("{n} player has begun it"), Sentence("{n} players have begun it")
DONE_ONE, DONE = Sentence("{n} is done"), Sentence("{n} are done")
TURNOUT = Sentence("{began}, {done}.")
SEALED = Sentence("-# The standings are sealed until you are done with this deal.")
SEALED_LATE = Sentence("-# You have not played it. The standings open {relative}.")

OWN = Sentence("**You** · {end} · {counts}")
OWN_OUT = Sentence("**You** · {end} · {counts} · disqualified")
OWN_JUDGED = Sentence("⚖️ **Disqualified by a moderator** {when}: {reason}")
OWN_RUNNING = Sentence("**You** have begun it and are not done.")
WORLD_PLACE = Sentence("**Everywhere** · place {place} of {field}")
WORLD_POINTS = Sentence("{points} % match points")
WORLD_POINTS_SO_FAR = Sentence("{points} % match points so far")
WORLD_ALONE = Sentence("no match points while you are the only one")
BEST = Sentence("Best of those who are listed: {names}")
BEST_ONE = Sentence("{place}. {name}")
HOME = Sentence("**On this server** ({n})")
HOME_OWN = Sentence("**On this server** ({n}; you are number {place})")
HOME_NOBODY = Sentence("**On this server** nobody is done yet.")
LINE = Sentence("{medal} **{name}** · {counts} · {time}")
LINE_DNF = Sentence("{medal} **{name}** · {end}")
RULE = Sentence(
    "-# Won before not won; then fewer cards left; then fewer moves, those taken back and wrong calls "
    "counted in; then less time. Those who gave up or did not finish come last. Equal is equal. Match "
    "points: how many of the others you beat, a tie counting half."
)
DEAL = Sentence("-# Deal {code}")
MOVES_ONE, MOVES = Sentence("{n} move"), Sentence("{n} moves")

ENDS: Mapping[EndReason, Sentence] = MappingProxyType(
    {
        EndReason.WON: Sentence("won"),
        EndReason.STUCK: Sentence("stuck"),
        EndReason.DEAD: Sentence("lost"),
        EndReason.TIME: Sentence("not finished"),
        EndReason.FORFEIT: Sentence("gave up"),
    }
)

STREAK_ONE, STREAK = Sentence("🔥 Streak: {n} day"), Sentence("🔥 Streak: {n} days")
STREAK_LONGEST = Sentence(" (longest {n})")
STREAK_FROZEN = Sentence(" · ❄️ {date} was missed and covered by the month's freeze")
STREAK_ENDED = Sentence("-# Your streak of {n} days has ended. The longest one was {longest}.")
STREAK_BEFORE = Sentence("-# The streak before it was {n} days.")

BUTTON_PLAY = Sentence("Play")
BUTTON_CONTINUE = Sentence("Continue")
BUTTON_PLAY_GAME = Sentence("Play {game}")
BUTTON_RESULTS = Sentence("Results")
BUTTON_AGAIN = Sentence("Practise this deal")
BUTTON_SHARE = Sentence("Post my card here")
BUTTON_NEWER = Sentence("◀")
BUTTON_OLDER = Sentence("▶")
MENU_GAME = Sentence("Another game of that day")
MENU_DAY = Sentence("Another day")

CHART_TIMES = Sentence("How long others took; yours is marked")
CHART_CARDS = Sentence("How many cards others had left; yours is marked")
CHART_TIMES_ALL = Sentence("How long the players took")
CHART_CARDS_ALL = Sentence("How many cards the players had left")

CARD_TITLE = Sentence("Same Deal · {game} · {date}")
CARD_WON = Sentence("🏆 {time} · {moves}")
CARD_LEFT = Sentence("{end} · {cards} · {moves}")
CARD_DNF = Sentence("{end}")
CARD_MISTAKES_ONE, CARD_MISTAKES = Sentence("{n} mistake"), Sentence("{n} mistakes")
CARD_STREAK = Sentence("🔥 {n}")
CARD_OF = Sentence("**{name}** has played the daily challenge:")
CARD_HINT = Sentence("-# To paste anywhere; it names no card:")

ARCHIVE_TITLE = Sentence("### Daily challenges of the past")
ARCHIVE_NONE = Sentence("No day is over yet. Today's deals are there with `/daily play`.")
ARCHIVE_CHOICE = Sentence("**{game}** of {date}. It counts for nothing: no points, no streak.")

POST_TITLE = Sentence("### Daily challenge · {date}")
POST_FEATURED = Sentence("Today's game: **{game}**. {goal}")
POST_ALL = Sentence(
    "-# One deal for everybody, one try that counts, until {end}. The other games have theirs too."
)
POST_PODIUM = Sentence("**Yesterday on this server**")
POST_PODIUM_LINE = Sentence("{game}: {places}")
POST_PODIUM_PLACE = Sentence("{medal} {name}")
POST_NOBODY = Sentence("-# Nobody here played yesterday.")
POST_PENDING = Sentence("-# Yesterday's podium follows {relative}, when the last tries are over.")

SETUP_TITLE = Sentence("### The daily post of this server")
SETUP_NONE = Sentence("There is none yet. Choose a channel: `/setup daily channel:…`")
SETUP_ON = Sentence("In <#{channel}> at {hour}:00, {zone}. The next one comes {time} ({relative}).")
SETUP_OFF = Sentence("Switched off. It was in <#{channel}> at {hour}:00, {zone}.")
SETUP_ROLE = Sentence("It pings <@&{role}>.")
SETUP_NO_ROLE = Sentence("It pings nobody.")
SETUP_ROLE_SILENT = Sentence(
    "⚠️ Discord will not let me ping that role: make it mentionable, or grant me **Mention @everyone, "
    "@here, and All Roles** in the channel."
)
SETUP_TROUBLE = Sentence("⚠️ The last post could not be sent: {why}")

TROUBLES: Mapping[str, Sentence] = MappingProxyType(
    {
        "permission": Sentence("I may not send messages in <#{channel}>."),
        "access": Sentence("I cannot see <#{channel}>."),
        "channel": Sentence("The channel is gone. Choose another one."),
        "lost": Sentence(
            "I was cut off while I sent it and cannot see whether it is there: I need **Read Message History** "
            "in <#{channel}>."
        ),
        "other": Sentence("Discord did not take it; the operator's log says why."),
    }
)

BANDS: Mapping[int, Sentence] = MappingProxyType(
    {1: Sentence("easy"), 2: Sentence("medium"), 3: Sentence("hard")}
)
