"""The column widths that all panels of a table share, so that nothing moves.

The module also has the marks in columns, and draws the card of a bid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from companion.cards import CardFace
from companion.rules.scene_views import CellView, MatView
from companion.texts import Labelled
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.widgets.pieces.card import OpenCardMark, count_equal_cards
from ui.widgets.pieces.marks import (
    DIGITS_LINE_SHARE,
    CompositeMark,
    CoveredMark,
    HorizontalGroup,
    Mark,
    PlacedMark,
    gap_behind,
)
from ui.widgets.pieces.worded import format_cell_number_and_maximum, has_picture
from ui.widgets.seats.omitted_numbers import find_omitted_numbers

MAX_FULL_DETAIL_PANELS = 5
"""Maximum number of panels below each other that show full details; more panels show less."""
MIN_COLUMN_DIGITS = 2
"""Number of digits for which every column has room."""
GAP_BETWEEN_PIECES_OF_SAME_LOOK_IN_LINE_HEIGHTS = 0.3
"""The gap between neighbouring pieces that look alike, such as gems of several colours."""
BID_DIGITS_SHARE = 0.75
"""Height of a bid's digits, as a share of its card, where the card has the height of the headline."""
MAX_LARGE_BID_DIGITS = 5
"""Maximum number of digits of a bid in large digits; on a small panel, more have no room."""
LARGE_DIGITS_SHARE = 0.95
"""Height of the digits of a number that is larger than the rest, as a share of its line."""
LARGE_NUMBER_PICTURE_SHARE = 0.6
"""Height of the picture beside such a number, as a share of its line."""
PICTURE_GAP_SHARE = 0.16
"""The gap between a picture and its number, as a share of the height."""


class CellNumberMark(CompositeMark):
    """Mark of a number in a column, behind its picture or word.

    The mark has room for as many digits as its column has ever had, no smaller than `min_size`.
    """

    def __init__(
        self,
        head: Mark,
        value: Mark,
        column_digits: int,
        line_share: float = DIGITS_LINE_SHARE,
        min_size: float = 0.0,
    ) -> None:
        self._head, self._value, self._column_digits = head, value, column_digits
        self._line_share, self._min_size = line_share, min_size
        self.visible_text = " ".join(part.visible_text for part in (head, value) if part.visible_text)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the picture and of the column."""
        size = max(theme.length.smallest, self._min_size, line_height * self._line_share)
        number_width = max(
            measure_text_width("0" * self._column_digits, size, theme.MONEY_FONT),
            self._value.width_at(line_height),
        )
        gap = gap_behind(self._head, line_height, PICTURE_GAP_SHARE)
        return self._head.width_at(line_height) + gap + number_width

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the picture, and the number right behind the picture."""
        yield PlacedMark(self._head, x, y, line_height)
        gap = gap_behind(self._head, line_height, PICTURE_GAP_SHARE)
        value_x = x + self._head.width_at(line_height) + gap
        yield PlacedMark(self._value, value_x, y, line_height)


class LargeNumberMark(CompositeMark):
    """Mark of the number that matters most, larger than its picture or word.

    The mark has room for as many digits as its column has ever had.
    """

    def __init__(self, head: Mark, value: Mark, column_digits: int) -> None:
        self._head, self._value, self._column_digits = head, value, column_digits
        self.visible_text = " ".join(part.visible_text for part in (head, value) if part.visible_text)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the picture and of the column."""
        size = max(theme.length.min_deciding_digits, line_height * LARGE_DIGITS_SHARE)
        number_width = max(
            measure_text_width("0" * self._column_digits, size, theme.MONEY_FONT),
            self._value.width_at(line_height),
        )
        return self._width_before_number(line_height) + number_width

    def _width_before_number(self, line_height: float) -> float:
        head_height = line_height * LARGE_NUMBER_PICTURE_SHARE
        width = self._head.width_at(head_height)
        return (
            width + max(theme.length.gap * 0.75, gap_behind(self._head, head_height, 0.0)) if width else 0.0
        )

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the picture, and right behind it the number, which ends at the right end of the mark."""
        picture_height = line_height * LARGE_NUMBER_PICTURE_SHARE
        value_x = x + self.width_at(line_height) - self._value.width_at(line_height)
        head_x = value_x - self._width_before_number(line_height)
        yield PlacedMark(self._head, head_x, y + (line_height - picture_height) / 2, picture_height)
        yield PlacedMark(self._value, value_x, y, line_height)


