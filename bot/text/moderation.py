"""What moderators and the people concerned are told of judgements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot.text import Sentence

TOLD: Mapping[str, Sentence] = MappingProxyType(
    {
        "void": Sentence("⚖️ **Voided by a moderator** {when}: {reason}"),
        "restore": Sentence("⚖️ **Restored by a moderator** {when}: {reason}"),
        "disqualify": Sentence("⚖️ **{name} disqualified by a moderator** {when}: {reason}"),
        "reinstate": Sentence("⚖️ **{name} reinstated by a moderator** {when}: {reason}"),
        "cancel": Sentence("⚖️ **Cancelled by a moderator** {when}: {reason}"),
    }
)
"""What the result of a race says below its placements, or its lobby."""

DONE: Mapping[str, Sentence] = MappingProxyType(
    {
        "void": Sentence("The race is void: it counts for nothing. Its result says so, with your reason."),
        "restore": Sentence("The race counts again. Its result says so, with your reason."),
        "disqualify": Sentence("**{name}** is disqualified; the others move up. The result says so."),
        "reinstate": Sentence("**{name}** has the old place again. The result says so."),
        "cancel": Sentence("The race is cancelled. Its message says so, with your reason."),
    }
)
DONE_DAILY: Mapping[str, Sentence] = MappingProxyType(
    {
        "disqualify": Sentence("**{name}** is out of this daily: no place, no points, no day of a streak."),
        "reinstate": Sentence("**{name}** is back in this daily, with place, points and streak."),
    }
)
FOLLOWS = Sentence("-# Ratings, wins, best times and boards follow by themselves.")

AUDIT_TITLE = Sentence("### What moderators did here")
AUDIT_NONE = Sentence("Nothing yet.")
AUDIT_PAGE = Sentence("-# Page {page} of {pages}")
AUDIT_LINE = Sentence("{when} **{moderator}** · {deed} · {what}\n> {reason}")
AUDIT_RACE = Sentence("race `{race}`")
AUDIT_DAILY = Sentence("daily {game} {date}")
AUDIT_OF = Sentence("{name}, {what}")
OPERATOR = Sentence("the operator")
DEEDS: Mapping[str, Sentence] = MappingProxyType(
    {
        "void": Sentence("voided"),
        "restore": Sentence("restored"),
        "disqualify": Sentence("disqualified"),
        "reinstate": Sentence("reinstated"),
        "cancel": Sentence("cancelled"),
        "ban": Sentence("kept off the world boards"),
        "unban": Sentence("allowed on the world boards again"),
    }
)
BUTTON_NEWER, BUTTON_OLDER = Sentence("Newer"), Sentence("Older")
CHOICE_RACE = Sentence("{game} · {date} UTC · {names}")
CHOICE_DAILY = Sentence("Daily {game} · {date}")
