"""Small drawings on a panel or in the middle of the table: a picture, a text, a number, a card.

A mark is no widget: it returns its width for a line height, and draws itself at a point. So a panel of
thirty marks is one widget, and a change redraws only a few instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import inf
from typing import NamedTuple

from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box, inset_box
from ui.widgets.drawing.symbols import draw_player_token, draw_shape
from ui.widgets.drawing.text import (
    draw_text,
    draw_text_lines,
    measure_text_width,
    widest_line_width_in_smallest_font,
    wrap_name,
)
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS, draw_solid_piece

SPACE_EM = 0.32
"""The width of a space behind a word, in heights of its letters."""
CARD_WIDTH_TO_HEIGHT = 0.74
"""Ratio of a card's width to its height."""
STACK_OFFSET_LINE_SHARE = 0.78
"""Distance between the pieces of a stack, as a share of one."""
DIGITS_LINE_SHARE = 0.86
"""Height of digits beside a picture, as a share of the line."""
WORDS_LINE_SHARE = 0.74
"""Height of words, as a share of the line."""
MAX_BADGE_LINES, WRAPPED_BADGE_LINE_HEIGHT_EM = 4, 1.3
"""Most lines of a long name on a badge, and the height of each in heights of its letters."""
SUBJECT_SCALE = 1.3
"""Size of a lot that the question is about, relative to the others."""


class TextColours(NamedTuple):
    """Colours of text on one background, by their names in the theme: normal and quiet."""

    normal_name: str
    quiet_name: str

    @property
    def normal(self) -> Colour:
        """Colour of normal text."""
        colour: Colour = getattr(theme, self.normal_name)
        return colour

    @property
    def quiet(self) -> Colour:
        """Colour of quiet text."""
        colour: Colour = getattr(theme, self.quiet_name)
        return colour


PAPER_TEXT_COLOURS = TextColours("INK", "INK_QUIET")
FELT_TEXT_COLOURS = TextColours("PAPER", "QUIET")


class Mark:
    """A small drawing in lines of a given height; this base class draws nothing."""

    height_in_lines: float = 1.0
    visible_text: str = ""
    """Words and numbers of the mark, for screen readers and for tests."""
    drop_priority: int = 0
    """Priority of dropping the mark if room is short: the highest is dropped first, one below 0 never."""
    part_name: str = ""
    """Name of the part of the middle that the mark belongs to, for where the mark has no room."""
    place: Place | None = None
    """The place whose pieces the mark shows, if it is a part of the middle of the table."""

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - an empty mark has no width at any height
        """Returns the width at a line height."""
        return 0.0

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the mark with its lower left corner at (x, y)."""

    def ink_height(self, line_height: float) -> float:
        """Returns the height of what is drawn, in the middle of the mark's height."""
        return line_height * self.height_in_lines

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:  # noqa: ARG002 - most are one piece
        """Yields the marks that this one consists of, if its lower left corner is at (x, y)."""
        yield from ()

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:  # noqa: ARG002 - most are one piece
        """Returns the marks that replace this one if it is wider than `max_width`."""
        return (self,)


def gap_behind(mark: Mark, line_height: float, gap_share: float) -> float:
    """Returns the gap behind a mark: a share of the line, or at least a space if the mark is a word."""
    space = mark.letter_size(line_height) * SPACE_EM if isinstance(mark, TextMark) else 0.0
    return max(gap_share * line_height, space)


def split_if_too_wide(mark: Mark, line_height: float, max_width: float) -> Sequence[Mark]:
    """Returns a mark, or the marks that replace it if it is wider than `max_width`."""
    return mark.split_to_fit(line_height, max_width) if mark.width_at(line_height) > max_width else (mark,)


class PlacedMark(NamedTuple):
    """A mark with its position and the height of a line."""

    mark: Mark
    x: float
    y: float
    line_height: float

    def draw(self) -> None:
        """Draws the mark at its position."""
        self.mark.draw(self.x, self.y, self.line_height)

    @property
    def box(self) -> Box:
        """Box of the mark."""
        return (
            self.x,
            self.y,
            self.mark.width_at(self.line_height),
            self.line_height * self.mark.height_in_lines,
        )

    @property
    def ink_box(self) -> Box:
        """Box of what the mark draws: letters have space above and below."""
        x, y, width, height = self.box
        ink_height = min(height, self.mark.ink_height(self.line_height))
        return x, y + (height - ink_height) / 2, width, ink_height

    @property
    def parts(self) -> Sequence[PlacedMark]:
        """The marks that this one consists of; none if it is one piece."""
        return tuple(self.mark.place_parts(self.x, self.y, self.line_height))

    def walk(self) -> Iterator[PlacedMark]:
        """Yields the mark and all marks that it consists of, whatever the depth."""
        yield self
        for part in self.parts:
            yield from part.walk()


