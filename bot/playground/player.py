"""A player: all that a person at a Discord client can do, for tests, the page and the rival alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.playground import composing, forms, payloads
from bot.playground.command_limits import CHANNEL, ROLE, USER
from bot.playground.commands import Commands
from bot.playground.errors import Json
from bot.playground.interaction import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, SUBMIT, Interaction
from bot.playground.interactions import Interactions
from bot.playground.invocations import Invocation, Value, parse
from bot.playground.limits import Kind
from bot.playground.models import Channel, Message, User
from bot.playground.permissions import ALL, Permission
from bot.playground.reading import buttons, find_button, selects, text_of
from bot.playground.world import Event, MessageEvent, World


class Player:
    """Acts for one user. What a real client would not let a person do raises ValueError, unless forced."""

    def __init__(
        self, world: World, commands: Commands, interactions: Interactions, user: User, home: Channel
    ) -> None:
        self._world = world
        self._commands = commands
        self._interactions = interactions
        self.user = user
        self.home = home
        """The channel in which things happen if none is named."""

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user's name."""
        return self.user.name

    @property
    def private(self) -> Channel:
        """The private conversation with the bot."""
        return self._world.private_channel(self.user)

    # ---------------------------------------------------------------- reading

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """Returns the messages on the player's screen, oldest first."""
        return self._world.visible(self.user, channel or self.home)

    async def sees(
        self,
        wanted: str | Callable[[Message], object],
        *,
        channel: Channel | None = None,
        seconds: float = 30.0,
    ) -> Message:
        """Waits until a visible message contains the text *wanted*, or satisfies it; returns the newest.

        :raises TimeoutError: there was none within *seconds* of real time
        """

        def fits(message: Message) -> bool:
            return wanted in text_of(message) if isinstance(wanted, str) else bool(wanted(message))

        place = channel or self.home
        arrived: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        def look(event: Event) -> None:
            if arrived.done() or not isinstance(event, MessageEvent) or event.what == "delete":
                return
            message = event.message
            if message.channel_id == place.id and self._world.sees(self.user, message) and fits(message):
                arrived.set_result(message)

        for message in reversed(self.messages(place)):
            if fits(message):
                return message
        stop = self._world.watch(look)
        try:
            async with asyncio.timeout(seconds):
                return await arrived
        except TimeoutError:
            seen = "\n---\n".join(text_of(message) for message in self.messages(place)[-4:])
            raise TimeoutError(f"{self.name} waited in vain for {wanted}; sees:\n{seen}") from None
        finally:
            stop()

    # ----------------------------------------------------------------- acting

    def says(self, text: str, *, channel: Channel | None = None) -> Message:
        """Writes an ordinary message."""
        place = channel or self.home
        if not self._world.permissions(self.user, place) & Permission.SEND_MESSAGES:
            raise ValueError("you cannot write here")
        message = composing.compose(self._world, place, {"content": text}, author_id=self.id)
        self._world.post(message)
        return message

    def slash(
        self,
        path: str,
        options: Mapping[str, Value] | None = None,
        *,
        channel: Channel | None = None,
        force: bool = False,
    ) -> Interaction:
        """Sends a command, such as ``slash("race new", {"game": "links"})``.

        With *force* values outside the choices and limits are sent all the same, as a modified client could,
        and commands that the player does not see.
        """
        place = channel or self.home
        call = self._call(place, path, options or {}, force=force)
        data = self._command_data(call, place)
        return self._interactions.begin(COMMAND, self.user, place, data, name=call.path)

    def autocomplete(
        self, path: str, options: Mapping[str, Value], focused: str, *, channel: Channel | None = None
    ) -> Interaction:
        """Asks for completions of the option *focused*; the answer's data has them under ``choices``."""
        place = channel or self.home
        call = self._call(place, path, options, focused=focused)
        data = self._command_data(call, place)
        return self._interactions.begin(AUTOCOMPLETE, self.user, place, data, name=call.path)

    def press(self, message: Message, button: str, *, force: bool = False) -> Interaction:
        """Presses the button with this custom id or, failing that, this label.

        With *force* a disabled button, one of an older state of the message, or one that never was.
        """
        found = next((b for b in buttons(message) if b["custom_id"] == button), None)
        found = found or find_button(message, button)
        if not force:
            self._check(message, found, button)
        data: Json = {"component_type": 2, "custom_id": found["custom_id"] if found else button}
        data["id"] = found["id"] if found else 1
        return self._component(message, data)

    def select(
        self, message: Message, custom_id: str, values: Iterable[str | int], *, force: bool = False
    ) -> Interaction:
        """Chooses *values* (of selects of users, roles or channels: ids) in a select."""
        found = next((s for s in selects(message) if s["custom_id"] == custom_id), None)
        chosen = [str(value) for value in values]
        kind = found["type"] if found else int(Kind.STRING_SELECT)
        if not force:
            self._check(message, found, custom_id)
            assert found is not None
            offered = [option["value"] for option in found.get("options", ())]
            if kind == Kind.STRING_SELECT and any(value not in offered for value in chosen):
                raise ValueError(f"{custom_id!r} does not offer {chosen}")
            if not found.get("min_values", 1) <= len(chosen) <= found.get("max_values", 1):
                raise ValueError(f"{custom_id!r} takes another number of choices")
        data: Json = {"component_type": int(kind), "custom_id": custom_id, "values": chosen}
        data["id"] = found["id"] if found else 1
        if kind != Kind.STRING_SELECT:
            data["resolved"] = self._resolved(map(int, chosen), self._world.channels[message.channel_id])
        return self._component(message, data)

    def submit(self, opener: Interaction, answers: Mapping[str, forms.Answer]) -> Interaction:
        """Sends off the form that the bot opened in answer to *opener*."""
        if opener.type != MODAL:
            raise ValueError("that interaction opened no form")
        form = opener.answer
        data = {"custom_id": form["custom_id"], "components": forms.fill(form, answers)}
        source = opener.source
        return self._interactions.begin(SUBMIT, self.user, opener.channel, data, source=source, opener=opener)

    def dismiss(self, message: Message) -> None:
        """Puts an ephemeral message out of sight."""
        if message.audience != self.id:
            raise ValueError("only one's own private messages can be dismissed")
        self._world.dismiss(message)

    # --------------------------------------------------------------- payloads

    def _check(self, message: Message, found: Json | None, wanted: str) -> None:
        if not self._world.sees(self.user, message):
            raise ValueError(f"{self.name} does not see this message")
        if found is None:
            raise ValueError(f"the message has no {wanted!r}")
        if found.get("disabled"):
            raise ValueError(f"{wanted!r} is disabled")

    def _component(self, message: Message, data: Json) -> Interaction:
        place = self._world.channels[message.channel_id]
        return self._interactions.begin(COMPONENT, self.user, place, data, source=message)

    def _call(
        self,
        place: Channel,
        path: str,
        options: Mapping[str, Value],
        *,
        focused: str | None = None,
        force: bool = False,
    ) -> Invocation:
        bits = int(ALL) if force else self._world.permissions(self.user, place)
        if not bits & Permission.USE_APPLICATION_COMMANDS:
            raise ValueError("you cannot use commands here")
        offered = self._commands.offered(self._world.guild_of(place), bits)
        return parse(offered, path, options, focused=focused, force=force)

    def _command_data(self, call: Invocation, place: Channel) -> Json:
        data: Json = {"id": call.command["id"], "name": call.command["name"], "type": 1}
        data["options"] = call.options
        if "guild_id" in call.command:
            data["guild_id"] = call.command["guild_id"]
        ids = [
            int(o["value"])
            for o in call.leaves
            if o["type"] in (USER, CHANNEL, ROLE) and not o.get("focused")
        ]
        if ids:
            data["resolved"] = self._resolved(ids, place)
        return data

    def _resolved(self, ids: Iterable[int], place: Channel) -> Json:
        resolved: dict[str, dict[str, Any]] = {}
        guild = self._world.guild_of(place)
        for number in ids:
            user = self._world.users.get(number)
            if user is not None:
                resolved.setdefault("users", {})[str(number)] = user.payload()
                if guild is not None and number in guild.members:
                    member = payloads.member(self._world, guild, user, place)
                    del member["user"]
                    resolved.setdefault("members", {})[str(number)] = member
            elif number in self._world.channels:
                channel = payloads.channel(self._world, self._world.channels[number])
                channel["permissions"] = str(self._world.permissions(self.user, place))
                resolved.setdefault("channels", {})[str(number)] = channel
            elif guild is not None and number in guild.roles:
                position = list(guild.roles).index(number)
                resolved.setdefault("roles", {})[str(number)] = guild.roles[number].payload(position)
            else:
                raise ValueError(f"nothing has the id {number}")
        return resolved
