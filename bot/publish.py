"""Messages of the bot's own accord: the public message of a race, and its result.

All edits of one channel share one budget. What changes meanwhile is drawn once, when its turn comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import aiohttp
import discord

from bot.clock import Clock
from bot.errors import UnavailableError
from bot.outbox import Outbox, OvertakenError, Slot
from bot.render.chart import Course, draw_race, race_alt
from bot.services.moderation import Moderation
from bot.services.proofs import Proofs
from bot.services.races import Races, RaceView
from bot.services.standings import Standings, placings
from bot.shards import Shards
from bot.snowflake import created_at
from bot.store.database import StoreError
from bot.store.moderation import Owed
from bot.store.races import TOKEN_LIFE, RaceRecord
from bot.tell import Teller
from bot.text import speak, translate
from bot.text.names import plain_name_of
from bot.transport import SERVER_ERROR, edit_private, may_pass, message_parameters
from bot.views.lobby import lobby
from bot.views.payload import File, Message
from bot.views.results import result
from engine import Phase
from engine.race import LOBBY_IDLE

_log = logging.getLogger(__name__)

PACE = 3.0
"""At most one edit a channel in this many seconds."""
OLD = 50 * 60_000
"""From this age on, in milliseconds, a message is posted anew instead of edited: Discord limits edits of old ones."""
GIVE_UP = 30 * 60_000
"""How long after its end a race's messages are tried, in milliseconds."""
UNKNOWN_MESSAGE = 10008
TOO_MANY_EDITS = 30046
"""Discord's code for an old message that has been edited too often."""
THREAD_ARCHIVED = 50083
"""Discord's code for an edit in a thread that is put away; a new message brings it back."""
MISSING_ACCESS = (50001, 50013)
FAULTS = (aiohttp.ClientError, OSError, StoreError, UnavailableError)
"""What is wrong with the line or the store, and may be over the next time."""


@dataclass(slots=True)
class _Channel:
    """What waits to be drawn in one channel, and the task that draws it at its pace."""

    waiting: dict[int, None] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


