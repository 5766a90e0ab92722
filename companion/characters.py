"""The characters that Companion's screen can show, by font.

The screen draws each word in the first of its fonts that has all the word's letters. Text that somebody
enters is checked here wherever it comes in, so that no screen shows boxes. This module draws nothing and
doesn't check text that was saved earlier: old games open whatever their names are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from companion.distribution import FOLDER
from companion.errors import TableError
from companion.words import say

MAX_MARKS = 2
"""Combining marks on one letter: Thai stacks two, and three would leave the line."""


@cache
def font_names() -> tuple[str, ...]:
    """The fonts of the screen, preferred fonts first."""
    return tuple(_ranges())


@cache
def characters_of(font: str) -> frozenset[str]:
    """The characters of one font. The first one takes 4 ms, so each is read when it is needed."""
    return frozenset(_characters(_ranges()[font]))


def check_showable(text: str) -> None:
    """Raises `TableError`, which names the character, for text that the screen can't show whole."""
    if text.isascii():
        return
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    if missing := next((character for character in composed if not _is_known(character)), None):
        refused = "The screen can't show the character {name}. Please write the text without it."
        raise TableError(say(refused, name=_name(missing)))
    marks = 0
    for character in decomposed:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_MARKS:
            raise TableError(say("A letter can have at most {most} marks above or below it.", most=MAX_MARKS))


def _is_known(character: str) -> bool:
    return any(character in characters_of(font) for font in font_names())


@cache
def _ranges() -> Mapping[str, str]:
    """As `python -m scripts.font_coverage` writes them."""
    lines = (FOLDER / "characters.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _name(character: str) -> str:
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{name.title()} ({code})" if name else code


def _characters(ranges: str) -> list[str]:
    """The characters of ranges such as `20-7e a9`: code points in base 16."""
    found: list[str] = []
    for written in ranges.split():
        first, _, last = written.partition("-")
        found += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return found
