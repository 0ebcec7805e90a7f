"""``same-deal moderate``: what the operator judges, on all servers, while the bot runs or not."""

from __future__ import annotations

import argparse
import asyncio
import re
import secrets
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from importlib.resources.abc import Traversable

from bot.clock import SystemClock
from bot.errors import UnknownRaceError, UserError
from bot.periods import date_of
from bot.services.attempts import Attempts
from bot.services.day_ends import DayEnds
from bot.services.moderation import MAX_REASON, Judge, Moderation
from bot.services.pool import Pool
from bot.services.races import Races
from bot.services.standings import Standings
from bot.snowflake import snowflake_at
from bot.store.database import Database, open_database
from bot.store.moderation import OPERATOR, Deed
from bot.text.refusals import explain
from engine import GAMES, UnknownGameError, find_game

RACES, PLAYERS, LISTING = (Deed.VOID, Deed.RESTORE), (Deed.DISQUALIFY, Deed.REINSTATE), (Deed.BAN, Deed.UNBAN)
MAX_ID = 2**63 - 1
_HELP = {
    Deed.VOID: "take races, or a daily, out of all counts",
    Deed.RESTORE: "take void races, or a daily, back",
    Deed.DISQUALIFY: "take a player out of a race or a daily",
    Deed.REINSTATE: "take a disqualified player back",
    Deed.BAN: "keep a player off the world boards",
    Deed.UNBAN: "allow a player on the world boards again",
}