class Publisher:
    """Keeps public messages in step with their races."""

    def __init__(
        self,
        client: discord.Client,
        outbox: Outbox,
        races: Races,
        standings: Standings,
        proofs: Proofs,
        moderation: Moderation,
        teller: Teller,
        clock: Clock,
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._races = races
        self._standings = standings
        self._proofs = proofs
        self._moderation = moderation
        self._teller = teller
        self._clock = clock
        self._channels: dict[int, _Channel] = {}
        self._places: dict[int, int] = {}
        self._shown: dict[int, Message] = {}
        self._lent: dict[int, tuple[int, str]] = {}
        self._answering: set[int] = set()
        self.shards = Shards()
        """The shards whose presses arrive here, so that what is shown there is known."""
        self._reading = asyncio.Lock()
        """One race is read at a time: after a start all want to be drawn, and presses have to come in between."""

    def mark(self, race: int, channel: int) -> None:
        """Notes that *race* has changed; its message in *channel* follows as soon as the budget allows."""
        self._places[race] = channel
        state = self._channels.setdefault(channel, _Channel())
        state.waiting[race] = None
        if state.task is None:
            state.task = asyncio.create_task(self._drain(channel, state))

    async def mark_progress(self, race: int) -> None:
        """Notes that an entrant of *race* has moved on."""
        channel = self._places.get(race)
        self.mark(race, (await self._races.find(race)).channel if channel is None else channel)

    async def place(self, record: RaceRecord, message: int) -> None:
        """Keeps the *message* in which the new lobby *record* was shown by an answer, unless it stands elsewhere."""
        try:
            await self._outbox.keep(record.channel, message, self._place_of_lobby(record))
        except OvertakenError:
            self._shown.pop(record.id, None)

    def showed(self, race: int, message: Message) -> None:
        """Notes what the public message of *race* shows already."""
        self._shown[race] = message

    @contextlib.contextmanager
    def answering(self, race: int) -> Iterator[None]:
        """Leaves the public message of *race* alone meanwhile, since it is being made by an answer."""
        self._answering.add(race)
        try:
            yield
        finally:
            self._answering.discard(race)

    def lend(self, race: int, token: str) -> None:
        """Notes the *token* of a press on the public message of *race*, just made.

        It edits that message where the bot itself may not (any more).
        """
        self._lent[race] = (self._clock.now(), token)

    def forget(self) -> None:
        """Forgets what is shown, since another process may have shown something else meanwhile."""
        self._shown.clear()

    async def close(self) -> None:
        """Stops; what has not been drawn is drawn after the next start."""
        tasks = [state.task for state in self._channels.values() if state.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _drain(self, channel: int, state: _Channel) -> None:
        try:
            await self._client.wait_until_ready()
            while state.waiting:
                race = next(iter(state.waiting))
                del state.waiting[race]
                if await self._draw(race, state):
                    await self._clock.sleep(PACE)
        finally:
            del self._channels[channel]

    async def _draw(self, race: int, state: _Channel) -> bool:
        """Brings the messages of *race* up to date and tells whether Discord was called.

        What a fault of the line, of Discord or of the store prevents waits for its next turn.
        """
        view = None
        try:
            async with self._reading:
                view = await self._races.view(race)
            speak(view.record.locale)
            if view.record.announced:
                self._let_go(race)
                return await self._retell(view)
            called = await self._draw_lobby(view)
            if view.record.guild not in self.shards:
                self._let_go(race)  # another process goes on with this race
            if not view.record.race.phase.is_live:
                if view.record.race.phase is Phase.FINISHED:
                    await self._announce(view)
                    called = True
                else:
                    await self._close(view)
        except OvertakenError:
            self._shown.pop(race, None)
            state.waiting[race] = None  # to see what it has come to
            return True
        except (discord.HTTPException, *FAULTS) as error:
            refused = isinstance(error, discord.HTTPException) and error.status < SERVER_ERROR
            is_usual = isinstance(error, discord.HTTPException) and error.code in MISSING_ACCESS
            _log.log(
                logging.INFO if is_usual else logging.WARNING,
                "the message of race %s could not be shown: %s",
                race,
                error,
            )
            is_over = view is not None and await self._give_up_late(view)
            if not refused and not is_over:
                state.waiting[race] = None
            return True
        except Exception:
            _log.exception("the message of race %s could not be drawn", race)
            return True
        return called

    async def _draw_lobby(self, view: RaceView) -> bool:
        record, shown = view.record, lobby(view)
        if self._shown.get(record.id) == shown or record.id in self._answering:
            return False
        is_live = record.race.phase.is_live
        if record.message is None and not is_live:
            return False
        if record.message is None or (is_live and self._clock.now() - record.posted >= OLD):
            await self._post(view, shown)
        else:  # an old message too, once, so that its buttons go
            try:
                await self._edit(record.channel, record.message, record.id, shown)
            except discord.HTTPException as error:
                # What keeps it from being changed need not keep the result from being posted.
                is_over = record.race.phase is Phase.FINISHED and not may_pass(error)
                if error.code not in (UNKNOWN_MESSAGE, TOO_MANY_EDITS) and not is_over:
                    raise
                if is_live:
                    await self._post(view, shown)
        self._shown[record.id] = shown
        return True

    async def _edit(self, channel: int, message: int, race: int, shown: Message) -> None:
        await self._outbox.check()
        try:
            await self._client.http.edit_message(
                channel, message, params=message_parameters(shown, edit=True)
            )
        except discord.Forbidden:
            at, token = self._lent.get(race, (0, ""))
            if self._clock.now() - at >= TOKEN_LIFE:
                raise
            await edit_private(self._client, token, shown)

    async def _post(self, view: RaceView, shown: Message) -> None:
        nonce = f"m{view.record.message or view.record.id}"
        await self._send(view, shown, nonce, self._place_of_lobby(view.record))

    async def _announce(self, view: RaceView) -> None:
        """Posts the result of a race."""
        with_chart, plain = await self._results(view)
        message = await self._post_result(view, with_chart, plain, f"r{view.record.id}", over=None)
        self._let_go(view.record.id)
        verdict = await self._standings.verdict(view.record.id, self._clock.now())
        await self._teller.race_ended(view, verdict, message, self._clock.now())

    async def _retell(self, view: RaceView) -> bool:
        """Tells in the result what moderators have judged since, and tells whether Discord was called.

        An old result is followed by a new one, since Discord limits edits of old messages; so is one that is gone.
        """
        owed = await self._moderation.owed_by(view.record.id)
        if owed is None:
            return False
        if owed.revision != view.record.revision:
            raise OvertakenError  # by a judgement that the view does not have
        with_chart, plain = await self._results(view)
        try:
            if not await self._edit_result(owed, with_chart, plain):
                nonce = f"j{owed.race:x}.{owed.revision:x}"
                await self._post_result(view, with_chart, plain, nonce, over=owed.message)
        except (discord.Forbidden, discord.NotFound) as error:
            _log.info("the judgement of race %s could not be told: %s", owed.race, error)
        await self._moderation.told(owed)
        return True

    async def _edit_result(self, owed: Owed, with_chart: Message, plain: Message) -> bool:
        """Brings a result up to date where it stands; returns False if it is too old for that, put away, or gone."""
        if owed.message is None or self._clock.now() - created_at(owed.message) >= OLD:
            return False
        await self._outbox.check()
        edit = partial(self._client.http.edit_message, owed.channel, owed.message)
        try:
            try:
                await edit(params=message_parameters(with_chart, edit=True))
            except discord.Forbidden:
                await edit(params=message_parameters(plain, edit=True))
        except discord.NotFound:
            return False
        except discord.HTTPException as error:
            if error.code != THREAD_ARCHIVED:
                raise
            return False
        return True

    async def _post_result(
        self, view: RaceView, with_chart: Message, plain: Message, nonce: str, *, over: int | None
    ) -> int:
        place = self._place_of_result(view.record.id, over)
        try:
            return await self._send(view, with_chart, nonce, place)
        except discord.Forbidden:
            # Without the right to attach files the result goes without its picture.
            return await self._send(view, plain, nonce, place)

    async def _results(self, view: RaceView) -> tuple[Message, Message]:
        """Returns the result of a race with its picture, and without."""
        record = view.record
        verdict = await self._standings.verdict(record.id, self._clock.now())
        points = {
            standing.entrant.player: course
            for standing, course in zip(record.race.standings, await self._races.courses(record), strict=True)
        }
        courses = [
            Course(number, plain_name_of(each.player, view.names), points[each.player], each.result.reason)
            for number, (_, each) in enumerate(placings(record.race, verdict.disqualified), start=1)
            if each.result is not None
        ]
        picture = await asyncio.to_thread(draw_race, courses, say=translate)
        chart = File("race.png", picture, race_alt(courses, say=translate))
        proof = await self._proofs.of(record.rules, record.seed, record.band)
        return result(view, verdict, chart, proof=proof), result(view, verdict, proof=proof)

    async def _close(self, view: RaceView) -> None:
        """Notes that everything about a race that is over has been said."""
        await self._races.announced(view.record.id)
        self._let_go(view.record.id)

    def _let_go(self, race: int) -> None:
        for kept in (self._shown, self._places, self._lent):
            kept.pop(race, None)

    async def _give_up_late(self, view: RaceView) -> bool:
        """Stops trying to tell of a race that has been over for long, so as not to knock at a closed door for ever.

        Returns whether it has been. A race is cancelled within :data:`LOBBY_IDLE` of its last press.
        """
        over_at = view.record.ended_at or view.record.race.touched + LOBBY_IDLE
        if view.record.race.phase.is_live or self._clock.now() - over_at < GIVE_UP:
            return False
        with contextlib.suppress(StoreError, UnavailableError):
            await self._close(view)
        return True

    async def _send(self, view: RaceView, message: Message, nonce: str, place: Slot) -> int:
        """Posts *message*, once even if the bot dies before that is kept: Discord keeps the *nonce* for minutes."""
        return await self._outbox.post(view.record.channel, message_parameters(message, nonce=nonce), place)

    def _place_of_lobby(self, record: RaceRecord) -> Slot:
        now = self._clock.now()

        async def is_free() -> bool:
            return (await self._races.messages(record.id))[0] == record.message

        async def keep(message: int) -> bool:
            return await self._races.placed(record.id, message, now, over=record.message)

        return Slot(is_free, keep)

    def _place_of_result(self, race: int, over: int | None) -> Slot:
        async def is_free() -> bool:
            return (await self._races.messages(race))[1] == over

        async def keep(message: int) -> bool:
            return await self._races.resulted(race, message, over=over)

        return Slot(is_free, keep)
