"""A list of past races, with the links to their messages and the way to their replays."""

from __future__ import annotations

from bot.services.history import PAGE, History, winners
from bot.store.history import PastRace
from bot.text import Sentence, instant, say
from bot.text import history as history_text
from bot.text.games import game_name
from bot.text.names import name_of, plain_name_of
from bot.views.board import ACCENT
from bot.views.ids import HISTORY, make_id
from bot.views.payload import Button, Inner, Message, Option, Row, button, container, menu, row
from bot.views.payload import text as words
from engine import UnknownGameError, find_game

LONGEST_OPTION = 100
NAMED = 3
"""How many winners a choice names at most."""


def history(shown: History) -> Message:
    """Returns a page of past races."""
    player = shown.player
    if player is None:
        title, empty = say(history_text.TITLE), say(history_text.EMPTY)
    else:
        name = name_of(player, shown.names)
        title = say(history_text.TITLE_PLAYER, name=name)
        empty = say(history_text.EMPTY_PLAYER, name=name)
    if not shown.races:
        return Message.of(container([words(f"{title}\n{empty}")], ACCENT))
    lines = [title, *(_line(shown, race) for race in shown.races)]
    foot = say(history_text.PAGE, page=shown.page + 1, pages=shown.pages, total=shown.total)
    parts: list[Inner] = [words("\n".join(lines)), words(foot)]
    if shown.pages > 1:
        parts.append(row(*_turns(shown)))
    parts.append(_replays(shown))
    return Message.of(container(parts, ACCENT))


def choice_of(shown: History, number: int, race: PastRace) -> str:
    """Returns a race as it can be chosen, the *number*-th of its page, its winners named."""
    names = ", ".join(plain_name_of(player, shown.names) for player in winners(race)[:NAMED])
    template = history_text.CHOICE if names else history_text.CHOICE_NOBODY
    label = say(template, number=number, game=_game(race), names=names)
    return label[:LONGEST_OPTION]


def _line(shown: History, race: PastRace) -> str:
    values = {"date": instant(race.ended_at, "d"), "game": _game(race), "outcome": _outcome(shown, race)}
    template: Sentence = history_text.LINE
    if race.message is not None:
        template = history_text.LINE_LINK
        values["link"] = f"https://discord.com/channels/{shown.guild}/{race.channel}/{race.message}"
    line = say(template, **values)
    return say(history_text.VOIDED, line=line) if race.is_voided else line


def _outcome(shown: History, race: PastRace) -> str:
    first, entrants = winners(race), len(race.finishers)
    if not first:
        outcome = say(history_text.NO_WINNER, entrants=entrants)
    elif len(first) == 1:
        outcome = say(history_text.WON_ALONE, name=name_of(first[0], shown.names), entrants=entrants)
    else:
        outcome = say(
            history_text.WON_TOGETHER,
            name=name_of(first[0], shown.names),
            others=len(first) - 1,
            entrants=entrants,
        )
    own = next((each for each in race.finishers if each.player == shown.player), None)
    if own is None or own.player in first:
        return outcome
    name = name_of(own.player, shown.names)
    if own.place is None:
        return say(history_text.OWN_OUT, outcome=outcome, name=name)
    return say(history_text.OWN_PLACE, outcome=outcome, name=name, place=own.place)


def _game(race: PastRace) -> str:
    try:
        return game_name(find_game(race.game))
    except UnknownGameError:
        return race.game


def _turns(shown: History) -> list[Button]:
    page, last = shown.page, shown.pages - 1
    turns = (("first", "⏮️", 0), ("back", "◀️", page - 1), ("on", "▶️", page + 1), ("last", "⏭️", last))
    return [
        button(
            "",
            make_id(HISTORY, verb, shown.player or 0, min(max(0, to), last)),
            disabled=to == page or not 0 <= to <= last,
            emoji={"name": sign},
        )
        for verb, sign, to in turns
    ]


def _replays(shown: History) -> Row:
    options: list[Option] = [
        {"label": choice_of(shown, number, race), "value": str(race.id)}
        for number, race in enumerate(shown.races, start=1 + shown.page * PAGE)
    ]
    custom_id = make_id(HISTORY, "watch", shown.player or 0, shown.page)
    return menu(custom_id, options, say(history_text.PICK_REPLAY))
