"""What a leaderboard says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence

METRICS: Mapping[str, Sentence] = MappingProxyType(
    {
        "rating": Sentence("Rating"),
        "wins": Sentence("Wins"),
        "points": Sentence("Match points"),
        "time": Sentence("Best time"),
        "streak": Sentence("Daily streak"),
    }
)
SCOPES: Mapping[str, Sentence] = MappingProxyType(
    {"server": Sentence("this server"), "world": Sentence("everywhere")}
)
SPANS: Mapping[str, Sentence] = MappingProxyType(
    {
        "day": Sentence("today"),
        "week": Sentence("this week"),
        "month": Sentence("this month"),
        "season": Sentence("this season"),
        "all": Sentence("all time"),
    }
)
ALL_GAMES = Sentence("all games")
GOES_ON = Sentence("going on now", "streaks")

TITLE = Sentence("### {metric}")
ABOUT = Sentence("{game} · {scope} · {span}")
LINE = Sentence("{place} **{name}** · {value}")
OWN = Sentence("**You: place {place}** of {total} · {value}")
OWN_HIDDEN = Sentence("**You**: {value}. Only you see this; `/privacy listing` puts you on the world boards.")
OWN_NONE = Sentence("You have no line on this board yet.")
EMPTY = Sentence("Nobody is on this board yet.")
PICK_GAME = Sentence("Times of different games cannot be compared: pick a game below.")
PAGE = Sentence("-# Page {page} of {pages}")
RESETS = Sentence("-# Begins anew {relative}, {date}")

RULES: Mapping[str, Sentence] = MappingProxyType(
    {
        "rating": Sentence(
            "-# The present rating of everybody who played in that time. It changes with ranked races of two or "
            "more players whose accounts are at least a week old."
        ),
        "wins": Sentence(
            "-# Ranked races of two or more players in which somebody came first, with at least one player behind."
        ),
        "points": Sentence(
            "-# In each daily, the per cent of the others that a player beat, a tie counting half. Here: their sum "
            "+ {drawn} × {middle} %, divided by their number + {drawn}; from {least} dailies on. A day's dailies "
            "count once they are closed, an hour after it."
        ),
        "time": Sentence("-# Deals that were won in ranked races, penalties included."),
        "streak": Sentence(
            "-# Days in a row with a daily played to its end, over all games: the streaks that go on; for all "
            "time, the longest ones."
        ),
    }
)

RATING_VALUE = Sentence("**{rating}** · {races}")
WINS_VALUE_ONE, WINS_VALUE = Sentence("**{n} win**"), Sentence("**{n} wins**")
RACES_ONE, RACES = Sentence("{n} race"), Sentence("{n} races")
IN_RACES = Sentence("{wins} in {races}")
POINTS_VALUE = Sentence("**{points} %** · {dailies}")
DAILIES_ONE, DAILIES = Sentence("{n} daily"), Sentence("{n} dailies")
TIME_VALUE = Sentence("**{time}**")
DAYS_ONE, DAYS = Sentence("**{n} day**"), Sentence("**{n} days**")

PICK_METRIC, PICK_SPAN = Sentence("What it is about"), Sentence("Over which time")
PICK_ONE_GAME = Sentence("Which game")
BUTTON_SERVER, BUTTON_WORLD = Sentence("This server"), Sentence("Everywhere")
BUTTON_OWN = Sentence("My place")
BUTTON_SHARE = Sentence("Show to all")
BUTTON_OPEN = Sentence("Open for me")
