"""A draw of lots by the names of those who are drawn, in their order: `Chie Aki Ben`."""

from __future__ import annotations

from collections.abc import Sequence

from companion.spelling import find_first
from companion.terminal.terminal import normal
from companion.words import Labelled, render


def counted(lots: Sequence[Labelled], drawn: int, line: str, language: str) -> list[int] | None:
    """The face of each of the `drawn` lots that a line of names means; None for any other line.

    The last name need not be typed where all the others are. Of several that fit the longest counts.
    """
    left, faces = list(lots), list[int]()
    words = line.replace(",", " ").replace("、", " ").split()
    while words and left:
        found, cut = find_first(words, {at: _called(name, language) for at, name in enumerate(left)})
        if len({_called(left[at], language) for at in found}) != 1:
            return None
        del words[:cut], left[found[0]]
        faces.append(found[0] + 1)
    return faces[:drawn] if len(faces) >= drawn and not words else None


def _called(name: Labelled, language: str) -> tuple[str, ...]:
    """A name in either language, as it is typed."""
    return tuple(normal(render(name, each)) for each in ("en", language))
