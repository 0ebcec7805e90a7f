"""What a player is told of each error."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bot import errors
from bot.text import Sentence, harmless, say
from bot.text.permissions import permission_name
from engine import Phase
from engine import errors as engine_errors

UNEXPECTED = Sentence(
    "Something went wrong on my side. Try again; if it happens again, tell the operator the reference "
    "`{reference}`."
)
LATE = Sentence("That took me longer than usual; here it is.")
LATE_FORM = Sentence("I was too slow to open the form. Press the button again.")
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
            "I know no such race here. `/race history` lists the finished ones, and `/race new` opens one."
        ),
        errors.RaceNotFinishedError: Sentence(
            "This race is not finished, so there is no result yet. Try again when it is."
        ),
        errors.StrangerError: Sentence(
            "There is nothing to show: this player has not raced on this server and is not on the world boards."
        ),
        errors.NoReplayError: Sentence(
            "There is nothing to watch. `/race history` lists the races of this server; give me the link to one, "
            "or finish a game first."
        ),
        errors.ReplayClosedError: Sentence(
            "This deal is still being played. Its replays are open to you once it is over for you."
        ),
        errors.FilmingError: Sentence("Your last film is still being drawn. Wait for it, then ask again."),
        errors.UnknownBoardError: Sentence(
            "I do not know this board any more. `/board` shows the current one."
        ),
        errors.ForeignBoardError: Sentence("This is <@{owner}>'s board. `/board` shows your own."),
        errors.NotStartedError: Sentence("The race has not started yet. Your board comes at the start."),
        errors.TimeOverError: Sentence("The time limit has passed, so this press does not count."),
        errors.NoMoveThereError: Sentence("There is no move there."),
        errors.NoSeatError: Sentence("You are in no race on this server."),
        errors.NoBoardError: Sentence(
            "You have no board here. Start a race with `/race new`, or play alone with `/play`."
        ),
        errors.NoAidError: Sentence("There is no such help in this game or in a ranked race."),
        errors.NoDailyError: Sentence("There was no daily on that day."),
        errors.BadDateError: Sentence(
            "Type the date as in 2026-11-30; it cannot be one that is still to come."
        ),
        errors.DailyNotOverError: Sentence(
            "That is sealed until you are done with this deal, or until it is over <t:{seconds}:R>."
        ),
        errors.DailyClosedError: Sentence(
            "Today's deal is closed already: my clock was wrong. The next one comes at midnight UTC."
        ),
        errors.DailySpentError: Sentence(
            "You began this daily before you had your data deleted, and nobody begins one twice. "
            "The next one comes at midnight UTC."
        ),
        errors.NotManagerError: Sentence("That is for people with the permission **Manage Server**."),
        errors.NoDailySetupError: Sentence("Choose a channel for the daily post first."),
        errors.BadZoneError: Sentence(
            "I know no such time zone. Pick one from the list, as in Europe/Berlin."
        ),
        errors.BadRoleError: Sentence(
            "That role does not work here. Choose one that you can give to people: neither @everyone nor a bot's "
            "own."
        ),
        errors.NoHintNowError: Sentence(
            "I cannot think of a hint at the moment; none was counted. Try again."
        ),
        errors.BadButtonError: Sentence("That is no button of mine, so nothing happened."),
        errors.AlreadyJudgedError: Sentence("It is like that already, so nothing was changed."),
        errors.NotInThatRaceError: Sentence("That player is not in this race."),
        errors.NoDailyResultError: Sentence(
            "That player has no such daily on this server. A daily is judged where it was begun."
        ),
        errors.UnknownPlayerError: Sentence("Nobody with that id has ever played."),
        errors.ChannelClosedError: Sentence("No races are opened in this channel. Try {channels}."),
        errors.GameClosedError: Sentence("This game is not raced on this server. Pick another one."),
        errors.RoleNeededError: Sentence(
            "On this server only those with <@&{role}> open races; all may join."
        ),
        errors.TooManyRacesError: Sentence(
            "Too many races were opened here in a short time. Join one that waits, or try again in {minutes} min."
        ),
        errors.TooManyPressesError: Sentence(
            "You press faster than I can follow, so this press did nothing. Wait for the board."
        ),
        errors.InRaceError: Sentence(
            "You are in a live race in <#{channel}>. Leave or finish it first, then ask again."
        ),
        errors.MissingPermissionError: Sentence(
            "I may not do that in <#{channel}>: I need the permission **{permission}** there. "
            "Somebody who manages the server can grant it."
        ),
        errors.MayNotWriteError: Sentence(
            "You may not write in this channel, so I post nothing here for you. Try it where you may write."
        ),
        errors.UnavailableError: Sentence(
            "I cannot save anything at the moment, so nothing was changed. Try again in a minute."
        ),
        errors.UncertainSaveError: Sentence(
            "I lost my database while saving and cannot say whether this counted. "
            "Look in a minute before you repeat it."
        ),
        engine_errors.UnknownGameError: Sentence(
            "The rules of this game have been corrected since this was dealt, so it cannot be played or shown any more."
        ),
        engine_errors.IllegalMoveError: Sentence("That move is not possible now."),
        engine_errors.UndoError: Sentence(
            "Nothing to take back: a move that showed a new card stands, and so does all before it."
        ),
        engine_errors.AttemptOverError: Sentence("This game is over."),
        engine_errors.RaceFullError: Sentence("The race is full: it takes {limit} players."),
        engine_errors.AlreadyInRaceError: Sentence("You are in this race already."),
        engine_errors.NotInRaceError: Sentence(
            "You are not in this race. One can join until the countdown begins."
        ),
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
            if isinstance(error, errors.MissingPermissionError):
                fields["permission"] = permission_name(error.permission)
            if "key" in fields:
                fields["key"] = harmless(str(fields["key"]))
            return say(EXPLANATIONS[kind], **fields)
    return None
