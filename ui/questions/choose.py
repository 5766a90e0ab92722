"""One of several things: a key for each, with its picture, its price and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.cards import CardFace, face_of_card
from companion.requests import Choose, DetailedOption
from companion.session.view import View
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.questions.buttons import AnswerConfirmation
from ui.questions.question import Question
from ui.widgets.drawing.containers import take_away
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.card import is_blank
from ui.widgets.pieces.worded import is_drawn

COLUMNS = (6, 5, 4, 3, 2, 1)
MOST_ROWS = 5
"""More rows than these are turned page by page."""
LIKED = 1.3
"""Keys like to be so many targets high."""
TALLEST = 1.6
"""No row is higher than so many targets, unless its words need it."""


class OptionKeys(Question[Choose]):
    """A key for each option, those of a group together; the way out stands in the lower right corner."""

    __events__ = ("on_cant",)  # why: somebody touched an option that can't be chosen now

    def build(self) -> None:
        """The keys, as many columns as their words allow."""
        self._faces: dict[str, CardFace] = {}
        self._runners = {str(seat.number): seat for seat in self.request.race_seats}
        self.keys = {key: self._key(key, option) for key, option in self._ordered()}
        self.grid = FloatLayout()
        self.add_widget(self.grid)
        self.pager: Pager | None = None
        self._height_ranges: dict[float, tuple[float, float, float]] = {}
        """What each width was measured to need: plans ask for many."""
        self._compact_height = 0.0
        self.grave = ""
        self.doubt: AnswerConfirmation | None = None
        self.bind(size=self._lay)
        self.grid.bind(pos=self._lay, size=self._lay)

    def _ordered(self) -> list[tuple[str, Labelled]]:
        """Groups together, in the order of their first; the way out last."""
        options = list(self.request.options.items())
        groups = list(dict.fromkeys(_group(option) for _, option in options))
        return sorted(options, key=lambda each: (_is_apart(each[1]), groups.index(_group(each[1]))))

    def _key(self, name: str, option: Labelled) -> OptionKey:
        about: Any = option if isinstance(option, Seat) else self._runners.get(name)
        key = OptionKey(name=name, is_full=True, abbreviates=isinstance(about, Seat))
        if isinstance(option, DetailedOption):
            if option.piece is not None and is_drawn(option.piece):
                about = option.piece
            if option.card is not None:
                about = self._faces[name] = face_of_card(self.seen.looks, option.card)
            key.look = "brass" if option.is_usual else "paper"
        key.about = about
        key.bind(on_release=lambda _: self._choose(name))
        return key

    def speak(self) -> None:
        """What each key means, in the language of this moment."""
        lang = self.app.lang
        self._height_ranges.clear()
        blank = any(is_blank(face, theme.length.token, lang) for face in self._faces.values())
        for name, option in self.request.options.items():
            key = self.keys[name]
            if name in self._faces:  # one that can't be read looks like another thing beside those that can
                key.about = None if blank else self._faces[name]
            runner = self._runners.get(name)
            key.lang, key.text = lang, self.said(option if runner is None else runner)
            key.faint = self.request.why_barred(name) is not None
            key.below = self._below(option, key)
        if self.doubt is not None:
            self.doubt.text.text = self.said(self.request.confirmations[self.grave])
            self.doubt.sure.text = self.said(self.request.options[self.grave])
            self.doubt.unsure.text = self.app.tr("Cancel")
        self._lay()

    def _below(self, option: Labelled, key: OptionKey) -> str:
        """What it costs, where that isn't beside a picture, and what it gives."""
        if not isinstance(option, DetailedOption):
            return ""
        parts = []
        if option.price is not None and isinstance(key.about, Piece):
            key.price = f"−{option.price}" if option.price else "0"
        elif option.price is not None:
            parts = [str(self.app.tr("price {n}", n=option.price))]
        parts += [render(text, self.app.lang) for text in (option.gain, option.note) if text is not None]
        return " · ".join(parts)

    def show(self, seen: View) -> None:
        """What can't be paid for now may be once something was moved."""
        super().show(seen)
        for name, key in self.keys.items():
            key.faint = self.request.why_barred(name) is not None

    def begin_at(self, answer: str) -> None:
        """The key that was pressed is framed."""
        self.keys[answer].chosen = True

    # How they stand

    def height_range(self, width: float) -> tuple[float, float]:
        """As many rows as the words need; more where the keys may be larger."""
        if self.doubt is not None:
            return theme.length.row * 2.6, theme.length.row * 3.2
        if width not in self._height_ranges:
            self._height_ranges[width] = self._measured(width)
        *wish, self._compact_height = self._height_ranges[width]
        return wish[0], wish[1]

    def _measured(self, width: float) -> tuple[float, float, float]:
        """How high it must be where it is so wide, how high it likes to be, and must be with pages."""
        most = self._most_columns(width)
        heights = min((self._heights(width, columns) for columns in range(1, most + 1)), key=_high)
        if len(heights) > MOST_ROWS:
            heights = [*heights[:MOST_ROWS], theme.length.target]
        rows = min(max(len(heights), min(MOST_ROWS, len(self.keys))), len(heights) + 1)
        liked = max(_high(heights), _high([theme.length.target * LIKED] * rows))
        return _high(heights), liked, self._two_rows(width, most)

    def _heights(self, width: float, columns: int) -> list[float]:
        """How high each row must be, with so many keys side by side."""
        return self._heights_of(list(self.keys.values()), width, columns)

    @staticmethod
    def _heights_of(keys: Sequence[OptionKey], width: float, columns: int) -> list[float]:
        share = _share(width, columns)
        rows = (keys[at : at + columns] for at in range(0, len(keys), columns))
        return [max(theme.length.target, *(key.high_at(share) for key in row)) for row in rows]

    def _two_rows(self, width: float, columns: int) -> float:
        """How high the highest two rows are, with the ways to other pages below them."""
        return _high([*sorted(self._heights(width, columns))[-2:], theme.length.target])

    def _most_columns(self, width: float) -> int:
        """How many keys have room side by side with their words, none of which is broken."""
        for columns in COLUMNS:
            share = _share(width, columns)
            if share >= theme.length.target and not any(
                key.is_too_narrow(share) for key in self.keys.values()
            ):
                return columns
        return 1

    def is_too_narrow(self, width: float) -> bool:
        """Whether a word has no room on any key, or the way out none beside the ways to other pages."""
        keys = list(self.keys.values())
        turning = 3 * theme.length.target + 2 * theme.length.gap
        beside = keys[-1].across_at_least() if self._ends_apart() and len(keys) > MOST_ROWS else 0.0
        return any(key.is_too_narrow(width) for key in keys) or (beside > 0 and turning + beside > width)

    def _lay(self, *_: object) -> None:
        """The fewest columns whose rows have room: so keys are as wide as can be; else pages."""
        if self.grid.parent is None or self.width <= 1:
            return
        most = min(self._most_columns(self.width), len(self.keys))
        for columns in range(1, most + 1):
            heights = self._heights(self.width, columns)
            if _high(heights) <= self.height + 1:
                self._place(columns, heights)
                return
        self._turn_pages(*self._page(most))

    def _place(self, columns: int, least: Sequence[float]) -> None:
        """Rows of one height, where that is enough for each."""
        keys, gap = list(self.keys.values()), _gap()
        self._show_keys(keys)
        room = self.grid.height - gap * (len(least) - 1)
        alike = min(room / len(least), max(theme.length.target * TALLEST, *least))
        heights = [alike] * len(least) if alike >= max(least) else least
        tops = [self.grid.y + _high(heights[row:]) for row in range(len(heights))]
        # A lone way out stands in the corner of the last row.
        spots = list(range(len(keys)))
        if self._ends_apart() and len(keys) > 1:
            spots[-1] = columns * len(least) - 1
        width = _share(self.grid.width, columns)
        for key, spot in zip(keys, spots, strict=True):
            row, column = divmod(spot, columns)
            key.size_hint = (None, None)
            key.size = (width, heights[row])
            key.pos = (self.grid.x + column * (width + gap), tops[row] - heights[row])

    def _page(self, most: int) -> tuple[int, int]:
        """Columns and rows of which the fewest pages are needed; of these the widest keys."""
        keys = list(self.keys.values())
        keys = keys[:-1] if self._ends_apart() else keys
        shapes = [(columns, self._rows_a_page(keys, columns)) for columns in range(1, most + 1)]
        return min(shapes, key=lambda shape: ceil(len(keys) / (shape[0] * shape[1])))

    def _rows_a_page(self, keys: Sequence[OptionKey], columns: int) -> int:
        """How many rows have room over the ways to other pages, whichever page it is."""
        target, gap = theme.length.target, _gap()
        heights = self._heights_of(keys, self.width, columns)
        for rows in range(int((self.height + gap) / (target + gap)) - 1, 1, -1):
            pages = [heights[at : at + rows] for at in range(0, len(heights), rows)]
            if all(
                _high([*page, *[target] * (rows - len(page)), target]) <= self.height + 1 for page in pages
            ):
                return rows
        return 1

    def _ends_apart(self) -> bool:
        return _is_apart(self._ordered()[-1][1])

    def _show_keys(self, keys: Sequence[Key]) -> None:
        if [*reversed(self.grid.children)] != keys:
            for key in keys:
                if key.parent is not None:
                    key.parent.remove_widget(key)
            self.grid.clear_widgets()
            for key in keys:
                self.grid.add_widget(key)

    @property
    def compact_height(self) -> float:
        """Three rows, the last of them the ways to the other pages."""
        return self._compact_height if len(self.keys) > MOST_ROWS else 0.0

    def _turn_pages(self, columns: int, rows: int) -> None:
        """The way out stays in its corner, beside the ways to the other pages."""
        for key in self.keys.values():
            key.size_hint = (1, max(1.0, key.high_at(_share(self.width, columns)) / theme.length.target))
        if self.pager is None or self.pager.parent is not self.grid:
            keys, gap = list(self.keys.values()), _gap()
            for key in keys:
                take_away(key)
            corner = keys.pop() if self._ends_apart() else None
            self.pager = Pager(things=keys, cols=columns, rows=rows, between=gap, spacing=gap, corner=corner)
            self.grid.clear_widgets()
            self.grid.add_widget(self.pager)
        self.pager.cols, self.pager.rows = columns, rows
        self.pager.pos, self.pager.size = self.grid.pos, self.grid.size

    # What is chosen

    def _choose(self, name: str) -> None:
        """Answers; where that is grave, asks first in the keys' place; where it can't be, says why."""
        if (why := self.request.why_barred(name)) is not None:
            self.dispatch("on_cant", why)
        elif self.request.confirmation_for(name) is None:
            self.dispatch("on_answer", name)
        else:
            self._ask(name)

    def _ask(self, name: str) -> None:
        self.grave, self.doubt = name, AnswerConfirmation()
        self.doubt.bind(
            on_sure=lambda _: self.dispatch("on_answer", self.grave), on_unsure=lambda _: self._put_back()
        )
        self.clear_widgets()
        self.add_widget(self.doubt)
        self.speak()
        self.property("height").dispatch(self)

    def _put_back(self) -> None:
        """The keys, in the place of what was asked about one of them."""
        self.grave, self.doubt = "", None
        self.clear_widgets()
        self.add_widget(self.grid)
        self._lay()


def _gap() -> float:
    return theme.length.gap / 2


def _share(width: float, columns: int) -> float:
    """How wide each of so many keys is side by side."""
    return (width - _gap() * (columns - 1)) / columns


def _high(heights: Sequence[float]) -> float:
    """How high rows are together."""
    return sum(heights) + _gap() * (len(heights) - 1)


def _group(option: Labelled) -> str:
    return (
        str(option.group.template) if isinstance(option, DetailedOption) and option.group is not None else ""
    )


def _is_apart(option: Labelled) -> bool:
    return isinstance(option, DetailedOption) and option.is_way_out
