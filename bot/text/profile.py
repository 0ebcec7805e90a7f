"""What a player's profile says."""

from __future__ import annotations

from bot.text import Sentence

TITLE = Sentence("### {name}")
NOTHING = Sentence("No ranked race yet. `/race new` opens one.")
OVERALL = Sentence("**Rating {rating}** over all games")
UNRATED = Sentence("**No rating yet**: it takes a ranked race of two accounts that are at least a week old.")
RACES = Sentence("{races}, first in {wins} ({rate} %) · {finished} finished in all")
COUNTED_ONE, COUNTED = Sentence("{n} race that counts"), Sentence("{n} races that count")
STREAK = Sentence("**Daily streak**: {days} now, {longest} at best")
DAYS_ONE, DAYS = Sentence("{n} day"), Sentence("{n} days")
POINTS = Sentence("**Match points**: {points} % over {dailies}")
POINTS_FEW = Sentence("**Match points**: {dailies} so far, {least} needed for a mean")
GAME = Sentence("`{number}` **{game}** · {parts}")
GAME_RATING = Sentence("rating {rating}")
GAME_WINS = Sentence("first in {wins} of {races}")
GAME_BEST = Sentence("best {time}")
BUTTON_RACES = Sentence("Races on this server")
BUTTON_REPLAY = Sentence("Newest replay")
