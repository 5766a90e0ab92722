"""The words of the screen in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

UI = Path(__file__).parents[2] / "ui"
KEYWORDS = {"tr": (1,), "trn": (1, 2), "said": (2,), "said_n": (2, 3)}
LANGUAGES = ["ja"]


def said() -> set[str]:
    """Every text that the sources give to `tr`."""
    found: Iterator[tuple[str, int, str | tuple[str, ...], list[str], str | None]]
    found = extract_from_dir(UI, [("**.py", "python"), ("**.kv", "python")], keywords=KEYWORDS)
    return {text if isinstance(text, str) else text[0] for _, _, text, _, _ in found}


def catalogue(lang: str) -> Catalog:
    """That language's catalogue."""
    with (UI / f"locale/{lang}/LC_MESSAGES/ui.po").open("rb") as po:
        return read_po(po, locale=lang)


def _forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """A text, or its forms for one and for many."""
    return (text or "",) if text is None or isinstance(text, str) else text


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_texts_are_found_in_python_and_in_kv() -> None:
    """The search reads both kinds of source."""
    assert {"Continue", "Which piece does {name} take?"} <= said()


def test_every_text_is_where_it_is_found() -> None:
    """`tr` begins with it, `said` with the language; elsewhere it would be shown, and stay English."""
    sources = [*UI.rglob("*.py"), *UI.rglob("*.kv")]
    wrong = [
        f"{source.relative_to(UI)}: {call}"
        for source in sources
        for call in re.findall(
            r"""\btrn?\((?!self, )\s*[^"'\s)].*|\.said(?:_n)?\(\s*["'].*""", source.read_text("utf-8")
        )
    ]
    assert not [call for call in wrong if "`" not in call]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_is_translated_and_none_is_left_over(lang: str) -> None:
    """What the screen says and what the catalogue holds are the same."""
    words = catalogue(lang)
    translated = {_forms(m.id)[0] for m in words if m.id and all(_forms(m.string)) and not m.fuzzy}
    assert said() == translated
    assert not words.obsolete


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_names_the_same_things(lang: str) -> None:
    """No argument is lost or invented on the way."""
    for message in catalogue(lang):
        if message.id:
            for form in _forms(message.string):
                assert _fields(_forms(message.id)[-1]) == _fields(form)
