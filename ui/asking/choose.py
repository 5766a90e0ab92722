"""One of several things: a key for each, with its picture, its price and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.cards import CardFace, face_of
from companion.requests import Choose, Offer
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.words import Labelled, render
from ui import theme
from ui.asking.doubt import Doubt
from ui.asking.question import Question
from ui.widgets.keys.key import Key
from ui.widgets.keys.option import BRIEF, OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.card import is_blank
from ui.widgets.pieces.worded import is_drawn

COLUMNS = (6, 5, 4, 3, 2, 1)
MOST_ROWS = 5
"""More rows than these are turned page by page."""
LIKED = 1.3
"""Keys like to be so many targets high."""
TALL = 1.08
"""They must be so high where two lines stand over what they give."""
LINES = 2
"""A key's words take no more lines."""


class OptionKeys(Question[Choose]):
    """A key for each option, those of a group together; the way out stands in the lower right corner."""

    __events__ = ("on_cant",)  # why: somebody touched an option that can't be chosen now

    def build(self) -> None:
        """The keys, as many columns as their words allow."""
        self._faces: dict[str, CardFace] = {}
        self._runners = {str(seat.number): seat for seat in self.request.race}
        self.keys = {key: self._key(key, option) for key, option in self._ordered()}
        self.grid = FloatLayout()
        self.add_widget(self.grid)
        self.pager: Pager | None = None
        self.grave = ""
        self.doubt: Doubt | None = None
        self.bind(size=self._lay)
        self.grid.bind(pos=self._lay, size=self._lay)

    def _ordered(self) -> list[tuple[str, Labelled]]:
        """Groups together, in the order of their first; the way out last."""
        options = list(self.request.options.items())
        groups = list(dict.fromkeys(_group(option) for _, option in options))
        return sorted(options, key=lambda each: (_is_apart(each[1]), groups.index(_group(each[1]))))

    def _key(self, name: str, option: Labelled) -> OptionKey:
        about: Any = option if isinstance(option, Seat) else self._runners.get(name)
        key = OptionKey(name=name, is_full=True, lines=BRIEF)
        if isinstance(option, Offer):
            if option.piece is not None and is_drawn(option.piece):
                about = option.piece
            if option.card is not None:
                about = self._faces[name] = face_of(self.seen.looks, option.card)
            key.faint = option.cant is not None
            key.look = "brass" if option.usual else "paper"
        key.about = about
        key.bind(on_release=lambda _: self._choose(name))
        return key

    def speak(self) -> None:
        """What each key means, in the language of this moment."""
        lang = self.app.lang
        blank = any(is_blank(face, theme.length.token, lang) for face in self._faces.values())
        for name, option in self.request.options.items():
            key = self.keys[name]
            if name in self._faces:  # one that can't be read looks like another thing beside those that can
                key.about = None if blank else self._faces[name]
            runner = self._runners.get(name)
            key.lang, key.text = lang, self.said(option if runner is None else runner)
            key.below = self._below(option, key)
        if self.doubt is not None:
            self.doubt.text.text = self.said(self.request.sure[self.grave])
            self.doubt.sure.text = self.said(self.request.options[self.grave])
            self.doubt.unsure.text = self.app.tr("Cancel")
        self._lay()

    def _below(self, option: Labelled, key: OptionKey) -> str:
        """What it costs, where that isn't beside a picture, and what it gives."""
        if not isinstance(option, Offer):
            return ""
        parts = []
        if option.price is not None and isinstance(key.about, Piece):
            key.price = f"−{option.price}" if option.price else "0"
        elif option.price is not None:
            parts = [str(self.app.tr("price {n}", n=option.price))]
        parts += [render(text, self.app.lang) for text in (option.gives, option.note) if text is not None]
        return " · ".join(parts)

    def begin_at(self, answer: str) -> None:
        """The key that was pressed is framed."""
        self.keys[answer].chosen = True

    # How they stand

    def wish(self, width: float) -> tuple[float, float]:
        """As many rows as the words need; more where the keys may be larger."""
        if self.doubt is not None:
            return theme.length.row * 2.6, theme.length.row * 3.2
        columns = self._most_columns(width)
        least = self._rows(columns)
        best = max(least, min(MOST_ROWS, len(self.keys)))
        liked = max(self._high(least, LIKED), self._high(min(best, least + 1), LIKED))
        return self._high(least, self._tall(columns, width)), liked

    def _high(self, rows: int, share: float) -> float:
        return rows * theme.length.target * share + (rows - 1) * theme.length.gap / 2

    def _tall(self, columns: int, width: float) -> float:
        """How many targets a key is high at least."""
        share = (width - theme.length.gap / 2 * (columns - 1)) / columns
        full = any(key.below and key.lines_at(share) == LINES for key in self.keys.values())
        return TALL if full else 1.0

    def _rows(self, columns: int) -> int:
        """Rows of a page."""
        rows = ceil(len(self.keys) / columns)
        return rows if rows <= MOST_ROWS else MOST_ROWS + 1

    def _most_columns(self, width: float) -> int:
        """How many keys have room side by side with their words; rather than a key, what it gives goes."""
        columns = self._columns(width, brief=False)
        if ceil(len(self.keys) / columns) > MOST_ROWS:
            columns = self._columns(width, brief=True)
        return columns

    def _columns(self, width: float, *, brief: bool) -> int:
        gap = theme.length.gap / 2
        for columns in COLUMNS:
            share = (width - gap * (columns - 1)) / columns
            if share >= theme.length.target and self._fit(share, brief=brief):
                return columns
        return 1

    def _fit(self, width: float, *, brief: bool) -> bool:
        most = BRIEF if brief else LINES
        return all(key.lines_at(width, brief=brief) <= most for key in self.keys.values())

    def _lay(self, *_: object) -> None:
        """The fewest columns whose rows have room: so keys are as wide as can be."""
        if self.grid.parent is None or self.width <= 1:
            return
        most = min(self._most_columns(self.width), len(self.keys))
        fitting = [
            columns
            for columns in range(1, most + 1)
            if self._high(ceil(len(self.keys) / columns), self._tall(columns, self.width)) <= self.height + 1
        ]
        columns = fitting[0] if fitting else most
        rows = ceil(len(self.keys) / columns)
        gap = theme.length.gap / 2
        room = int((self.height + gap) / (theme.length.target + gap))
        self._place(columns, rows if fitting else max(2, room))

    def _place(self, columns: int, rows: int) -> None:
        keys, gap = list(self.keys.values()), theme.length.gap / 2
        if columns * rows < len(keys):
            self._turn_pages(columns, rows - 1)
            return
        self._show_keys(keys)
        width = (self.grid.width - gap * (columns - 1)) / columns
        height = min((self.grid.height - gap * (rows - 1)) / rows, theme.length.target * 1.6)
        top = self.grid.y + rows * height + (rows - 1) * gap
        # A lone way out stands in the corner of the last row.
        spots = list(range(len(keys)))
        if self._ends_apart() and len(keys) > 1:
            spots[-1] = columns * rows - 1
        for key, spot in zip(keys, spots, strict=True):
            row, column = divmod(spot, columns)
            key.size_hint = (None, None)
            key.size = (width, height)
            key.brief = key.lines_at(width) > LINES
            key.pos = (self.grid.x + column * (width + gap), top - (row + 1) * height - row * gap)

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
    def bare(self) -> float:
        """Three rows, the last of them the ways to the other pages."""
        return self._high(3, 1.0) if len(self.keys) > MOST_ROWS else 0.0

    def _turn_pages(self, columns: int, rows: int) -> None:
        """The way out stays in its corner, beside the ways to the other pages."""
        if self.pager is not None and self.pager.parent is self.grid:
            self.pager.cols, self.pager.rows = columns, rows
            self.pager.pos, self.pager.size = self.grid.pos, self.grid.size
            return
        keys = list(self.keys.values())
        for key in keys:
            key.size_hint = (1, 1)
            if key.parent is not None:
                key.parent.remove_widget(key)
        corner = keys.pop() if self._ends_apart() else None
        gap = theme.length.gap / 2
        self.pager = Pager(things=keys, cols=columns, rows=rows, between=gap, spacing=gap, corner=corner)
        self.grid.clear_widgets()
        self.grid.add_widget(self.pager)
        self.pager.pos, self.pager.size = self.grid.pos, self.grid.size

    # What is chosen

    def _choose(self, name: str) -> None:
        """Answers; where that is grave, asks first in the keys' place; where it can't be, says why."""
        option = self.request.options[name]
        if isinstance(option, Offer) and option.cant is not None:
            self.dispatch("on_cant", option.cant)
        elif self.request.doubt(name) is None:
            self.dispatch("on_answer", name)
        else:
            self._ask(name)

    def _ask(self, name: str) -> None:
        self.grave, self.doubt = name, Doubt()
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


def _group(option: Labelled) -> str:
    return str(option.group.id) if isinstance(option, Offer) and option.group is not None else ""


def _is_apart(option: Labelled) -> bool:
    return isinstance(option, Offer) and option.apart
