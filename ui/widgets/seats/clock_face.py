"""Clocks on the screen: a ring around a player's token with digits, and the price that falls with a clock."""

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
"""Ratio of the width of a clock's ring to that of the token in it.

The ring's line is part of its width.
"""
FULL_CIRCLE_DEGREES = 360
"""Degrees of a whole ring."""


class ClockFace(AutoRedrawWidget):
    """A clock: a ring that closes around a player's token, and the time in digits.

    The clock is a widget of its own, so a second redraws nothing else. `clock` is what it shows; None shows
    nothing. `token_box` is the box of the token, `digits_box` the box of the digits, `digits_height` their
    height in pixels.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("clock", "token_box", "digits_box", "digits_height")
    clock = ObjectProperty(None, allownone=True)
    token_box = ObjectProperty(None, allownone=True)
    digits_box = ObjectProperty(None, allownone=True)
    digits_height = NumericProperty(0)
    colour = OptionProperty("orange", options=["", *theme.PLAYER_LOOKS])

    @property
    def digits_width(self) -> float:
        """Width of the clock's digits.

        The width is 0 without a clock. The width grows only when the time needs a digit for hours.
        """
        return self.digits_width_at(self._size)

    def digits_width_at(self, digits_height: float) -> float:
        """Returns the width of digits of that height, 0 without a clock."""
        if self.clock is None:
            return 0.0
        longest = "00:00" if len(self.clock.display_text) <= len("00:00") else "0:00:00"
        return measure_text_width(longest, digits_height, theme.MONEY) + theme.length.gap

    @property
    def _size(self) -> float:
        return float(self.digits_height or theme.length.note)

    def draw(self) -> None:
        """Draws the rest of the ring and the digits, red in the last ten seconds."""
        if self.clock is None or self.token_box is None:
            return
        hurried = self.clock.is_time_up or self.clock.is_in_final_seconds
        x, y, side, _ = self.token_box
        draw_ring(
            self.clock, (x + side / 2, y + side / 2), side * RING_TO_TOKEN_WIDTH_RATIO / 2 - theme.length.line
        )
        if self.digits_box is not None:
            x, y, width, height = self.digits_box
            colour = theme.DANGER if hurried else theme.INK
            draw_text(
                self.clock.display_text, (x + width / 2, y + height / 2), self._size, colour, theme.MONEY
            )


def draw_ring(clock: ClockState, middle: Point, radius: float) -> None:
    """Draws a ring that closes as the time passes, red in the last ten seconds."""
    line = theme.length.line * 1.3
    Color(*theme.PAPER_LINE)
    SmoothLine(circle=(*middle, radius), width=line)
    Color(*(theme.DANGER if clock.is_time_up or clock.is_in_final_seconds else theme.BRASS_DARK))
    if clock.remaining_fraction > 0:
        SmoothLine(circle=(*middle, radius, 0, FULL_CIRCLE_DEGREES * clock.remaining_fraction), width=line)


def choose_seat_clock(clocks: Sequence[ClockState], seat: Seat) -> ClockState | None:
    """Returns the clock to show on a seat's panel: the one that ends first, else one that counts up."""
    own = [clock for clock in clocks if seat in clock.seats]
    going = [clock for clock in own if clock.is_running] or own
    ending = [
        (clock.remaining_ticks, at) for at, clock in enumerate(going) if clock.remaining_ticks is not None
    ]
    return going[min(ending)[1]] if ending else next(iter(going), None)


def choose_question_clock(clocks: Sequence[ClockState], question: Request[object]) -> ClockState | None:
    """Chooses the clock to show for a question.

    The choice is the clock of its falling price, of the only seat asked, or a shared one.
    """
    if "falling" in question.form.side_facts:
        return next((clock for clock in clocks if clock.key == PRICE_KEY), None)
    if len(question.seats) == 1:
        return choose_seat_clock(clocks, question.seats[0])
    shared = [clock for clock in clocks if clock.seats and clock.key != BUDGET_KEY]
    return choose_seat_clock(shared, shared[0].seats[0]) if shared else None


def texts_of_clocks_without_seat(clocks: Sequence[ClockState], lang: str) -> list[str]:
    """Returns the texts of clocks that belong to no seat, such as `game 1:12:03`."""
    return [
        render(say("{clock} {face}", clock=clock.name, face=clock.display_text), lang)
        for clock in clocks
        if not clock.seats
    ]


# The falling price


DIGIT_HEIGHT_TO_FONT_SIZE = 0.9
"""Height of digits, as a share of their font size."""
PIECE_SHARE, PIECE_GAP_SHARE = 0.62, 0.14
"""Height of the piece that it is paid in, and the gap behind it, as shares of the digits' size."""
RING_SHARE, NEXT_PRICE_SHARE = 0.5, 0.28
"""Height of the clock's ring and of the next price, as shares of the digits' size."""
LINE_SPACING = 1.2
MIN_PRICE_DIGITS = 3
"""Least number of digits for which a price always has room.

The room stays so that nothing moves when the price gets shorter.
"""
FONT_SIZE_STEP_RATIO = 0.96
"""Ratio between one font size that is tried and the next."""
IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS = "row", "beside", "below"
"""Where ring and next price stand: behind the digits, stacked beside them, or in a line below them."""
ARRANGEMENTS = (IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS)


