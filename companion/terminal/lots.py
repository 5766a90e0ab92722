"""A draw of lots by the names of those who are drawn, in their order: `Chie Aki Ben`."""

from __future__ import annotations

from companion.requests import Roll
from companion.table.seats import as_typed
from companion.words import Labelled, render


def counted(question: Roll, line: str, language: str) -> list[int] | None:
    """The face of each lot that a line of names means; None for any other line.

    The last name need not be typed where all the others are. Of several that fit the longest counts.
    """
    left, faces = list(question.lots), list[int]()
    words = as_typed(line.replace(",", " ").replace("、", " ")).split()
    while words and left:
        found = max(range(len(left)), key=lambda at: _begun(words, left[at], language))
        many = _begun(words, left[found], language)
        if not many:
            return None
        del left[found], words[:many]
        faces.append(found + 1)
    lots = len(question.dice)
    return faces[:lots] if len(faces) >= lots and not words else None


def _begun(words: list[str], name: Labelled, language: str) -> int:
    """With how many of the words a name, in either language, begins them; 0: it doesn't."""
    called = [as_typed(render(name, lang)).split() for lang in ("en", language)]
    return max(len(one) if words[: len(one)] == one else 0 for one in called)
