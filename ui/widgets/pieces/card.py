"""Draws open cards: the big value, the corners and a row below, without the card's id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.cards import CardFace, PrintedValue
from companion.cards.deck import word_label
from companion.texts import render
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.surfaces import Box, draw_border, draw_shadow, fill_rounded_box, inset_box
from ui.widgets.drawing.text import draw_text, measure_text_width, split_in_two_lines
from ui.widgets.pieces.marks import CARD_WIDTH_TO_HEIGHT, Mark
from ui.widgets.pieces.signs import draw_printed_sign, has_sign_picture

MAX_VALUES_IN_ONE_ROW = 3
"""Maximum number of printed values in one row; more values are in two rows, if there is room."""
DARK_CARD_COLOURS = ("black",)
"""Colours of cards that need light print."""
SIGN_HEIGHT_EM = 0.9
"""Height of a sign beside a value, as a share of its letters."""
MIN_FULL_LAYOUT_HEIGHT_LINES = 3.4
"""Least height, in small lines, of a card with room for corners, big value and row."""
MIN_TWO_LINE_LAYOUT_HEIGHT_LINES, NAME_LINE_HEIGHT_EM = 2.3, 1.3
"""Least height, in small lines, of a card with room for two lines, and height of the second line."""
MIN_PRINT_TO_SMALLEST_LETTERS_RATIO = 0.6
"""Least size of print, as a share of the smallest letters.

Smaller values aren't printed; the widget that shows the card says them.
"""
MIN_ONE_LINE_ASPECT_RATIO = 1.5
"""Least ratio of width to height at which a card's values are printed in one line.

A narrower card has only the big value.
"""
MIN_LINES_WITH_EMBLEM = 2.6
"""Least height, in lines of the card's letters, for an emblem over the name."""
EMBLEM_LETTER_SHARE = 0.78
"""Size of an emblem's letter, as a share of the room for it."""
MAX_EMBLEM_WIDTH_BESIDE_ROW = 0.22
"""Most width of an emblem beside the row of a card without a main value, as a share of the card."""
EMBLEM_IN_CORNER_EM = 1.05
"""Size of an emblem in the corner of a lower card, in letters of the card."""
MIN_ROW_VALUE_EM = 0.9
"""Least size of the values in a row, in letters of the card."""
VALUE_GAP_EM = 0.4
"""Gap between two values in a line, in small letters."""
CARD_MARK_VALUE_HEIGHT_SHARE = 0.6
"""Height of the value on a small card, as a share of the card."""


def render_printed_value(printed: PrintedValue, lang: str) -> str:
    """Returns the text of a printed value in a language."""
    return render(word_label(printed.value), lang) if isinstance(printed.value, str) else str(printed.value)


class OpenCardMark(Mark):
    """Mark of a small open card: the big value with its sign, else all values or the card's name.

    `count`: how many equal cards the mark stands for.
    """

    def __init__(self, face: CardFace, lang: str = "en", count: int = 1) -> None:
        self._face = face
        printed_values = [face.big, *face.corners, *face.row]
        self._printed_values = [
            printed
            for printed in (printed_values if face.big is None else printed_values[:1])
            if printed is not None
        ]
        self._texts = [render_printed_value(printed, lang) for printed in self._printed_values] or [
            render(face.card, lang)
        ]
        self._texts += [f"×{count}"] if count > 1 else []
        self.visible_text = " ".join(self._texts)

    def _letter_size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * CARD_MARK_VALUE_HEIGHT_SHARE)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the printed values with a margin."""
        size = self._letter_size(line_height)
        signs_width = (
            sum(has_sign_picture(printed.sign) for printed in self._printed_values) * size * SIGN_HEIGHT_EM
        )
        return max(
            line_height * CARD_WIDTH_TO_HEIGHT,
            signs_width + measure_text_width(self.visible_text, size) + line_height * 0.3,
        )

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card and its values side by side."""
        box = (x, y, self.width_at(line_height), line_height)
        ink = _draw_blank_card(self._face, box)
        size, left = self._letter_size(line_height), x + line_height * 0.15
        for index, text in enumerate(self._texts):
            printed = self._printed_values[index] if index < len(self._printed_values) else None
            left = _draw_value(text, printed, (left, y + line_height / 2), size, ink) + size * 0.3


