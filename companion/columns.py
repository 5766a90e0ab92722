"""Lines of cells below each other in letters of one width, whatever the script."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "   "


def width(text: str) -> int:
    """How many columns a text takes: Japanese two a letter, combining marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def padded(text: str, columns: int) -> str:
    """The text with space up to so many columns."""
    return text + " " * (columns - width(text))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines whose columns stand below each other."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(padded(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
