"""An open card as it looks: its big value, its corners, a row below; never its code."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import CardFace, PrintedValue
from companion.cards.deck import word_label
from companion.texts import render
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.surfaces import Box, fill, inset, rim, shade
from ui.widgets.drawing.text import across, in_two, inscribe
from ui.widgets.pieces.marks import CARD_WIDE, Mark
from ui.widgets.pieces.signs import draw_sign, is_sign

IN_A_ROW = 3
"""More values than these stand in two rows, where there is room."""
DARK = ("black",)
"""Grounds on which print is light."""
SIGN = 0.9
"""How high a sign is beside a value, as a share of its letters."""
LOW = 3.4
"""A card that isn't so many small lines high has no room for what stands above, in the middle and below."""
TWO_LINES, NAME = 2.3, 1.3
"""One that is so many has room for two lines; how high the second of them is."""
READABLE = 0.6
"""What is smaller than so many of the smallest letters isn't printed: whoever shows the card says it."""
LYING = 1.5
"""Ratio of width to height from which all that is printed stands in one line; else only what is big."""
BETWEEN = 0.4
"""Between two values in a line, in small letters."""
SMALL = 0.6
"""How high the value on a small card is, as a share of the card."""


def said(spot: PrintedValue, lang: str) -> str:
    """A printed value as people read it."""
    return render(word_label(spot.value), lang) if isinstance(spot.value, str) else str(spot.value)


class CardMark(Mark):
    """A small open card: its big value with its sign; `lang` for a value that is a word."""

    def __init__(self, face: CardFace, lang: str = "en") -> None:
        self._face = face
        spots = [face.big, *face.corners, *face.row]
        self._spots = [spot for spot in (spots if face.big is None else spots[:1]) if spot is not None]
        self._texts = [said(spot, lang) for spot in self._spots] or [render(face.card, lang)]
        self.said = " ".join(self._texts)

    def _letters(self, high: float) -> float:
        return max(theme.length.smallest, high * SMALL)

    def across(self, high: float) -> float:
        """What is printed, with a margin."""
        size = self._letters(high)
        signs = sum(is_sign(spot.sign) for spot in self._spots) * size * SIGN
        return max(high * CARD_WIDE, signs + across(self.said, size) + high * 0.3)

    def draw(self, x: float, y: float, high: float) -> None:
        """The card and its values side by side."""
        box = (x, y, self.across(high), high)
        ink = _ground(self._face, box)
        size, left = self._letters(high), x + high * 0.15
        for at, text in enumerate(self._texts):
            spot = self._spots[at] if self._spots else None
            left = _print(text, spot, (left, y + high / 2), size, ink) + size * 0.3


def least_wide(face: CardFace, lang: str) -> float:
    """How wide a card must be so that the name on it can be read, over two lines if it has several words."""
    if face.big is None or not isinstance(face.big.value, str):
        return 0.0
    words = [across(word, theme.length.smallest) for word in said(face.big, lang).split()]
    return max(words, default=0.0) * 1.2


def is_blank(face: CardFace, wide: float, lang: str) -> bool:
    """Whether the name on a card can't be read where it is so wide."""
    return least_wide(face, lang) > wide


def draw_card(face: CardFace, box: Box, lang: str, *, wanted: bool = False) -> None:
    """A card of any size; brass all round if the question is about it."""
    shade(box, theme.length.line)
    if wanted:
        rim(theme.BRASS, inset(box, -theme.length.rim), theme.length.rim * 1.2, theme.length.radius * 0.7)
    ink = _ground(face, box)
    x, y, width, height = inset(box, min(box[2], box[3]) * 0.07)
    small = max(theme.length.smallest, min(height * 0.2, width * 0.26))
    if face.big is None and not (face.corners or face.row):
        _centred(render(face.card, lang), None, (x + width / 2, y + height / 2), width, height * 0.4, ink)
        return
    if face.big is not None and height < small * LOW:
        _low(face, (x, y, width, height), small, ink, lang)
        return
    corners = face.corners if _have_room(face, width, small, lang) else ()
    for spot, (right, up) in zip(corners, ((0, 1), (1, 1), (0, 0), (1, 0)), strict=False):
        text = said(spot, lang)
        left = x + right * (width - _width(text, spot, small))
        _print(text, spot, (left, y + small / 2 + up * (height - small)), small, ink)
    below = small * 1.2 if face.row or len(corners) > 2 else 0.0  # noqa: PLR2004 - two stand above
    above = small * 1.2 if corners else 0.0
    if face.big is not None:
        middle = (x + width / 2, y + below + (height - above - below) / 2)
        _centred(said(face.big, lang), face.big, middle, width, height - above - below, ink)
    elif face.row:
        below = height - above
    _row(face, (x, y, width, below), small, ink, lang)


