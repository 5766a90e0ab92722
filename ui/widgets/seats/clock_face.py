"""Clocks on the screen: a ring around a player's token with digits, and a price that falls with a clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import ClassVar

from kivy.properties import NumericProperty, ObjectProperty, OptionProperty, StringProperty
from msgspec.structs import replace

from companion.clocks import BUDGET_KEY, PRICE_KEY, ClockState
from companion.requests import Request
from companion.table.seats import Seat
from companion.texts import render, say
from ui import theme
from ui.widgets.drawing.canvas_diff import Color, SmoothLine
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.drawing.text import Point, draw_text, measure_text_width
from ui.widgets.pieces.marks import PAPER_TEXT_COLOURS
from ui.widgets.pieces.worded import has_picture, make_piece_mark

RING_TO_TOKEN_WIDTH_RATIO = 1.36
"""Ratio of the width of a clock's ring, with its line, to the width of the token in the ring."""
FULL_CIRCLE_DEGREES = 360
"""Degrees of a whole ring."""


class ClockFace(AutoRedrawWidget):
    """A clock: a ring that closes around a player's token, and the time in digits.

    The clock is a widget of its own, so that each second redraws nothing else. `clock` is the shown clock;
    None shows nothing. `token_box` and `digits_box` are the boxes of token and digits, `digits_height` is
    the height of the digits in pixels.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("clock", "token_box", "digits_box", "digits_height")
    clock = ObjectProperty(None, allownone=True)
    token_box = ObjectProperty(None, allownone=True)
    digits_box = ObjectProperty(None, allownone=True)
    digits_height = NumericProperty(0)
    colour = OptionProperty("orange", options=["", *theme.PLAYER_LOOKS])

    @property
    def digits_width(self) -> float:
        """Width of the clock's digits, 0 without a clock; only a time with hours needs more width."""
        return self.digits_width_at(self._drawn_digits_height)

    def digits_width_at(self, digits_height: float) -> float:
        """Returns the width of digits of a height, 0 without a clock."""
        if self.clock is None:
            return 0.0
        longest_text = "00:00" if len(self.clock.display_text) <= len("00:00") else "0:00:00"
        return measure_text_width(longest_text, digits_height, theme.MONEY_FONT) + theme.length.gap

    @property
    def _drawn_digits_height(self) -> float:
        return float(self.digits_height or theme.length.note)

    def draw(self) -> None:
        """Draws the rest of the ring and the digits, red in the last ten seconds."""
        if self.clock is None or self.token_box is None:
            return
        is_urgent = self.clock.is_time_up or self.clock.is_in_final_seconds
        x, y, side, _ = self.token_box
        draw_clock_ring(
            self.clock, (x + side / 2, y + side / 2), side * RING_TO_TOKEN_WIDTH_RATIO / 2 - theme.length.line
        )
        if self.digits_box is not None:
            x, y, width, height = self.digits_box
            colour = theme.DANGER if is_urgent else theme.INK
            draw_text(
                self.clock.display_text,
                (x + width / 2, y + height / 2),
                self._drawn_digits_height,
                colour,
                theme.MONEY_FONT,
            )


def draw_clock_ring(clock: ClockState, middle: Point, radius: float) -> None:
    """Draws a ring that closes as the time passes, red in the last ten seconds."""
    line_width = theme.length.line * 1.3
    Color(*theme.PAPER_LINE)
    SmoothLine(circle=(*middle, radius), width=line_width)
    Color(*(theme.DANGER if clock.is_time_up or clock.is_in_final_seconds else theme.BRASS_DARK))
    if clock.remaining_fraction > 0:
        SmoothLine(
            circle=(*middle, radius, 0, FULL_CIRCLE_DEGREES * clock.remaining_fraction), width=line_width
        )


def choose_seat_clock(clocks: Sequence[ClockState], seat: Seat) -> ClockState | None:
    """Returns the clock to show on a seat's panel: the first to end, else one that counts up, or None.

    Running clocks come before stopped ones.
    """
    seat_clocks = [clock for clock in clocks if seat in clock.seats]
    candidates = [clock for clock in seat_clocks if clock.is_running] or seat_clocks
    ends = [
        (clock.ticks_until_time_up, index)
        for index, clock in enumerate(candidates)
        if clock.ticks_until_time_up is not None
    ]
    return candidates[min(ends)[1]] if ends else next(iter(candidates), None)