class NumberBelowWordMark(CompositeMark):
    """Mark of the number that matters most, below its word.

    The mark has room for as many digits as its column has ever had. The word is as high as the smallest
    letters, and the number is below it, both at the right end.
    """

    def __init__(self, word: Mark, value: Mark, column_digits: int) -> None:
        self._word, self._value, self._column_digits = word, value, column_digits
        self.visible_text = f"{word.visible_text} {value.visible_text}"

    @staticmethod
    def _heights(line_height: float) -> tuple[float, float]:
        """Returns the heights of the word and of the number."""
        word_height = float(theme.length.smallest)
        return word_height, max(word_height, line_height - word_height)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the word or of the column, whichever is wider."""
        word_height, number_height = self._heights(line_height)
        size = max(theme.length.min_deciding_digits, number_height * LARGE_DIGITS_SHARE)
        return max(
            self._word.width_at(word_height),
            measure_text_width("0" * self._column_digits, size, theme.MONEY_FONT),
            self._value.width_at(number_height),
        )

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the word, and the number below it."""
        word_height, number_height = self._heights(line_height)
        right = x + self.width_at(line_height)
        word_x, value_x = (
            right - self._word.width_at(word_height),
            right - self._value.width_at(number_height),
        )
        yield PlacedMark(self._word, word_x, y + number_height, word_height)
        yield PlacedMark(self._value, value_x, y, number_height)


class HiddenCardCountMark(Mark):
    """Mark of a covered number of cards: one back stands for the picture and for the number."""

    def __init__(self, column_digits: int) -> None:
        self._readable_mark = CellNumberMark(CoveredMark(), CoveredMark(), column_digits)

    def width_at(self, line_height: float) -> float:
        """Returns the width that the number would have if it were readable."""
        return self._readable_mark.width_at(line_height)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card's back."""
        CoveredMark().draw(x, y, line_height)


