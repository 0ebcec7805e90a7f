"""Turning a command as a player typed it into the payload that Discord sends."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.playground.command_limits import (
    BOOLEAN,
    CHANNEL,
    GROUP,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    SUBCOMMAND,
    USER,
)
from bot.playground.errors import Json

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command as a player typed it: the registered command and the options to send."""

    command: Json
    options: list[Json]

    @property
    def path(self) -> str:
        """Returns the command's name with its subcommands."""
        names = [self.command["name"]]
        options = self.options
        while options and options[0]["type"] in (SUBCOMMAND, GROUP):
            names.append(options[0]["name"])
            options = options[0].get("options", [])
        return " ".join(names)

    @property
    def leaves(self) -> list[Json]:
        """Returns the options with values, without the subcommands around them."""
        options = self.options
        while options and options[0]["type"] in (SUBCOMMAND, GROUP):
            options = options[0].get("options", [])
        return options


def parse(
    offered: Collection[Json],
    path: str,
    values: Mapping[str, Value],
    *,
    focused: str | None = None,
    force: bool = False,
) -> Invocation:
    """Returns the call of the command at *path* ("race new"), one of those *offered*.

    With *focused*, the option that is being typed, nothing needs to be complete yet; with *force* no value is
    looked at.

    :raises ValueError: no such command or option, or a value that Discord's client would not send
    """
    name, *rest = path.split()
    command = next((c for c in offered if c["name"] == name), None)
    if command is None:
        raise ValueError(f"there is no command /{name}")
    leaf, chain = command, list[Json]()
    for part in rest:
        leaf = _named(leaf, part, (SUBCOMMAND, GROUP))
        chain.append(leaf)
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in leaf.get("options", ())):
        raise ValueError(f"/{path} needs a subcommand")
    options = _typed(leaf, values, focused, force)
    for parent in reversed(chain):
        options = [{"type": parent["type"], "name": parent["name"], "options": options}]
    return Invocation(command, options)


def _named(parent: Json, name: str, kinds: tuple[int, ...]) -> Json:
    for option in parent.get("options", ()):
        if option["name"] == name and option["type"] in kinds:
            return dict(option)
    raise ValueError(f"there is no {name!r} in /{parent['name']}")


def _typed(leaf: Json, values: Mapping[str, Value], focused: str | None, force: bool) -> list[Json]:
    declared = {option["name"]: option for option in leaf.get("options", ())}
    unknown = set(values) - set(declared)
    if unknown:
        raise ValueError(f"/{leaf['name']} has no option {min(unknown)!r}")
    missing = [o["name"] for o in declared.values() if o.get("required") and o["name"] not in values]
    if missing and focused is None and not force:
        raise ValueError(f"/{leaf['name']} needs {missing[0]!r}")
    options: list[Json] = []
    for name, value in values.items():
        option = declared[name]
        if name == focused:
            options.append({"type": option["type"], "name": name, "value": value, "focused": True})
            continue
        if not force:
            _check(option, value)
        kind = option["type"]
        sent = str(value) if kind in (STRING, USER, CHANNEL, ROLE, MENTIONABLE) else value
        options.append({"type": kind, "name": name, "value": sent})
    return options


def _check(option: Json, value: Value) -> None:
    name, kind = option["name"], option["type"]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if (kind == INTEGER and not (number and value == int(value))) or (kind == NUMBER and not number):
        raise ValueError(f"{name} takes a number")
    if kind == BOOLEAN and not isinstance(value, bool):
        raise ValueError(f"{name} takes true or false")
    choices = option.get("choices") or ()
    if choices and not option.get("autocomplete") and value not in [c["value"] for c in choices]:
        raise ValueError(f"{name} does not offer {value!r}")
    size = len(str(value)) if kind == STRING else value
    least = option.get("min_length" if kind == STRING else "min_value")
    most = option.get("max_length" if kind == STRING else "max_value")
    if kind in (STRING, INTEGER, NUMBER) and isinstance(size, (int, float)):
        if least is not None and size < least:
            raise ValueError(f"{name} is below {least}")
        if most is not None and size > most:
            raise ValueError(f"{name} is above {most}")
