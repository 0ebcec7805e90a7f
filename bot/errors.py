"""What a player can be told went wrong.

::

    Exception
    └── UserError              shown to the player who asked, to nobody else; nothing has changed
        ├── UnknownGameKeyError     no game has this key
        ├── BadSeedError            the seed is empty, too long or not printable
        ├── BadMinutesError         the time limit is out of range
        ├── ServerOnlyError         asked in a direct message
        ├── BotPlayerError          asked by or for a bot account
        ├── BusyError               already in a live race on this server
        ├── UnknownRaceError        the race is not (or no longer) known here
        ├── RaceNotFinishedError    the race is not finished
        ├── StrangerError           nothing of this player may be shown here
        ├── NoReplayError           there is nothing to watch
        ├── ReplayClosedError       others are still playing that deal
        ├── FilmingError            a film is being drawn for this player already
        ├── UnknownBoardError       the board is not known here
        ├── ForeignBoardError       somebody else's board
        ├── NotStartedError         the start instant has not come
        ├── TimeOverError           the time limit has passed
        ├── NoBoardError            the player has no board here
        ├── NoSeatError             the player is in no race here
        ├── NoMoveThereError        that button does nothing here and now
        ├── NoAidError              no hints, typed or automatic moves in this game or race
        ├── NoHintNowError          nobody can think of a hint at the moment
        ├── NoDailyError            there was no daily on that day
        ├── BadDateError            that is no date
        ├── DailyNotOverError       a daily's figures are sealed until one is done with it
        ├── DailyClosedError        today's daily is closed already
        ├── DailySpentError         today's daily was begun before everything was deleted
        ├── NotManagerError         only for those who manage the server
        ├── NoDailySetupError       the server has no daily post that could be changed
        ├── BadZoneError            no time zone has this name
        ├── BadRoleError            that role cannot be told of the daily
        ├── BadButtonError          a custom id that this bot never made
        ├── AlreadyJudgedError      a judgement that stands already
        ├── NotInThatRaceError      that player was not in the race
        ├── NoDailyResultError      that player has no such daily on this server
        ├── UnknownPlayerError      nobody of that id has ever played
        ├── ChannelClosedError      no races in this channel
        ├── GameClosedError         this game is not raced on this server
        ├── RoleNeededError         only those with a role may open races here
        ├── TooManyRacesError       too many races were opened here in a short time
        ├── TooManyPressesError     one player presses faster than anybody can
        ├── InRaceError             first leave or finish the live race
        ├── MissingPermissionError  the bot lacks a permission in a channel
        ├── MayNotWriteError        the player may not write in this channel
        └── UnavailableError        the store cannot save at the moment
            └── UncertainSaveError      the store was lost while it saved

The engine's own errors (:mod:`engine.errors`) are shown to players as well; :mod:`bot.text` has a sentence for
each of both trees.
"""

from __future__ import annotations


class UserError(Exception):
    """A request that is refused; the player is told why in a private sentence."""


