"""A leaderboard: a page of lines, the asker's own, and the ways to every other board."""

from __future__ import annotations

from bot.periods import Span
from bot.services.leaderboard import Leaderboard, Metric, Place, Scope, Wish
from bot.store.standings import Line
from bot.text import count, decimal, duration, instant, say
from bot.text import leaderboard as board_text
from bot.text import result as result_text
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.ids import LEADERBOARD, make_id
from bot.views.payload import Button, ButtonStyle, Inner, Message, Option, Row, button, container, menu, row
from bot.views.payload import text as words
from engine import GAMES, find_game
from engine.scoring import DRAWN_DEALS, LEAST_DEALS, MIDDLE, UNITS

ACCENT = 0xE8B923
ALL_GAMES = "all"
"""Stands for all games in custom ids."""


def leaderboard(shown: Leaderboard) -> Message:
    """Returns a page of a board for the one who has asked for it."""
    wish = shown.wish
    parts: list[Inner] = [words(_head(shown)), words(_lines(shown))]
    if not wish.needs_game:
        parts.append(words(_own(shown)))
    parts += [words(_foot(shown)), row(*_turns(shown)), _metrics(wish), _games(wish), _spans(wish)]
    parts.append(row(*_scopes(wish), _share(wish)))
    return Message.of(container(parts, ACCENT))


def _share(wish: Wish) -> Button:
    return button(say(board_text.BUTTON_SHARE), wish_id("share", wish), disabled=wish.needs_game)


def shared_leaderboard(shown: Leaderboard) -> Message:
    """Returns a page of a board for everybody: nobody's own line is on it, and who wants more opens it alone."""
    open_own = button(say(board_text.BUTTON_OPEN), wish_id("open", shown.wish))
    parts: list[Inner] = [words(_head(shown)), words(_lines(shown)), words(_foot(shown)), row(open_own)]
    return Message.of(container(parts, ACCENT))


def value_of(metric: Metric, line: Line) -> str:
    """Returns what a line counts, with what it comes from."""
    value = line.value or 0
    match metric:
        case Metric.RATING:
            races = count(board_text.RACES_ONE, board_text.RACES, line.races)
            return say(board_text.RATING_VALUE, rating=value, races=races)
        case Metric.WINS:
            wins = count(board_text.WINS_VALUE_ONE, board_text.WINS_VALUE, value)
            return say(
                board_text.IN_RACES,
                wins=wins,
                races=count(board_text.RACES_ONE, board_text.RACES, line.races),
            )
        case Metric.POINTS:
            dailies = count(board_text.DAILIES_ONE, board_text.DAILIES, line.deals)
            return say(board_text.POINTS_VALUE, points=per_cent(value), dailies=dailies)
        case Metric.TIME:
            return say(board_text.TIME_VALUE, time=duration(value))
        case Metric.STREAK:
            return count(board_text.DAYS_ONE, board_text.DAYS, value)


