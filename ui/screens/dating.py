"""The date of a game by hand, for a box whose clock nobody had set: year, month and day."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.errors import TableError
from companion.record.when import read_day
from companion.words import render
from ui import theme
from ui.host import running
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.dial import Dial
from ui.widgets.keys.key import Key
from ui.widgets.sheets.head import Head, Page
from ui.widgets.sheets.keyboard import number_pad
from ui.widgets.sheets.overlay import Overlay

FIRST_YEAR, LAST_YEAR = 2026, 2099


class DatePage(Page):
    """`day` is shown first, such as 2026-11-24; `now` is the time, None where this machine doesn't know it.

    `is_by_hand`: there is a date by hand, which can be taken away. A day that can't be is said to be none.
    """

    __events__: tuple[str, ...] = ("on_done",)  # day: that is the date by hand; empty: none is

    def __init__(self, day: str, now: float | None, *, is_by_hand: bool, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        tr, self._now = self.app.tr, now
        year, month, number = map(int, day.split("-"))
        self.dials = [
            self._dial("year", tr("Year"), year, FIRST_YEAR, LAST_YEAR),
            self._dial("month", tr("Month"), month, 1, 12),
            self._dial("day", tr("Day"), number, 1, 31),
        ]
        along = "vertical" if running().stage.is_upright else "horizontal"
        row = put(BoxLayout(orientation=along, spacing=sizes.gap), *self.dials)
        self.sentence = Writing(felt=True, lines=2)
        self.take = self._key("take", "brass", tr("Done"), lambda: self.day)
        none = self._key("none", "felt", tr("Remove this date"), str)
        keys = put(
            BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap),
            none if is_by_hand else Widget(),
            self.take,
        )
        self.lay_under(Head(tr("When was it played?")), self.sentence, row, keys)
        self._show()

    @property
    def day(self) -> str:
        """The date on the dials, be it none of the calendar."""
        year, month, day = (int(dial.count) for dial in self.dials)
        return f"{year:04}-{month:02}-{day:02}"

    def open(self) -> None:
        """Lies over everything until it is done with."""
        overlay = Overlay(self)
        self.bind(on_close=overlay.close, on_done=overlay.close)
        running().stage.lay(overlay)

    def _key(self, name: str, look: str, text: str, day: Any) -> Key:
        return Key(
            name=name, look=look, text=text, lines=2, on_release=lambda _: self.dispatch("on_done", day())
        )

    def _dial(self, name: str, text: str, count: int, least: int, most: int) -> Dial:
        dial = Dial(name=name, text=text, count=count, least=least, most=most)
        dial.bind(on_type=lambda _: running().stage.lay(number_pad(dial, step=1)), count=self._show)
        return dial

    def _show(self, *_: object) -> None:
        """Why a day can't be."""
        try:
            read_day(self.day, self._now)
        except TableError as error:
            self.sentence.text, self.take.disabled = render(error.text, self.app.lang), True
        else:
            self.sentence.text, self.take.disabled = "", False
