"""Short texts drawn into pieces: a number on a chip, a word on a plate.

Each text is set once and its texture kept, because pieces are drawn again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kivy.graphics.texture import Texture

from companion.spelling import split_letters
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.font_runs import FallbackLabel
from ui.widgets.drawing.line_ends import cut
from ui.widgets.drawing.strokes import Color, Rectangle

Point = tuple[float, float]
MOST_LINES = 3
"""That a name takes."""
WIDEST = 13.5
"""How wide a name may be in a sentence on a key, in heights of the smallest letters: twenty Latin ones."""
REST = "…"
"""Stands for the end of a name that has no room."""
LINE = 1.15
"""How far lines lie apart, in heights of their letters."""


def across(text: str, size: float, font: str = theme.TEXT, *, bold: bool = True) -> float:
    """How wide a text of that size is, in pixels."""
    return _across(text, round(size), font, bold)


def lines_of(name: str, width: float, *, bold: bool = True) -> int:
    """A name stands in one line as long as it can be read so, else in two."""
    return 1 if across(name, theme.length.smallest, bold=bold) <= width else 2


def in_two(name: str) -> list[str]:
    """A name in two lines, between its words if it has more; one letter has one."""
    words = name.split()
    pairs = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
    return min(pairs, key=lambda pair: max(map(len, pair)), default=cut(name, 2))


def within(name: str, width: float, *, bold: bool = True, most: int = MOST_LINES) -> list[str]:
    """A name in as few lines, of `most` at most, as can be read so.

    Where no such lines have room, its beginning with "…": a name may have twenty letters, and many people may
    sit at a small panel. Their signs tell them apart; the whole name is a touch away.
    """
    words = name.split()

    def fits(lines: Sequence[str]) -> bool:
        return len(lines) <= most and widest_of(lines, bold=bold) <= width

    def split(parts: int, hyphen: str) -> list[str]:
        cuts = [[word] if fits([word]) else cut(word, parts, hyphen) for word in words]
        return [line for lines in cuts for line in lines]

    tries = ([name], in_two(name), words, *(split(parts, hyphen) for parts in (2, 3) for hyphen in ("-", "")))
    return next((lines for lines in tries if fits(lines)), None) or _begun(name, width, most, bold=bold)


def called(name: str, wide: float = WIDEST) -> str:
    """A name in a sentence on a key: its beginning where it is wider than so many of the widest letters."""
    return within(name, wide * theme.length.smallest, most=1)[0]


def _begun(name: str, width: float, most: int, *, bold: bool) -> list[str]:
    """The beginning of a name in so many lines, each as full as can be, and "…" at the end."""
    letters, lines = split_letters(name), list[str]()
    for at in range(most):
        end = REST if at == most - 1 else ""
        full = [
            count
            for count in range(1, len(letters) + 1)
            if across("".join(letters[:count]).strip() + end, theme.length.smallest, bold=bold) <= width
        ]
        count = max(full, default=1)
        lines.append("".join(letters[:count]).strip() + end)
        del letters[:count]
    return lines


def widest_of(lines: Sequence[str], *, bold: bool = True) -> float:
    """How wide the widest of these is where it can just be read."""
    return max((across(line, theme.length.smallest, bold=bold) for line in lines), default=0.0)


def inscribe(
    text: str, middle: Point, size: float, colour: Colour, font: str = theme.TEXT, *, bold: bool = True
) -> None:
    """A text around a point, bold unless told."""
    texture = _texture(text, round(size), font, bold)
    Color(*colour)
    Rectangle(
        texture=texture,
        size=texture.size,
        pos=(round(middle[0] - texture.width / 2), round(middle[1] - texture.height / 2)),
    )


def inscribe_lines(
    lines: Sequence[str], middle: Point, size: float, colour: Colour, *, bold: bool = True
) -> None:
    """Lines below each other around a point."""
    for at, line in enumerate(lines):
        up = size * LINE * ((len(lines) - 1) / 2 - at)
        inscribe(line, (middle[0], middle[1] + up), size, colour, bold=bold)


@lru_cache(maxsize=4096)  # plans try a number at a dozen sizes and draw it at one
def _across(text: str, size: int, font: str, bold: bool) -> float:  # noqa: FBT001 - a column of a key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.resolve_font_name()
    return max(1.0, float(label.render()[0]))


@lru_cache(maxsize=1024)
def _texture(text: str, size: int, font: str, bold: bool) -> Texture:  # noqa: FBT001 - a column of a key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.refresh()
    return label.texture