class CompositeMark(Mark):
    """Mark that only draws the marks it consists of."""

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the parts."""
        for part in self.place_parts(x, y, line_height):
            part.draw()


class TextMark(Mark):
    """Mark with one line of text, whose letters take `line_share` of the line height but stay readable.

    They never get larger than `max_size`.
    """

    def __init__(
        self,
        text: str,
        colour: Colour,
        line_share: float = WORDS_LINE_SHARE,
        *,
        bold: bool = True,
        font: str = theme.TEXT_FONT,
        max_size: float = inf,
    ) -> None:
        self.visible_text, self._colour, self._share, self._bold, self._font, self._max_size = (
            text,
            colour,
            line_share,
            bold,
            font,
            max_size,
        )

    def letter_size(self, line_height: float) -> float:
        """Returns the height of the letters."""
        return max(theme.length.smallest, min(self._max_size, line_height * self._share))

    def width_at(self, line_height: float) -> float:
        """Returns the width of the text."""
        return measure_text_width(
            self.visible_text, self.letter_size(line_height), self._font, bold=self._bold
        )

    def ink_height(self, line_height: float) -> float:
        """Returns the height of the letters."""
        return self.letter_size(line_height)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the text."""
        middle = (x + self.width_at(line_height) / 2, y + line_height / 2)
        draw_text(
            self.visible_text,
            middle,
            self.letter_size(line_height),
            self._colour,
            self._font,
            bold=self._bold,
        )


class DigitsMark(TextMark):
    """Mark of a number in digits of equal widths, which never get smaller than `min_size`."""

    def __init__(
        self, text: str, colour: Colour, line_share: float = DIGITS_LINE_SHARE, min_size: float = 0.0
    ) -> None:
        super().__init__(text, colour, line_share, font=theme.MONEY_FONT)
        self._min_size = min_size

    def letter_size(self, line_height: float) -> float:
        """Returns the height of the digits."""
        return max(self._min_size, super().letter_size(line_height))


class TableLabelMark(TextMark):
    """Mark of a quiet word in a table: as high as digits, up to a note; in high lines higher."""

    def letter_size(self, line_height: float) -> float:
        """Returns the height of the letters."""
        note = min(self._max_size, theme.length.note, line_height * DIGITS_LINE_SHARE)
        return max(super().letter_size(line_height), note)


class PieceMark(Mark):
    """Mark of a piece without a count, such as a coin, a gem or a card's back, with a letter on it."""

    def __init__(self, piece: Piece, letter: str = "") -> None:
        self.piece, self.visible_text = piece, letter

    @property
    def _is_solid(self) -> bool:
        return self.piece.look in SOLID_PIECE_LOOKS

    def width_at(self, line_height: float) -> float:
        """Returns the width of a square, or of a card."""
        return line_height if self._is_solid else line_height * CARD_WIDTH_TO_HEIGHT

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the piece."""
        if self._is_solid:
            draw_solid_piece(self.piece, self.visible_text, (x, y, line_height, line_height))
        else:
            draw_small_card_back(self.piece.colour, (x, y, line_height * CARD_WIDTH_TO_HEIGHT, line_height))


class CoveredMark(Mark):
    """A card's back that stands for something hidden."""

    def width_at(self, line_height: float) -> float:
        """Returns the width of a card."""
        return line_height * CARD_WIDTH_TO_HEIGHT

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card's back with a question mark."""
        box = (x, y, line_height * CARD_WIDTH_TO_HEIGHT, line_height)
        inner = draw_blank_card_back("", box)
        size = line_height * WORDS_LINE_SHARE
        size *= min(1.0, inner[2] * 0.9 / measure_text_width("?", size))
        draw_text("?", box_centre(box), size, theme.BRASS_LIT)


