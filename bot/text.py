"""Every sentence that the bot says.

Each is a template with named fields; :func:`say` fills them in. English is the source; other languages translate
the templates.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from bot import errors
from engine import EndReason, Move, Phase, Role, role
from engine import errors as engine_errors

MAX_NAME = 24


class Sentence(str):
    """A template with fields in braces."""

    __slots__ = ()


def say(sentence: Sentence, **values: str | int) -> str:
    """Returns *sentence* with its fields filled in."""
    return sentence.format_map(values) if values else str(sentence)


def count(one: Sentence, many: Sentence, n: int) -> str:
    """Returns *one* or *many*, whichever goes with the number *n*."""
    return say(one if n == 1 else many, n=n)


def harmless(name: str) -> str:
    """Returns *name* as it can stand in any message: no markdown, no mention, no invisible or reversing marks."""
    kept = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", name))
    kept = "".join(char for char in kept if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    kept = " ".join(kept.split())
    if len(kept) > MAX_NAME:
        kept = kept[: MAX_NAME - 1].rstrip() + "…"
    return re.sub(r"([\\`*_~|<>\[\]()#@:-])", r"\\\1", kept) or "?"


def duration(milliseconds: int) -> str:
    """Returns a time as ``m:ss.t``, with hours in front where there are any."""
    tenths = milliseconds // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{head}:{rest // 10:02}.{rest % 10}"


def instant(milliseconds: int, style: str = "R") -> str:
    """Returns Discord's own timestamp of an instant, to the second (R: from now, T: time of day, f: date)."""
    return f"<t:{milliseconds // 1000}:{style}>"


# --- the lobby -----------------------------------------------------------------------------------------------
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
CARDS_LEFT_ONE, CARDS_LEFT = Sentence("{n} card left"), Sentence("{n} cards left")
MOVES_ONE, MOVES = Sentence("{n} move"), Sentence("{n} moves")
MISTAKES_ONE, MISTAKES = Sentence("{n} mistake"), Sentence("{n} mistakes")
UNDOS_ONE, UNDOS = Sentence("{n} undo"), Sentence("{n} undos")
HINTS_ONE, HINTS = Sentence("{n} hint"), Sentence("{n} hints")

BUTTON_JOIN = Sentence("Join")
BUTTON_START = Sentence("Start")
BUTTON_RULES = Sentence("Rules")
BUTTON_OPEN = Sentence("Open my board")
BUTTON_READY = Sentence("Ready")
BUTTON_NOT_READY = Sentence("Not ready")
BUTTON_LEAVE = Sentence("Leave")
BUTTON_CANCEL = Sentence("Cancel the race")
BUTTON_REMATCH = Sentence("Rematch")

SEAT_TITLE = Sentence("### You are in: {game}")
SEAT_READY = Sentence("You are **ready**. Your board appears here when the race starts.")
SEAT_NOT_READY = Sentence(
    "Press **Ready** when you are. Your board appears here when the race starts; the clock starts with it."
)
SEAT_HOST = Sentence("You host this race: press **Start** above whenever you like.")
SEAT_LOST = Sentence("-# Lost this message? Press **Open my board** on the race, or type `/board`.")
SEAT_LEFT = Sentence("You have left the race.")
SEAT_STARTS = Sentence("**Get ready: it starts {relative}**, at {time}. Your board appears here.")
REMOVE_PLACEHOLDER = Sentence("Send somebody away…")

# --- the board -----------------------------------------------------------------------------------------------
BOARD_TITLE = Sentence("### {game}")
BOARD_CLOCK = Sentence("-# {cards} · {moves}{mistakes} · started {relative}")
BOARD_DONE = Sentence("-# {cards} · {moves}{mistakes}")
STOCK = Sentence("Stock")
WASTE = Sentence("Waste")
HAND = Sentence("Hand")
DISCARDED = Sentence("Discarded")
FOUNDATIONS = Sentence("Foundations")
OLDER = Sentence("{n} older")
BUTTON_DEAL = Sentence("Deal ({n})")
BUTTON_UNDO = Sentence("Undo")
BUTTON_MORE = Sentence("More")
BUTTON_BACK = Sentence("Back to the board")
BUTTON_FORFEIT = Sentence("Forfeit")
BUTTON_REALLY_FORFEIT = Sentence("Yes, give up")
CALL_DRAW = Sentence("Draw")
CALL_DISCARD = Sentence("Discard {n}")
CALL_RECYCLE = Sentence("Recycle")
FORFEIT_ASK = Sentence("**Give up this race?** You will be placed last. This cannot be taken back.")
NOTE_MISTAKE = Sentence("❌ **Not now.** That call costs 5 seconds.")
NOTE_STALE = Sentence("-# The board had moved on, so that press did nothing. This is how it stands.")
NOTE_UNDONE = Sentence("-# Taken back.")
PICKED = Sentence("**{pile}** is picked: press where its card goes, or press it again to let go.")

