"""Judgements: the commands of those who manage a server, and the pages of its audit log."""

from __future__ import annotations

from datetime import date

import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import BadButtonError, NoDailyResultError, NotManagerError, UnknownRaceError
from bot.periods import date_of, day_of
from bot.router import Call, guild_of, press_of
from bot.services.moderation import MAX_REASON, Judge
from bot.services.press import Press
from bot.store.history import PastRace
from bot.store.moderation import Deed
from bot.store.races import RaceRecord
from bot.text import moderation as words_of
from bot.text import say
from bot.text.names import plain_name_of
from bot.views.ids import number
from bot.views.moderation import audit_page, called, done
from bot.views.payload import Message
from engine import Phase

OFFERED = 25
"""How many choices Discord takes."""
MAX_CHOICE = 100
DAILY = "daily"
"""What a reference to a daily starts with; after it come the date and the game, between colons."""
DAYS_BACK = 5
"""Of how many days the dailies are offered."""
Reason = app_commands.Range[str, 1, MAX_REASON]


def require_manager(interaction: discord.Interaction) -> int:
    """Returns the server of *interaction*, made by somebody who manages it.

    Discord hides the command from others, but a server can change that; so it is checked again.

    :raises ServerOnlyError: in direct messages.
    :raises NotManagerError: if that permission is missing.
    """
    guild = guild_of(interaction)
    if not interaction.permissions.manage_guild:
        raise NotManagerError
    return guild