def choose_question_clock(clocks: Sequence[ClockState], question: Request[object]) -> ClockState | None:
    """Returns the clock to show for a question: of the falling price or the only seat, or a shared one."""
    if "falling" in question.form.side_facts:
        return next((clock for clock in clocks if clock.key == PRICE_KEY), None)
    if len(question.seats) == 1:
        return choose_seat_clock(clocks, question.seats[0])
    shared_clocks = [clock for clock in clocks if clock.seats and clock.key != BUDGET_KEY]
    return choose_seat_clock(shared_clocks, shared_clocks[0].seats[0]) if shared_clocks else None


def texts_of_clocks_without_seat(clocks: Sequence[ClockState], lang: str) -> list[str]:
    """Returns the texts of clocks that belong to no seat, such as `game 1:12:03`."""
    return [
        render(say("{clock} {face}", clock=clock.label, face=clock.display_text), lang)
        for clock in clocks
        if not clock.seats
    ]


# The falling price


DIGIT_HEIGHT_TO_FONT_SIZE = 0.9
"""Height of digits, as a share of their font size."""
MONEY_PIECE_HEIGHT_SHARE, MONEY_PIECE_GAP_SHARE = 0.62, 0.14
"""Height of the piece of money, and gap between piece and digits, as shares of the digits' size."""
RING_HEIGHT_SHARE, NEXT_PRICE_HEIGHT_SHARE = 0.5, 0.28
"""Height of the clock's ring and of the next price, as shares of the digits' size."""
LINE_SPACING = 1.2
MIN_PRICE_DIGITS = 3
"""Least number of digits for which a price has room, so that nothing moves when the price gets shorter."""
FONT_SIZE_STEP_RATIO = 0.96
"""Ratio between one font size that is tried and the next."""
IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS = "row", "beside", "below"
"""Place of ring and next price: right of the digits, stacked beside the digits, or in a line below."""
FALLING_PRICE_ARRANGEMENTS = (IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS)