class FallingPrice(AutoRedrawWidget):
    """A price that falls, as large as its box allows, with its clock and the next price.

    `falling` is the price, `clock` the clock that lets it fall, or None.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("falling", "clock", "lang")
    falling = ObjectProperty(None, allownone=True)
    clock = ObjectProperty(None, allownone=True)
    lang = StringProperty("en")

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for people who can't see them and for tests."""
        time = [] if self.clock is None else [self.clock.display_text]
        return [self._price, *time, self._next_price_text]

    def largest_digits_size(self, width: float, height: float) -> float:
        """Returns the size of the digits in a box of that size."""
        return self._fitting(width, height)[0]

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        fitting = [each for each in _tries() if self._width_at(*each) <= width]
        legible = [each for each in fitting if each[0] >= theme.length.number] or fitting[:1]
        highs = [self._height_at(*each) for each in legible]
        return min(highs, default=0.0), max(highs, default=0.0)

    def _fitting(self, width: float, height: float) -> tuple[float, str]:
        """Returns the largest size of the digits that fits, and the arrangement of the rest."""
        tries = list(_tries())
        fitting = (
            each for each in tries if self._width_at(*each) <= width and self._height_at(*each) <= height + 1
        )
        return next(fitting, tries[-1])

    def _width_at(self, size: float, way: str) -> float:
        number, ring, then = self._number(size), self._ring(size), self._next_price_width(size)
        gap = theme.length.gap
        match way:
            case "row":
                return number + 2 * gap + ring + gap + then
            case "beside":
                return number + 2 * gap + max(ring, then)
        return max(number, ring + gap + then)

    def _height_at(self, size: float, way: str) -> float:
        ring, words = self._ring(size), self._words(size) * LINE_SPACING
        match way:
            case "row":
                return max(size * DIGIT_HEIGHT_TO_FONT_SIZE, ring, words)
            case "beside":
                return max(size * DIGIT_HEIGHT_TO_FONT_SIZE, ring + words)
        return size * DIGIT_HEIGHT_TO_FONT_SIZE + theme.length.gap + max(ring, words)

    def _number(self, size: float) -> float:
        """Returns the width of the piece and at least three digits, so that nothing moves at 100 or 10."""
        return self._coin(size) + measure_text_width(
            self._price.rjust(MIN_PRICE_DIGITS, "0"), size, theme.MONEY
        )

    def _coin(self, size: float) -> float:
        piece = self.falling.paid_in
        return 0.0 if piece is None or not has_picture(piece) else size * (PIECE_SHARE + PIECE_GAP_SHARE)

    def _ring(self, size: float) -> float:
        """Returns the width of the ring: the seconds have room in it."""
        if self.clock is None:
            return 0.0
        return max(size * RING_SHARE, measure_text_width("0:00", theme.length.smallest, theme.MONEY) * 1.5)

    @property
    def _price(self) -> str:
        return str(self.falling.price)

    @property
    def _next_price_text(self) -> str:
        return render(self.falling.next_price_text, self.lang)

    def _words(self, size: float) -> float:
        return max(theme.length.smallest, size * NEXT_PRICE_SHARE)

    def _next_price_width(self, size: float) -> float:
        """Returns the width of the next price, with room for the text of the last price."""
        last = render(replace(self.falling, next_price=None).next_price_text, self.lang)
        return max(measure_text_width(text, self._words(size)) for text in (self._next_price_text, last))

    def draw(self) -> None:
        """Draws price, clock and next price in the middle of the box."""
        if self.falling is None or self.width <= 1:
            return
        size, way = self._fitting(*self.size)
        gap, ring, then = theme.length.gap, self._ring(size), self._next_price_width(size)
        left, number = self.center_x - self._width_at(size, way) / 2, self._number(size)
        middle, behind = self.center_y, left + number + 2 * gap
        if way == IN_A_ROW:
            self._draw_number((left, middle), size)
            self._draw_ring((behind + ring / 2, middle), size)
            self._draw_next_price((behind + ring + gap + then / 2, middle), size)
        elif way == BESIDE_DIGITS:
            self._draw_number((left, middle), size)
            middle_of_both, words = behind + max(ring, then) / 2, self._words(size) * LINE_SPACING
            self._draw_ring((middle_of_both, middle + words / 2), size)
            self._draw_next_price((middle_of_both, middle - ring / 2), size)
        else:
            low = max(ring, self._words(size) * LINE_SPACING)
            bottom = middle - self._height_at(size, way) / 2
            self._draw_number(
                (self.center_x - number / 2, bottom + low + gap + size * DIGIT_HEIGHT_TO_FONT_SIZE / 2), size
            )
            left = self.center_x - (ring + gap + then) / 2
            self._draw_ring((left + ring / 2, bottom + low / 2), size)
            self._draw_next_price((left + ring + gap + then / 2, bottom + low / 2), size)

    def _draw_number(self, at: Point, size: float) -> None:
        """The piece and the digits, from that point at their left to the right."""
        left, middle = at
        coin, text = self._coin(size), self._price
        if coin:
            side = size * PIECE_SHARE
            make_piece_mark(self.falling.paid_in, self.lang, PAPER_TEXT_COLOURS).draw(
                left, middle - side / 2, side
            )
        wide = self._number(size) - coin
        draw_text(text, (left + coin + wide / 2, middle), size, theme.INK, theme.MONEY)

    def _draw_ring(self, middle: Point, size: float) -> None:
        if self.clock is not None:
            radius = self._ring(size) / 2
            draw_ring(self.clock, middle, radius - theme.length.line * 2)
            seconds = max(theme.length.smallest, radius * 0.68)
            draw_text(self.clock.display_text, middle, seconds, theme.INK, theme.MONEY)

    def _draw_next_price(self, middle: Point, size: float) -> None:
        draw_text(self._next_price_text, middle, self._words(size), theme.INK_QUIET)


def _tries() -> Iterator[tuple[float, str]]:
    """Sizes of the digits, from the largest to the smallest that is more than a name, each in every way."""
    size, sizes = theme.length.falling, list[float]()
    while size >= theme.length.title:
        sizes.append(size)
        size *= FONT_SIZE_STEP_RATIO
    return product(sizes, ARRANGEMENTS)