class ModerationCommands(app_commands.Group):
    """``/moderate``: void, restore, disqualify, cancel, audit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="moderate",
            description="Judge races and results of this server",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._desk = desk

    @app_commands.command(name="void", description="Void a race: it no longer counts")
    @app_commands.describe(
        race="Which race: pick it, or paste the link to its message", reason="Why; shown with the result"
    )
    async def void(self, interaction: discord.Interaction, race: str, reason: Reason) -> None:
        """Voids a race."""
        _, judge = self._judge(interaction, reason)
        record = await self._desk.moderation.void(judge, await self._find(race))
        await self._judged(interaction, record, done(Deed.VOID, ""))

    @app_commands.command(
        name="restore", description="Let a voided race, or a disqualified player, count again"
    )
    @app_commands.describe(
        race="Which race: pick it, or paste the link to its message",
        reason="Why; shown with the result",
        player="Who is to have the old place again (if you do not say, the whole race counts again)",
    )
    async def restore(
        self,
        interaction: discord.Interaction,
        race: str,
        reason: Reason,
        player: discord.User | None = None,
    ) -> None:
        """Restores a race, or reinstates a player."""
        _, judge = self._judge(interaction, reason)
        if player is None:
            record = await self._desk.moderation.restore(judge, await self._find(race))
            await self._judged(interaction, record, done(Deed.RESTORE, ""))
        else:
            await self._judge_player(interaction, judge, Deed.REINSTATE, race, player)

    @app_commands.command(name="disqualify", description="Take a player out of a race or a daily")
    @app_commands.describe(
        race="Which race or daily: pick it, or paste the link to the race's message",
        player="Who is out",
        reason="Why; shown with the result",
    )
    async def disqualify(
        self, interaction: discord.Interaction, race: str, player: discord.User, reason: Reason
    ) -> None:
        """Disqualifies a player."""
        _, judge = self._judge(interaction, reason)
        await self._judge_player(interaction, judge, Deed.DISQUALIFY, race, player)

    @app_commands.command(name="cancel", description="Cancel a race that has not begun")
    @app_commands.describe(race="Which race", reason="Why; shown with the race")
    async def cancel(self, interaction: discord.Interaction, race: str, reason: Reason) -> None:
        """Cancels a lobby."""
        press, judge = self._judge(interaction, reason)
        record = await self._desk.moderation.cancel(judge, press, await self._find(race))
        await self._judged(interaction, record, done(Deed.CANCEL, ""))

    @app_commands.command(name="audit", description="What moderators did here, and why")
    async def audit(self, interaction: discord.Interaction) -> None:
        """Shows the audit log."""
        guild = require_manager(interaction)
        await respond.answer(interaction, audit_page(await self._desk.moderation.audit(guild, 0)))

    @void.autocomplete("race")
    async def _offer_finished(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        guild = _managed(interaction)
        return [] if guild is None else _choices(current, await self._finished(guild))

    @restore.autocomplete("race")
    @disqualify.autocomplete("race")
    async def _offer_results(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        guild = _managed(interaction)
        if guild is None:
            return []
        days = await self._desk.moderation.dailies_of(guild, DAYS_BACK)
        offered = await self._finished(guild)
        offered += [
            (
                say(words_of.CHOICE_DAILY, game=called(game), date=date_of(day).isoformat()),
                f"{DAILY}:{date_of(day)}:{game}",
            )
            for day, game in days
        ]
        return _choices(current, offered)

    @cancel.autocomplete("race")
    async def _offer_lobbies(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        guild = _managed(interaction)
        if guild is None:
            return []
        waiting = [
            record
            for record in await self._desk.races.live()
            if record.guild == guild and record.race.phase in (Phase.OPEN, Phase.COUNTDOWN)
        ]
        views = [await self._desk.races.view(record.id) for record in waiting[-OFFERED:]]
        return _choices(
            current,
            [
                (
                    say(
                        words_of.CHOICE_RACE,
                        game=called(view.record.rules.key),
                        date=_date(view.record.race.touched),
                        names=", ".join(plain_name_of(p.entrant.player, view.names) for p in view.runners),
                    ),
                    str(view.record.id),
                )
                for view in views
            ],
        )

    async def _finished(self, guild: int) -> list[tuple[str, str]]:
        found = await self._desk.archive.races(guild, None, 0)
        return [(_label(race, dict(found.names)), str(race.id)) for race in found.races]

    async def _find(self, reference: str) -> int:
        race = await self._desk.archive.find_race(reference)
        if race is None:
            raise UnknownRaceError
        return race

    def _judge(self, interaction: discord.Interaction, reason: str) -> tuple[Press, Judge]:
        guild, press = require_manager(interaction), press_of(interaction)
        return press, Judge.of(press, guild, reason)

    async def _judge_player(
        self, interaction: discord.Interaction, judge: Judge, deed: Deed, race: str, player: discord.User
    ) -> None:
        moderation, name = self._desk.moderation, player.display_name
        if race.startswith(f"{DAILY}:"):
            day, game = _parse_daily(race)
            await moderation.judge_daily(judge, deed, day, game, player.id)
            await respond.answer(interaction, done(deed, name, daily=True))
            return
        change = moderation.disqualify if deed is Deed.DISQUALIFY else moderation.reinstate
        record = await change(judge, await self._find(race), player.id)
        await self._judged(interaction, record, done(deed, name))

    async def _judged(self, interaction: discord.Interaction, record: RaceRecord, told: Message) -> None:
        """Answers a judgement of a race, whose message follows even if the answer is lost."""
        self._desk.changed(record)
        await respond.answer(interaction, told)


class ModerationPresses:
    """The buttons of the audit log."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Turns to another page; the custom id is ``m:<newer or older>:<page>``."""
        if call.part(0) not in ("newer", "older"):
            raise BadButtonError
        guild = require_manager(call.interaction)
        log = await self._desk.moderation.audit(guild, number(call.part(1)))
        await respond.update(call.interaction, audit_page(log))


def _managed(interaction: discord.Interaction) -> int | None:
    """Returns the server of *interaction*, None if somebody made it to whom nothing is offered there."""
    return interaction.guild_id if interaction.permissions.manage_guild else None


def _choices(current: str, offered: list[tuple[str, str]]) -> list[app_commands.Choice[str]]:
    """Returns those of *offered* in which what has been typed so far occurs."""
    typed = current.casefold().strip()
    fitting = [(label, value) for label, value in offered if typed in label.casefold() or typed in value]
    return [app_commands.Choice(name=label[:MAX_CHOICE], value=value) for label, value in fitting[:OFFERED]]


def _label(race: PastRace, names: dict[int, str]) -> str:
    return say(
        words_of.CHOICE_RACE,
        game=called(race.game),
        date=_date(race.ended_at),
        names=", ".join(plain_name_of(each.player, names) for each in race.finishers),
    )


def _date(at: int) -> str:
    """Returns an instant as a date with hours and minutes, for menus, which know no timestamps."""
    minutes = at // 60_000 % (24 * 60)
    return f"{date_of(day_of(at))} {minutes // 60:02}:{minutes % 60:02}"


def _parse_daily(reference: str) -> tuple[int, str]:
    parts = reference.split(":")
    try:
        _, typed, game = parts
        return (date.fromisoformat(typed) - date_of(0)).days, game
    except ValueError:
        raise NoDailyResultError from None