def count_equal_cards(faces: Iterable[CardFace]) -> dict[CardFace, int]:
    """Returns the first of the cards that look equal when they are small, with their number."""
    first_by_look: dict[object, CardFace] = {}
    counts: dict[CardFace, int] = {}
    for face in faces:
        look = face.colour, face.big or (face.corners, face.row), None if face.big else face.card.label
        first = first_by_look.setdefault(look, face)
        counts[first] = counts.get(first, 0) + 1
    return counts


def make_open_card_marks(faces: Iterable[CardFace], lang: str) -> list[OpenCardMark]:
    """Returns the marks of open cards; equal ones are one mark with their number, such as `Rugs ×3`."""
    return [OpenCardMark(face, lang, count) for face, count in count_equal_cards(faces).items()]


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
    """Whether the name on a card of a width is too wide to be readable."""
    return min_width_for_card_name(face, lang) > card_width


def draw_open_card(face: CardFace, box: Box, lang: str, *, is_highlighted: bool = False) -> None:
    """Draws an open card of any size, with a brass frame if the question is about it."""
    draw_shadow(box, theme.length.line)
    if is_highlighted:
        draw_border(
            theme.BRASS, inset_box(box, -theme.length.rim), theme.length.rim * 1.2, theme.length.radius * 0.7
        )
    ink = _draw_blank_card(face, box)
    x, y, width, height = inset_box(box, min(box[2], box[3]) * 0.07)
    letter_size = max(theme.length.smallest, min(height * 0.2, width * 0.26))
    if face.big is None and not (face.corners or face.row or face.emblem):
        _draw_centred(
            render(face.card, lang), None, (x + width / 2, y + height / 2), width, height * 0.4, ink
        )
        return
    if face.big is not None and height < letter_size * MIN_FULL_LAYOUT_HEIGHT_LINES:
        _draw_low_card(face, (x, y, width, height), letter_size, ink, lang)
        return
    corners = face.corners if _do_corners_fit(face, width, letter_size, lang) else ()
    for printed, (right, up) in zip(corners, ((0, 1), (1, 1), (0, 0), (1, 0)), strict=False):
        text = render_printed_value(printed, lang)
        left = x + right * (width - _value_width(text, printed, letter_size))
        _draw_value(
            text, printed, (left, y + letter_size / 2 + up * (height - letter_size)), letter_size, ink
        )
    row_height = letter_size * 1.2 if face.row or len(corners) > 2 else 0.0  # noqa: PLR2004 - two stand above
    corners_height = letter_size * 1.2 if corners else 0.0
    if face.big is None:
        _draw_card_without_big_value(face, (x, y, width, height), corners, letter_size, ink, lang)
        return
    big_box = (x, y + row_height, width, height - corners_height - row_height)
    _draw_big_value(face, big_box, letter_size, ink, lang)
    _draw_row(face, (x, y, width, row_height), letter_size, ink, lang)


