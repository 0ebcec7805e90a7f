"""What a list of past races says."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### Races of this server")
TITLE_PLAYER = Sentence("### Races of {name} on this server")
EMPTY = Sentence("No race has been finished yet. `/race new` opens one.")
EMPTY_PLAYER = Sentence("{name} has finished no race here yet. `/race new` opens one.")
LINE = Sentence("{date} · {game} · {outcome}")
LINE_LINK = Sentence("{date} · [{game}]({link}) · {outcome}")
WON_ALONE = Sentence("🥇 {name} · {entrants} raced")
WON_TOGETHER = Sentence("🥇 {name} and {others} more · {entrants} raced")
NO_WINNER = Sentence("no winner · {entrants} raced")
OWN_PLACE = Sentence("{outcome} · {name}: place {place}")
OWN_OUT = Sentence("{outcome} · {name}: disqualified")
VOIDED = Sentence("~~{line}~~ void")
PAGE = Sentence("-# Page {page} of {pages} · {total} in all")
PICK_REPLAY = Sentence("Watch a race…")
CHOICE = Sentence("{number}. {game}: {names}")
CHOICE_NOBODY = Sentence("{number}. {game}")