ENDS: Mapping[EndReason, Sentence] = MappingProxyType(
    {
        EndReason.WON: Sentence("🏆 **Won** in {time}"),
        EndReason.STUCK: Sentence("**No moves left**, after {time}"),
        EndReason.DEAD: Sentence("**It can no longer be won**, after {time}"),
        EndReason.TIME: Sentence("**Time is up**"),
        EndReason.FORFEIT: Sentence("**Forfeited** after {time}"),
    }
)
END_WAIT = Sentence("-# The result comes to the channel when everybody is done.")

# --- the result ----------------------------------------------------------------------------------------------
RESULT_TITLE = Sentence("### {game}: result")
RESULT_LINE = Sentence("{medal} **{name}** · {end} · {details}")
RESULT_RULE = Sentence(
    "-# Won before not won; then fewer cards left; then less time with penalties; forfeits last. Equal is equal."
)
RESULT_DEAL = Sentence("-# Deal `{code}` · salt `{salt}` · SHA-256 `{hash}`")

# --- refusals ------------------------------------------------------------------------------------------------
UNEXPECTED = Sentence(
    "Something went wrong on my side; nothing was changed. Try again, and if it happens again, tell the operator "
    "the reference `{reference}`."
)
UNKNOWN_COMMAND = Sentence("This command has changed. Restart Discord and type it again.")

PHASES: Mapping[Phase, Sentence] = MappingProxyType(
    {
        Phase.OPEN: Sentence("That is not possible yet: the race has not started."),
        Phase.COUNTDOWN: Sentence("That is not possible now: the countdown is running."),
        Phase.RUNNING: Sentence("That is not possible now: the race is running."),
        Phase.FINISHED: Sentence("That is not possible any more: the race is finished."),
        Phase.CANCELLED: Sentence("That is not possible any more: the race was cancelled."),
    }
)

EXPLANATIONS: Mapping[type[Exception], Sentence] = MappingProxyType(
    {
        errors.UnknownGameKeyError: Sentence("There is no game “{key}”. Pick one from the list."),
        errors.BadSeedError: Sentence(
            "That seed does not work: use 1 to {limit} characters that can be printed, or leave it out."
        ),
        errors.BadMinutesError: Sentence("The time limit must be between {least} and {most} minutes."),
        errors.ServerOnlyError: Sentence("Races need a server: use this command in a server's channel."),
        errors.BotPlayerError: Sentence("Bots cannot play."),
        errors.BusyError: Sentence(
            "You are in a live race on this server already, in <#{channel}>. Leave or finish that one first."
        ),
        errors.UnknownRaceError: Sentence(
            "I do not know this race any more. Start a new one with `/race new`."
        ),
        errors.UnknownBoardError: Sentence(
            "I do not know this board any more. `/board` shows the current one."
        ),
        errors.ForeignBoardError: Sentence("This is <@{owner}>'s board. `/board` shows your own."),
        errors.NotStartedError: Sentence("The race has not started yet. Your board comes at the start."),
        errors.TimeOverError: Sentence("The time limit has passed, so this press does not count."),
        errors.NoMoveThereError: Sentence("There is no move there."),
        errors.NoBoardError: Sentence("You have no board here. Start a race with `/race new`."),
        errors.BadButtonError: Sentence("That is no button of mine, so nothing happened."),
        errors.MissingPermissionError: Sentence(
            "I may not do that in <#{channel}>: I need the permission **{permission}** there. "
            "Somebody who manages the server can grant it."
        ),
        errors.UnavailableError: Sentence(
            "I cannot save anything at the moment, so nothing was changed. Try again in a minute."
        ),
        engine_errors.IllegalMoveError: Sentence("That move is not possible now."),
        engine_errors.UndoError: Sentence(
            "Nothing to take back: a move that showed a new card stands, and so does all before it."
        ),
        engine_errors.AttemptOverError: Sentence("This game is over."),
        engine_errors.RaceFullError: Sentence("The race is full: it takes {limit} players."),
        engine_errors.AlreadyInRaceError: Sentence("You are in this race already."),
        engine_errors.NotInRaceError: Sentence("You are not in this race."),
        engine_errors.NotHostError: Sentence("Only the host of the race may do that."),
        engine_errors.HostIsHereError: Sentence(
            "Only the host may start the race, unless the host is silent for three minutes ({seconds} s to go)."
        ),
        engine_errors.RemovedFromRaceError: Sentence("The host has removed you from this race."),
    }
)


def explain(error: Exception) -> str | None:
    """Returns what a player is told of *error*, or None if it is none that a player can understand."""
    if isinstance(error, engine_errors.WrongPhaseError):
        return say(PHASES[Phase(error.phase)])
    for kind in type(error).__mro__:
        if kind in EXPLANATIONS:
            fields = {key: value for key, value in vars(error).items() if isinstance(value, (str, int))}
            if isinstance(error, engine_errors.HostIsHereError):
                fields["seconds"] = -(-error.wait // 1000)
            if "key" in fields:
                fields["key"] = harmless(str(fields["key"]))
            return say(EXPLANATIONS[kind], **fields)
    return None


def call_label(move: Move) -> str:
    """Returns what the button of a call says."""
    if role(move.source) is Role.STOCK:
        return say(CALL_DRAW)
    return say(CALL_RECYCLE) if role(move.target) is Role.HAND else say(CALL_DISCARD, n=move.count)