def _draw_card_without_big_value(
    face: CardFace, box: Box, corners: Sequence[PrintedValue], letter_size: float, ink: Colour, lang: str
) -> None:
    """Draws the emblem, if there is one, and the row of a card without a main value, whose corners are drawn.

    The emblem is over the row of a high card, beside the corner of a wide one, else below the corner. If the
    row needs all of the width, the emblem is at the right end of the corner's line.
    """
    x, y, width, height = box
    free_height = height - (letter_size * 1.2 if corners else 0.0)
    row_box = (x, y, width, free_height)
    row_height = letter_size * 1.2 * (2 if len(face.row) > MAX_VALUES_IN_ONE_ROW else bool(face.row)) + 1
    emblem_box = _emblem_box_beside_row(box, corners, letter_size, lang)
    used_width = emblem_box[0] + emblem_box[2] - x
    box_beside = (x + used_width, y, width - used_width, height if len(corners) <= 1 else free_height)
    if not face.emblem:
        pass
    elif free_height >= row_height + letter_size * MIN_LINES_WITH_EMBLEM or not face.row:
        row_height = row_height if face.row else 0.0
        _draw_emblem(face, (x, y + row_height, width, free_height - row_height), ink)
        row_box = (x, y, width, row_height)
    elif _do_values_fit(face, box_beside, letter_size, lang):
        _draw_emblem(face, emblem_box, ink)
        row_box = box_beside
    elif len(corners) == 1:
        _draw_emblem_in_corner(face, row_box, letter_size, ink)
    _draw_row(face, row_box, letter_size, ink, lang)


def _emblem_box_beside_row(box: Box, corners: Sequence[PrintedValue], letter_size: float, lang: str) -> Box:
    """Returns the box for an emblem left of the row: beside the corner of a wide card, else below it."""
    x, y, width, height = box
    side = min(height, width * MAX_EMBLEM_WIDTH_BESIDE_ROW)
    if not corners:
        return (x, y, side, height)
    if width > height * MIN_ONE_LINE_ASPECT_RATIO:
        corner_width = _value_width(render_printed_value(corners[0], lang), corners[0], letter_size)
        return (x + corner_width, y, side, height)
    return (x, y, side, height - letter_size * 1.2)


def _draw_emblem(face: CardFace, box: Box, ink: Colour) -> None:
    """Draws the emblem in the middle of a box, as large as fits."""
    x, y, width, height = box
    draw_text(face.emblem, (x + width / 2, y + height / 2), min(width, height) * EMBLEM_LETTER_SHARE, ink)


def _draw_emblem_in_corner(face: CardFace, box: Box, letter_size: float, ink: Colour) -> None:
    """Draws the emblem over the right end of a box, beside the corner at the left."""
    x, y, width, height = box
    size = letter_size * EMBLEM_IN_CORNER_EM
    draw_text(face.emblem, (x + width - size * 0.6, y + height + letter_size * 0.65), size, ink)


def _draw_big_value(face: CardFace, box: Box, letter_size: float, ink: Colour, lang: str) -> None:
    """Draws the big value in the middle of a box, with its emblem over it if there is room."""
    assert face.big is not None
    x, y, width, height = box
    if face.emblem and height >= letter_size * MIN_LINES_WITH_EMBLEM:
        name_height = letter_size * NAME_LINE_HEIGHT_EM
        _draw_emblem(face, (x, y + name_height, width, height - name_height), ink)
        height = name_height
    elif face.emblem and len(face.corners) == 1:
        _draw_emblem_in_corner(face, box, letter_size, ink)
    middle = (x + width / 2, y + height / 2)
    _draw_centred(render_printed_value(face.big, lang), face.big, middle, width, height, ink)


def _draw_low_card(face: CardFace, box: Box, letter_size: float, ink: Colour, lang: str) -> None:
    """Draws a low card: corner and row above the big value or, on a wide card, all in one line.

    If neither fits, the card has only the big value.
    """
    x, y, width, height = box
    assert face.big is not None
    have_room = width > height * MIN_ONE_LINE_ASPECT_RATIO or _do_corner_and_row_fit(
        face, width, letter_size, lang
    )
    if face.row and height >= letter_size * MIN_TWO_LINE_LAYOUT_HEIGHT_LINES and have_room:
        _draw_in_two_lines(face, box, letter_size, ink, lang)
        return
    big_text, middle = render_printed_value(face.big, lang), y + height / 2
    left, right, big_height = x, x + width, height
    if width > height * MIN_ONE_LINE_ASPECT_RATIO:
        big_width = _value_width(big_text, face.big, theme.length.smallest)
        left, right, big_height = left + letter_size * 0.2, right - letter_size * 0.2, letter_size * 1.15
        for printed in face.corners[:1]:
            left = (
                _draw_value(render_printed_value(printed, lang), printed, (left, middle), letter_size, ink)
                + letter_size * VALUE_GAP_EM
            )
        for printed in face.row[::-1]:
            start = right - _value_width(render_printed_value(printed, lang), printed, letter_size)
            if start < left + big_width + letter_size * VALUE_GAP_EM:
                break
            _draw_value(render_printed_value(printed, lang), printed, (start, middle), letter_size, ink)
            right = start - letter_size * VALUE_GAP_EM
    _draw_centred(big_text, face.big, ((left + right) / 2, middle), right - left, big_height, ink)