class BadgeMark(Mark):
    """Mark of a badge with one word; `is_warning` gives the badge a red edge.

    The letters take `line_share` of the line height, but stay readable.
    """

    def __init__(self, text: str, *, is_warning: bool = False, line_share: float = 0.0) -> None:
        self.visible_text, self._is_warning, self._share = text, is_warning, line_share

    def _letter_size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * self._share)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the word with a margin."""
        return measure_text_width(self.visible_text, self._letter_size(line_height)) + theme.length.gap * 1.2

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the badge and its word."""
        size, radius = self._letter_size(line_height), theme.length.radius * 0.4
        height = min(line_height, size * 1.4)
        box: Box = (x, y + (line_height - height) / 2, self.width_at(line_height), height)
        fill_rounded_box(theme.PAPER_LIT, box, radius)
        draw_border(theme.DANGER if self._is_warning else theme.BRASS_DARK, box, theme.length.line, radius)
        draw_text(self.visible_text, box_centre(box), size, theme.INK)

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns one badge with the text in several lines, so that a long name is no wider."""
        return (WrappedBadgeMark(self.visible_text, line_height, max_width),)


class WrappedBadgeMark(Mark):
    """Mark of a badge with a long name in several lines of the smallest letters."""

    def __init__(self, text: str, line_height: float, max_width: float) -> None:
        self.visible_text, margin = text, theme.length.gap * 1.2
        self._lines = wrap_name(text, max_width - margin, max_lines=MAX_BADGE_LINES)
        self._width = widest_line_width_in_smallest_font(self._lines) + margin
        text_height = theme.length.smallest * WRAPPED_BADGE_LINE_HEIGHT_EM * len(self._lines)
        self.height_in_lines = max(1.0, text_height / max(1.0, line_height))

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - the letters have one size
        """Returns the width of the widest line with a margin."""
        return self._width

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the badge and its lines."""
        box: Box = (x, y, self._width, line_height * self.height_in_lines)
        radius = theme.length.radius * 0.4
        fill_rounded_box(theme.PAPER_LIT, box, radius)
        draw_border(theme.BRASS_DARK, box, theme.length.line, radius)
        draw_text_lines(self._lines, box_centre(box), theme.length.smallest, theme.INK)


class LeftOutCountBadge(BadgeMark):
    """Badge with the names or the number of marks left out because they have no room.

    The number is in a phrase, because people would read `+2` as a bid or a change.
    """


class CardNameMark(Mark):
    """Mark of an open card with its name, and a brass line at its top."""

    def __init__(self, name: str) -> None:
        self.visible_text = name

    def width_at(self, line_height: float) -> float:
        """Returns the width of the name with a margin."""
        return max(
            line_height * CARD_WIDTH_TO_HEIGHT,
            measure_text_width(self.visible_text, self._letter_size(line_height)) + theme.length.gap * 1.2,
        )

    def _letter_size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * 0.5)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card, its edge, the brass line and the name."""
        box: Box = (x, y, self.width_at(line_height), line_height)
        fill_rounded_box(theme.PAPER_LIT, box, theme.length.rim)
        draw_border(theme.INK, box, theme.length.hair, theme.length.rim)
        left, bottom, width, height = inset_box(box, theme.length.line)
        stripe_height = theme.length.line
        fill_rounded_box(
            theme.BRASS, (left, bottom + height - stripe_height, width, stripe_height), theme.length.hair
        )
        draw_text(self.visible_text, box_centre(box), self._letter_size(line_height), theme.INK)


class HorizontalGroup(CompositeMark):
    """Group of marks side by side that counts as one mark; `gap_share` is a share of the line height.

    Behind a word the gap is at least a space, so that nobody reads "goal5000".
    """

    def __init__(self, *marks: Mark, gap_share: float = 0.16) -> None:
        self.marks, self._gap = marks, gap_share
        self.visible_text = " ".join(mark.visible_text for mark in marks if mark.visible_text)

    def width_at(self, line_height: float) -> float:
        """Returns the width of all marks."""
        gaps = sum(gap_behind(mark, line_height, self._gap) for mark in self.marks[:-1])
        return sum(mark.width_at(line_height) for mark in self.marks) + gaps

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the marks from the left."""
        for mark in self.marks:
            yield PlacedMark(mark, x, y, line_height)
            x += mark.width_at(line_height) + gap_behind(mark, line_height, self._gap)

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns each mark by itself, split if it is too wide alone."""
        parts = (split_if_too_wide(mark, line_height, max_width) for mark in self.marks)
        return [*chain.from_iterable(parts)]


class EnlargedMark(CompositeMark):
    """Mark that is larger than the others in its row; it has the usual size if it would be too wide."""

    def __init__(self, mark: Mark, scale: float) -> None:
        self._mark, self.height_in_lines, self.visible_text = mark, scale, mark.visible_text

    def width_at(self, line_height: float) -> float:
        """Returns the width of the larger mark."""
        return self._mark.width_at(line_height * self.height_in_lines)

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the mark in its larger size."""
        yield PlacedMark(self._mark, x, y, line_height * self.height_in_lines)

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns the mark in its usual size, split if that is too wide, too."""
        return split_if_too_wide(self._mark, line_height, max_width)


class PieceCountMark(HorizontalGroup):
    """Mark of a piece and of its count behind it."""

    def __init__(self, piece: Piece, head: Mark, count: Mark) -> None:
        super().__init__(head, count)
        self.piece = piece


class StackMark(Mark):
    """Mark of a stack of pieces that overlap, the lowest at the left."""

    def __init__(self, piece_marks: Sequence[PieceMark]) -> None:
        self._piece_marks = piece_marks
        self.visible_text = " ".join(mark.visible_text for mark in piece_marks)

    def width_at(self, line_height: float) -> float:
        """Returns the width of the pictures, which overlap."""
        return line_height * (1 + STACK_OFFSET_LINE_SHARE * (len(self._piece_marks) - 1))

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the pieces from the lowest to the topmost."""
        for index, mark in enumerate(self._piece_marks):
            mark.draw(x + index * STACK_OFFSET_LINE_SHARE * line_height, y, line_height)


