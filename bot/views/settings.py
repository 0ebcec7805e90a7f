"""The page of a player's settings."""

from __future__ import annotations

from bot.render.palette import Colours
from bot.render.table import draw_table
from bot.render.words import alt_text, heap_words, table_lines
from bot.store.players import Style
from bot.text import say, translate
from bot.text import settings as settings_text
from bot.views.faces import Line
from bot.views.ids import SETTINGS, make_id
from bot.views.look import Look
from bot.views.payload import ButtonStyle, File, Inner, Message, Option, button, container, gallery, menu, row
from bot.views.payload import text as words
from engine import Pile, parse_cards, parse_state

ACCENT = 0x5865F2
STYLES = {
    Style.EMOJI: (settings_text.EMOJI, settings_text.EMOJI_ABOUT),
    Style.IMAGE: (settings_text.IMAGE, settings_text.IMAGE_ABOUT),
    Style.TEXT: (settings_text.TEXT, settings_text.TEXT_ABOUT),
}
SAMPLE = parse_state("t1:KCQD8S5H4CADTH t2:9S2CJD7H3S")
SAMPLE_CARDS = Pile(parse_cards("KC QD TH 9S AC 2D 3H 4S"))


def settings(look: Look, *, tell: bool) -> Message:
    """Returns the page with what is chosen, and a sample of it; *tell*: a message at the ends of races is wanted."""
    options: list[Option] = [
        {
            "label": say(name),
            "value": style.value,
            "description": say(description),
            "default": style is look.style,
        }
        for style, (name, description) in STYLES.items()
    ]
    sample, files = _sample(look)
    parts: list[Inner] = [
        words(f"{say(settings_text.TITLE)}\n{say(settings_text.BOARD)}"),
        menu(make_id(SETTINGS, "style"), options, say(settings_text.STYLE_PLACEHOLDER)),
        words(say(settings_text.COLOURS)),
        row(
            button(
                say(settings_text.BUTTON_TWO), make_id(SETTINGS, "two"), _style(look.colours is Colours.TWO)
            ),
            button(
                say(settings_text.BUTTON_FOUR),
                make_id(SETTINGS, "four"),
                _style(look.colours is Colours.FOUR),
            ),
        ),
        words(say(settings_text.TELL)),
        row(
            button(say(settings_text.BUTTON_TELL), make_id(SETTINGS, "tell"), _style(tell)),
            button(say(settings_text.BUTTON_QUIET), make_id(SETTINGS, "quiet"), _style(not tell)),
        ),
        words(say(settings_text.SAMPLE)),
        *sample,
    ]
    return Message.of(container(parts, ACCENT), files=files)


def _sample(look: Look) -> tuple[list[Inner], list[File]]:
    if look.style is Style.TEXT:
        return [words("\n".join(table_lines(SAMPLE, say=translate)))], []
    if look.style is Style.EMOJI:
        return [words(text) for text in look.faces.piles([Line("1", SAMPLE_CARDS)])], []
    file = File(
        f"sample-{look.colours.value}.png",
        draw_table(SAMPLE, colours=look.colours, heaps=heap_words(translate)),
        alt_text(SAMPLE, say=translate),
    )
    return [gallery(f"attachment://{file.name}", file.description)], [file]


def _style(chosen: bool) -> ButtonStyle:
    return ButtonStyle.SUCCESS if chosen else ButtonStyle.SECONDARY
