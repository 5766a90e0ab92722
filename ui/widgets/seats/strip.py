"""A player's strip: their mat as the scene says, their bid and clock, and whether it is their turn.

One widget, drawn in marks. Strips of one table share the columns of their cells, so that eyes compare down
a column.
Over 300 lines, because one widget both says how much room all of it needs and draws it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any, ClassVar, TypeVar

import msgspec
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.rules.scene_views import CellView, MatView
from companion.texts import Labelled, render
from ui import theme
from ui.widgets.drawing.surfaces import Box, Drawn, brass_round, paper
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import across, in_two, inscribe, widest_of, within
from ui.widgets.pieces.card import CardMark
from ui.widgets.pieces.marks import DIGITS, ON_PAPER, Beside, Mark, Plaque
from ui.widgets.pieces.rows import Placed, Rows, flow, height_of, place, widest, with_room
from ui.widgets.pieces.worded import heading, row_marks, value_of, with_label
from ui.widgets.seats.change import HEADLINE as HERO_CHANGE
from ui.widgets.seats.change import draw_change, signed_text
from ui.widgets.seats.columns import ColumnNumber, CoveredColumnNumber, PanelColumns, group_same_pieces
from ui.widgets.seats.dial import RING_RATIO, ClockFace
from ui.widgets.seats.passing import BidMark, EmptySpace
from ui.words import speaking

T = TypeVar("T")
HERO = 1.5
"""Rows of cells that the hero is high."""
FEW = 3
"""With more cells the hero stands beside the name, so that they have the whole width; so does a word."""
MIN_LINE_SHARE = 0.92
"""The smallest height of a row of cells that can be read, as a share of a glyph."""
NAMED = 6.5
"""How wide a name's line need be at most, in heights of the smallest letters."""
LEAST_DETAIL = 2
"""How brief a strip can be."""
LARGEST = 1.1
"""How high the number beside the names may be, as a share of the largest name's line."""
LARGER = 0.95
"""How much of its height the hero's digits take."""


class SeatStatus(msgspec.Struct, frozen=True):
    """What a strip shows of the open question: the seat's bid, whether it is asked, sealed, gone or away."""

    bid: int | None = None
    is_highest: bool = False
    is_asked: bool = False
    has_sealed: bool = False
    has_withdrawn: bool = False
    has_left: bool = False