class WoodenTileMark(Mark):
    """Mark of a round wooden tile with a short text, such as the number of a lot.

    The tile may be highlighted, hollow if the lot is gone, or have its owner's token in place of the text.
    """

    def __init__(
        self, text: str, *, is_highlighted: bool = False, is_gone: bool = False, owner_colour: str = ""
    ) -> None:
        self.visible_text, self._is_highlighted, self._is_gone, self._owner = (
            text,
            is_highlighted,
            is_gone,
            owner_colour,
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of a circle, or more for a long number."""
        return max(
            line_height,
            measure_text_width(self.visible_text, self._letter_size(line_height), theme.MONEY_FONT)
            + line_height * 0.3,
        )

    @staticmethod
    def _letter_size(line_height: float) -> float:
        return max(theme.length.smallest, line_height * 0.66)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the wooden tile with its rim, and its number or its owner's token."""
        box = inset_box((x, y, self.width_at(line_height), line_height), theme.length.hair)
        radius = box[3] / 2
        if self._is_gone:
            draw_border(theme.multiply_opacity(theme.QUIET, 0.5), box, theme.length.hair, radius)
            draw_text(
                self.visible_text,
                box_centre(box),
                max(theme.length.smallest, line_height * 0.5),
                theme.multiply_opacity(theme.QUIET, 0.7),
                theme.MONEY_FONT,
            )
            return
        has_owner = bool(self._owner)
        fill_rounded_box(
            theme.multiply_opacity(theme.KRAFT, 0.35)
            if has_owner
            else theme.PAPER_LIT
            if self._is_highlighted
            else theme.KRAFT,
            box,
            radius,
        )
        if self._is_highlighted:
            draw_border(theme.BRASS, inset_box(box, -theme.length.line), theme.length.rim * 1.4, radius)
        draw_border(theme.INK, box, theme.length.hair, radius)
        if has_owner:
            free_height = max(0.0, min(box[2:]) - theme.length.min_token)
            draw_player_token(self._owner, inset_box(box, min(line_height * 0.06, free_height / 2)))
            return
        draw_text(
            self.visible_text, box_centre(box), self._letter_size(line_height), theme.INK, theme.MONEY_FONT
        )


class TokenMark(Mark):
    """Mark of a player's token, for places without room for the name."""

    def __init__(self, seat: Seat) -> None:
        self._seat, self.visible_text = seat, seat.name

    def width_at(self, line_height: float) -> float:
        """Returns the width of a square."""
        return line_height

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the token."""
        draw_player_token(self._seat.colour, inset_box((x, y, line_height, line_height), line_height * 0.06))


def draw_blank_card_back(colour: str, box: Box) -> Box:
    """Draws a small blank card back; returns the box within its rim."""
    fill_rounded_box(theme.PAPER_LIT, box, theme.length.rim)
    draw_border(theme.INK, box, theme.length.hair, theme.length.rim)
    inner = inset_box(box, theme.length.line * 1.2)
    fill_rounded_box(theme.PIECE_COLOURS.get(colour, theme.FELT_LIT), inner, theme.length.line)
    return inner


def draw_small_card_back(colour: str, box: Box) -> None:
    """Draws the back of a small card, in the colour of its deck."""
    inner = draw_blank_card_back(colour, box)
    side = min(inner[2], inner[3]) * 0.86
    x, y = inner[0] + (inner[2] - side) / 2, inner[1] + (inner[3] - side) / 2
    draw_shape("diamond", (x, y, side, side), theme.BRASS, theme.FELT, theme.length.hair)


def box_centre(box: Box) -> tuple[float, float]:
    """Returns the centre of a box."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2
