"""Going back and forth, and what people then move by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.actions import BACK, REDO, UNDO
from companion.session.view import View
from companion.words import Say, render
from ui import theme
from ui.flows.acting import perform
from ui.host import TableHost
from ui.widgets.drawing.icons import draw_dot
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Dialog

LINES = 4
"""Moves a page."""


class MoveRow(Writing):
    """One thing to move, after a dot of brass."""

    def __init__(self, text: str) -> None:
        super().__init__(text=text, lines=2, padding=(theme.length.margin, 0, 0, 0))
        self.fbind("pos", self._dot)
        self.fbind("size", self._dot)

    def _dot(self, *_: object) -> None:
        self.canvas.before.clear()
        side = theme.length.dot
        with self.canvas.before:
            draw_dot((self.x, self.center_y - side / 2, side, side), theme.BRASS)


class ByHand(Dialog):
    """What to move on the real table, a line each, until somebody says it is done."""

    tall = 0.94


class Undoing:
    """`Undoing(app)` goes back and forth with the app's evening, and lists on its stage what people move."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._fits = False

    def undo(self) -> None:
        """Takes the last thing back."""
        perform(self.app, UNDO)

    def go_back(self, kept: int) -> None:
        """Takes back all but the first `kept` things."""
        perform(self.app, BACK, {"kept": kept})

    def redo(self, count: int = 1) -> None:
        """Puts back what was undone last, or so much."""
        perform(self.app, REDO, {"count": count})

    def offer(self, seen: View | None) -> None:
        """Asks, once, whether what an amendment took back is redone, as soon as some of it fits."""
        fitting = seen.fitting if seen else 0
        news, self._fits = bool(fitting) and not self._fits, bool(fitting)
        if news:
            app = self.app
            title = app.trn("Redo {n} more answer?", "Redo {n} more answers?", fitting)
            text = app.tr("The later answers are possible again, so you can put them back.")
            answers = [("no", app.tr("Change nothing"), "paper"), ("yes", app.tr("Redo"), "brass")]
            app.ask(title, text, answers, partial(self.redo, fitting))

    def by_hand(self, moves: Sequence[Say]) -> None:
        """Lists what people must move; nothing where nothing lies wrong."""
        if not moves:
            return
        pages = Pager(
            things=[MoveRow(render(move, self.app.lang)) for move in moves], rows=LINES, look="paper"
        )
        self.app.stage.lay(
            ByHand(
                title=self.app.tr("Move these pieces on the table"),
                body=pages,
                answers=[("done", self.app.tr("All moved"), "brass")],
            )
        )