class FallingPriceDisplay(AutoRedrawWidget):
    """A price that falls, as large as its box allows, with its clock and the next price.

    `falling` is the price. `clock` is the clock at which the price falls, or None.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("falling", "clock", "lang")
    falling = ObjectProperty(None, allownone=True)
    clock = ObjectProperty(None, allownone=True)
    lang = StringProperty("en")

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        clock_texts = [] if self.clock is None else [self.clock.display_text]
        return [self._price_text, *clock_texts, self._next_price_text]

    def largest_digits_size(self, width: float, height: float) -> float:
        """Returns the size of the digits in a box of a width and a height."""
        return self._find_largest_layout(width, height)[0]

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        fitting_layouts = [
            size_and_arrangement
            for size_and_arrangement in _list_sizes_and_arrangements()
            if self._width_at(*size_and_arrangement) <= width
        ]
        legible_layouts = [
            size_and_arrangement
            for size_and_arrangement in fitting_layouts
            if size_and_arrangement[0] >= theme.length.number
        ] or fitting_layouts[:1]
        heights = [self._height_at(*size_and_arrangement) for size_and_arrangement in legible_layouts]
        return min(heights, default=0.0), max(heights, default=0.0)

    def _find_largest_layout(self, width: float, height: float) -> tuple[float, str]:
        """Returns the largest size of the digits that fits, and the arrangement of ring and next price."""
        layouts = list(_list_sizes_and_arrangements())
        fitting_layouts = (
            size_and_arrangement
            for size_and_arrangement in layouts
            if self._width_at(*size_and_arrangement) <= width
            and self._height_at(*size_and_arrangement) <= height + 1
        )
        return next(fitting_layouts, layouts[-1])

    def _width_at(self, size: float, arrangement: str) -> float:
        number_width, ring_width, next_price_width = (
            self._number_width(size),
            self._ring_width(size),
            self._next_price_width(size),
        )
        gap = theme.length.gap
        match arrangement:
            case "row":
                return number_width + 2 * gap + ring_width + gap + next_price_width
            case "beside":
                return number_width + 2 * gap + max(ring_width, next_price_width)
        return max(number_width, ring_width + gap + next_price_width)

    def _height_at(self, size: float, arrangement: str) -> float:
        ring_width, words_height = self._ring_width(size), self._next_price_size(size) * LINE_SPACING
        match arrangement:
            case "row":
                return max(size * DIGIT_HEIGHT_TO_FONT_SIZE, ring_width, words_height)
            case "beside":
                return max(size * DIGIT_HEIGHT_TO_FONT_SIZE, ring_width + words_height)
        return size * DIGIT_HEIGHT_TO_FONT_SIZE + theme.length.gap + max(ring_width, words_height)

    def _number_width(self, size: float) -> float:
        """Returns the width of the piece and at least three digits."""
        return self._piece_width(size) + measure_text_width(
            self._price_text.rjust(MIN_PRICE_DIGITS, "0"), size, theme.MONEY_FONT
        )

    def _piece_width(self, size: float) -> float:
        piece = self.falling.paid_in
        return (
            0.0
            if piece is None or not has_picture(piece)
            else size * (MONEY_PIECE_HEIGHT_SHARE + MONEY_PIECE_GAP_SHARE)
        )

    def _ring_width(self, size: float) -> float:
        """Returns the width of the ring, with room for the seconds in it; 0 without a clock."""
        if self.clock is None:
            return 0.0
        return max(
            size * RING_HEIGHT_SHARE,
            measure_text_width("0:00", theme.length.smallest, theme.MONEY_FONT) * 1.5,
        )

    @property
    def _price_text(self) -> str:
        return str(self.falling.price)

    @property
    def _next_price_text(self) -> str:
        return render(self.falling.next_price_text, self.lang)

    def _next_price_size(self, size: float) -> float:
        return max(theme.length.smallest, size * NEXT_PRICE_HEIGHT_SHARE)

    def _next_price_width(self, size: float) -> float:
        """Returns the width of the next price, with room for the text of the last price."""
        last_price_text = render(replace(self.falling, next_price=None).next_price_text, self.lang)
        return max(
            measure_text_width(text, self._next_price_size(size))
            for text in (self._next_price_text, last_price_text)
        )

    def draw(self) -> None:
        """Draws price, clock and next price in the middle of the box."""
        if self.falling is None or self.width <= 1:
            return
        size, arrangement = self._find_largest_layout(*self.size)
        gap, ring_width, next_price_width = (
            theme.length.gap,
            self._ring_width(size),
            self._next_price_width(size),
        )
        left, number_width = self.center_x - self._width_at(size, arrangement) / 2, self._number_width(size)
        middle, ring_left = self.center_y, left + number_width + 2 * gap
        if arrangement == IN_A_ROW:
            self._draw_number((left, middle), size)
            self._draw_ring((ring_left + ring_width / 2, middle), size)
            self._draw_next_price((ring_left + ring_width + gap + next_price_width / 2, middle), size)
        elif arrangement == BESIDE_DIGITS:
            self._draw_number((left, middle), size)
            middle_of_both, words_height = (
                ring_left + max(ring_width, next_price_width) / 2,
                self._next_price_size(size) * LINE_SPACING,
            )
            self._draw_ring((middle_of_both, middle + words_height / 2), size)
            self._draw_next_price((middle_of_both, middle - ring_width / 2), size)
        else:
            bottom_line_height = max(ring_width, self._next_price_size(size) * LINE_SPACING)
            bottom = middle - self._height_at(size, arrangement) / 2
            self._draw_number(
                (
                    self.center_x - number_width / 2,
                    bottom + bottom_line_height + gap + size * DIGIT_HEIGHT_TO_FONT_SIZE / 2,
                ),
                size,
            )
            left = self.center_x - (ring_width + gap + next_price_width) / 2
            self._draw_ring((left + ring_width / 2, bottom + bottom_line_height / 2), size)
            self._draw_next_price(
                (left + ring_width + gap + next_price_width / 2, bottom + bottom_line_height / 2), size
            )

    def _draw_number(self, left_middle: Point, size: float) -> None:
        """Draws the piece and the digits to the right of a point."""
        left, middle = left_middle
        piece_width, text = self._piece_width(size), self._price_text
        if piece_width:
            side = size * MONEY_PIECE_HEIGHT_SHARE
            make_piece_mark(self.falling.paid_in, self.lang, PAPER_TEXT_COLOURS).draw(
                left, middle - side / 2, side
            )
        digits_width = self._number_width(size) - piece_width
        draw_text(text, (left + piece_width + digits_width / 2, middle), size, theme.INK, theme.MONEY_FONT)

    def _draw_ring(self, middle: Point, size: float) -> None:
        if self.clock is not None:
            radius = self._ring_width(size) / 2
            draw_clock_ring(self.clock, middle, radius - theme.length.line * 2)
            seconds = max(theme.length.smallest, radius * 0.68)
            draw_text(self.clock.display_text, middle, seconds, theme.INK, theme.MONEY_FONT)

    def _draw_next_price(self, middle: Point, size: float) -> None:
        draw_text(self._next_price_text, middle, self._next_price_size(size), theme.INK_QUIET)


def _list_sizes_and_arrangements() -> Iterator[tuple[float, str]]:
    """Returns sizes of the digits, from the largest down to a title's size, each in every arrangement."""
    size, sizes = theme.length.falling, list[float]()
    while size >= theme.length.title:
        sizes.append(size)
        size *= FONT_SIZE_STEP_RATIO
    return product(sizes, FALLING_PRICE_ARRANGEMENTS)
