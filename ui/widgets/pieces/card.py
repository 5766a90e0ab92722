"""An open card as it looks: its big value, its corners and a row below, without its id."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import CardFace, PrintedValue
from companion.cards.deck import word_label
from companion.texts import render
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.surfaces import Box, draw_border, draw_shadow, fill_box, inset_box
from ui.widgets.drawing.text import draw_text, measure_text_width, split_in_two_lines
from ui.widgets.pieces.marks import CARD_WIDTH_TO_HEIGHT, Mark
from ui.widgets.pieces.signs import draw_printed_sign, has_sign_picture

MAX_VALUES_IN_ONE_ROW = 3
"""Maximum number of printed values in one row.

More are printed in two rows, if there is room.
"""
DARK_CARD_COLOURS = ("black",)
"""Colours of cards that need light print."""
SIGN_HEIGHT_EM = 0.9
"""Height of a sign beside a value, as a share of its letters."""
MIN_FULL_LAYOUT_LINES = 3.4
"""Least height, in small lines, of a card with room for corners, big value and row."""
MIN_TWO_LINE_LAYOUT_LINES, NAME_LINE_HEIGHT_EM = 2.3, 1.3
"""Least height, in small lines, of a card with room for two lines, and height of the second line."""
MIN_PRINTED_SIZE_SHARE = 0.6
"""Least size of print, as a share of the smallest letters; smaller values aren't printed.

The widget that shows the card says them.
"""
MIN_ONE_LINE_ASPECT_RATIO = 1.5
"""Least ratio of width to height at which a card's values are printed in one line.

