"""Who sits where now: a seat is renamed or handed over by its name; people leave and come back."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.host import Host
from ui.widgets.drawing.token import Token
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.columns import FEW_SEATS
from ui.widgets.sheets.dialog import Dialog


class Seated(Dialog):
    """A row for each seat of the view; it takes itself away before it tells."""

    wide, tall = 0.94, 0.98
    __events__ = (
        *Dialog.__events__,
        "on_rename",  # seat: that seat gets another name
        "on_away",  # seat: that player leaves
        "on_back",  # seat: somebody takes that seat again
    )

    def __init__(self, app: Host, seen: View, **kwargs: Any) -> None:
        self.app, self.seen = app, seen
        rows: Widget = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        for seat in seen.seats if len(seen.seats) <= FEW_SEATS else ():
            rows.add_widget(self._row(seat))
        if len(seen.seats) > FEW_SEATS:
            columns, lines = (1, len(seen.seats)) if app.stage.is_upright else (2, 4)
            rows = Pager(
                things=list(seen.seats),
                make=self._row,
                cols=columns,
                rows=lines,
                look="paper",
                between=theme.length.gap / 2,
                spacing=theme.length.gap / 2,
            )
        tr = app.tr
        super().__init__(
            body=rows,
            answers=[("close", tr("Close"), "brass")],
            **kwargs,
        )

    def _row(self, seat: Seat) -> BoxLayout:
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(spacing=sizes.gap, size_hint_max_y=sizes.row)
        row.add_widget(Token(colour=seat.colour, size_hint_x=None, width=sizes.token))
        name = Key(text=seat.name, name=f"rename {seat.name}", icon="pen", lines=1)
        name.bind(on_release=lambda _: self._do("on_rename", seat))
        is_away = seat in self.seen.absent
        comes = Key(
            text=tr("Is back") if is_away else tr("Leaves"),
            name=f"{'back' if is_away else 'away'} {seat.name}",
            size_hint_x=0.45,
        )
        comes.bind(on_release=lambda _: self._do("on_back" if is_away else "on_away", seat))
        for key in (name, comes):
            row.add_widget(key)
        return row

    def _do(self, event: str, seat: Seat) -> None:
        if self.parent is not None:
            self.parent.remove_widget(self)
        self.dispatch(event, seat)
