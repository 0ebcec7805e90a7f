"""A daily as a player may see it: what is open before it is played, its results, and those of past days."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Final

from bot.periods import date_of
from bot.render.trends import histogram_alt
from bot.services.dailies import DAILY_GAMES, closes_at, ends_at
from bot.services.daily_results import Chart, DailyView, Figures, Place, Table
from bot.services.prover import Proof, Winnable
from bot.store.dailies import PLAYED_OUT, Daily
from bot.store.daily_boards import Line
from bot.text import Sentence, code, count, decimal, duration, harmless, instant, say, translate
from bot.text import daily as daily_text
from bot.text import result as result_text
from bot.text.games import game_name
from bot.text.names import name_of
from bot.views.board import counts
from bot.views.ids import DAILY, make_id
from bot.views.moderation import TOLD_REASON
from bot.views.payload import (
    Button,
    ButtonStyle,
    File,
    Inner,
    Message,
    Option,
    Row,
    button,
    container,
    gallery,
    menu,
    row,
)
from bot.views.payload import text as words
from bot.views.practice import verdict_line
from bot.views.replay import replay_id
from bot.views.share import share_card
from engine import Rules, deal_code
from engine.streaks import Streak

ACCENT: Final = 0xF0B232
NO_PLACE: Final = "–"
"""What stands in the place of a place in a void daily."""
PICTURE: Final = "daily.png"
DAYS: Final = 25
"""How many days the menu of the archive has."""


def daily(view: DailyView, now: int, picture: bytes | None = None) -> Message:
    """Returns the page of a daily; *picture* is the chart of its figures, where these may be seen."""
    parts: list[Inner] = [words("\n".join(_head(view, now)))]
    files: list[File] = []
    figures = view.figures
    if figures is not None:
        if world := _world(view, figures):
            parts.append(words("\n".join(world)))
        if figures.home is not None:
            parts.append(words(_home(figures.home, view.daily)))
        if picture is not None and figures.chart is not None:
            chart = figures.chart
            alt = histogram_alt(chart.counts, chart.labels, own=chart.own, say=translate)
            files.append(File(PICTURE, picture, alt))
            parts.append(words(f"-# {say(_about(chart))}"))
            parts.append(gallery(f"attachment://{PICTURE}", files[0].description))
        if view.own is not None and view.own.result is not None:
            parts.append(words(f"{say(daily_text.CARD_HINT)}\n```\n{share_card(view)}\n```"))
        parts.append(words("\n".join(_foot(view))))
    buttons = _buttons(view, now)
    if buttons:
        parts.append(row(*buttons))
    parts.append(_games(view.daily.day, view.daily.rules))
    return Message.of(container(parts, ACCENT), files=files)


def shared_card(view: DailyView, name: str, now: int) -> Message:
    """Returns the card of the player called *name* for everybody, with a way to play the same deal today."""
    parts: list[Inner] = [words(f"{say(daily_text.CARD_OF, name=name)}\n{share_card(view)}")]
    day, rules = view.daily.day, view.daily.rules
    if now < ends_at(day):
        play = button(
            say(daily_text.BUTTON_PLAY), make_id(DAILY, day, rules.key, "play"), ButtonStyle.SUCCESS
        )
        parts.append(row(play))
    return Message.of(container(parts, ACCENT))


def archive(days: Sequence[int], day: int | None, rules: Rules) -> Message:
    """Returns the page from which a past daily is played; *days* are those that are over, the newest first."""
    title = say(daily_text.ARCHIVE_TITLE)
    if day is None:
        return Message.of(container([words(f"{title}\n{say(daily_text.ARCHIVE_NONE)}")], ACCENT))
    chosen = say(daily_text.ARCHIVE_CHOICE, game=game_name(rules), date=date_text(day))
    buttons = [
        button(say(daily_text.BUTTON_PLAY), make_id(DAILY, day, rules.key, "again"), ButtonStyle.SUCCESS),
        button(say(daily_text.BUTTON_RESULTS), make_id(DAILY, day, rules.key, "show", 0)),
    ]
    options: list[Option] = [
        {"label": date_of(each).isoformat(), "value": str(each), "default": each == day}
        for each in sorted({*days[:DAYS], day}, reverse=True)[:DAYS]
    ]
    parts: list[Inner] = [
        words(f"{title}\n{chosen}"),
        row(*buttons),
        menu(make_id(DAILY, day, rules.key, "day"), options, say(daily_text.MENU_DAY)),
        _games(day, rules, "pick"),
    ]
    return Message.of(container(parts, ACCENT))


def streak_line(streak: Streak) -> str | None:
    """Returns what is said of a streak, or None before the first day."""
    if streak.last_day is None:
        return None
    if not streak.days:
        return say(daily_text.STREAK_ENDED, n=streak.ended, longest=streak.longest)
    line = count(daily_text.STREAK_ONE, daily_text.STREAK, streak.days)
    if streak.longest > streak.days:
        line += say(daily_text.STREAK_LONGEST, n=streak.longest)
    if streak.frozen is not None and streak.last_day - streak.frozen < streak.days:
        line += say(daily_text.STREAK_FROZEN, date=date_text(streak.frozen, "d"))
    if streak.ended:
        line += "\n" + say(daily_text.STREAK_BEFORE, n=streak.ended)
    return line


def date_text(day: int, style: str = "D") -> str:
    """Returns a date for Discord to write out; noon, so that it is the same date almost everywhere."""
    return instant(ends_at(day) - 12 * 3_600_000, style)


def _head(view: DailyView, now: int) -> list[str]:
    day, own = view.daily.day, view.own
    lines = [say(daily_text.TITLE, game=game_name(view.daily.rules))]
    if view.daily.is_closed:
        lines.append(say(daily_text.OVER, date=date_text(day)))
    elif now < ends_at(day):
        lines.append(say(daily_text.TODAY, end=instant(ends_at(day), "t")))
    else:
        lines.append(say(daily_text.LATE, end=instant(closes_at(day), "t")))
    began = count(daily_text.BEGAN_ONE, daily_text.BEGAN, view.began)
    done = count(daily_text.DONE_ONE, daily_text.DONE, view.done)
    lines.append(say(daily_text.TURNOUT, began=began, done=done))
    if view.daily.is_voided:
        lines.append(say(daily_text.VOID))
    if own is not None and own.result is None:
        lines.append(say(daily_text.OWN_RUNNING))
    if view.figures is None:
        late = own is None and now >= ends_at(day)
        lines.append(
            say(daily_text.SEALED_LATE, relative=instant(closes_at(day))) if late else say(daily_text.SEALED)
        )
    return lines


def _world(view: DailyView, figures: Figures) -> list[str]:
    lines = []
    own = view.own
    if own is not None and own.result is not None:
        template = daily_text.OWN_OUT if own.is_disqualified else daily_text.OWN
        end = say(result_text.ENDS[own.result.reason], time=duration(own.result.time))
        lines.append(say(template, end=end, counts=counts(own.result, with_cards=not own.result.is_won)))
    if (judgement := view.judgement) is not None:
        reason = harmless(judgement.reason, TOLD_REASON)
        lines.append(say(daily_text.OWN_JUDGED, when=instant(judgement.at), reason=reason))
    if figures.world is not None:
        place = say(daily_text.WORLD_PLACE, place=figures.world.better + 1, field=figures.world.field)
        lines.append(f"{place} · {_points(view, figures.points)}")
    if figures.best:
        names = ", ".join(
            say(daily_text.BEST_ONE, place=each.place, name=_name(each.line)) for each in figures.best
        )
        lines.append(say(daily_text.BEST, names=names))
    if (streak := streak_line(view.streak)) is not None:
        lines.append(streak)
    return lines


def _points(view: DailyView, points: Fraction | None) -> str:
    if points is None:
        return say(daily_text.WORLD_ALONE)
    hundredths = floor(points * 100)
    template = daily_text.WORLD_POINTS if view.daily.is_closed else daily_text.WORLD_POINTS_SO_FAR
    return say(template, points=decimal(hundredths // 100, f"{hundredths % 100:02}"))


def _about(chart: Chart) -> Sentence:
    if chart.own is None:
        return daily_text.CHART_TIMES_ALL if chart.is_time else daily_text.CHART_CARDS_ALL
    return daily_text.CHART_TIMES if chart.is_time else daily_text.CHART_CARDS


def _home(table: Table, of: Daily) -> str:
    if not table.total:
        return say(daily_text.HOME_NOBODY)
    head = (
        say(daily_text.HOME, n=table.total)
        if table.own is None
        else say(daily_text.HOME_OWN, n=table.total, place=table.own)
    )
    return "\n".join([head, *(_line(place, is_placed=not of.is_voided) for place in table.places)])


def _line(place: Place, *, is_placed: bool) -> str:
    result = place.line.result
    number = f"**{place.place}.**" if is_placed else NO_PLACE
    name, end = _name(place.line), say(daily_text.ENDS[result.reason])
    if result.reason not in PLAYED_OUT:
        return say(daily_text.LINE_DNF, medal=number, name=name, end=end)
    counted = counts(result, with_cards=not result.is_won)
    return say(
        daily_text.LINE,
        medal=result_text.MEDALS.get(place.place, number) if is_placed else number,
        name=name,
        counts=f"{end} · {counted}" if result.is_won else counted,
        time=duration(result.time),
    )


def _foot(view: DailyView) -> list[str]:
    lines = [say(daily_text.RULE)]
    deal = code(deal_code(view.daily.rules.key, view.daily.seed)) if view.daily.is_closed else None
    if view.daily.band is not None:
        lines.append(verdict_line(Proof(Winnable.YES, view.daily.band), deal))
    elif deal is not None:
        lines.append(say(daily_text.DEAL, code=deal))
    return lines


def _buttons(view: DailyView, now: int) -> list[Button]:
    day, game = view.daily.day, view.daily.rules.key
    made = []
    running = view.own is not None and view.own.result is None
    if running or (view.own is None and now < ends_at(day)):
        label = daily_text.BUTTON_CONTINUE if running else daily_text.BUTTON_PLAY
        made.append(button(say(label), make_id(DAILY, day, game, "play"), ButtonStyle.SUCCESS))
    figures = view.figures
    if figures is None:
        return made
    home = figures.home
    if home is not None and home.pages > 1:
        made += [
            _turn(day, game, daily_text.BUTTON_NEWER, home.page - 1, enabled=home.page > 0),
            _turn(day, game, daily_text.BUTTON_OLDER, home.page + 1, enabled=home.page + 1 < home.pages),
        ]
    made.append(button(say(daily_text.BUTTON_AGAIN), make_id(DAILY, day, game, "again")))
    if (watched := _watched(view, figures)) is not None:
        made.append(button(say(result_text.BUTTON_REPLAY), replay_id(watched)))
    if view.own is not None and view.own.result is not None:
        made.append(button(say(daily_text.BUTTON_SHARE), make_id(DAILY, day, game, "card")))
    return made


def _watched(view: DailyView, figures: Figures) -> int | None:
    """Returns the attempt of which a replay is offered: one's own, else the first that the page tells of."""
    if view.own is not None and view.own.result is not None:
        return view.own.attempt
    told = (*(figures.home.places if figures.home is not None else ()), *figures.best)
    return told[0].line.attempt if told else None


def _turn(day: int, game: str, label: str, page: int, *, enabled: bool) -> Button:
    return button(str(label), make_id(DAILY, day, game, "show", max(page, 0), "turn"), disabled=not enabled)


def _games(day: int, chosen: Rules, verb: str = "game") -> Row:
    options: list[Option] = [
        {"label": game_name(rules), "value": rules.key, "default": rules == chosen} for rules in DAILY_GAMES
    ]
    return menu(make_id(DAILY, day, chosen.key, verb), options, say(daily_text.MENU_GAME))


def _name(line: Line) -> str:
    return name_of(line.player, {line.player: line.name})