On a card that is less wide only the big value is printed.
"""
VALUE_GAP_EM = 0.4
"""Gap between two values in a line, in small letters."""
CARD_MARK_VALUE_SHARE = 0.6
"""Height of the value on a small card, as a share of the card."""


def render_printed_value(printed: PrintedValue, lang: str) -> str:
    """Returns the text of a printed value in a language."""
    return render(word_label(printed.value), lang) if isinstance(printed.value, str) else str(printed.value)


class OpenCardMark(Mark):
    """A small open card: its big value with its sign; `lang` is for a value that is a word."""

    def __init__(self, face: CardFace, lang: str = "en") -> None:
        self._face = face
        spots = [face.big, *face.corners, *face.row]
        self._spots = [spot for spot in (spots if face.big is None else spots[:1]) if spot is not None]
        self._texts = [render_printed_value(spot, lang) for spot in self._spots] or [render(face.card, lang)]
        self.visible_text = " ".join(self._texts)

    def _letter_size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * CARD_MARK_VALUE_SHARE)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the printed values with a margin."""
        size = self._letter_size(line_height)
        signs = sum(has_sign_picture(spot.sign) for spot in self._spots) * size * SIGN_HEIGHT_EM
        return max(
            line_height * CARD_WIDTH_TO_HEIGHT,
            signs + measure_text_width(self.visible_text, size) + line_height * 0.3,
        )

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card and its values side by side."""
        box = (x, y, self.width_at(line_height), line_height)
        ink = _ground(self._face, box)
        size, left = self._letter_size(line_height), x + line_height * 0.15
        for at, text in enumerate(self._texts):
            spot = self._spots[at] if self._spots else None
            left = _print(text, spot, (left, y + line_height / 2), size, ink) + size * 0.3


def min_width_for_card_name(face: CardFace, lang: str) -> float:
    """Returns the least width of a card at which its name is readable, on two lines if need be."""
    if face.big is None or not isinstance(face.big.value, str):
        return 0.0
    words = [
        measure_text_width(word, theme.length.smallest)
        for word in render_printed_value(face.big, lang).split()
    ]
    return max(words, default=0.0) * 1.2


def is_card_name_unreadable(face: CardFace, card_width: float, lang: str) -> bool:
    """Whether the name on a card of that width is too wide to be readable."""
    return min_width_for_card_name(face, lang) > card_width


def draw_open_card(face: CardFace, box: Box, lang: str, *, is_highlighted: bool = False) -> None:
    """Draws an open card of any size, with a brass frame if the question is about it."""
    draw_shadow(box, theme.length.line)
    if is_highlighted:
        draw_border(
            theme.BRASS, inset_box(box, -theme.length.rim), theme.length.rim * 1.2, theme.length.radius * 0.7
        )
    ink = _ground(face, box)
    x, y, width, height = inset_box(box, min(box[2], box[3]) * 0.07)
    small = max(theme.length.smallest, min(height * 0.2, width * 0.26))
    if face.big is None and not (face.corners or face.row):
        _centred(render(face.card, lang), None, (x + width / 2, y + height / 2), width, height * 0.4, ink)
        return
    if face.big is not None and height < small * MIN_FULL_LAYOUT_LINES:
        _low(face, (x, y, width, height), small, ink, lang)
        return
    corners = face.corners if _have_room(face, width, small, lang) else ()
    for spot, (right, up) in zip(corners, ((0, 1), (1, 1), (0, 0), (1, 0)), strict=False):
        text = render_printed_value(spot, lang)
        left = x + right * (width - _width(text, spot, small))
        _print(text, spot, (left, y + small / 2 + up * (height - small)), small, ink)
    below = small * 1.2 if face.row or len(corners) > 2 else 0.0  # noqa: PLR2004 - two stand above
    above = small * 1.2 if corners else 0.0
    if face.big is not None:
        middle = (x + width / 2, y + below + (height - above - below) / 2)
        _centred(render_printed_value(face.big, lang), face.big, middle, width, height - above - below, ink)
    elif face.row:
        below = height - above
    _row(face, (x, y, width, below), small, ink, lang)


def _low(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Draws a low card: corner and row above the big value or, on a wide card, all in one line.

    If neither fits, only the big value is drawn.
    """
    x, y, width, height = box
    assert face.big is not None
    have_room = width > height * MIN_ONE_LINE_ASPECT_RATIO or _stand_above(face, width, small, lang)
    if face.row and height >= small * MIN_TWO_LINE_LAYOUT_LINES and have_room:
        _two_lines(face, box, small, ink, lang)
        return
    big, middle = render_printed_value(face.big, lang), y + height / 2
    left, right, high = x, x + width, height
    if width > height * MIN_ONE_LINE_ASPECT_RATIO:
        name = _width(big, face.big, theme.length.smallest)
        left, right, high = left + small * 0.2, right - small * 0.2, small * 1.15
        for spot in face.corners[:1]:
            left = (
                _print(render_printed_value(spot, lang), spot, (left, middle), small, ink)
                + small * VALUE_GAP_EM
            )
        for spot in face.row[::-1]:
            start = right - _width(render_printed_value(spot, lang), spot, small)
            if start < left + name + small * VALUE_GAP_EM:
                break
            _print(render_printed_value(spot, lang), spot, (start, middle), small, ink)
            right = start - small * VALUE_GAP_EM
    _centred(big, face.big, ((left + right) / 2, middle), right - left, high, ink)