def _draw_in_two_lines(face: CardFace, box: Box, letter_size: float, ink: Colour, lang: str) -> None:
    """Draws corner and row at the ends of one line, and the big value below."""
    x, y, width, height = box
    assert face.big is not None
    line_y, left, right = y + height - letter_size / 2, x, x + width
    for printed in face.corners[:1]:
        left = (
            _draw_value(render_printed_value(printed, lang), printed, (left, line_y), letter_size, ink)
            + letter_size * VALUE_GAP_EM
        )
    for printed in face.row[::-1]:
        right -= _value_width(render_printed_value(printed, lang), printed, letter_size)
        if right >= left:
            _draw_value(render_printed_value(printed, lang), printed, (right, line_y), letter_size, ink)
        right -= letter_size * VALUE_GAP_EM
    middle = (x + width / 2, y + (height - letter_size) / 2)
    _draw_centred(
        render_printed_value(face.big, lang),
        face.big,
        middle,
        width,
        min(height - letter_size * 1.1, letter_size * NAME_LINE_HEIGHT_EM),
        ink,
    )


def _do_corner_and_row_fit(face: CardFace, width: float, letter_size: float, lang: str) -> bool:
    """Whether one corner and the row fit in one line."""
    printed_values = [*face.corners[:1], *face.row]
    needed_width = sum(
        _value_width(render_printed_value(printed, lang), printed, letter_size) for printed in printed_values
    ) + letter_size * VALUE_GAP_EM * (len(printed_values) - 1)
    return needed_width <= width


def _do_corners_fit(face: CardFace, width: float, letter_size: float, lang: str) -> bool:
    """Whether corners fit side by side; a very small card shows only the big value."""
    widths = [
        _value_width(render_printed_value(printed, lang), printed, letter_size) for printed in face.corners
    ]
    pairs = zip(widths[::2], widths[1::2], strict=False)
    return face.big is None or all(left + right + letter_size / 3 <= width for left, right in pairs)


