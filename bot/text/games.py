"""What games are called and how they are played; the words themselves stand with the games."""

from __future__ import annotations

from bot.text import translate
from engine import Rules


def game_name(rules: Rules) -> str:
    """Returns what the game is called."""
    return translate(rules.name)


def game_goal(rules: Rules) -> str:
    """Returns what the game is about, in one line."""
    return translate(rules.goal)


def game_rules(rules: Rules) -> tuple[str, ...]:
    """Returns how the game is played, sentence by sentence."""
    return tuple(map(translate, rules.how_to_play))