def join_marks_of_pieces_with_same_look(cells: Sequence[CellView], marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yields the marks of the cells, in which neighbouring pieces of the same look are joined into one mark.

    Gems of several colours, for instance, become one mark that stays whole.
    """
    looks = [cell.piece.look if cell.piece is not None and has_picture(cell.piece) else "" for cell in cells]
    for look, group in groupby(zip(looks, marks, strict=True), key=lambda look_and_mark: look_and_mark[0]):
        group_marks = [mark for _, mark in group]
        if look and len(group_marks) > 1:
            yield HorizontalGroup(*group_marks, gap_share=GAP_BETWEEN_PIECES_OF_SAME_LOOK_IN_LINE_HEIGHTS)
        else:
            yield from group_marks


class PanelColumns:
    """Widths of the columns that all panels of a table share, as the most digits that each column has had.

    The names of all players are part of the widths, too. `bid_digits` is 0 as long as nobody has bid.
    """

    def __init__(self) -> None:
        self.cell_digits: list[int] = []
        self.headline_digits = MIN_COLUMN_DIGITS
        self.bid_digits = 0
        self.omitted_numbers: frozenset[int] = frozenset()
        """What no panel shows, as the headline's index or that of a cell."""
        self.are_details_omitted = False
        self.names: tuple[str, ...] = ()
        self.badges_so_far: tuple[tuple[Labelled, bool], ...] = ()
        """Every badge that any player has had."""
        self.widest_card: OpenCardMark | None = None
        """The widest open card that any player has had."""
        self._measured_cards: tuple[str, set[tuple[CardFace, int]]] = "", set()

    def widen_to_fit(
        self,
        mats: Sequence[MatView],
        bids: Iterable[int],
        names: Iterable[str],
        lang: str,
        *,
        are_details_omitted: bool = False,
    ) -> None:
        """Widens the columns so that numbers, badges, bids and cards fit.

        Only the bids' column may get narrower. With `are_details_omitted`, panels leave details to a touch.
        """
        self.are_details_omitted = are_details_omitted
        self.omitted_numbers = find_omitted_numbers(mats, are_details_omitted=are_details_omitted)
        rows = [row for mat in mats for row in mat.rows]
        self._widen_for_cards(
            {item for row in rows for item in count_equal_cards(row.open_cards).items()}, lang
        )
        self.names = tuple(names)
        self.badges_so_far = tuple(
            dict.fromkeys([*self.badges_so_far, *(badge for mat in mats for badge in mat.badges)])
        )
        for mat in mats:
            self.cell_digits += [MIN_COLUMN_DIGITS] * (len(mat.cells) - len(self.cell_digits))
            for index, cell in enumerate(mat.cells):
                self.cell_digits[index] = max(
                    self.cell_digits[index], len(format_cell_number_and_maximum(cell))
                )
            if mat.headline is not None:
                self.headline_digits = max(
                    self.headline_digits, len(format_cell_number_and_maximum(mat.headline))
                )
        self.bid_digits = max([len(str(bid)) for bid in bids], default=0)

    def _widen_for_cards(self, cards: set[tuple[CardFace, int]], lang: str) -> None:
        """Updates the widest card, or several equal ones; another language changes the words on them."""
        known_lang, known_cards = self._measured_cards
        if lang != known_lang:
            cards, known_cards, self.widest_card = cards | known_cards, set(), None
        if not (new_cards := cards - known_cards):
            return
        self._measured_cards = lang, known_cards | new_cards
        marks = [OpenCardMark(face, lang, count) for face, count in new_cards]
        marks += [] if self.widest_card is None else [self.widest_card]
        self.widest_card = max(marks, key=lambda mark: mark.width_at(theme.length.glyph), default=None)

    @property
    def layout_key(self) -> tuple[object, ...]:
        """All widths as one value; when the value changes, panels are measured and drawn again."""
        return (
            *self.cell_digits,
            self.headline_digits,
            self.bid_digits,
            self.omitted_numbers,
            self.are_details_omitted,
            self.names,
            self.badges_so_far,
            self.widest_card,
        )


class ReservedSpaceMark(Mark):
    """Mark of an empty space of a certain width, reserved for a bid or a clock."""

    def __init__(self, width: float) -> None:
        self.width = width

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - a bid or a clock has a height of its own
        """Returns the reserved width."""
        return self.width


def bid_font_size(digits: int) -> float:
    """Returns the font size of a bid with that many digits; long bids are small."""
    return float(theme.length.bid if digits <= MAX_LARGE_BID_DIGITS else theme.length.smallest)


def bid_width(digits: int, height: float) -> float:
    """Returns the width of the card of a bid with that many digits whose card is so high."""
    size = max(theme.length.smallest, height * BID_DIGITS_SHARE)
    return measure_text_width("0" * digits, size, theme.MONEY_FONT) + theme.length.gap


def draw_bid(box: Box, bid: int, *, is_highest: bool, is_faded: bool) -> None:
    """Draws a player's bid on a small card, in digits as large as fit; the highest bid has a brass edge."""
    sizes, (x, y, width, height) = theme.length, box
    fill_rounded_box(theme.PAPER_LIT, box, sizes.radius * 0.6)
    edge, line = (theme.BRASS, sizes.rim) if is_highest else (theme.PAPER_LINE, sizes.line)
    draw_border(edge, box, line, sizes.radius * 0.6)
    colour = theme.INK_QUIET if is_faded else theme.INK
    middle, text = (x + width / 2, y + height / 2), str(bid)
    size = max(min(bid_font_size(len(text)), height * 0.95), height * BID_DIGITS_SHARE)
    size *= min(1.0, (width - sizes.gap) / measure_text_width(text, size, theme.MONEY_FONT))
    draw_text(text, middle, size, colour, theme.MONEY_FONT)
