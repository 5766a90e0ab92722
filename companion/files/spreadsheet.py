"""Escapes text in a CSV file so that no spreadsheet takes it for a formula.

A spreadsheet calculates a cell that begins with `=`, `+`, `-` or `@`, also in full width, and skips spaces
and quotes before it. In a country that writes decimals with a comma, it takes `;` for the end of a cell, also
inside the quotes of a cell that began after a comma. A tab or a new line may end a cell, too. So each formula
that may begin a cell gets an apostrophe before it, which makes it text.
"""

from __future__ import annotations

import re

FORMULA_START_CHARACTERS = "=+@\\-\u2212＝＋－＠﹦﹢﹣﹫⁺₊⁻₋⁼₌⩵⩶\ufb29"
"""The characters that may begin a formula: `=`, `+`, `-`, `@` and their variants in Unicode."""
SKIPPED_BEFORE_FORMULA = (
    r"\s\"\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
)
"""The characters that a spreadsheet skips before a formula: spaces, quotes and invisible characters."""
CELL_ENDS = ";；\t\r\n\v\f\x85\u2028\u2029"
"""The characters that may end a cell besides a comma, which is always inside quotes."""
_UNESCAPED_FORMULA = re.compile(
    rf"(^|[{CELL_ENDS}])(?=[{SKIPPED_BEFORE_FORMULA}']*[{FORMULA_START_CHARACTERS}])"
)
_ESCAPED_FORMULA = re.compile(
    rf"(^|[{CELL_ENDS}])'(?=[{SKIPPED_BEFORE_FORMULA}']*[{FORMULA_START_CHARACTERS}])"
)


def escape_formulas(text: str) -> str:
    """Returns the text with an apostrophe wherever a spreadsheet could begin a formula."""
    return _UNESCAPED_FORMULA.sub(r"\1'", text)


def unescape_formulas(text: str) -> str:
    """Removes the apostrophes that `escape_formulas` has added."""
    return _ESCAPED_FORMULA.sub(r"\1", text)
