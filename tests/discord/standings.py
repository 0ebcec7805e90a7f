"""What tests of boards, profiles and replays do with messages."""

from __future__ import annotations

from typing import Any

from simcord.actors import MemberActor

from bot.views.payload import walk
from tests.discord.table import Seated, Table

WEEK = 7 * 24 * 3600 + 60
"""After so many seconds accounts are old enough for ratings."""


def parts_of(message: Any, kind: int) -> list[dict[str, Any]]:
    """Returns the components of one type, nested ones too."""
    found = [part if isinstance(part, dict) else part.to_dict() for part in message.components]
    return [part for part in walk(found) if part["type"] == kind]


def button_with(message: Any, part: str) -> dict[str, Any]:
    """Returns the button whose custom id has *part* in it."""
    return next(each for each in parts_of(message, 2) if part in each["custom_id"])


def menu_with(message: Any, part: str) -> dict[str, Any]:
    """Returns the menu whose custom id has *part* in it."""
    return next(each for each in parts_of(message, 3) if part in each["custom_id"])


def choices_of(menu: dict[str, Any]) -> dict[str, str]:
    """Returns the values of a menu by their labels."""
    return {option["label"]: option["value"] for option in menu["options"]}


async def press(player: MemberActor, message: Any, part: str) -> Any:
    """Lets *player* press the button with *part* in its custom id, and returns what was shown."""
    result = await player.click(message, custom_id=button_with(message, part)["custom_id"])
    return result.response


async def choose(player: MemberActor, message: Any, part: str, value: str) -> Any:
    """Lets *player* choose *value* in the menu with *part* in its custom id, and returns what was shown."""
    result = await player.select(message, [value], custom_id=menu_with(message, part)["custom_id"])
    return result.response


async def forfeit(seated: Seated, player: MemberActor) -> None:
    """Lets *player* give up."""
    for label in ("More", "Forfeit", "Yes, give up"):
        await seated.press(player, label)


async def won_race(table: Table, winner: MemberActor, loser: MemberActor) -> Seated:
    """Returns a race that *winner* has won, since *loser* gave up; its result has been sent."""
    seated = await table.race(winner, loser, game="links")
    await forfeit(seated, loser)
    for label in ("Deal (44)", "Deal (43)"):
        await seated.press(winner, label)
    await table.env.advance_time(16 * 60)
    await table.tick()
    await table.env.advance_time(8)
    return seated
