"""The translations: nothing missing, nothing that is said no more, fields and markup as in English."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

import bot.text
from bot.app import SameDeal
from bot.store.database import open_database
from bot.text import count, decimal, duration, result, say, settings, speaking
from bot.text.catalogue import DOMAIN, LANGUAGE_NAMES, language_of, languages
from bot.translator import OPTION, CommandTranslator
from tools.catalog import LOCALE, ROOT, Source, collect, fields, sentences

LANGUAGES = sorted(path.parent.name for path in LOCALE.glob(f"*/{DOMAIN}"))
IN_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def sources() -> dict[tuple[str, str], Source]:
    return asyncio.run(collect())


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / DOMAIN).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def forms(message: Message) -> list[tuple[str, str]]:
    """Returns each translated form of *message* with the English one that it stands for."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    one, many = message.id
    assert isinstance(message.string, tuple | list)
    first, *others = map(str, message.string)
    return [(one, first), *((many, other) for other in others)]


def test_the_languages_are_those_that_servers_may_choose() -> None:
    assert {"en", *LANGUAGES} == languages() == {language_of(each) for each in LANGUAGE_NAMES}


@IN_LANGUAGE
def test_every_sentence_is_translated_and_none_is_left_over(
    language: str, sources: dict[tuple[str, str], Source]
) -> None:
    found = {
        (message.context or "", message.id if isinstance(message.id, str) else message.id[0]): message
        for message in messages(language)
    }
    assert set(sources) - set(found) == set(), "run `make catalog` and translate these"
    assert set(found) - set(sources) == set(), "run `make catalog`, these are said no more"
    assert [message.id for message in found.values() if message.fuzzy] == []
    assert [id_ for id_, message in found.items() if not all(text for _, text in forms(message))] == []
    for key, source in sources.items():
        assert isinstance(found[key].id, str) is not bool(source.plural), key


@IN_LANGUAGE
def test_fields_and_markup_are_as_in_english(language: str) -> None:
    wrong = []
    for message in messages(language):
        for english, text in forms(message):
            same = (
                fields(text) == fields(english) or (fields(text) | {"n"}) == fields(english) == {"n"},
                _start(text) == _start(english),
                _commands(text) == _commands(english),
                text.count("**") == english.count("**"),
                text.count("`") == english.count("`"),
                sorted(re.findall(r"<[^>]+>", text)) == sorted(re.findall(r"<[^>]+>", english)),
                text[:1].isspace() == english[:1].isspace(),
                text[-1:].isspace() == english[-1:].isspace(),
            )
            if not all(same):
                wrong.append((english, text, same))
    assert wrong == []


@IN_LANGUAGE
def test_no_translation_is_much_longer_than_what_was_measured(language: str) -> None:
    """What stands on buttons, in menus and in descriptions of commands has limits of its own."""
    kinds = {source.text: source for source in sentences()}
    long = []
    for message in messages(language):
        for english, text in forms(message):
            where = kinds[english].where.rpartition(".")[2] if english in kinds else ""
            limit = 80 if where.startswith("BUTTON") else 150 if where.startswith("PICK") else 4000
            if where in ("FORM_TITLE", "FORM_LABEL"):
                limit = 45
            if where.endswith("_ABOUT"):
                limit = 100
            if len(text) > limit:
                long.append((where, text))
    assert long == []


