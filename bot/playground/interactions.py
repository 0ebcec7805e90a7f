"""The interactions that are open: the bot's answers to them, and the messages that their tokens reach."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence

from bot.playground import composing, forms
from bot.playground.composing import Upload
from bot.playground.errors import (
    ALREADY_ANSWERED,
    INVALID_TOKEN,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    ApiError,
    Form,
    Json,
    form_error,
)
from bot.playground.interaction import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFERRED_MESSAGE,
    DEFERRED_UPDATE,
    MESSAGE,
    MODAL,
    SUBMIT,
    UPDATE,
    Interaction,
    describe,
    event,
)
from bot.playground.models import EPHEMERAL, Channel, Message, User
from bot.playground.world import World

_ALLOWED = {
    COMMAND: {MESSAGE, DEFERRED_MESSAGE, MODAL},
    COMPONENT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE},
}

TOKEN_LIFE = 15 * 60.0
"""Seconds for which a token is good."""

_KEPT = 20_000
_WHOLE = 1_000
"""Interactions of which payload and answer are kept too; a benchmark would fill the memory with them."""


class Interactions:
    """All interactions that the bot may still answer."""

    def __init__(self, world: World, *, deadline: float) -> None:
        self._world = world
        self.deadline = deadline
        """Seconds that the bot has for its first answer."""
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self._whole: deque[Interaction] = deque()

    def begin(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        *,
        source: Message | None = None,
        name: str | None = None,
        opener: Interaction | None = None,
    ) -> Interaction:
        """Sends an interaction to the bot.

        *name* is the command's, with its subcommands; *opener* is what opened the submitted form.
        """
        interaction = Interaction(self._world, kind, user, channel, data, source)
        interaction.metadata = describe(interaction, name, opener)
        interaction.payload = event(self._world, interaction, source)
        self._by_id[interaction.id] = self._by_token[interaction.token] = interaction
        if len(self._by_id) > _KEPT:
            oldest = self._by_id.pop(next(iter(self._by_id)))
            del self._by_token[oldest.token]
        self._whole.append(interaction)
        if len(self._whole) > _WHOLE:
            self._whole.popleft().slim()
        loop = asyncio.get_running_loop()
        interaction.timer = loop.call_later(self.deadline, lambda: interaction.settle(failed=True))
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Sends an interaction to the gateway; a second time, if it was sent before.

        :raises ValueError: it was so long ago that its payload is forgotten
        """
        if not interaction.payload:
            raise ValueError(f"the payload of interaction {interaction.id} is forgotten")
        self._world.dispatch("INTERACTION_CREATE", interaction.payload, interaction.guild)

    def callback(self, interaction_id: int, token: str, body: Json, uploads: Sequence[Upload]) -> Interaction:
        """Takes the bot's first answer to an interaction.

        :raises ApiError: 10062 too late or unknown; 40060 not the first; 50035 malformed
        """
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token:
            raise ApiError(UNKNOWN_INTERACTION)
        if interaction.type is not None:
            raise ApiError(ALREADY_ANSWERED)
        if interaction.failed or self._world.clock() - interaction.created > self.deadline:
            interaction.settle(failed=True)
            raise ApiError(UNKNOWN_INTERACTION)
        kind, data = body.get("type"), body.get("data") or {}
        allowed = _ALLOWED[interaction.kind]
        if interaction.source_id is None:
            allowed = allowed - {DEFERRED_UPDATE, UPDATE}
        if kind not in allowed:
            choices = ", ".join(map(str, sorted(allowed)))
            raise form_error("type", "BASE_TYPE_CHOICES", f"Value must be one of {{{choices}}}.")
        try:
            self._answer(interaction, int(kind), data, uploads)
        except ApiError as error:
            if error.errors is not None:
                error.errors = {"data": error.errors}
            raise
        interaction.type, interaction.answer = int(kind), data
        interaction.answered_at = time.perf_counter()
        interaction.settle()
        return interaction

    def _answer(self, interaction: Interaction, kind: int, data: Json, uploads: Sequence[Upload]) -> None:
        world, channel = self._world, interaction.channel
        audience = interaction.user.id if (data.get("flags") or 0) & EPHEMERAL else None
        if kind in (MESSAGE, DEFERRED_MESSAGE):
            if kind == MESSAGE:
                message = composing.compose(world, channel, data, uploads, audience=audience)
            else:
                message = composing.placeholder(world, channel, audience=audience)
            message.interaction = interaction.metadata
            message.reference_id = interaction.source_id
            interaction.original_id = message.id
            world.post(message)
        elif kind == UPDATE:
            source = self._existing(interaction.source_id)
            composing.revise(world, source, data, uploads)
            interaction.original_id = source.id
        elif kind == DEFERRED_UPDATE:
            interaction.original_id = interaction.source_id
        elif kind == CHOICES:
            _examine_choices(data.get("choices"))
        else:
            forms.examine(data, world.emoji)

    def webhook(self, application_id: int, token: str) -> Interaction:
        """Returns the answered interaction whose token is good.

        :raises ApiError: 10015 unknown or not answered; 50027 older than 15 minutes
        """
        interaction = self._by_token.get(token)
        if interaction is None or application_id != self._world.bot.id:
            raise ApiError(UNKNOWN_WEBHOOK)
        if self._world.clock() - interaction.created > TOKEN_LIFE:
            raise ApiError(INVALID_TOKEN)
        if interaction.type is None:
            raise ApiError(UNKNOWN_WEBHOOK)
        return interaction

    def reach(self, interaction: Interaction, message_id: str) -> Message:
        """Returns one of the messages that an interaction's token reaches, ``@original`` or by its id.

        :raises ApiError: 10008, there is none such
        """
        if message_id == "@original":
            return self._existing(interaction.original_id)
        reachable = {interaction.original_id, interaction.source_id, *interaction.followup_ids}
        if not message_id.isdigit() or int(message_id) not in reachable:
            raise ApiError(UNKNOWN_MESSAGE)
        return self._existing(int(message_id))

    def follow_up(self, interaction: Interaction, body: Json, uploads: Sequence[Upload]) -> Message:
        """Posts a further message; the first one after a deferred answer fills its placeholder."""
        original = interaction.message
        if interaction.type == DEFERRED_MESSAGE and original is not None and original.loading:
            changes = {name: value for name, value in body.items() if name != "flags"}
            flags = (body.get("flags") or 0) & ~EPHEMERAL
            composing.revise(self._world, original, {**changes, "flags": flags}, uploads)
            return original
        audience = interaction.user.id if (body.get("flags") or 0) & EPHEMERAL else None
        message = composing.compose(self._world, interaction.channel, body, uploads, audience=audience)
        message.interaction = {k: v for k, v in interaction.metadata.items() if k != "name"}
        message.reference_id = interaction.original_id or interaction.source_id
        interaction.followup_ids.append(message.id)
        self._world.post(message)
        return message

    def _existing(self, message_id: int | None) -> Message:
        message = self._world.messages.get(message_id or 0)
        if message is None:
            raise ApiError(UNKNOWN_MESSAGE)
        return message


def _examine_choices(choices: object) -> None:
    form = Form()
    listed = choices if isinstance(choices, list) else []
    form.length("choices", len(listed), 0, 25)
    for position, choice in enumerate(listed):
        form.text(f"choices.{position}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            form.length(f"choices.{position}.value", len(choice["value"]), 1, 100)
    form.close()