def _two_lines(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Draws corner and row at the ends of one line, and the big value below."""
    x, y, width, height = box
    assert face.big is not None
    line, left, right = y + height - small / 2, x, x + width
    for spot in face.corners[:1]:
        left = _print(render_printed_value(spot, lang), spot, (left, line), small, ink) + small * VALUE_GAP_EM
    for spot in face.row[::-1]:
        right -= _width(render_printed_value(spot, lang), spot, small)
        if right >= left:
            _print(render_printed_value(spot, lang), spot, (right, line), small, ink)
        right -= small * VALUE_GAP_EM
    middle = (x + width / 2, y + (height - small) / 2)
    _centred(
        render_printed_value(face.big, lang),
        face.big,
        middle,
        width,
        min(height - small * 1.1, small * NAME_LINE_HEIGHT_EM),
        ink,
    )


def _stand_above(face: CardFace, width: float, small: float, lang: str) -> bool:
    """Whether corner and row have room in one line."""
    spots = [*face.corners[:1], *face.row]
    wide = sum(
        _width(render_printed_value(spot, lang), spot, small) for spot in spots
    ) + small * VALUE_GAP_EM * (len(spots) - 1)
    return wide <= width


def _have_room(face: CardFace, width: float, small: float, lang: str) -> bool:
    """Whether two corners stand beside each other; on a very small card only what is big is shown."""
    wide = [_width(render_printed_value(spot, lang), spot, small) for spot in face.corners]
    pairs = zip(wide[::2], wide[1::2], strict=False)
    return face.big is None or all(left + right + small / 3 <= width for left, right in pairs)


def _row(face: CardFace, box: Box, small: float, ink: Colour, lang: str) -> None:
    """Draws the row side by side; more than three values stand in two rows if there is room."""
    if not face.row:
        return
    x, y, width, height = box
    rows = 2 if len(face.row) > MAX_VALUES_IN_ONE_ROW and height > small * 2 * 1.2 else 1
    columns = -(-len(face.row) // rows)
    high, share = height / rows, width / columns
    widest = max(_width(render_printed_value(spot, lang), spot, 100.0) for spot in face.row)
    size = max(small * 0.9, min(high * 0.78, share * 0.86 / widest * 100))
    for at, spot in enumerate(face.row):
        row, column = divmod(at, columns)
        text = render_printed_value(spot, lang)
        left = x + share * column + (share - _width(text, spot, size)) / 2
        _print(text, spot, (left, y + height - high * (row + 0.5)), size, ink)


def _ground(face: CardFace, box: Box) -> Colour:
    """Draws the blank card in its colour; returns the ink that is readable on it."""
    dark = face.colour in DARK_CARD_COLOURS
    colour = theme.PIECE_COLOURS.get(face.colour, theme.PAPER_LIT)
    light = face.colour in ("", "white") or dark
    fill_box(
        colour if light else theme.blend_colours(colour, theme.PAPER_LIT, 0.72),
        box,
        theme.length.radius * 0.5,
    )
    draw_border(theme.PAPER_LINE if dark else theme.INK, box, theme.length.hair, theme.length.radius * 0.5)
    return theme.PAPER_LIT if dark else theme.INK


def _centred(
    text: str, spot: PrintedValue | None, middle: tuple[float, float], width: float, high: float, ink: Colour
) -> None:
    smallest, size = theme.length.smallest, min(high, theme.length.grand)
    least = smallest * min(1.0, width / max(1.0, _width(text, spot, smallest)))
    size = max(least, size * min(1.0, width / max(1.0, _width(text, spot, size))))
    if least < smallest and (spot is None or not spot.sign):
        lines = split_in_two_lines(text)
        folded = _folded_size(lines, width, high)
        if len(lines) > 1 and folded > max(least, smallest * MIN_PRINTED_SIZE_SHARE):
            for line, up in zip(lines, (0.5, -0.5), strict=True):
                draw_text(line, (middle[0], middle[1] + up * folded * 1.1), folded, ink)
            return
    _print(text, spot, (middle[0] - _width(text, spot, size) / 2, middle[1]), size, ink)


def _folded_size(lines: Sequence[str], width: float, high: float) -> float:
    """How large the letters of two lines may be."""
    smallest = theme.length.smallest
    widest = max((measure_text_width(line, smallest) for line in lines), default=smallest)
    return smallest * min(1.0, width / widest, high / 2 / smallest)


def _width(text: str, spot: PrintedValue | None, size: float) -> float:
    sign = size * SIGN_HEIGHT_EM if spot is not None and has_sign_picture(spot.sign) else 0.0
    return measure_text_width(text, size) + sign


def _print(
    text: str, spot: PrintedValue | None, left: tuple[float, float], size: float, ink: Colour
) -> float:
    """Draws a value behind its sign from a point on the left; returns its right end."""
    x, middle = left
    if size < theme.length.smallest * MIN_PRINTED_SIZE_SHARE:
        return x
    if spot is not None and has_sign_picture(spot.sign):
        side = size * SIGN_HEIGHT_EM * 0.86
        draw_printed_sign(spot.sign, (x, middle - side / 2, side, side), ink)
        x += size * SIGN_HEIGHT_EM
    wide = measure_text_width(text, size)
    draw_text(text, (x + wide / 2, middle), size, ink)
    return x + wide
