"""The audit of one player's cards, for their eyes only: cards are read, then compared with the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.table.audit import Difference
from companion.table.seats import Seat
from companion.words import render
from ui import theme
from ui.screens.card import Teaching
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

LINES = 3
"""Differences a page."""


class Auditing(Teaching):
    """First how many cards were read; then what differs, a key each: a touch puts it right."""

    __events__: tuple[str, ...] = (
        "on_again",  # read from the beginning
        "on_more",  # read on
        "on_compare",  # all cards have been read
        "on_fix",  # difference: one difference is to be put right
        "on_all",  # all that is clear is to be put right
        "on_close",
    )

    def __init__(self, seat: Seat, **kwargs: Any) -> None:
        super().__init__("", **kwargs)
        self.seat = seat
        self.head.title.text = self.app.tr("{name}'s cards", name=seat.name)
        self.head.add_widget(Token(colour=seat.colour, size_hint_x=None, width=theme.length.token))
        self.keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap)
        self.add_widget(self.keys)
        self.pager: Pager | None = None

    def count(self, cards: int, *, readers: int) -> None:
        """So many cards were read."""
        tr = self.app.tr
        sheet = Sheet()
        sheet.add_widget(Writing(text=str(cards), style="number", halign="center"))
        hint = (
            tr("Pass all your cards over a reader, one by one or a few together.")
            if readers
            else tr("There is no reader. Add one to hardware.toml.")
        )
        sheet.add_widget(Writing(text=hint, halign="center", lines=2, size_hint_y=0.6))
        self._fill(sheet)
        self._lay_keys(
            self._key("again", tr("Begin again"), "on_again"),
            self._key("compare", tr("Compare"), "on_compare", look="brass"),
        )

    def list(self, found: Sequence[Difference]) -> None:
        """What differs; a difference without a fix is only told."""
        tr, sizes = self.app.tr, theme.length
        lines = [self._line(one) for one in found] or [
            Writing(
                text=tr("Everything is where the companion has it."),
                style="question",
                felt=True,
                halign="center",
            )
        ]
        self.pager = Pager(things=lines, rows=LINES if found else 1, between=sizes.gap / 2, is_apart=True)
        self._fill(self.pager)
        keys = [self._key("more", tr("Read on"), "on_more")]
        if self.pager.pages > 1:
            for way in (self.pager.back, self.pager.on):
                way.width = sizes.target
            keys += [self.pager.back, self.pager.on]
        if found:
            all_ = self._key("all", tr("Put everything right"), "on_all", look="brass")
            all_.disabled = not any(len(one.fixes) == 1 for one in found)
            keys.append(all_)
        self._lay_keys(*keys)

    def _line(self, one: Difference) -> Key:
        tr, lang = self.app.tr, self.app.lang
        todo = {0: tr("Move it by hand in the bank."), 1: tr("Touch: put it right.")}
        hint = todo.get(len(one.fixes), tr("Touch: say where."))
        key = Key(text=f"{render(one.text, lang)}\n{hint}", name=f"fix {one.kind}", style="body", lines=3)
        key.disabled, key.is_full = not one.fixes, True
        key.bind(on_release=lambda _: self.dispatch("on_fix", one))
        return key

    def _key(self, name: str, text: str, event: str, *, look: str = "paper") -> Key:
        key = Key(text=text, name=name, look=look)
        key.bind(on_release=lambda _: self.dispatch(event))
        return key

    def _fill(self, widget: Any) -> None:
        self.body.clear_widgets()
        self.body.add_widget(widget)

    def _lay_keys(self, *keys: Key) -> None:
        self.keys.clear_widgets()
        for key in keys:
            if key.parent is not None:
                key.parent.remove_widget(key)
            self.keys.add_widget(key)