class PlayerPanel(ButtonBehavior, Drawn):
    """`mat` and `standing` are what it shows; pressed it is to open into everything that lies there.

    `unit` is how high a row of cells is. `placed` are its marks where they stand, after it was drawn.
    """

    shows: ClassVar[tuple[str, ...]] = (
        "mat", "standing", "unit", "spare", "state", "lang", "widths", "brief", "change",
    )  # fmt: skip  # a line
    mat = ObjectProperty()
    standing = ObjectProperty(SeatStatus())
    unit = NumericProperty(0.0)
    spare = NumericProperty(0.0)
    """How much higher it is than any strip of the table must be: a number beside the names may be larger."""
    change = ObjectProperty({})
    """What the hero and the money in the cells changed by last, as `Changes` tells it."""
    lang = StringProperty("en")
    widths = ObjectProperty()
    """The columns' widths it was drawn with."""
    brief = NumericProperty(0)
    """0: it says everything; 1: only what matters most; 2: while there are bids and times, one line of these.

    The rest is on touch, where many sit at the table.
    """

    def __init__(self, mat: MatView, columns: PanelColumns, **kwargs: Any) -> None:
        self.seat, self.columns, self.name = mat.seat, columns, f"before {mat.seat.name}"
        self.placed: list[Placed] = []
        self._changed, self._name_box = "", (0.0, 0.0, 0.0, 0.0)
        self.app = speaking()
        super().__init__(size_hint=(None, None), mat=mat, **kwargs)
        self.dial = ClockFace(colour=self.seat.colour)
        self.add_widget(self.dial)
        self._known: dict[object, Any] = {}
        for name in ("mat", "lang"):
            self.fbind(name, lambda *_: self._known.clear())

    def _once(self, key: object, make: Callable[[], T]) -> T:
        """What was worked out already for what stands on it now: plans ask many times how high it is.

        While people bid, plates and columns come and go on the same mat.
        """
        status = self.standing
        key = (key, self.brief, status.has_left, status.has_withdrawn, self.widths, self.dial.digits_width)
        if key not in self._known:
            self._known[key] = make()
        known: T = self._known[key]
        return known

    # How much room it wants

    def needed_height(self, width: float, line_height: float) -> float:
        """How high it must be where it is so wide and a row of cells is so high; endless: it is too wide."""
        return self._once((width, line_height), lambda: self._high(width, line_height))

    def _high(self, width: float, unit: float) -> float:
        rows = self._rows(width, unit)
        if unit > theme.length.glyph * MIN_LINE_SHARE and widest(rows, unit, theme.length.gap) > self._room(
            width, unit
        ):
            return inf
        below = self._body(rows, width, unit) + self._under
        return max(theme.length.target, self._head(width) + below + 2 * _edge())

    def is_too_narrow(self, width: float) -> bool:
        """Whether something on it would be wider than it is."""
        return self._once(("cramped", width), lambda: self._is_too_narrow(width))

    def _is_too_narrow(self, width: float) -> bool:
        unit = theme.length.glyph * MIN_LINE_SHARE
        wide = widest(self._rows(width, unit), unit, theme.length.gap) > self._room(width, unit) + 1
        return wide or self._named > self._name_room(width) + 1

    def _head(self, width: float) -> float:
        room = self._name_room(width)
        if self.brief:
            return float(theme.length.smallest) * 1.15
        lines = max(len(_name_lines(name, room)) for name in self._names)
        return float(theme.length.smallest) * max(1.7, 1.25 * lines + 0.1)

    @property
    def _under(self) -> float:
        """Between the name and what stands below it."""
        return 0.0 if self.brief else theme.length.rim

    def _body(self, rows: Rows, width: float, unit: float) -> float:
        cells = height_of(rows, unit, theme.length.hair)
        hero = self._hero().lines * unit * HERO
        return cells if self._hero_over(width) else max(cells, hero)

    def _hero_first(self, width: float) -> bool:
        """Whether the hero stands before the cells in their rows: it has no room beside every name."""
        return self._once(("first", width), lambda: self._is_first(width))

    def _is_first(self, width: float) -> bool:
        gap, sizes = theme.length.gap, theme.length
        name = max(across(one, sizes.smallest) for one in self._names)
        room = width - 2 * self._margin - sizes.token - 2 * gap - name - self._passing(width)
        return self._hero_over(width) and self._hero().across(sizes.token) > room

    def _hero_above(self, width: float) -> bool:
        """Whether the hero stands beside the name."""
        return self._hero_over(width) and not self._hero_first(width)

    def _hero_over(self, width: float) -> bool:
        """Whether it doesn't stand beside the cells: a word, one of many, or where they need the room."""
        return self._once(("over", width), lambda: self._is_over(width))

    def _is_over(self, width: float) -> bool:
        hero = self.mat.headline
        if self.brief or hero is None or hero.piece is None or len(self.mat.cells) > FEW:
            return True
        least = theme.length.glyph * MIN_LINE_SHARE
        room = width - 2 * self._margin - self._hero().across(least * HERO) - 2 * theme.length.gap
        cards = [] if self.columns.widest_card is None else [self.columns.widest_card]
        marks = (*self._cells(), *self._plaques(self.columns.badges_so_far), *cards)
        return any(mark.across(least) > room for mark in marks)

    def _name_room(self, width: float) -> float:
        """What the number at the right, the bid and the time leave beside the token."""
        gap, sizes = theme.length.gap, theme.length
        hero = self._hero().across(sizes.token) + gap if self._hero_above(width) else 0.0
        return width - 2 * self._margin - self._token(width) - gap - hero - self._passing(width)

    def _hero_tall(self) -> float:
        """How high the number beside the name is: as large on every strip, and no name is smaller by it.

        0 where it stands elsewhere.
        """
        return self._once(("tall", self.width, self.spare), self._make_tall)

    def _make_tall(self) -> float:
        sizes, gap, hero = theme.length, theme.length.gap, self._hero()
        usual, largest = float(sizes.token), min(self._head(self.width) + self.spare, sizes.head * LARGEST)
        if not self._hero_above(self.width):
            return 0.0
        if self.brief or largest <= usual:
            return usual
        names = max(across(one, sizes.question) for one in self._names)
        badges = sum(one.across(_badge_high()) + gap for one in self._plaques(self.columns.badges_so_far))
        beside = names + badges + self._token(self.width) + self._passing(self.width) + 2 * gap
        room = self.width - 2 * self._margin - beside
        tries = (usual + (largest - usual) * share for share in (1.0, 0.75, 0.5, 0.25))
        return float(next((tall for tall in tries if hero.across(tall) <= room), usual))

    def _token(self, width: float) -> float:
        """How wide the token's place is: less than usual where a name needs the room."""
        sizes = theme.length
        left = width - 2 * self._margin - sizes.gap - self._passing(width) - self._named
        return float(max(sizes.glyph, min(sizes.token, left)))

    @property
    def _named(self) -> float:
        """How wide the names of the table are in two lines; a very long one gets no more room."""
        most = NAMED * theme.length.smallest
        return self._once("named", lambda: min(most, max(widest_of(in_two(one)) for one in self._names)))

    @property
    def _names(self) -> Sequence[str]:
        return (self.seat.name, *self.columns.names)

    def _passing(self, width: float) -> float:
        """How much of the name's line the bid and the time take."""
        return (
            0.0
            if self._is_narrow(width)
            else self._passing_wide + (theme.length.gap if self.dial.clock else 0)
        )

    def _is_narrow(self, width: float) -> bool:
        """Whether bid and time stand below the name, because no name has room beside them."""
        sizes = theme.length
        beside = width - 2 * self._margin - sizes.token - sizes.gap - self._passing_wide
        return self._passing_wide > 0 and beside < self._named

    @property
    def _passing_wide(self) -> float:
        bid = self._bid_wide + theme.length.gap if self.columns.bid_digits else 0.0
        return bid + self.dial.digits_width

    def _badges_above(self, width: float) -> bool:
        """Whether the badges have room beside a name that is large enough."""
        badges = sum(badge.across(_badge_high()) + theme.length.gap for badge in self._badges())
        return across(self.seat.name, theme.length.note) + badges <= self._name_room(width)

    @property
    def _margin(self) -> float:
        return theme.length.gap * (0.6 if self.brief else 1.2)

    @property
    def _bid_wide(self) -> float:
        return across("0" * max(2, self.columns.bid_digits), theme.length.bid, theme.MONEY) + theme.length.gap

    # What stands on it

    def _badges(self) -> list[Plaque]:
        standing, texts = self.standing, []
        if standing.has_left:
            texts.append(Plaque(self.app.tr("has left"), warning=True))
        if standing.has_withdrawn and not self.mat.sits_out:
            texts.append(Plaque(self.app.tr("out"), warning=True))
        return [*texts, *self._plaques(self.mat.badges)]

    def _plaques(self, badges: Iterable[tuple[Labelled, bool]]) -> Iterator[Plaque]:
        return (Plaque(render(text, self.lang), warning=out) for text, out in badges)

    def _in_column(self, number: CellView, room: int, share: float) -> Mark:
        if number.value is None and number.piece is not None and number.piece.is_back:
            return CoveredColumnNumber(room)
        return ColumnNumber(
            heading(number, self.lang, ON_PAPER), value_of(number, ON_PAPER, share), room, share
        )

    def _hero(self) -> Mark:
        """The number that matters most; a word stands above it, a picture before it."""
        return self._once("hero", self._make_hero)

    def _make_hero(self) -> Mark:
        hero = self.mat.headline
        return Beside() if hero is None else self._in_column(hero, self.columns.headline_digits, LARGER)

    def _cells(self) -> list[Mark]:
        cells, room = () if self.brief else self.mat.cells, self.columns.cell_digits
        return self._once(
            "cells", lambda: [self._in_column(cell, room[at], DIGITS) for at, cell in enumerate(cells)]
        )

    def _room(self, width: float, unit: float) -> float:
        """What is left of a width beside the hero."""
        hero = 0.0 if self._hero_over(width) else self._hero().across(unit * HERO) + 2 * theme.length.gap
        return width - 2 * self._margin - hero

    def _rows(self, width: float, unit: float) -> list[list[Mark]]:
        """The cells, pieces of a kind together where that takes no row more, then each row of own things."""
        passing = (self.standing.bid, self.standing.is_highest) if self._is_narrow(width) else None
        key = ("rows", width, unit, passing)
        return self._once(key, lambda: self._make_rows(width, unit))

    def _make_rows(self, width: float, unit: float) -> list[list[Mark]]:
        if self.brief:
            rows = self._flowed((), width, unit)
            return rows[:1] if self.brief == LEAST_DETAIL and self._is_narrow(width) else rows
        rows = self._flowed(self._cells(), width, unit)
        kindred = list(group_same_pieces(self.mat.cells, self._cells()))
        if len(kindred) == len(self._cells()):
            return rows
        together = self._flowed(kindred, width, unit)
        return together if len(together) <= len(rows) else rows

    def _flowed(self, cells: Sequence[Mark], width: float, unit: float) -> list[list[Mark]]:
        """As they follow each other in the room beside the hero."""
        is_passing = self.brief == LEAST_DETAIL and self._is_narrow(width)
        marks: list[Mark] = [self._hero()] if self._hero_first(width) and not is_passing else []
        if self._is_narrow(width):
            marks += [self._bid_mark()] if self.columns.bid_digits else []
            marks += [EmptySpace(self.dial.digits_width)] if self.dial.digits_width else []
        marks += cells
        marks += self._once(("others", width), lambda: self._others(width))
        return flow(marks, unit, self._room(width, unit), theme.length.gap)

    def _others(self, width: float) -> list[Mark]:
        """What stands behind the cells: badges that have no room above them, own things."""
        marks: list[Mark] = [] if self._badges_above(width) else [*self._badges()]
        for row in () if self.brief else self.mat.rows:
            things: list[Mark] = [*row_marks(row, self.lang, ON_PAPER)]
            marks += with_label(things, row) + [CardMark(card, self.lang) for card in row.open_cards]
        return marks

    @property
    def visible_texts(self) -> list[str]:
        """Its words and numbers, for whoever can't see them (and for tests)."""
        bid = [] if self.standing.bid is None else [str(self.standing.bid)]
        time = [] if self.dial.clock is None else [self.dial.clock.face]
        change = [self._changed] if self._changed else []
        return [
            self.seat.name,
            *bid,
            *time,
            *change,
            *(one.mark.said for one in self.placed if one.mark.said),
        ]

    # How it looks

    def draw(self) -> None:
        """A strip of paper, darker when gone; brass round whose turn it is."""
        faded = self.standing.has_withdrawn or self.mat.sits_out
        dark = faded or self.state == "down"
        paper(self.box, theme.length.line, theme.PAPER_PRESSED if dark else theme.PAPER)
        if self.standing.is_asked and not self.standing.has_sealed:
            brass_round(self.box)
        self.placed, self.dial.face = [], None
        self._draw_head(faded=faded)
        self._place_body()
        for one in self.placed:
            one.draw()
        self._float_change()

    def _float_change(self) -> None:
        """The last change, where it takes no room from anything."""
        self._changed = ""
        for at in sorted(self.change):
            mark = self._hero() if at == HERO_CHANGE else self._cells()[at : at + 1]
            marks = [mark] if isinstance(mark, Mark) else mark
            numbers = [one.box for one in self.placed if one.mark in marks]
            if not numbers:
                continue
            others = [one.box for one in self.placed if one.mark not in marks]
            taken = [self._name_box, *others, *([self.dial.face] if self.dial.face else [])]
            if draw_change(numbers[0], signed_text(self.change[at]), [*taken, *numbers], self.box, self._end):
                self._changed = signed_text(self.change[at])
                break

    @property
    def _end(self) -> Box:
        """The room in the line of the name, up to the margin."""
        _x, y, _wide, high = self._name_box
        return self.x, y, self.width - self._margin, high

    def _draw_head(self, *, faded: bool) -> None:
        top, high, wide = self.top - _edge(), self._head_high(), self._token(self.width)
        side = min(wide * 0.86, high)
        aside = (wide - side) / 2 if self.brief else 0.0
        if self.dial.clock:  # a ring is drawn round it
            around = min(wide * 0.92, high + _edge())
            side, aside = around / RING_RATIO, around * (1 - 1 / RING_RATIO) / 2
        token = (self.x + self._margin + aside, top - (high + side) / 2, side, side)
        draw_token(self.seat.colour, token, 0.35 if faded else 1.0)
        left, right = self.x + self._margin + wide, self._draw_right(top, high)
        self.dial.around = token
        lines = _name_lines(self.seat.name, self._name_room(self.width), most=1 if self.brief else 2)
        size = self._name_size(lines, max(right - left, 1.0), high)
        apart = min(high / len(lines), size * 1.3)
        highest = top - (high - apart * (len(lines) - 1)) / 2
        self._name_box = (self.x, top - high, left - self.x + max(across(line, size) for line in lines), high)
        for at, line in enumerate(lines):
            middle = (left + across(line, size) / 2, highest - apart * at)
            inscribe(line, middle, size, theme.INK_QUIET if faded else theme.INK)

    def _name_size(self, lines: Sequence[str], room: float, high: float) -> float:
        sizes = theme.length
        if len(lines) > 1 and not self.brief:
            return sizes.smallest
        largest = min(sizes.question, high / 1.15 / len(lines)) if self.brief else sizes.question
        wide = max(across(line, sizes.question) for line in lines)
        return max(sizes.smallest, min(largest, room / wide * sizes.question))

    def _draw_right(self, top: float, high: float) -> float:
        """The bid, the time and the badges, from the right; where they begin."""
        sizes, gap, right = theme.length, theme.length.gap, self.right - self._margin
        is_beside = not self._is_narrow(self.width)
        if self.columns.bid_digits and is_beside:
            bid, tall = self._bid_mark(), min(high, sizes.head)
            right -= self._bid_wide
            bid.draw(right, top - (high + tall) / 2, tall)
            right -= gap
        if self._hero_above(self.width):
            hero, tall = self._hero(), min(high, self._hero_tall())
            right -= hero.across(tall)
            self.placed.append(Placed(hero, right, top - (high + tall) / 2, tall))
            right -= gap
        if is_beside:
            right -= self.dial.digits_width
            self.dial.face = (right, top - high, self.dial.digits_width, high)
        for badge in self._badges() if self._badges_above(self.width) else ():
            right -= badge.across(_badge_high())
            self.placed.append(Placed(badge, right, top - (high + _badge_high()) / 2, _badge_high()))
            right -= gap * 0.5
        return float(right) - gap * 0.5

    def _bid_mark(self) -> BidMark:
        standing = self.standing
        text = "" if standing.bid is None else str(standing.bid)
        return BidMark(text, self._bid_wide, highest=standing.is_highest, gone=standing.has_withdrawn)

    def _head_high(self) -> float:
        """How high the name's line is drawn: on a brief strip all that is left."""
        if not self.brief:
            usual = self._head(self.width)
            return max(usual, min(usual + float(self.spare), self._hero_tall()))
        rows = height_of(self._rows(self.width, self.unit), self.unit, theme.length.hair)
        return max(self._head(self.width), float(self.height) - 2 * _edge() - rows)

    def _more(self, count: int) -> str:
        return str(self.app.tr("{n} more", n=count))

    def _place_body(self) -> None:
        """From the top, so that no cell moves when a row is added below."""
        unit, gap = self.unit, theme.length.gap
        x, top = self.x + self._margin, self.top - _edge() - self._head_high() - self._under
        size, hero = (self._room(self.width, unit), top - self.y - _edge()), self._hero()
        if not self._hero_over(self.width):
            high = unit * HERO
            self.placed.append(Placed(hero, x, top - high, high))
            x += hero.across(high) + 2 * gap
        rows = with_room(self._rows(self.width, unit), unit, size, gap, theme.length.hair, self._more)
        self.placed += place(rows, x, top, unit, gap, theme.length.hair)
        for one in self.placed:
            if isinstance(one.mark, EmptySpace):
                self.dial.face = one.box


def _name_lines(name: str, room: float, most: int = 2) -> list[str]:
    """A name that is too long for one line has two, and one that is too long for these its beginning."""
    return within(name, room, most=most)


def _edge() -> float:
    return theme.length.gap * 0.5


def _badge_high() -> float:
    return theme.length.glyph * 1.1
