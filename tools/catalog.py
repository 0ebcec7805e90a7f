"""Brings the translations up to date with what the bot says: ``python -m tools.catalog`` (``make catalog``).

What is to be translated is found where it stands: the sentences of :mod:`bot.text`, the games, the words of the
renderers, the descriptions and options of the commands. New ones are added to each catalogue without a
translation, those that are said no more are dropped. It says what is missing, and fails then.
"""

from __future__ import annotations

import ast
import asyncio
import importlib
import io
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from discord import app_commands

import bot.render
import bot.text
from bot.app import SameDeal
from bot.render.words import RANK_WORDS, SUIT_WORDS
from bot.store.database import open_database
from bot.text import Sentence
from bot.text.catalogue import DOMAIN
from bot.translator import OPTION
from engine import GAMES

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "bot" / "locale"
WIDTH = 110
VOLATILE = (
    b'"Project-Id',
    b'"Report-',
    b'"POT-',
    b'"PO-Revision',
    b'"Last-Trans',
    b'"Language-Team',
    b'"Generated-By',
)
"""How the lines of a header begin that are of no use here."""

PLACES = {"say": "the table in words", "spelled": "written in a picture: capitals from A to Z alone"}
"""Where the renderers' words stand, by what translates them."""


@dataclass(frozen=True, slots=True)
class Source:
    """A message to translate: its *text*, its *plural* where it counts something, its *context* where it needs one.

    *where* tells translators what it is.
    """

    text: str
    plural: str = ""
    context: str = ""
    where: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """The message as gettext names it."""
        return (self.text, self.plural) if self.plural else self.text


def fields(text: str) -> set[str]:
    """Returns the names of the fields of a template."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def sentences() -> Iterator[Source]:
    """Yields the sentences of all modules of :mod:`bot.text`."""
    for info in pkgutil.iter_modules(bot.text.__path__, "bot.text."):
        yield from _of_module(importlib.import_module(info.name))
    yield from _of_module(bot.text)


def games() -> Iterator[Source]:
    """Yields what games are called and how they are played."""
    for rules in GAMES:
        yield Source(rules.name, where="the name of a game")
        yield Source(rules.goal, where=f"the goal of {rules.name}")
        for line in rules.how_to_play:
            yield Source(line, where="a rule of a game")


def words() -> Iterator[Source]:
    """Yields the words of the renderers: what they hand to ``say`` and ``spelled``."""
    for path in sorted(Path(*bot.render.__path__).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLACES:
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                if texts and isinstance(texts[0], str):
                    plural = str(texts[1]) if len(texts) > 1 else ""
                    yield Source(texts[0], plural, where=f"{PLACES[node.func.id]} ({path.stem})")
    for word in (*RANK_WORDS, *SUIT_WORDS):
        if word.isalpha():
            yield Source(word, where="a card")


def commands(tree: app_commands.CommandTree[Any]) -> Iterator[Source]:
    """Yields what Discord shows of the commands: descriptions, the names of options, choices."""
    for command in tree.walk_commands():
        called = f"/{command.qualified_name}"
        if not isinstance(command, app_commands.ContextMenu):
            yield Source(command.description, where=f"describes {called}; 100 characters at most")
        for parameter in getattr(command, "parameters", ()):
            yield Source(
                parameter.display_name, context=OPTION, where=f"an option of {called}: lower case, no spaces"
            )
            yield Source(
                str(parameter.description), where=f"describes an option of {called}; 100 characters at most"
            )
            for choice in parameter.choices:
                yield Source(choice.name, where=f"a choice of {called}")


async def collect() -> dict[tuple[str, str], Source]:
    """Returns everything that is to be translated, by context and text."""
    async with await open_database("sqlite:///:memory:", ROOT / "migrations") as db:
        client = SameDeal(db, background=False, shard_count=1)
        found = [*sentences(), *games(), *words(), *commands(client.tree)]
    sources: dict[tuple[str, str], Source] = {}
    for source in found:
        if not source.context and not any(each.isalpha() or each == ":" for each in _literal(source.text)):
            continue  # languages differ in their words, and in what stands before a colon
        known = sources.get((source.context, source.text))
        if known is None or not known.plural:
            sources[source.context, source.text] = source
    # a plural is a message by itself only where it is said by itself
    plurals = {source.plural for source in sources.values()}
    return {key: source for key, source in sources.items() if source.plural or source.text not in plurals}


def update(path: Path, sources: Iterable[Source]) -> tuple[Catalog, list[str]]:
    """Returns the catalogue of *path* with exactly the *sources* in it, and those that are not translated."""
    language = path.parent.name
    with path.open("rb") as file:
        old = read_po(file, locale=language.replace("-", "_"))
    new = Catalog(
        locale=old.locale,
        charset="utf-8",
        header_comment=f"# What Same Deal says, in {Locale.parse(language, sep='-').english_name}.",
        fuzzy=False,
    )
    missing = []
    for source in sources:
        message = old.get(source.text, source.context or None)
        string: Any = message.string if message is not None else ""
        if source.plural and not isinstance(string, tuple | list):
            string = ("",) * new.num_plurals
        elif not source.plural and isinstance(string, tuple | list):
            string = string[0]
        new.add(
            source.id,
            string,
            auto_comments=[source.where] if source.where else [],
            context=source.context or None,
        )
        if not all(string) if source.plural else not string:
            missing.append(source.text)
    return new, missing


def main() -> int:
    """Updates all catalogues and returns the exit code: 1 if something is not translated."""
    sources = asyncio.run(collect()).values()
    incomplete = False
    for path in sorted(LOCALE.glob(f"*/{DOMAIN}")):
        catalogue, missing = update(path, sources)
        path.write_bytes(_encode(catalogue))
        sys.stdout.write(f"{path.parent.name}: {len(sources)} messages, {len(missing)} not translated\n")
        for text in missing:
            sys.stdout.write(f"    {text}\n")
        incomplete = incomplete or bool(missing)
    return int(incomplete)


def _encode(catalogue: Catalog) -> bytes:
    """Returns the file of a catalogue, without dates and names that would change with each update."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=WIDTH)
    head, gap, rest = buffer.getvalue().partition(b"\n\n")
    kept = [line for line in head.split(b"\n") if not line.startswith(VOLATILE)]
    return b"\n".join(kept) + gap + rest


def _of_module(module: ModuleType) -> Iterator[Source]:
    names = vars(module)
    paired = set()
    for name, value in names.items():
        if isinstance(value, Sentence) and name.endswith("_ONE"):
            for other in (name.removesuffix("_ONE"), f"{name.removesuffix('_ONE')}_MANY"):
                many = names.get(other)
                if isinstance(many, Sentence) and {"n"} == fields(value) == fields(many):
                    paired |= {name, other}
                    yield Source(str(value), str(many), value.context, f"{module.__name__}.{other}")
                    break
    for name, value in names.items():
        if name not in paired:
            yield from _of_value(value, f"{module.__name__}.{name}")


def _of_value(value: object, where: str) -> Iterator[Source]:
    if isinstance(value, Sentence):
        yield Source(str(value), context=value.context, where=where)
    elif isinstance(value, Mapping) and "__name__" not in value:
        for key, each in value.items():
            yield from _of_value(each, f"{where}[{getattr(key, '__name__', key)}]")
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _of_value(each, where)


def _literal(text: str) -> str:
    return "".join(literal for literal, _, _, _ in Formatter().parse(text))


if __name__ == "__main__":
    sys.exit(main())
