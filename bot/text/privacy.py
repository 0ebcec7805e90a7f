"""What players are told of what is stored about them."""

from __future__ import annotations

from bot.text import Sentence

EXPORTED = Sentence(
    "Here is everything that I have stored about you, as one JSON file. PRIVACY.md explains its parts, and "
    "what is kept why and for how long. Seeds and moves of deals that are still being played are left out."
)
DELETE_TITLE = Sentence("### Delete everything about you?")
DELETE_TEXT = Sentence(
    "- Your name, your settings and your account's id are deleted now, for good.\n"
    "- Your results stay as those of a “deleted player”, so that the places and ratings of others remain "
    "right. Nobody can tell any more that they were yours, not even you.\n"
    "- Messages that are in channels already stay there; whoever manages the server can delete them.\n"
    "- If you play again, you begin anew.\n"
    "-# `/privacy export` gives you a copy first. This cannot be taken back."
)
BUTTON_DELETE = Sentence("Delete everything")
BUTTON_KEEP = Sentence("Keep it")
KEPT = Sentence("Nothing was deleted.")
DELETED = Sentence(
    "Done. Everything that told who you are is deleted; your results live on as those of a deleted player."
)
LISTED = Sentence("You are on the world boards now, with your name, for everybody to see.")
BARRED = Sentence(
    "Your wish is noted, but the operator of this bot keeps you off the world boards. "
    "Only the operator can change that."
)
UNLISTED = Sentence("You are not on the world boards. The boards of your servers still list you.")
