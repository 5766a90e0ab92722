"""The audit of one player's cards, for their eyes only: cards are read, then compared with the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.table.audit import AuditDifference
from companion.table.seats import Seat
from companion.words import render
from ui import theme
from ui.screens.card import Teaching
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
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
        put(self.head, Token(colour=seat.colour, size_hint_x=None, width=theme.length.token))
        self.keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap)
        put(self, self.keys)
        self.pager: Pager | None = None

    def count(self, cards: int, *, readers: int) -> None:
        """Shows how many cards were read."""
        tr = self.app.tr
        hint = tr("Pass all your cards over a reader, one at a time or a few together.")
        hint = hint if readers else tr("There is no reader. Add one to hardware.toml.")
        number = Writing(text=str(cards), style="number", halign="center")
        self._fill(put(Sheet(), number, Writing(text=hint, halign="center", lines=2, size_hint_y=0.6)))
        self._lay_keys(
            self.telling("on_again", name="again", text=tr("Start over")),
            self.telling("on_compare", name="compare", text=tr("Compare"), look="brass"),
        )

    def list(self, found: Sequence[AuditDifference]) -> None:
        """What differs; a difference without a fix is only told."""
        tr, sizes = self.app.tr, theme.length
        nothing = tr("Everything matches the companion's records.")
        well = Writing(text=nothing, style="question", felt=True, halign="center")
        lines = [self._line(one) for one in found] or [well]
        self.pager = Pager(things=lines, rows=LINES if found else 1, between=sizes.gap / 2, is_apart=True)
        self._fill(self.pager)
        keys = [self.telling("on_more", name="more", text=tr("Read more")), *self.pager.turning]
        if found:
            all_ = self.telling("on_all", name="all", text=tr("Fix everything"), look="brass")
            all_.disabled = not any(len(one.fixes) == 1 for one in found)
            keys.append(all_)
        self._lay_keys(*keys)

    def _line(self, one: AuditDifference) -> Key:
        tr, lang = self.app.tr, self.app.lang
        todo = {0: tr("Open the bank to correct this."), 1: tr("Touch to fix this.")}
        hint = todo.get(len(one.fixes), tr("Touch to choose the place."))
        text = f"{render(one.text, lang)}\n{hint}"
        key = self.telling("on_fix", one, text=text, name=f"fix {one.kind}", style="body", lines=3)
        key.disabled, key.is_full = not one.fixes, True
        return key

    def _fill(self, widget: Any) -> None:
        self.body.clear_widgets()
        put(self.body, widget)

    def _lay_keys(self, *keys: Key) -> None:
        self.keys.clear_widgets()
        put(self.keys, *keys)
