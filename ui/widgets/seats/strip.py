"""A player's strip: their mat as the scene says, their bid and clock, and whether it is their turn.

One widget, drawn in marks. Strips of one table share the columns of their cells, so that eyes compare down
a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, ClassVar, TypeVar

import msgspec
from kivy.app import App
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.clocks import Running
from companion.scenes import MatLaid, NumberLaid
from companion.table.seats import Seat
from companion.words import render, say
from ui import theme
from ui.widgets.drawing.drawn import Box, Drawn, fill, inset, paper, rim
from ui.widgets.drawing.inscribed import across, inscribe
from ui.widgets.drawing.token import draw_token
from ui.widgets.pieces.card import CardMark
from ui.widgets.pieces.marks import (
    DIGITS,
    ON_PAPER,
    Beside,
    Mark,
    Placed,
    Plaque,
    Rows,
    flow,
    height_of,
    place,
    widest,
)
from ui.widgets.pieces.worded import heading, row_marks, value_of, with_label
from ui.widgets.seats.columns import Bare, Columns, InColumn, kin
from ui.widgets.seats.dial import TimeDial

T = TypeVar("T")
HERO = 1.5
"""Rows of cells that the hero is high."""
FEW = 3
"""With more cells the hero stands beside the name, so that they have the whole width; so does a word."""
LEAST = 0.92
"""The smallest height of a row of cells that can be read, as a share of a glyph."""
LARGER = 0.95
"""How much of its height the hero's digits take."""


class SeatStanding(msgspec.Struct, frozen=True):
    """What a strip shows of the open question: the seat's bid, whether it is asked, sealed, gone or away."""

    bid: int | None = None
    highest: bool = False
    asked: bool = False
    sealed: bool = False
    gone: bool = False
    away: bool = False


