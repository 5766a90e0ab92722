"""Short texts drawn into pieces: a number on a chip, a word on a plate.

Each text is set once and its texture kept, because pieces are drawn again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kivy.core.text import Label
from kivy.graphics.texture import Texture

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.strokes import Color, Rectangle

Point = tuple[float, float]


def across(text: str, size: float, font: str = theme.TEXT, *, bold: bool = True) -> float:
    """How wide a text of that size is, in pixels."""
    return float(_texture(text, round(size), font, bold).width)


def lines_of(name: str, width: float, *, bold: bool = True) -> int:
    """A name stands in one line as long as it can be read so, else in two."""
    return 1 if across(name, theme.length.smallest, bold=bold) <= width else 2


def in_two(name: str) -> list[str]:
    """A name in two lines, between its words if it has more; one letter has one."""
    first, _, second = name.partition(" ")
    middle = (len(name) + 1) // 2
    return [first, second] if second else [each for each in (name[:middle], name[middle:]) if each]


def within(name: str, width: float) -> list[str]:
    """A name in as few lines, of three at most, as can be read so; as it is where no three can."""
    third = -(-len(name) // 3)
    thirds = [name[at : at + third] for at in range(0, len(name), third)]
    fitting = (lines for lines in ([name], in_two(name), thirds) if widest_of(lines) <= width)
    return next(fitting, [name])


def widest_of(lines: Sequence[str]) -> float:
    """How wide the widest of these is where it can just be read."""
    return max(across(line, theme.length.smallest) for line in lines)


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


@lru_cache(maxsize=1024)
def _texture(text: str, size: int, font: str, bold: bool) -> Texture:  # noqa: FBT001 - a column of a key
    label = Label(text=text, font_size=size, font_name=font, bold=bold)
    label.refresh()
    return label.texture
