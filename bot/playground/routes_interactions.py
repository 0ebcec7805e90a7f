"""Routes that need an interaction's token only: the first answer, and the messages behind the token."""

from __future__ import annotations

from bot.playground import composing, payloads
from bot.playground.errors import Json
from bot.playground.interaction import CHOICES, DEFERRED_MESSAGE, MESSAGE, MODAL, UPDATE, Interaction
from bot.playground.interactions import Interactions
from bot.playground.models import EPHEMERAL, Message
from bot.playground.ratelimits import RateLimits
from bot.playground.rest import Call, Reply, Route
from bot.playground.world import World


class InteractionRoutes:
    """``/interactions/…`` and ``/webhooks/…``."""

    def __init__(self, world: World, interactions: Interactions, limits: RateLimits) -> None:
        self._world = world
        self._interactions = interactions
        self._limits = limits

    def routes(self) -> list[Route]:
        """Returns what is served here."""
        hook = "/webhooks/{application_id}/{token}"
        return [
            ("POST", "/interactions/{interaction_id}/{token}/callback", self.answer),
            ("POST", hook, self.follow_up),
            ("GET", hook + "/messages/{message}", self.read),
            ("PATCH", hook + "/messages/{message}", self.edit),
            ("DELETE", hook + "/messages/{message}", self.delete),
        ]

    def answer(self, call: Call) -> Reply:
        """Takes the first answer to an interaction."""
        interaction_id, token = call.number("interaction_id"), call.path["token"]
        interaction = self._interactions.callback(interaction_id, token, call.body, call.uploads)
        if not call.asks("with_response"):
            return Reply()
        return Reply(self._described(interaction))

    def _described(self, interaction: Interaction) -> Json:
        message = interaction.message
        about: Json = {"id": str(interaction.id), "type": interaction.kind}
        body: Json = {"interaction": about}
        if interaction.type not in (CHOICES, MODAL) and message is not None:
            about["response_message_id"] = str(message.id)
            about["response_message_loading"] = message.loading
            about["response_message_ephemeral"] = bool(message.flags & EPHEMERAL)
        if interaction.type in (MESSAGE, DEFERRED_MESSAGE, UPDATE) and message is not None:
            body["resource"] = {"type": interaction.type, "message": payloads.message(self._world, message)}
        return body

    def _interaction(self, call: Call) -> tuple[Interaction, Reply]:
        interaction = self._interactions.webhook(call.number("application_id"), call.path["token"])
        return interaction, Reply(headers=self._limits.spend(f"token:{interaction.id}", 5, 2.0))

    def _message(self, call: Call) -> tuple[Message, Reply]:
        interaction, reply = self._interaction(call)
        return self._interactions.reach(interaction, call.path["message"]), reply

    def follow_up(self, call: Call) -> Reply:
        """Posts a further message."""
        interaction, reply = self._interaction(call)
        message = self._interactions.follow_up(interaction, call.body, call.uploads)
        return Reply(payloads.message(self._world, message), headers=reply.headers)

    def read(self, call: Call) -> Reply:
        """Returns a message."""
        message, reply = self._message(call)
        return Reply(payloads.message(self._world, message), headers=reply.headers)

    def edit(self, call: Call) -> Reply:
        """Changes a message."""
        message, reply = self._message(call)
        composing.revise(self._world, message, call.body, call.uploads)
        return Reply(payloads.message(self._world, message), headers=reply.headers)

    def delete(self, call: Call) -> Reply:
        """Removes a message."""
        message, reply = self._message(call)
        self._world.delete(message)
        return reply
