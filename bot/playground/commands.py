"""The application commands that the bot has registered."""

from __future__ import annotations

from collections.abc import Mapping

from bot.playground.command_limits import examine
from bot.playground.errors import TOO_MANY_COMMANDS, UNKNOWN_COMMAND, ApiError, Form, Json, form_error
from bot.playground.models import Guild
from bot.playground.permissions import Permission
from bot.playground.world import ListEvent, World


class Commands:
    """The commands that the application has registered, everywhere and in single servers."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._scopes: dict[int | None, list[Json]] = {}

    def listed(self, guild_id: int | None) -> list[Json]:
        """Returns the commands of one scope: of a server, or (None) the global ones."""
        return self._scopes.get(guild_id, [])

    def offered(self, guild: Guild | None, permissions: int) -> list[Json]:
        """Returns the commands that a player with *permissions* sees in a server or in private (None)."""
        own = self.listed(guild.id) if guild else []
        names = {command["name"] for command in own}
        return [
            command
            for command in own + [c for c in self.listed(None) if c["name"] not in names]
            if command["type"] == 1 and _is_offered(command, guild is not None, permissions)
        ]

    def replace(self, guild_id: int | None, commands: object) -> list[Json]:
        """Replaces all commands of a scope, as ``PUT`` does; those that keep their name keep their id.

        :raises ApiError: 50035, one of them is malformed
        """
        if not isinstance(commands, list):
            raise form_error("", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        if len(commands) > 100:
            raise ApiError(TOO_MANY_COMMANDS)
        form = Form()
        for position, command in enumerate(commands):
            examine(form, str(position), command)
        names = [(c.get("name"), c.get("type", 1)) for c in commands if isinstance(c, dict)]
        for position, name in enumerate(names):
            if names.index(name) != position:
                message = "Application command names must be unique"
                form.refuse(f"{position}.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        form.close()
        known = {(c["name"], c["type"]): c["id"] for c in self.listed(guild_id)}
        self._scopes[guild_id] = [self._registered(guild_id, command, known) for command in commands]
        self._world.tell(ListEvent("commands"))
        return self._scopes[guild_id]

    def upsert(self, guild_id: int | None, command: Json) -> Json:
        """Adds one command, or replaces the one of its name."""
        others = [c for c in self.listed(guild_id) if c["name"] != command.get("name")]
        return self.replace(guild_id, [*others, command])[-1]

    def get(self, guild_id: int | None, command_id: int) -> Json:
        """Returns a registered command.

        :raises ApiError: 10063, there is none with this id
        """
        for command in self.listed(guild_id):
            if command["id"] == str(command_id):
                return command
        raise ApiError(UNKNOWN_COMMAND)

    def remove(self, guild_id: int | None, command_id: int) -> None:
        """Removes a registered command."""
        self._scopes[guild_id].remove(self.get(guild_id, command_id))
        self._world.tell(ListEvent("commands"))

    def _registered(self, guild_id: int | None, command: Json, known: Mapping[tuple[str, int], str]) -> Json:
        kind = command.get("type", 1)
        scope = {} if guild_id is None else {"guild_id": str(guild_id)}
        return {
            "default_member_permissions": None,
            "nsfw": False,
            "contexts": None,
            "integration_types": [0],
            "description": "",
            "options": [],
            **command,
            **scope,
            "id": known.get((command["name"], kind)) or str(self._world.next_id()),
            "type": kind,
            "application_id": str(self._world.bot.id),
            "version": str(self._world.next_id()),
        }


def _is_offered(command: Json, in_guild: bool, permissions: int) -> bool:
    contexts = command.get("contexts")
    if contexts is not None and (0 if in_guild else 1) not in contexts:
        return False
    if not in_guild:
        return bool(command.get("dm_permission", True)) and "guild_id" not in command
    needed = command.get("default_member_permissions")
    if needed is None or permissions & Permission.ADMINISTRATOR:
        return True
    return int(needed) != 0 and permissions & int(needed) == int(needed)