def _columns_and_rows_of_values(face: CardFace, height: float, letter_size: float) -> tuple[int, int]:
    """Returns the number of columns and of rows for the values of the row in a box of that height."""
    rows = 2 if len(face.row) > MAX_VALUES_IN_ONE_ROW and height > letter_size * 2 * 1.2 else 1
    return -(-len(face.row) // rows), rows


def _widest_value_width(face: CardFace, size: float, lang: str) -> float:
    """Returns the width of the widest value of the row in letters of that size."""
    return max(_value_width(render_printed_value(printed, lang), printed, size) for printed in face.row)


def _do_values_fit(face: CardFace, box: Box, letter_size: float, lang: str) -> bool:
    """Whether the values of the row fit side by side in a box in their smallest letters."""
    if not face.row:
        return True
    columns, _ = _columns_and_rows_of_values(face, box[3], letter_size)
    return _widest_value_width(face, letter_size * MIN_ROW_VALUE_EM, lang) * columns <= box[2] * 0.9


def _draw_row(face: CardFace, box: Box, letter_size: float, ink: Colour, lang: str) -> None:
    """Draws the values of the row side by side; more than three are in two rows if there is room."""
    if not face.row:
        return
    x, y, width, height = box
    columns, rows = _columns_and_rows_of_values(face, height, letter_size)
    row_height, column_width = height / rows, width / columns
    size = max(
        letter_size * MIN_ROW_VALUE_EM,
        min(row_height * 0.78, column_width * 0.86 / _widest_value_width(face, 100.0, lang) * 100),
    )
    for index, printed in enumerate(face.row):
        row, column = divmod(index, columns)
        text = render_printed_value(printed, lang)
        left = x + column_width * column + (column_width - _value_width(text, printed, size)) / 2
        _draw_value(text, printed, (left, y + height - row_height * (row + 0.5)), size, ink)


def _draw_blank_card(face: CardFace, box: Box) -> Colour:
    """Draws the blank card in its colour; returns the ink that is readable on it."""
    is_dark = face.colour in DARK_CARD_COLOURS
    colour = theme.PIECE_COLOURS.get(face.colour, theme.PAPER_LIT)
    is_card_coloured = face.colour in ("", "white") or is_dark
    fill_rounded_box(
        colour if is_card_coloured else theme.blend_colours(colour, theme.PAPER_LIT, 0.72),
        box,
        theme.length.radius * 0.5,
    )
    draw_border(theme.PAPER_LINE if is_dark else theme.INK, box, theme.length.hair, theme.length.radius * 0.5)
    return theme.PAPER_LIT if is_dark else theme.INK


def _draw_centred(
    text: str,
    printed: PrintedValue | None,
    middle: tuple[float, float],
    width: float,
    height: float,
    ink: Colour,
) -> None:
    smallest, size = theme.length.smallest, min(height, theme.length.grand)
    min_size = smallest * min(1.0, width / max(1.0, _value_width(text, printed, smallest)))
    size = max(min_size, size * min(1.0, width / max(1.0, _value_width(text, printed, size))))
    if min_size < smallest and (printed is None or not printed.sign):
        lines = split_in_two_lines(text)
        two_line_size = _two_line_letter_size(lines, width, height)
        if len(lines) > 1 and two_line_size > max(min_size, smallest * MIN_PRINT_TO_SMALLEST_LETTERS_RATIO):
            for line, offset in zip(lines, (0.5, -0.5), strict=True):
                draw_text(line, (middle[0], middle[1] + offset * two_line_size * 1.1), two_line_size, ink)
            return
    _draw_value(text, printed, (middle[0] - _value_width(text, printed, size) / 2, middle[1]), size, ink)


def _two_line_letter_size(lines: Sequence[str], width: float, height: float) -> float:
    """Returns the size of letters at which two lines fit, at most the smallest readable size."""
    smallest = theme.length.smallest
    max_width = max((measure_text_width(line, smallest) for line in lines), default=smallest)
    return smallest * min(1.0, width / max_width, height / 2 / smallest)


def _value_width(text: str, printed: PrintedValue | None, size: float) -> float:
    sign_width = size * SIGN_HEIGHT_EM if printed is not None and has_sign_picture(printed.sign) else 0.0
    return measure_text_width(text, size) + sign_width


def _draw_value(
    text: str, printed: PrintedValue | None, left_middle: tuple[float, float], size: float, ink: Colour
) -> float:
    """Draws a value behind its sign from a point on the left; returns its right end."""
    x, middle = left_middle
    if size < theme.length.smallest * MIN_PRINT_TO_SMALLEST_LETTERS_RATIO:
        return x
    if printed is not None and has_sign_picture(printed.sign):
        side = size * SIGN_HEIGHT_EM * 0.86
        draw_printed_sign(printed.sign, (x, middle - side / 2, side, side), ink)
        x += size * SIGN_HEIGHT_EM
    text_width = measure_text_width(text, size)
    draw_text(text, (x + text_width / 2, middle), size, ink)
    return x + text_width
