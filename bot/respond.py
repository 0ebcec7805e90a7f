"""Answering interactions, in time or late.

An answer that is not ready in time is promised: :func:`watch` acknowledges the interaction, and what answers it
later goes to where Discord then awaits it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.errors import MayNotWriteError
from bot.metrics import Fault, Metrics
from bot.receive import PRESSED
from bot.text import refusals, say
from bot.transport import AnswerLostError, edit_private, message_made, post, received_at, send
from bot.views.payload import EPHEMERAL, Form, Message, text

_log = logging.getLogger(__name__)

PATIENCE = 1.8
"""How long after its receipt an interaction is acknowledged if its answer is not ready, in seconds."""
NEW_MESSAGE, LATER_MESSAGE, LATER_CHANGE, CHANGE, FORM = 4, 5, 6, 7, 9
"""Discord's types of answers."""
TURN = "turn"
"""Where the extras of an interaction keep how far its answer is."""


@dataclass(slots=True)
class Turn:
    """How far the answer to an interaction is: one at a time is under way.

    discord.py's own note of it, `Interaction.response`, is never asked for: it and the interaction would refer to
    each other, so that only Python's collector could free what a press has taken.

    *answered*: there is an answer, or one of which Discord has not been heard, for it may have got through.
    *promised* is the type of the acknowledgement that was given since the answer was late, until that is there.
    *apart*: what was promised stands in a message of its own, not in the pressed one.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    answered: bool = False
    promised: int | None = None
    apart: bool = False
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


def watch(interaction: discord.Interaction, metrics: Metrics) -> None:
    """Has *interaction*, just received, acknowledged as soon as it has waited for :data:`PATIENCE`.

    *metrics* counts that.
    """
    turn, loop = _turn(interaction), asyncio.get_running_loop()

    def lose_patience() -> None:
        if not turn.lock.locked():
            turn.task = loop.create_task(_promise(interaction, turn, metrics))

    turn.timer = loop.call_later(received_at() + PATIENCE - time.monotonic(), lose_patience)


def unwatch(interaction: discord.Interaction) -> None:
    """Ends :func:`watch`, since *interaction* has been handled."""
    if (timer := _turn(interaction).timer) is not None:
        timer.cancel()


async def answer(interaction: discord.Interaction, message: Message) -> int | None:
    """Answers with a new private message, and returns its id where it is not the ``@original`` of the token."""
    turn = _turn(interaction)
    async with turn.lock:
        if not turn.answered:
            await _send(
                interaction, turn, {"type": NEW_MESSAGE, "data": message.body(ephemeral=True)}, message
            )
            return None
        if turn.promised == LATER_MESSAGE:
            await edit_private(interaction.client, interaction.token, message)
            turn.promised = None
            return None
        return await follow_up(interaction, message)


async def answer_in_public(interaction: discord.Interaction, message: Message) -> int:
    """Answers with a new message that everybody sees, and returns its id."""
    turn = _turn(interaction)
    async with turn.lock:
        if turn.promised is None:
            body = {"type": NEW_MESSAGE, "data": message.body()}
            return await message_made(interaction, await _send(interaction, turn, body, message, told=True))
        if turn.promised == LATER_MESSAGE:  # which is private; only the next one can be seen by all
            late = Message.of(text(say(refusals.LATE)))
            await edit_private(interaction.client, interaction.token, late)
            turn.promised = None
        return await post(interaction, message, private=False)


async def share(interaction: discord.Interaction, message: Message) -> None:
    """Answers a press with a message that everybody sees, for one who may write there too.

    :raises MayNotWriteError: if the presser may not.
    """
    if interaction.guild_id is not None and not getattr(interaction.permissions, writing(interaction)):
        raise MayNotWriteError
    await answer_in_public(interaction, message)


def writing(interaction: discord.Interaction) -> str:
    """Returns the permission, by discord.py's name, that writing where *interaction* was made takes."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    return "send_messages_in_threads" if in_thread else "send_messages"


async def update(interaction: discord.Interaction, message: Message) -> None:
    """Answers a press by changing the message that was pressed."""
    turn = _turn(interaction)
    async with turn.lock:
        if turn.promised is None:
            await _send(interaction, turn, {"type": CHANGE, "data": message.body(edit=True)}, message)
        else:
            await edit_private(interaction.client, interaction.token, message)


async def acknowledge(interaction: discord.Interaction, *, new: bool = False) -> None:
    """Tells Discord that the answer follows: a change of the pressed message, or a *new* private one."""
    turn = _turn(interaction)
    async with turn.lock:
        if turn.promised is not None:
            turn.apart = new and turn.promised == LATER_CHANGE
        else:
            body: dict[str, Any] = {"type": LATER_MESSAGE, "data": {"flags": EPHEMERAL}}
            await _send(interaction, turn, body if new else {"type": LATER_CHANGE})


async def follow(interaction: discord.Interaction, message: Message) -> None:
    """Shows what :func:`acknowledge` has announced."""
    if _turn(interaction).apart:
        await follow_up(interaction, message)
    else:
        await edit_private(interaction.client, interaction.token, message)


def is_apart(interaction: discord.Interaction) -> bool:
    """Tells whether a new message that answered is one of its own, not the ``@original`` of the token."""
    turn = _turn(interaction)
    return turn.apart or turn.promised == LATER_CHANGE


async def show_form(interaction: discord.Interaction, form: Form) -> None:
    """Answers a press with a form; if that is too late for one, with a sentence."""
    turn = _turn(interaction)
    async with turn.lock:
        if turn.promised is None:
            await _send(interaction, turn, {"type": FORM, "data": form})
        else:
            await follow_up(interaction, Message.of(text(say(refusals.LATE_FORM))))


async def follow_up(interaction: discord.Interaction, message: Message) -> int:
    """Sends one more private message after the answer, and returns its id."""
    return await post(interaction, message, private=True)


def _turn(interaction: discord.Interaction) -> Turn:
    turn: Turn | None = interaction.extras.get(TURN)
    if turn is None:
        turn = interaction.extras[TURN] = Turn()
    return turn


async def _send(
    interaction: discord.Interaction,
    turn: Turn,
    body: dict[str, Any],
    message: Message | None = None,
    *,
    told: bool = False,
) -> dict[str, Any]:
    """Answers as :func:`bot.transport.send` does, and notes that in *turn*."""
    try:
        found = await send(interaction, body, message, told=told)
    except AnswerLostError:
        turn.answered = True
        raise
    turn.answered = True
    return found


async def _promise(interaction: discord.Interaction, turn: Turn, metrics: Metrics) -> None:
    """Acknowledges an interaction whose answer is late, without saying yet what that will be."""
    is_press = bool(interaction.extras.get(PRESSED))
    kind = LATER_CHANGE if is_press else LATER_MESSAGE
    async with turn.lock:
        if turn.answered:
            return
        try:
            await _send(
                interaction, turn, {"type": kind} | ({} if is_press else {"data": {"flags": EPHEMERAL}})
            )
        except discord.HTTPException as error:
            _log.info("a late answer could not be announced: %s", error)
            return
        except AnswerLostError as error:  # the answer finds out
            _log.info("it is not known whether a late answer has been announced: %s", error)
        else:
            _log.info("the answer is late and has been announced")
        turn.promised = kind
        metrics.fault(Fault.LATE)
