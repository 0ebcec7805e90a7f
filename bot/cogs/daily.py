"""The daily challenge: its commands, and the buttons and menus of its pages and posts."""

from __future__ import annotations

import asyncio
from datetime import date

import discord
from discord import app_commands

from bot import respond
from bot.cogs.servers import language_of_all
from bot.desk import Desk
from bot.errors import BadButtonError, BadDateError, DailyNotOverError
from bot.periods import date_of, day_of, day_on
from bot.render.trends import draw_histogram
from bot.router import Call, press_of
from bot.services.dailies import DAILY_GAMES, Seat, closes_at, daily_game, ends_at, featured
from bot.services.daily_results import DailyView
from bot.services.press import Press
from bot.text import daily as daily_text
from bot.text import harmless, instant, say, speaking, translate
from bot.views.daily import DAYS, archive, daily, shared_card
from bot.views.ids import number
from bot.views.payload import Message

LAST_DAY = 1_000_000
"""No day that ever was is this far from 1970."""
GAME_CHOICES = [app_commands.Choice(name=rules.name, value=rules.key) for rules in DAILY_GAMES]


class DailyCommands(app_commands.Group):
    """``/daily play``, ``/daily results`` and ``/daily archive``."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="daily",
            description="One deal a day for everybody",
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._desk = desk

    @app_commands.command(name="play", description="Play today's deal: your first try counts")
    @app_commands.describe(game="Which game; today's featured one if you do not say")
    @app_commands.choices(game=GAME_CHOICES)
    async def play(self, interaction: discord.Interaction, game: str | None = None) -> None:
        """Begins today's deal, or shows how far the caller is with it."""
        now = self._desk.clock.now()
        await play(self._desk, interaction, press_of(interaction), game or featured(day_of(now)).key, now)

    @app_commands.command(name="results", description="How a daily went: the standings once you are done")
    @app_commands.describe(date="A past day, as in 2026-11-30; today if you do not say", game="Which game")
    @app_commands.choices(game=GAME_CHOICES)
    async def results(
        self, interaction: discord.Interaction, date: str | None = None, game: str | None = None
    ) -> None:
        """Shows what the caller may see of a daily."""
        press, now = press_of(interaction), self._desk.clock.now()
        day = day_of(now) if date is None else _day(date, now)
        await _answer_results(self._desk, interaction, press, day, game or featured(day).key, now)

    @app_commands.command(name="archive", description="Play the deal of a past day; it counts for nothing")
    @app_commands.describe(
        date="A past day, as in 2026-11-30; the last one if you do not say", game="Which game"
    )
    @app_commands.choices(game=GAME_CHOICES)
    async def archive(
        self, interaction: discord.Interaction, date: str | None = None, game: str | None = None
    ) -> None:
        """Offers a past deal."""
        now = self._desk.clock.now()
        await respond.answer(
            interaction, await _archive(self._desk, None if date is None else _day(date, now), game)
        )

    @results.autocomplete("date")
    @archive.autocomplete("date")
    async def days(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offers the last days that fit what has been typed."""
        days = [date_of(day).isoformat() for day in await self._desk.dailies.archive(DAYS)]
        return [app_commands.Choice(name=each, value=each) for each in days if typed.strip() in each]


class DailyPresses:
    """The buttons and menus of daily posts, results, cards and the archive."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``y:<day>:<game>:<verb>…``."""
        day, game, verb = _number_of_day(call.part(0)), call.part(1), call.part(2)
        desk, now = self._desk, self._desk.clock.now()
        match verb:
            case "play":
                await self._play(call, day, game, now)
            case "show" if len(call.parts) > 4:
                await self._turn(call, day, game, page=number(call.part(3)))
            case "show":
                await _answer_results(desk, call.interaction, call.press, day, game, now)
            case "game":
                await self._turn(call, day, call.chosen)
            case "again":
                record = await desk.dailies.again(call.press, day, game)
                desk.proofs.foresee(record.attempt.rules, record.attempt.seed)
                await desk.show_board(call.interaction, call.press, record)
            case "card":
                await self._share(call, day, game, now)
            case "day":
                await respond.update(
                    call.interaction, await _archive(desk, _number_of_day(call.chosen), game)
                )
            case "pick":
                await respond.update(call.interaction, await _archive(desk, day, call.chosen))
            case _:
                raise BadButtonError

    async def _play(self, call: Call, day: int, game: str, now: int) -> None:
        """Begins or shows a deal; that of a day that is over is shown with what has become of it."""
        if day == day_of(now) or await self._desk.dailies.is_running(call.press.player, day, game):
            await play(self._desk, call.interaction, call.press, game, now)
        else:
            await _answer_results(self._desk, call.interaction, call.press, day, game, now)

    async def _turn(self, call: Call, day: int, game: str, *, page: int = 0) -> None:
        now = self._desk.clock.now()
        shown = await _results(self._desk, call.interaction, call.press, day, game, now, page=page)
        await respond.update(call.interaction, shown)

    async def _share(self, call: Call, day: int, game: str, now: int) -> None:
        view = await self._desk.daily_results.show(day, game, call.press.player, now)
        if view.own is None or view.own.result is None:
            raise DailyNotOverError(closes_at(day))
        with speaking(await language_of_all(self._desk, call.interaction)):
            message = shared_card(view, harmless(call.press.name), now)
        await respond.share(call.interaction, message)


async def play(desk: Desk, interaction: discord.Interaction, press: Press, game: str, now: int) -> None:
    """Answers with the presser's board of today's deal, a new one at the first call, or with the results after it."""
    seat = await desk.dailies.play(press, game, now, guild=_home(interaction))
    if seat.record.attempt.is_over:
        await _answer_results(desk, interaction, press, seat.day, game, now)
    else:
        await desk.show_board(interaction, press, seat.record, note=_note(seat, now))


def _note(seat: Seat, now: int) -> str:
    closes = closes_at(seat.day)
    if now >= ends_at(seat.day):
        return say(daily_text.YESTERDAY, time=instant(closes, "t"))
    return say(daily_text.BEGUN if seat.is_new else daily_text.RESUMED, relative=instant(closes))


async def _answer_results(
    desk: Desk, interaction: discord.Interaction, press: Press, day: int, game: str, now: int
) -> None:
    await respond.answer(interaction, await _results(desk, interaction, press, day, game, now))


async def _results(
    desk: Desk,
    interaction: discord.Interaction,
    press: Press,
    day: int,
    game: str,
    now: int,
    *,
    page: int = 0,
) -> Message:
    if day == day_of(now):
        await desk.dailies.today(game, now)
    view = await desk.daily_results.show(day, game, press.player, now, guild=_home(interaction), page=page)
    return daily(view, now, await _picture(view))


async def _picture(view: DailyView) -> bytes | None:
    if view.figures is None or view.figures.chart is None:
        return None
    chart = view.figures.chart
    return await asyncio.to_thread(draw_histogram, chart.counts, chart.labels, own=chart.own, say=translate)


async def _archive(desk: Desk, day: int | None, game: str | None) -> Message:
    """Returns the page of the archive, at its newest day unless one is chosen.

    :raises NoDailyError: if there was no deal on that day, or it is not over.
    """
    days = await desk.dailies.archive(DAYS)
    chosen = days[0] if day is None and days else day
    if chosen is None:
        return archive((), None, DAILY_GAMES[0])
    played = await desk.dailies.games(chosen)
    first = featured(chosen)
    rules = daily_game(game) if game is not None else first if first in played or not played else played[0]
    if await desk.dailies.is_sealed(chosen, rules.key):
        raise DailyNotOverError(closes_at(chosen))
    await desk.dailies.find(chosen, rules.key)
    return archive(days, chosen, rules)


def _home(interaction: discord.Interaction) -> int | None:
    """Returns the server on whose boards the caller plays: one where the bot is installed, else none."""
    guild = interaction.guild_id
    return guild if guild is not None and interaction.client.get_guild(guild) is not None else None


def _number_of_day(part: str) -> int:
    """Returns the day that a part of a custom id or a choice names.

    :raises BadButtonError: if it is none that the bot has ever written.
    """
    day = number(part)
    if day > LAST_DAY:
        raise BadButtonError
    return day


def _day(text: str, now: int) -> int:
    """Returns the day of a date that was typed.

    :raises BadDateError: if it is none, or in the future.
    """
    try:
        day = day_on(date.fromisoformat(text.strip()))
    except ValueError:
        raise BadDateError from None
    if not 0 <= day <= day_of(now):
        raise BadDateError
    return day
