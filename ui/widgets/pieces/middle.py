"""The middle of the table: lots, cards, grids, piles and tracks as the scene orders them, on the felt."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.scenes import CardsLaid, GridLaid, LotsLaid, Number, PartLaid, PileLaid, RowLaid, TrackLaid
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import Drawn
from ui.widgets.pieces.card import CardMark
from ui.widgets.pieces.marks import (
    ON_FELT,
    Beside,
    Covered,
    Mark,
    Picture,
    Placed,
    Rows,
    Wooden,
    digits,
    flow,
    height_of,
    place,
)
from ui.widgets.pieces.spread import GridMark, SpreadMark, StepsMark
from ui.widgets.pieces.worded import counted, named, numbered, row_marks, sign

UNITS = (1.9, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0, 0.92)
"""Heights of a line that are tried, as shares of a glyph; the last is the smallest that can be read."""


class Middle(ButtonBehavior, Drawn):
    """`parts` are what it shows, each part's marks together; touched it is to open into all that lies there."""

    shows: ClassVar[tuple[str, ...]] = ("parts", "lang", "unit")
    parts = ObjectProperty(())
    lang = StringProperty("en")
    unit = NumericProperty(0.0)

    def __init__(self, **kwargs: Any) -> None:
        self.placed: list[Placed] = []
        self.name = "middle"
        super().__init__(size_hint=(None, None), **kwargs)

    def high(self, width: float, unit: float) -> float:
        """How high it must be where it is so wide and a line is so high."""
        return height_of(self._rows(width, unit), unit, _between())

    def least(self, width: float) -> float:
        """How high it must be at its smallest."""
        return self.high(width, units()[-1])

    def best(self, width: float) -> float:
        """How high it is at its largest."""
        return self.high(width, units()[0])

    def fit(self) -> None:
        """The largest lines at which everything has room."""
        fitting = (unit for unit in units() if self.high(self.width, unit) <= self.height + 1)
        self.unit = next(fitting, units()[-1])

    def _rows(self, width: float, unit: float) -> Rows:
        """Small marks follow each other; whatever is higher than a line begins a row."""
        rows: list[list[Mark]] = []
        for part in self.parts:
            rows += _joined(rows, flow(self._marks(part), unit, width, _gap(part)), unit, width)
        return rows

    def _marks(self, part: PartLaid) -> list[Mark]:
        lang = self.lang
        match part:
            case LotsLaid():
                return [_lot(lot, lang) for lot in part.lots]
            case CardsLaid():
                return [SpreadMark(part, lang)]
            case GridLaid():
                return [GridMark(part, lang)]
            case TrackLaid():
                return [Beside(named(part.label, lang, ON_FELT), StepsMark(part.at, part.of), gap=0.3)]
            case PileLaid():
                count = [] if part.count is None else [digits(str(part.count), ON_FELT.word)]
                return [Beside(named(part.label, lang, ON_FELT), Picture(part.piece), *count, gap=0.25)]
            case RowLaid():
                cards = [CardMark(card, lang) for card in part.cards]
                return _with_label([*row_marks(part, lang, ON_FELT), *cards])
            case Number():
                return [_labelled(part, lang)]

    def draw(self) -> None:
        """Everything at its spot, from the top."""
        rows = self._rows(self.width, self.unit)
        used = height_of(rows, self.unit, _between())
        top = self.top - max(0.0, self.height - used) / 2
        self.placed = place(rows, self.x, top, self.unit, theme.length.gap * 1.5, _between())
        for one in self.placed:
            one.draw()


def units() -> list[float]:
    """The heights of a line that are tried, in pixels."""
    return [theme.length.glyph * share for share in UNITS]


def _between() -> float:
    return theme.length.gap * 0.75


def _gap(_part: PartLaid) -> float:
    return theme.length.gap * 1.5


def _joined(rows: list[list[Mark]], more: list[list[Mark]], unit: float, width: float) -> list[list[Mark]]:
    """Puts the first of the new rows behind the last of the old where both are one line or both higher."""
    if not rows or not more:
        return more
    last, first = rows[-1], more[0]
    gap = theme.length.gap * 1.5
    alike = (max(mark.lines for mark in last) > 1) == (max(mark.lines for mark in first) > 1)
    wide = sum(mark.across(unit) + gap for mark in (*last, *first)) - gap
    if alike and wide <= width:
        last.extend(first)
        return more[1:]
    return more


def _with_label(marks: list[Mark]) -> list[Mark]:
    """The name of a place never stands without the first thing that lies there."""
    return [Beside(*marks[:2], gap=0.25), *marks[2:]] if len(marks) > 1 else marks


def _labelled(number: Number, lang: str) -> Mark:
    if number.value is None:
        return Beside(named(number.name, lang, ON_FELT), Covered())
    return counted(number, lang, ON_FELT)


def _lot(lot: Any, lang: str) -> Mark:
    number = numbered(lot.piece)
    text = str(number) if number is not None else sign(lot.piece, lang) or render(lot.piece, lang)
    owner = lot.owner.colour if lot.owner is not None else ""
    return Wooden(text, wanted=lot.wanted, gone=lot.gone, owner=owner)
