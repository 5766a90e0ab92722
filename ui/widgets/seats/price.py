"""A price that falls, as large as there is room: what it is now, how long it stands, and what comes then."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar

from kivy.properties import ObjectProperty, StringProperty
from msgspec.structs import replace

from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.drawing.text import Point, across, inscribe
from ui.widgets.pieces.marks import ON_PAPER
from ui.widgets.pieces.worded import is_drawn, picture
from ui.widgets.seats.dial import draw_ring

DIGITS_HEIGHT_SHARE = 0.9
"""How high the digits stand, as a share of their size."""
PIECE_SHARE, PIECE_GAP_SHARE = 0.62, 0.14
"""How high the piece is in which it is paid, and how wide the gap behind it."""
RING_SHARE, NEXT_PRICE_SHARE = 0.5, 0.28
"""How high the clock's ring is, and what comes then."""
LINE_SPACING = 1.2
MIN_PRICE_DIGITS = 3
"""Digits that always have room."""
SIZE_STEP = 0.96
"""Sizes that are tried differ by so much."""
IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS = "row", "beside", "below"
"""Ring and what comes then: behind the digits, one over the other beside them, or in a line below them."""
ARRANGEMENTS = (IN_A_ROW, BESIDE_DIGITS, BELOW_DIGITS)


class FallingPrice(Drawn):
    """`falling` is the price, `clock` what lets it fall, None nothing; it is as large as its box allows."""

    shows: ClassVar[tuple[str, ...]] = ("falling", "clock", "lang")
    falling = ObjectProperty(None, allownone=True)
    clock = ObjectProperty(None, allownone=True)
    lang = StringProperty("en")

    @property
    def visible_texts(self) -> list[str]:
        """Its words and numbers, for whoever can't see them (and for tests)."""
        time = [] if self.clock is None else [self.clock.face]
        return [self._price, *time, self._then]

    def digits_size(self, width: float, height: float) -> float:
        """The size of its digits in such a room."""
        return self._fitting(width, height)[0]

    def height_range(self, width: float) -> tuple[float, float]:
        """How high it must be where it is so wide, and how high it likes to be."""
        fitting = [each for each in _tries() if self._across(*each) <= width]
        legible = [each for each in fitting if each[0] >= theme.length.number] or fitting[:1]
        highs = [self._high(*each) for each in legible]
        return min(highs, default=0.0), max(highs, default=0.0)

    def _fitting(self, width: float, height: float) -> tuple[float, str]:
        """The largest digits, and where the rest stands then."""
        tries = list(_tries())
        fitting = (each for each in tries if self._across(*each) <= width and self._high(*each) <= height + 1)
        return next(fitting, tries[-1])

    def _across(self, size: float, way: str) -> float:
        number, ring, then = self._number(size), self._ring(size), self._then_wide(size)
        gap = theme.length.gap
        match way:
            case "row":
                return number + 2 * gap + ring + gap + then
            case "beside":
                return number + 2 * gap + max(ring, then)
        return max(number, ring + gap + then)

    def _high(self, size: float, way: str) -> float:
        ring, words = self._ring(size), self._words(size) * LINE_SPACING
        match way:
            case "row":
                return max(size * DIGITS_HEIGHT_SHARE, ring, words)
            case "beside":
                return max(size * DIGITS_HEIGHT_SHARE, ring + words)
        return size * DIGITS_HEIGHT_SHARE + theme.length.gap + max(ring, words)

    def _number(self, size: float) -> float:
        """The piece and the digits; as wide as a few digits always, so that nothing moves at 100 or 10."""
        return self._coin(size) + across(self._price.rjust(MIN_PRICE_DIGITS, "0"), size, theme.MONEY)

    def _coin(self, size: float) -> float:
        piece = self.falling.paid_in
        return 0.0 if piece is None or not is_drawn(piece) else size * (PIECE_SHARE + PIECE_GAP_SHARE)

    def _ring(self, size: float) -> float:
        """How wide the ring is: its seconds have room in it."""
        if self.clock is None:
            return 0.0
        return max(size * RING_SHARE, across("0:00", theme.length.smallest, theme.MONEY) * 1.5)

    @property
    def _price(self) -> str:
        return str(self.falling.price)

    @property
    def _then(self) -> str:
        return render(self.falling.after, self.lang)

    def _words(self, size: float) -> float:
        return max(theme.length.smallest, size * NEXT_PRICE_SHARE)

    def _then_wide(self, size: float) -> float:
        """What comes then, room for what is said of the last price."""
        last = render(replace(self.falling, then=None).after, self.lang)
        return max(across(text, self._words(size)) for text in (self._then, last))

    def draw(self) -> None:
        """All of it in the middle of its box."""
        if self.falling is None or self.width <= 1:
            return
        size, way = self._fitting(*self.size)
        gap, ring, then = theme.length.gap, self._ring(size), self._then_wide(size)
        left, number = self.center_x - self._across(size, way) / 2, self._number(size)
        middle, behind = self.center_y, left + number + 2 * gap
        if way == IN_A_ROW:
            self._draw_number((left, middle), size)
            self._draw_ring((behind + ring / 2, middle), size)
            self._draw_then((behind + ring + gap + then / 2, middle), size)
        elif way == BESIDE_DIGITS:
            self._draw_number((left, middle), size)
            middle_of_both, words = behind + max(ring, then) / 2, self._words(size) * LINE_SPACING
            self._draw_ring((middle_of_both, middle + words / 2), size)
            self._draw_then((middle_of_both, middle - ring / 2), size)
        else:
            low = max(ring, self._words(size) * LINE_SPACING)
            bottom = middle - self._high(size, way) / 2
            self._draw_number(
                (self.center_x - number / 2, bottom + low + gap + size * DIGITS_HEIGHT_SHARE / 2), size
            )
            left = self.center_x - (ring + gap + then) / 2
            self._draw_ring((left + ring / 2, bottom + low / 2), size)
            self._draw_then((left + ring + gap + then / 2, bottom + low / 2), size)

    def _draw_number(self, at: Point, size: float) -> None:
        """The piece and the digits, from that point at their left to the right."""
        left, middle = at
        coin, text = self._coin(size), self._price
        if coin:
            side = size * PIECE_SHARE
            picture(self.falling.paid_in, self.lang, ON_PAPER).draw(left, middle - side / 2, side)
        wide = self._number(size) - coin
        inscribe(text, (left + coin + wide / 2, middle), size, theme.INK, theme.MONEY)

    def _draw_ring(self, middle: Point, size: float) -> None:
        if self.clock is not None:
            radius = self._ring(size) / 2
            draw_ring(self.clock, middle, radius - theme.length.line * 2)
            seconds = max(theme.length.smallest, radius * 0.68)
            inscribe(self.clock.face, middle, seconds, theme.INK, theme.MONEY)

    def _draw_then(self, middle: Point, size: float) -> None:
        inscribe(self._then, middle, self._words(size), theme.INK_QUIET)


def _tries() -> Iterator[tuple[float, str]]:
    """Sizes of the digits, from the largest to the smallest that is more than a name, each in every way."""
    size, sizes = theme.length.falling, list[float]()
    while size >= theme.length.title:
        sizes.append(size)
        size *= SIZE_STEP
    return product(sizes, ARRANGEMENTS)