def _low(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Its corner and the row stand above what is big; where a card lies wide beside it in one line.

    Else only what is big has room.
    """
    x, y, width, height = box
    assert face.big is not None
    have_room = width > height * LYING or _stand_above(face, width, small, lang)
    if face.row and height >= small * TWO_LINES and have_room:
        _two_lines(face, box, small, ink, lang)
        return
    big, middle = said(face.big, lang), y + height / 2
    left, right, high = x, x + width, height
    if width > height * LYING:
        name = _width(big, face.big, theme.length.smallest)
        left, right, high = left + small * 0.2, right - small * 0.2, small * 1.15
        for spot in face.corners[:1]:
            left = _print(said(spot, lang), spot, (left, middle), small, ink) + small * BETWEEN
        for spot in face.row[::-1]:
            start = right - _width(said(spot, lang), spot, small)
            if start < left + name + small * BETWEEN:
                break
            _print(said(spot, lang), spot, (start, middle), small, ink)
            right = start - small * BETWEEN
    _centred(big, face.big, ((left + right) / 2, middle), right - left, high, ink)


def _two_lines(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Its corner and the row in a line, at its two ends; below them what is big."""
    x, y, width, height = box
    assert face.big is not None
    line, left, right = y + height - small / 2, x, x + width
    for spot in face.corners[:1]:
        left = _print(said(spot, lang), spot, (left, line), small, ink) + small * BETWEEN
    for spot in face.row[::-1]:
        right -= _width(said(spot, lang), spot, small)
        if right >= left:
            _print(said(spot, lang), spot, (right, line), small, ink)
        right -= small * BETWEEN
    middle = (x + width / 2, y + (height - small) / 2)
    _centred(said(face.big, lang), face.big, middle, width, min(height - small * 1.1, small * NAME), ink)


def _stand_above(face: CardFace, width: float, small: float, lang: str) -> bool:
    """Whether corner and row have room in one line."""
    spots = [*face.corners[:1], *face.row]
    wide = sum(_width(said(spot, lang), spot, small) for spot in spots) + small * BETWEEN * (len(spots) - 1)
    return wide <= width


def _have_room(face: CardFace, width: float, small: float, lang: str) -> bool:
    """Whether two corners stand beside each other; on a very small card only what is big is shown."""
    wide = [_width(said(spot, lang), spot, small) for spot in face.corners]
    pairs = zip(wide[::2], wide[1::2], strict=False)
    return face.big is None or all(left + right + small / 3 <= width for left, right in pairs)


def _row(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Side by side; where they have all the room and are more than three, in two rows, as large as can be."""
    if not face.row:
        return
    x, y, width, height = box
    rows = 2 if len(face.row) > IN_A_ROW and height > small * 2 * 1.2 else 1
    columns = -(-len(face.row) // rows)
    high, share = height / rows, width / columns
    widest = max(_width(said(spot, lang), spot, 100.0) for spot in face.row)
    size = max(small * 0.9, min(high * 0.78, share * 0.86 / widest * 100))
    for at, spot in enumerate(face.row):
        row, column = divmod(at, columns)
        text = said(spot, lang)
        left = x + share * column + (share - _width(text, spot, size)) / 2
        _print(text, spot, (left, y + height - high * (row + 0.5)), size, ink)


def _ground(face: CardFace, box: Box) -> Colour:
    """The card itself, in its colour; returns the ink that can be read on it."""
    dark = face.colour in DARK
    colour = theme.PIECE_COLOURS.get(face.colour, theme.PAPER_LIT)
    light = face.colour in ("", "white") or dark
    fill(colour if light else theme.blend(colour, theme.PAPER_LIT, 0.72), box, theme.length.radius * 0.5)
    rim(theme.PAPER_LINE if dark else theme.INK, box, theme.length.hair, theme.length.radius * 0.5)
    return theme.PAPER_LIT if dark else theme.INK


def _centred(
    text: str, spot: PrintedValue | None, middle: tuple[float, float], width: float, high: float, ink: Colour
) -> None:
    smallest, size = theme.length.smallest, min(high, theme.length.grand)
    least = smallest * min(1.0, width / max(1.0, _width(text, spot, smallest)))
    size = max(least, size * min(1.0, width / max(1.0, _width(text, spot, size))))
    if least < smallest and (spot is None or not spot.sign):
        lines = in_two(text)
        folded = _folded_size(lines, width, high)
        if len(lines) > 1 and folded > max(least, smallest * READABLE):
            for line, up in zip(lines, (0.5, -0.5), strict=True):
                inscribe(line, (middle[0], middle[1] + up * folded * 1.1), folded, ink)
            return
    _print(text, spot, (middle[0] - _width(text, spot, size) / 2, middle[1]), size, ink)


def _folded_size(lines: Sequence[str], width: float, high: float) -> float:
    """How large the letters of two lines may be."""
    smallest = theme.length.smallest
    widest = max((across(line, smallest) for line in lines), default=smallest)
    return smallest * min(1.0, width / widest, high / 2 / smallest)


def _width(text: str, spot: PrintedValue | None, size: float) -> float:
    sign = size * SIGN if spot is not None and is_sign(spot.sign) else 0.0
    return across(text, size) + sign


def _print(
    text: str, spot: PrintedValue | None, left: tuple[float, float], size: float, ink: Colour
) -> float:
    """A value behind its sign, from a point on the left; where it ends."""
    x, middle = left
    if size < theme.length.smallest * READABLE:
        return x
    if spot is not None and is_sign(spot.sign):
        side = size * SIGN * 0.86
        draw_sign(spot.sign, (x, middle - side / 2, side, side), ink)
        x += size * SIGN
    wide = across(text, size)
    inscribe(text, (x + wide / 2, middle), size, ink)
    return x + wide