class Strip(ButtonBehavior, Drawn):
    """`mat` and `standing` are what it shows; pressed it is to open into everything that lies there.

    `unit` is how high a row of cells is. `placed` are its marks where they stand, after it was drawn.
    """

    shows: ClassVar[tuple[str, ...]] = ("mat", "standing", "unit", "state", "lang", "widths")
    mat = ObjectProperty()
    standing = ObjectProperty(SeatStanding())
    unit = NumericProperty(0.0)
    lang = StringProperty("en")
    widths = ObjectProperty()
    """The columns' widths it was drawn with."""

    def __init__(self, mat: MatLaid, columns: Columns, **kwargs: Any) -> None:
        self.seat, self.columns, self.name = mat.seat, columns, f"before {mat.seat.name}"
        self.placed: list[Placed] = []
        self.app = App.get_running_app()
        super().__init__(size_hint=(None, None), mat=mat, **kwargs)
        self.dial = TimeDial(colour=self.seat.colour)
        self.add_widget(self.dial)
        self._known: dict[object, Any] = {}
        for name in ("mat", "lang"):
            self.fbind(name, lambda *_: self._known.clear())

    def _once(self, key: object, make: Callable[[], T]) -> T:
        """What was worked out already for what stands on it now: plans ask many times how high it is.

        While people bid, plates and columns come and go on the same mat.
        """
        key = (key, self.standing.away, self.standing.gone, self.widths, self.dial.across)
        if key not in self._known:
            self._known[key] = make()
        known: T = self._known[key]
        return known

    # How much room it wants

    def high(self, width: float, unit: float) -> float:
        """How high it must be where it is so wide and a row of cells is so high; endless: it is too wide."""
        return self._once((width, unit), lambda: self._high(width, unit))

    def _high(self, width: float, unit: float) -> float:
        rows = self._rows(width, unit)
        if unit > theme.length.glyph * LEAST and widest(rows, unit, theme.length.gap) > self._room(
            width, unit
        ):
            return inf
        body = self._body(rows, width, unit)
        return max(theme.length.target, self._head(width) + body + 2 * _edge() + theme.length.rim)

    def _head(self, width: float) -> float:
        lines = len(self._name_lines(self._name_room(width)))
        return float(theme.length.smallest) * max(1.7, 1.25 * lines + 0.1)

    def _body(self, rows: Rows, width: float, unit: float) -> float:
        cells = height_of(rows, unit, theme.length.hair)
        return cells if self._hero_over(width) else max(cells, self._hero().lines * unit * HERO)

    def _hero_first(self, width: float) -> bool:
        """Whether the hero stands before the cells in their rows: it has no room beside every name."""
        return self._once(("first", width), lambda: self._is_first(width))

    def _is_first(self, width: float) -> bool:
        gap, sizes = theme.length.gap, theme.length
        bid = self._bid_wide + gap if self.columns.bid else 0.0
        name = max(across(one, sizes.smallest) for one in (self.seat.name, *self.columns.names))
        room = width - 2 * _margin() - sizes.token - 2 * gap - name - bid - self.dial.across
        return self._hero_over(width) and self._hero().across(sizes.token) > room

    def _hero_above(self, width: float) -> bool:
        """Whether the hero stands beside the name."""
        return self._hero_over(width) and not self._hero_first(width)

    def _hero_over(self, width: float) -> bool:
        """Whether it doesn't stand beside the cells: a word, one of many, or where they need the room."""
        return self._once(("over", width), lambda: self._is_over(width))

    def _is_over(self, width: float) -> bool:
        hero = self.mat.hero
        if hero is None or hero.piece is None or len(self.mat.cells) > FEW:
            return True
        least = theme.length.glyph * LEAST
        room = width - 2 * _margin() - self._hero().across(least * HERO) - 2 * theme.length.gap
        return any(mark.across(least) > room for mark in (*self._cells(), *self._badges()))

    def _name_room(self, width: float) -> float:
        """What the number at the right, the bid and the time leave beside the token."""
        gap, sizes = theme.length.gap, theme.length
        bid = self._bid_wide + gap if self.columns.bid else 0.0
        hero = self._hero().across(sizes.token) + gap if self._hero_above(width) else 0.0
        return width - 2 * _margin() - sizes.token - gap - bid - hero - self.dial.across

    def _badges_above(self, width: float) -> bool:
        """Whether the badges have room beside a name that is large enough."""
        badges = sum(badge.across(_badge_high()) + theme.length.gap for badge in self._badges())
        return across(self.seat.name, theme.length.note) + badges <= self._name_room(width)

    @property
    def _bid_wide(self) -> float:
        return across("0" * max(2, self.columns.bid), theme.length.bid, theme.MONEY) + theme.length.gap

    def _name_lines(self, room: float) -> list[str]:
        """A name that is too long for one line has two."""
        name = self.seat.name
        if across(name, theme.length.smallest) <= room or len(name) == 1:
            return [name]
        first, _, second = name.partition(" ")
        middle = (len(name) + 1) // 2
        return [first, second] if second else [name[:middle], name[middle:]]

    # What stands on it

    def _badges(self) -> list[Plaque]:
        standing, texts = self.standing, []
        if standing.away:
            texts.append(Plaque(self.app.tr("has left"), warning=True))
        if standing.gone and not self.mat.out:
            texts.append(Plaque(self.app.tr("out"), warning=True))
        return [*texts, *(Plaque(render(text, self.lang), warning=out) for text, out in self.mat.badges)]

    def _in_column(self, number: NumberLaid, room: int, share: float) -> Mark:
        if number.value is None and number.piece is not None and number.piece.is_back:
            return Bare(room)
        return InColumn(heading(number, self.lang, ON_PAPER), value_of(number, ON_PAPER, share), room, share)

    def _hero(self) -> Mark:
        """The number that matters most; a word stands above it, a picture before it."""
        return self._once("hero", self._make_hero)

    def _make_hero(self) -> Mark:
        hero = self.mat.hero
        return Beside() if hero is None else self._in_column(hero, self.columns.hero, LARGER)

    def _cells(self) -> list[Mark]:
        cells, room = self.mat.cells, self.columns.cells
        return self._once(
            "cells", lambda: [self._in_column(cell, room[at], DIGITS) for at, cell in enumerate(cells)]
        )

    def _room(self, width: float, unit: float) -> float:
        """What is left of a width beside the hero."""
        hero = 0.0 if self._hero_over(width) else self._hero().across(unit * HERO) + 2 * theme.length.gap
        return width - 2 * _margin() - hero

    def _rows(self, width: float, unit: float) -> list[list[Mark]]:
        """The cells, pieces of a kind together where that takes no row more, then each row of own things."""
        return self._once(("rows", width, unit), lambda: self._make_rows(width, unit))

    def _make_rows(self, width: float, unit: float) -> list[list[Mark]]:
        rows = self._flowed(self._cells(), width, unit)
        kindred = list(kin(self.mat.cells, self._cells()))
        if len(kindred) == len(self._cells()):
            return rows
        together = self._flowed(kindred, width, unit)
        return together if len(together) <= len(rows) else rows

    def _flowed(self, cells: Sequence[Mark], width: float, unit: float) -> list[list[Mark]]:
        """As they follow each other in the room beside the hero."""
        marks = [self._hero(), *cells] if self._hero_first(width) else [*cells]
        marks += self._once(("others", width), lambda: self._others(width))
        return flow(marks, unit, self._room(width, unit), theme.length.gap)

    def _others(self, width: float) -> list[Mark]:
        """What stands behind the cells: badges that have no room above them, own things."""
        marks: list[Mark] = [] if self._badges_above(width) else [*self._badges()]
        for row in self.mat.rows:
            things: list[Mark] = [*row_marks(row, self.lang, ON_PAPER)]
            marks += with_label(things, row) + [CardMark(card, self.lang) for card in row.cards]
        return marks

    @property
    def written(self) -> list[str]:
        """Its words and numbers, for whoever can't see them (and for tests)."""
        bid = [] if self.standing.bid is None else [str(self.standing.bid)]
        time = [] if self.dial.clock is None else [self.dial.clock.face]
        return [self.seat.name, *bid, *time, *(one.mark.said for one in self.placed if one.mark.said)]

    # How it looks

    def draw(self) -> None:
        """A strip of paper, darker when gone; brass round whose turn it is."""
        faded = self.standing.gone or self.mat.out
        dark = faded or self.state == "down"
        paper(self.box, theme.length.line, theme.PAPER_PRESSED if dark else theme.PAPER)
        if self.standing.asked and not self.standing.sealed:
            rim(theme.BRASS_DARK, inset(self.box, -theme.length.line), theme.length.rim * 1.6)
            rim(theme.BRASS, inset(self.box, -theme.length.line), theme.length.rim)
        self.placed = []
        self._draw_head(faded=faded)
        self._place_body()
        for one in self.placed:
            one.draw()

    def _draw_head(self, *, faded: bool) -> None:
        sizes, top, high = theme.length, self.top - _edge(), self._head(self.width)
        side = min(sizes.token * 0.86, high)
        token = (self.x + _margin(), top - (high + side) / 2, side, side)
        draw_token(self.seat.colour, token, 0.35 if faded else 1.0)
        left, right = self.x + _margin() + sizes.token, self._draw_right(top, high)
        self.dial.around = token
        lines = self._name_lines(self._name_room(self.width))
        size = self._name_size(lines, max(right - left, 1.0))
        for at, line in enumerate(lines):
            middle = (left + across(line, size) / 2, top - high * (at + 0.5) / len(lines))
            inscribe(line, middle, size, theme.INK_QUIET if faded else theme.INK)

    def _name_size(self, lines: Sequence[str], room: float) -> float:
        sizes = theme.length
        if len(lines) > 1:
            return sizes.smallest
        return max(sizes.smallest, min(1.0, room / across(lines[0], sizes.question)) * sizes.question)

    def _draw_right(self, top: float, high: float) -> float:
        """The bid, the time and the badges, from the right; where they begin."""
        sizes, gap, right = theme.length, theme.length.gap, self.right - _margin()
        if self.columns.bid:
            right -= self._bid_wide
            if self.standing.bid is not None:
                self._draw_bid((right, top - high, self._bid_wide, high))
            right -= gap
        if self._hero_above(self.width):
            hero, tall = self._hero(), min(high, sizes.token)
            right -= hero.across(tall)
            self.placed.append(Placed(hero, right, top - (high + tall) / 2, tall))
            right -= gap
        right -= self.dial.across
        self.dial.face = (right, top - high, self.dial.across, high)
        for badge in self._badges() if self._badges_above(self.width) else ():
            right -= badge.across(_badge_high())
            self.placed.append(Placed(badge, right, top - (high + _badge_high()) / 2, _badge_high()))
            right -= gap * 0.5
        return float(right) - gap * 0.5

    def _draw_bid(self, box: Box) -> None:
        """On a small card; that of the highest in brass."""
        sizes, standing = theme.length, self.standing
        fill(theme.PAPER_LIT, box, sizes.radius * 0.6)
        edge, line = (theme.BRASS, sizes.rim) if standing.highest else (theme.PAPER_LINE, sizes.line)
        rim(edge, box, line, sizes.radius * 0.6)
        colour = theme.INK_QUIET if standing.gone else theme.INK
        middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
        inscribe(str(standing.bid), middle, min(sizes.bid, box[3] * 0.95), colour, theme.MONEY)

    def _place_body(self) -> None:
        unit, gap = self.unit, theme.length.gap
        x, top = self.x + _margin(), self.top - _edge() - self._head(self.width) - theme.length.rim
        rows = [list(row) for row in self._rows(self.width, unit)]
        rows, hero = self._with_room(rows, top - self.y - _edge()), self._hero()
        body = top - self.y - _edge()
        if not self._hero_over(self.width):
            high = unit * HERO
            self.placed.append(Placed(hero, x, top - (body + high) / 2, high))
            x += hero.across(high) + 2 * gap
        used = height_of(rows, unit, theme.length.hair)
        self.placed += place(rows, x, top - (body - used) / 2, unit, gap, theme.length.hair)

    def _with_room(self, rows: list[list[Mark]], room: float) -> list[list[Mark]]:
        """As many rows as there is room for; how many marks are left out is said by the last one."""
        left = 0
        while len(rows) > 1 and height_of(rows, self.unit, theme.length.hair) > room + 1:
            left += len(rows.pop())
        if left:
            left += 1
            rows[-1][-1:] = [Plaque(f"+{left}")]
        return rows


def _edge() -> float:
    return theme.length.gap * 0.5


def _badge_high() -> float:
    return theme.length.glyph * 1.1


def _margin() -> float:
    return theme.length.gap * 1.2


def before(clocks: Sequence[Running], seat: Seat) -> Running | None:
    """The clock before a seat: the one that is up first, else one that counts up."""
    own = [clock for clock in clocks if seat in clock.seats]
    going = [clock for clock in own if clock.goes] or own
    ending = [(clock.left, at) for at, clock in enumerate(going) if clock.left is not None]
    return going[min(ending)[1]] if ending else next(iter(going), None)


def of_the_table(clocks: Sequence[Running], lang: str) -> list[str]:
    """The clocks that are nobody's own: `game 1:12:03`."""
    return [
        render(say("{clock} {face}", clock=clock.name, face=clock.face), lang)
        for clock in clocks
        if not clock.seats
    ]
