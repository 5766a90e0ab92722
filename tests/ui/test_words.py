"""The words of the screen in every language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

UI = Path(__file__).parents[2] / "ui"
KEYWORDS = {"tr": (2,), "trn": (2, 3)}
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


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_texts_are_found_in_python_and_in_kv() -> None:
    """The search reads both kinds of source."""
    assert {"Continue", "Which piece does {name} take?"} <= said()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_is_translated_and_none_is_left_over(lang: str) -> None:
    """What the screen says and what the catalogue holds are the same."""
    words = catalogue(lang)
    translated = {str(m.id) for m in words if m.id and m.string and not m.fuzzy}
    assert said() == translated
    assert not words.obsolete


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_translation_names_the_same_things(lang: str) -> None:
    """No argument is lost or invented on the way."""
    for message in catalogue(lang):
        if message.id:
            assert _fields(str(message.id)) == _fields(str(message.string))
