"""Names and other words of players can stand in any message: no markup, no mention, nothing that cannot be seen."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import MAX_NAME, code, harmless, visible
from bot.text.names import DELETED, UNKNOWN, name_of, plain_name_of

SPECIAL = r"\`*_~|<>[]()#@:-"
NASTY = st.text(
    st.sampled_from(
        SPECIAL
        + "aZ9 é\n\t\u200b\u200d\u200e\u202e\u2066\u0335\u0489\u115f\u3164\u2800\ufeff\u0007\ue000漢😀"
    ),
    max_size=80,
)


@given(st.one_of(st.text(max_size=120), NASTY))
def test_a_harmless_name_has_no_markup_and_nothing_unseen(name: str) -> None:
    shown = harmless(name)
    bare = re.sub(r"\\(.)", lambda found: "" if found[1] in SPECIAL else found[0], shown)
    assert not set(bare) & set(SPECIAL)
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for char in shown)
    assert shown == shown.strip() != ""
    assert "  " not in shown
    plain = visible(name)
    assert len(plain) <= MAX_NAME
    assert re.sub(r"\\(.)", r"\1", shown) == (plain or "?")
    assert harmless(plain) == shown


@given(NASTY)
def test_no_letter_bears_a_tower_of_marks(name: str) -> None:
    assert not re.search(r"[\u0300-\u036f\u0489]{3}", visible(name))


@given(st.one_of(st.text(min_size=1, max_size=64), NASTY.filter(bool)))
def test_nothing_breaks_out_of_a_code(text: str) -> None:
    shown = code(text)
    if "``" in text:
        assert not re.search(r"(?<!\\)[`@<]", re.sub(r"\\\\", "", shown))
    else:
        fence = "``" if "`" in text else "`"
        assert shown.startswith(fence)
        assert shown.endswith(fence)
        assert fence not in shown.removeprefix(fence).removesuffix(fence).strip("` ") or fence == "`"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("@everyone", r"\@everyone"),
        ("<@123456789012345678>", r"\<\@123456789012345678\>"),
        ("<t:1:R>", r"\<t\:1\:R\>"),
        ("[free](https://x.y)", r"\[free\]\(https\://x.y\)"),
        ("# big", r"\# big"),
        ("a\u202eb", "ab"),
        ("\u200b\u200b", "?"),
        ("\u3164", "?"),
        ("x" * 40, "x" * 23 + "…"),
        ("a\n\n> b", r"a \> b"),
    ],
)
def test_some_names(name: str, shown: str) -> None:
    assert harmless(name) == shown


def test_who_is_not_known_has_a_name_all_the_same() -> None:
    assert name_of(-5, {}) == DELETED
    assert name_of(5, {}) == plain_name_of(5, {5: "\u200b"}) == UNKNOWN
    assert name_of(5, {5: "a_b"}) == r"a\_b"
    assert plain_name_of(5, {5: "a_b"}) == "a_b"