def per_cent(units: int) -> str:
    """Returns match points with two decimals, rounded down."""
    whole, rest = divmod(units * 100 // UNITS, 100)
    return decimal(whole, f"{rest:02}")


def wish_id(verb: str, wish: Wish) -> str:
    """Returns the custom id of what asks for a board."""
    return make_id(LEADERBOARD, verb, wish.metric, wish.game or ALL_GAMES, wish.scope, wish.span, wish.page)


def _head(shown: Leaderboard) -> str:
    wish = shown.wish
    of_one_game = wish.game is not None and wish.metric is not Metric.STREAK
    about = say(
        board_text.ABOUT,
        game=game_name(find_game(wish.game)) if of_one_game and wish.game else say(board_text.ALL_GAMES),
        scope=say(board_text.SCOPES[wish.scope]),
        span=say(board_text.SPANS[wish.span] if _has_period(wish) else board_text.GOES_ON),
    )
    return f"{say(board_text.TITLE, metric=say(board_text.METRICS[wish.metric]))}\n{about}"


def _lines(shown: Leaderboard) -> str:
    if shown.wish.needs_game:
        return say(board_text.PICK_GAME)
    if not shown.places:
        return say(board_text.EMPTY)
    return "\n".join(_line(shown, place) for place in shown.places)


def _line(shown: Leaderboard, place: Place) -> str:
    number = place.place or 0
    return say(
        board_text.LINE,
        place=result_text.MEDALS.get(number, f"`{number}.`"),
        name=name_of(place.line.player, shown.names),
        value=value_of(shown.wish.metric, place.line),
    )


def _own(shown: Leaderboard) -> str:
    own = shown.own
    if own is None:
        return say(board_text.OWN_NONE)
    value = value_of(shown.wish.metric, own.line)
    if own.place is None:
        return say(board_text.OWN_HIDDEN, value=value)
    return say(board_text.OWN, place=own.place, total=shown.total, value=value)


def _foot(shown: Leaderboard) -> str:
    rule = say(board_text.RULES[shown.wish.metric], drawn=DRAWN_DEALS, middle=MIDDLE, least=LEAST_DEALS)
    lines = [rule]
    if (end := shown.period.end) is not None and _has_period(shown.wish):
        lines.insert(0, say(board_text.RESETS, relative=instant(end), date=instant(end, "f")))
    if shown.pages > 1:
        lines.insert(0, say(board_text.PAGE, page=shown.wish.page + 1, pages=shown.pages))
    return "\n".join(lines)


def _has_period(wish: Wish) -> bool:
    """Tells whether the board is that of a period: streaks are those that go on, or the longest of all time."""
    return wish.metric is not Metric.STREAK or wish.span is Span.ALL


def _turns(shown: Leaderboard) -> list[Button]:
    wish, last = shown.wish, shown.pages - 1
    turns = (("first", "⏮", 0), ("back", "◀", wish.page - 1), ("on", "▶", wish.page + 1), ("last", "⏭", last))
    made = [
        button(
            "",
            wish_id(verb, wish.turned_to(max(0, page))),
            disabled=page == wish.page or not 0 <= page <= last,
            emoji={"name": sign},
        )
        for verb, sign, page in turns
    ]
    own = shown.own_page
    made.append(
        button(
            say(board_text.BUTTON_OWN),
            wish_id("own", wish.turned_to(own or 0)),
            disabled=own is None or own == wish.page,
        )
    )
    return made


def _metrics(wish: Wish) -> Row:
    options: list[Option] = [
        {"label": say(board_text.METRICS[metric]), "value": metric.value, "default": metric is wish.metric}
        for metric in Metric
    ]
    return menu(wish_id("metric", wish.turned_to(0)), options, say(board_text.PICK_METRIC))


def _games(wish: Wish) -> Row:
    options: list[Option] = [
        {"label": say(board_text.ALL_GAMES), "value": ALL_GAMES, "default": wish.game is None},
        *(Option(label=game_name(rules), value=rules.key, default=rules.key == wish.game) for rules in GAMES),
    ]
    return menu(wish_id("game", wish.turned_to(0)), options, say(board_text.PICK_ONE_GAME))


def _spans(wish: Wish) -> Row:
    options: list[Option] = [
        {"label": say(board_text.SPANS[span]), "value": span.value, "default": span is wish.span}
        for span in Span
    ]
    return menu(wish_id("span", wish.turned_to(0)), options, say(board_text.PICK_SPAN))


def _scopes(wish: Wish) -> list[Button]:
    scopes = ((Scope.SERVER, board_text.BUTTON_SERVER), (Scope.WORLD, board_text.BUTTON_WORLD))
    return [
        button(
            say(label),
            wish_id(scope, Wish(wish.metric, wish.game, scope, wish.span)),
            ButtonStyle.PRIMARY if scope is wish.scope else ButtonStyle.SECONDARY,
            disabled=scope is wish.scope,
        )
        for scope, label in scopes
    ]
