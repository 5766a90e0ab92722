"""The characters that Companion's screen can show, by font.

The screen draws each word in the first of its fonts that has all letters of the word. Text that somebody
enters is checked here wherever it comes in, so that no screen shows boxes. This module draws nothing and
doesn't check text that was saved earlier: old games open whatever their names are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from companion.bounds import MAX_TEXT_CHARACTERS
from companion.distribution import PACKAGE_FOLDER
from companion.errors import UserError
from companion.name_matching import split_graphemes
from companion.texts import say

MAX_MARKS_PER_LETTER = 2
"""The most combining marks above or below one letter: Thai stacks two, and three would leave the line."""
MAX_CODE_POINTS_PER_LETTER = 4
"""The most code points of a letter with all its marks: no script of the fonts needs more."""
HEBREW_POINTS_INSIDE_LETTERS = frozenset("\u05bc\u05c1\u05c2")
"""The Hebrew points inside a letter, which stack with no other mark: dagesh, shin dot and sin dot."""
_MARK_CATEGORIES = "Mn", "Me"
"""The Unicode categories of marks. The combining class can't be used: it is 0 for some marks.

Examples are Thai vowels and marks that enclose a letter.
"""


@cache
def screen_font_names() -> tuple[str, ...]:
    """Returns the fonts of the screen, preferred fonts first."""
    return tuple(_ranges_by_font())


@cache
def characters_in_font(font: str) -> frozenset[str]:
    """Returns the characters of a font.

    The first font takes 4 ms, so each font is read only when it is needed.
    """
    return frozenset(_expand_ranges(_ranges_by_font()[font]))


def require_showable(text: str) -> None:
    """Raises `UserError` for a text that the screen can't show whole.

    A text that no log could hold is refused too. The error names the character that the fonts lack. A
    text that passes has at most `MAX_TEXT_CHARACTERS` code points.
    """
    if len(text) > MAX_TEXT_CHARACTERS:
        raise UserError(say("A text can have at most {most} characters.", most=MAX_TEXT_CHARACTERS))
    if text.isascii():
        return
    composed = unicodedata.normalize("NFC", text)
    if missing := next((character for character in composed if not _is_in_some_font(character)), None):
        refused = "The screen can't show the character {name}. Please write the text without it."
        raise UserError(say(refused, name=_describe_character(missing)))
    for letter in split_graphemes(composed):
        _require_showable_letter(letter)


def _require_showable_letter(letter: str) -> None:
    """Raises `UserError` for marks without a letter, or for too many marks or characters of one letter."""
    if letter.isascii():
        return
    decomposed = unicodedata.normalize("NFD", letter)
    marks = [character for character in decomposed if unicodedata.category(character) in _MARK_CATEGORIES]
    if marks and (decomposed[0].isspace() or decomposed[0] == marks[0]):
        raise UserError(say("A mark such as an accent needs a letter before it."))
    if len(marks) - len(HEBREW_POINTS_INSIDE_LETTERS.intersection(marks)) > MAX_MARKS_PER_LETTER:
        raise UserError(
            say(
                "A letter can have at most {most} accents or other marks above or below it.",
                most=MAX_MARKS_PER_LETTER,
            )
        )
    if len(letter) > MAX_CODE_POINTS_PER_LETTER:
        text = "At most {most} characters can be joined into one letter."
        raise UserError(say(text, most=MAX_CODE_POINTS_PER_LETTER))


def _is_in_some_font(character: str) -> bool:
    return any(character in characters_in_font(font) for font in screen_font_names())


@cache
def _ranges_by_font() -> Mapping[str, str]:
    """Returns the ranges of each font's characters, as `python -m scripts.font_coverage` writes them."""
    lines = (PACKAGE_FOLDER / "characters.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _describe_character(character: str) -> str:
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{name.title()} ({code})" if name else code


def _expand_ranges(ranges: str) -> list[str]:
    """Returns the characters of ranges such as `20-7e a9`: code points in base 16."""
    characters: list[str] = []
    for range_text in ranges.split():
        first, _, last = range_text.partition("-")
        characters += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return characters