def add_moderate_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what ``same-deal moderate`` understands to its *parser*."""
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
    for deed, help_ in _HELP.items():
        made = deeds.add_parser(deed.value, help=help_)
        made.add_argument("--reason", required=True, type=_reason, help="why; shown with the results")
        if deed in LISTING:
            made.add_argument("player", type=_id, metavar="PLAYER", help="the player's Discord id")
            continue
        made.add_argument("--race", type=_id, metavar="ID", help="one race, named by its id")
        made.add_argument("--day", type=_day, metavar="DATE", help="a daily, with --game")
        made.add_argument(
            "--game", type=_game, metavar="KEY", help="the daily's game, or only races of this game"
        )
        if deed in PLAYERS:
            made.add_argument(
                "--player", type=_id, required=True, metavar="ID", help="the player's Discord id"
            )
            continue
        made.add_argument(
            "--from", dest="first", type=_instant, metavar="TIME", help="races that ended from here"
        )
        made.add_argument("--to", dest="end", type=_instant, metavar="TIME", help="until before here (UTC)")
        made.add_argument("--server", type=_id, metavar="ID", help="only races of this server")
        made.add_argument("--dry-run", action="store_true", help="only say how many races it would be")
    audit = deeds.add_parser("audit", help="what was judged: by the operator, or on a server")
    audit.add_argument("--server", type=_id, default=OPERATOR, metavar="ID", help="the log of this server")


def moderate(arguments: argparse.Namespace, url: str, migrations: Traversable) -> int:
    """Does what *arguments* ask and returns the exit code: 0 done, 1 refused.

    :raises DatabaseError: if the database cannot be used.
    """
    return asyncio.run(_moderate(arguments, url, migrations))


async def _moderate(arguments: argparse.Namespace, url: str, migrations: Traversable) -> int:
    async with await open_database(url, migrations, beside=True) as db:
        try:
            return await _run(arguments, db)
        except UserError as error:
            _say(_told(error, arguments.race if "race" in arguments else None))
            return 1


async def _run(arguments: argparse.Namespace, db: Database) -> int:
    attempts, standings = Attempts(db), Standings(db)
    day_ends = DayEnds(db, attempts, standings)
    moderation = Moderation(db, Races(db, attempts, Pool(db)), standings, day_ends)
    if arguments.deed == "audit":
        return await _audit(moderation, arguments.server)
    deed = Deed(arguments.deed)
    judge = judges(SystemClock().now(), arguments.reason)
    if deed in LISTING:
        await moderation.bar(judge(), arguments.player, barred=deed is Deed.BAN)
        _say(f"player {arguments.player}: {deed}")
        return 0
    if arguments.day is not None and arguments.game is not None:
        if deed in PLAYERS:
            await moderation.judge_daily(judge(), deed, arguments.day, arguments.game, arguments.player)
        else:
            await moderation.judge_day(judge(), deed, arguments.day, arguments.game)
        _say(f"daily {arguments.game} of {date_of(arguments.day)}: {deed}")
        return 0
    if deed in PLAYERS and arguments.race is not None:
        one = moderation.disqualify if deed is Deed.DISQUALIFY else moderation.reinstate
        await one(judge(), arguments.race, arguments.player)
        _say(f"player {arguments.player} in race {arguments.race}: {deed}")
        return 0
    if deed in RACES:
        return await _judge_races(arguments, moderation, deed, judge)
    _say("say which: --race ID, or --day DATE --game KEY")
    return 1


async def _judge_races(
    arguments: argparse.Namespace, moderation: Moderation, deed: Deed, judge: Callable[[], Judge]
) -> int:
    if arguments.race is not None:
        races = [arguments.race]
    elif arguments.first is not None and arguments.end is not None:
        races = await moderation.between(
            arguments.first, arguments.end, game=arguments.game, guild=arguments.server
        )
    else:
        _say("say which: --race ID, --from TIME --to TIME, or --day DATE --game KEY")
        return 1
    if arguments.dry_run:
        _say(f"{len(races)} races")
        return 0
    change: Callable[[Judge, int], Awaitable[object]] = (
        moderation.void if deed is Deed.VOID else moderation.restore
    )
    done = 0
    for race in races:
        try:
            await change(judge(), race)
            done += 1
        except UserError as error:
            _say(f"race {race}: {_told(error, race)}")
    _say(f"{done} of {len(races)} races: {deed}. Ratings and messages follow while the bot runs.")
    return 0 if done or not races else 1


def _told(error: UserError, race: int | None) -> str:
    """Returns what is said of an *error*, which speaks to players otherwise."""
    if isinstance(error, UnknownRaceError):
        return f"There is no race with the id {race}."
    return explain(error) or type(error).__name__


async def _audit(moderation: Moderation, guild: int) -> int:
    page, pages = 0, 1
    while page < pages:
        log = await moderation.audit(guild, page)
        for entry in log.entries:
            when = datetime.fromtimestamp(entry.at / 1000, UTC).isoformat(timespec="seconds")
            daily = None if entry.day is None else f"{entry.game} {date_of(entry.day)}"
            what = " ".join(str(each) for each in (entry.race, daily, entry.player) if each is not None)
            _say(f"{when} {entry.moderator or 'operator'} {entry.deed} {what}: {entry.reason}")
        page, pages = page + 1, log.pages
        if not log.entries:
            _say("Nothing has been judged yet.")
    return 0


def judges(now: int, reason: str) -> Callable[[], Judge]:
    """Returns what makes the operator's judgements, each with a name of its own in the audit log."""
    first = snowflake_at(now) + secrets.randbelow(1 << 21)
    made = 0

    def judge() -> Judge:
        nonlocal made
        made += 1
        return Judge(first + made, OPERATOR, OPERATOR, now, reason)

    return judge


def _reason(text: str) -> str:
    if not 1 <= len(text.strip()) <= MAX_REASON:
        raise argparse.ArgumentTypeError(f"1 to {MAX_REASON} characters")
    return text.strip()


def _id(text: str) -> int:
    if not re.fullmatch(r"\d{1,19}", text, re.ASCII) or int(text) > MAX_ID:
        raise argparse.ArgumentTypeError(f"{text!r} is not an id, which is a number of Discord's")
    return int(text)


def _game(text: str) -> str:
    try:
        return find_game(text).key
    except UnknownGameError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a game: {', '.join(each.key for each in GAMES)}"
        ) from None


def _day(text: str) -> int:
    try:
        return (date.fromisoformat(text) - date_of(0)).days
    except ValueError:
        raise argparse.ArgumentTypeError("a date such as 2026-11-30") from None


def _instant(text: str) -> int:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a time such as 2026-11-30 or 2026-11-30T18:00") from None
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
