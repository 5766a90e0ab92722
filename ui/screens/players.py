"""The players at the table: a seat is renamed or handed over, players leave and come back."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.host import AppWithStage
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.sheets.overlays import Dialog


class PlayersDialog(Dialog):
    """A dialog to rename players, and to mark who leaves or comes back: a row for each seat.

    The dialog closes before it dispatches an event.
    """

    width_share, height_share = 0.94, 0.98
    __events__ = (
        *Dialog.__events__,
        "on_rename",  # seat: people rename that player
        "on_away",  # seat: that player leaves
        "on_back",  # seat: somebody takes that seat again
    )

    def __init__(self, app: AppWithStage, view: View, **kwargs: Any) -> None:
        self.app, self.view = app, view
        is_one_page = len(view.seats) <= MAX_FULL_DETAIL_PANELS
        super().__init__(
            body=self._make_column() if is_one_page else self._make_pager(),
            answers=[("close", app.tr("Close"), "brass")],
            **kwargs,
        )

    def _make_column(self) -> Widget:
        rows = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2)
        return add_children(rows, *map(self._make_row, self.view.seats))

    def _make_pager(self) -> Widget:
        columns, rows = (1, self._count_upright_rows()) if self.app.stage.is_next_page_portrait else (2, 4)
        return Pager(
            items=list(self.view.seats),
            make=self._make_row,
            cols=columns,
            rows=rows,
            look="paper",
            between=theme.length.gap / 2,
            spacing=theme.length.gap / 2,
        )

    def _count_upright_rows(self) -> int:
        """Returns how many rows fit on an upright screen, above the keys."""
        sizes = theme.length
        keys_height = sizes.row + sizes.target + 2 * sizes.margin + 2 * sizes.space
        available_height = self.app.stage.next_page_size[1] * self.height_share - keys_height
        return int(available_height / (sizes.target + sizes.gap / 2))

    def _make_row(self, seat: Seat) -> BoxLayout:
        tr, sizes = self.app.tr, theme.length
        row = BoxLayout(spacing=sizes.gap, size_hint_max_y=sizes.row)
        token = PlayerToken(colour=seat.colour, size_hint_x=None, width=sizes.token)
        name = Key(text=seat.name, name=f"rename {seat.name}", icon="pen", lines=2, abbreviates=True)
        name.bind(on_release=lambda _: self._close_and_dispatch("on_rename", seat))
        is_away = seat in self.view.absent_seats
        change, text = ("back", tr("Is back")) if is_away else ("away", tr("Has left"))
        presence = Key(text=text, name=f"{change} {seat.name}", size_hint_x=0.45)
        presence.bind(on_release=lambda _: self._close_and_dispatch(f"on_{change}", seat))
        return add_children(row, token, name, presence)

    def _close_and_dispatch(self, event: str, seat: Seat) -> None:
        self.close()
        self.dispatch(event, seat)