class UnknownGameKeyError(UserError):
    """No game has the key *key*."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class BadSeedError(UserError):
    """The seed is empty, longer than *limit* characters or holds characters that cannot be printed."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class BadMinutesError(UserError):
    """The time limit is not between *least* and *most* minutes."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.least, self.most = least, most


class ServerOnlyError(UserError):
    """The command works in servers only."""


class BotPlayerError(UserError):
    """A bot account cannot play."""


class BusyError(UserError):
    """The player is in a live race on this server already, the one named *race*."""

    def __init__(self, race: int, channel: int) -> None:
        super().__init__(race)
        self.race, self.channel = race, channel


class UnknownRaceError(UserError):
    """The race is not known."""


class RaceNotFinishedError(UserError):
    """The race is not finished, so there is no result yet."""


class StrangerError(UserError):
    """The player has never played on this server and is not listed everywhere, so nothing is shown here."""


class NoReplayError(UserError):
    """There is no attempt to watch: none is known by this name, or none that the asker may know of."""


class ReplayClosedError(UserError):
    """The deal of the attempt is not over for the asker."""


class FilmingError(UserError):
    """A film is being drawn for this player already."""


class UnknownBoardError(UserError):
    """The board is not known."""


class ForeignBoardError(UserError):
    """The board belongs to the player *owner*."""

    def __init__(self, owner: int) -> None:
        super().__init__(owner)
        self.owner = owner


class NotStartedError(UserError):
    """The race starts at *start_at*, in milliseconds since 1970."""

    def __init__(self, start_at: int) -> None:
        super().__init__(start_at)
        self.start_at = start_at


class TimeOverError(UserError):
    """The press was made after the time limit."""


class NoSeatError(UserError):
    """The player is in no live race of the server."""


class NoBoardError(UserError):
    """The player has no board here."""


class NoMoveThereError(UserError):
    """The pressed pile has no move in this position."""


class NoAidError(UserError):
    """This game or this race allows no hints, typed or automatic moves."""


class NoDailyError(UserError):
    """There was no daily on that day."""


class BadDateError(UserError):
    """What was typed is no date, or one that has not come."""


class DailyNotOverError(UserError):
    """The figures of a daily are sealed for the player until it is closed at *at*, in ms since 1970."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at, self.seconds = at, at // 1000


class DailyClosedError(UserError):
    """Today's daily is closed already: the bot's clock has been set back."""


class DailySpentError(UserError):
    """The player began this daily before having everything deleted; nobody begins one twice."""


class NotManagerError(UserError):
    """Only those who may manage the server can do that."""


class NoDailySetupError(UserError):
    """The server has no daily post: a channel has to be chosen first."""


class BadZoneError(UserError):
    """No time zone has this name."""


class BadRoleError(UserError):
    """The role is everybody's, or one that only Discord gives."""


class NoHintNowError(UserError):
    """A hint could not be found out in time; nothing was counted."""


class BadButtonError(UserError):
    """The custom id is none that this bot makes."""


class AlreadyJudgedError(UserError):
    """The judgement stands already."""


class NotInThatRaceError(UserError):
    """The player whom a moderator has named was not in the race."""


class NoDailyResultError(UserError):
    """The player whom a moderator has named has not begun that daily on this server."""


class UnknownPlayerError(UserError):
    """No player has that id."""


class ChannelClosedError(UserError):
    """Races are opened in other channels of the server; *channels* mentions them."""

    def __init__(self, channels: str) -> None:
        super().__init__(channels)
        self.channels = channels


class GameClosedError(UserError):
    """The game is not raced on this server."""


class RoleNeededError(UserError):
    """Only those with the *role* may open races on this server."""

    def __init__(self, role: int) -> None:
        super().__init__(role)
        self.role = role


class TooManyRacesError(UserError):
    """Too many races were opened; there is room again within *minutes*."""

    def __init__(self, minutes: int) -> None:
        super().__init__(minutes)
        self.minutes = minutes


class TooManyPressesError(UserError):
    """So many presses of one player are under way that another one has to wait."""


class InRaceError(UserError):
    """The player is in a live race, so that not everything can be deleted now."""

    def __init__(self, channel: int) -> None:
        super().__init__(channel)
        self.channel = channel


class MissingPermissionError(UserError):
    """The bot lacks *permission*, by discord.py's name, in the channel *channel*."""

    def __init__(self, permission: str, channel: int) -> None:
        super().__init__(permission, channel)
        self.permission, self.channel = permission, channel


class MayNotWriteError(UserError):
    """The player may not write in this channel, so nothing is posted there for that one."""


class UnavailableError(UserError):
    """The store cannot save; nothing was changed."""


class UncertainSaveError(UnavailableError):
    """The store was lost while it saved, so that nobody can say yet whether anything was changed."""