def said_in(path: Path) -> Iterator[str]:
    """Yields the constants of :mod:`bot.text` that the module *path* refers to, each as ``bot.text.module.NAME``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield known.get(node.id, f"{own}.{node.id}")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{known.get(node.value.id)}.{node.attr}"


def test_every_sentence_is_said_somewhere() -> None:
    """A constant that nothing refers to is a sentence that nobody will hear."""
    said = {name for path in (ROOT / "bot").rglob("*.py") for name in said_in(path)}
    assert {re.sub(r"\[.*", "", source.where) for source in sentences()} - said == set()


def test_no_sentence_is_made_outside_of_the_texts() -> None:
    for path in sorted((ROOT / "bot").rglob("*.py")):
        if "text" not in path.relative_to(ROOT / "bot").parts:
            assert "Sentence(" not in path.read_text(encoding="utf-8"), path


async def test_discord_takes_the_commands_in_every_language() -> None:
    async with await open_database("sqlite:///:memory:", ROOT / "migrations") as db:
        tree = SameDeal(db, background=False, shard_count=1).tree
        await tree.set_translator(CommandTranslator())
        translator = tree.translator
        assert translator is not None
        made = [await each.get_translated_payload(tree, translator) for each in tree.get_commands()]
    assert len(made) > 10
    for payload in made:
        _check_command(payload)


def _check_command(payload: dict[str, Any]) -> None:
    assert "name_localizations" not in payload or not payload["name_localizations"] or "type" in payload
    for key, limit in (("description_localizations", 100), ("name_localizations", 100)):
        localized = payload.get(key) or {}
        assert all(1 <= len(text) <= limit for text in localized.values()), localized
    if "description" in payload:
        assert {"de", "fr"} <= set(payload["description_localizations"]), payload["description"]
    options = payload.get("options", ())
    for language in ("de", "fr"):
        names = [(each.get("name_localizations") or {}).get(language, each["name"]) for each in options]
        assert len(set(names)) == len(names), names
        assert all(re.fullmatch(r"[-_'\w]{1,32}", name) and name == name.lower() for name in names), names
    for each in options:
        _check_command(each)
        for choice in each.get("choices", ()):
            assert len(choice["name"]) <= 100
            assert all(len(text) <= 100 for text in (choice.get("name_localizations") or {}).values())


@pytest.mark.parametrize(
    ("locale", "n", "told"),
    [
        ("en-GB", 0, "0 moves"),
        ("en-US", 1, "1 move"),
        ("de", 1, "1 Zug"),
        ("de", 0, "0 Züge"),
        ("de", 7, "7 Züge"),
        ("fr", 0, "0 coup"),
        ("fr", 1, "1 coup"),
        ("fr", 2, "2 coups"),
        ("fr", 1_000_000, "1000000 coups"),
        ("xx", 2, "2 moves"),
    ],
)
def test_plurals_follow_the_language(locale: str, n: int, told: str) -> None:
    with speaking(locale):
        assert count(result.MOVES_ONE, result.MOVES, n) == told


def test_numbers_follow_the_language() -> None:
    assert duration(83_450) == "1:23.4"
    assert decimal(57, "50") == "57.50"
    with speaking("de"):
        assert duration(83_450) == "1:23,4"
        assert decimal(57, "50") == "57,50"


def test_a_language_is_spoken_meanwhile_only() -> None:
    with speaking("de"):
        assert say(settings.BUTTON_FOUR) == "Vier Farben"
        with speaking("en-US"):
            assert say(settings.BUTTON_FOUR) == "Four colours"
        assert say(settings.BUTTON_FOUR) == "Vier Farben"
    assert say(settings.BUTTON_FOUR) == "Four colours"


async def test_tasks_speak_their_own_languages() -> None:
    async def spoken(locale: str) -> str:
        bot.text.speak(locale)
        await asyncio.sleep(0)
        return say(settings.BUTTON_FOUR)

    locales = ["de", "fr", "en-US", "de-AT"]
    told = await asyncio.gather(*(asyncio.create_task(spoken(each)) for each in locales))
    assert told == ["Vier Farben", "Quatre couleurs", "Four colours", "Vier Farben"]


def test_options_have_a_context_of_their_own() -> None:
    for language in LANGUAGES:
        assert catalogue(language).get("game", OPTION) is not None
        assert catalogue(language).get("game") is None


def _commands(text: str) -> list[str]:
    """Returns the commands that are mentioned, without their options."""
    return sorted(re.sub(r" \w+:.*", "", each) for each in re.findall(r"`(/[^`]+)`", text))


def _start(text: str) -> str:
    """Returns the markup at the beginning of a line."""
    found = re.match(r"(?:-# |#{1,3} |- |> |\W*)", text)
    return found[0].strip() if found and found[0].strip() in ("-#", "###", "##", "#", "-", ">") else ""
