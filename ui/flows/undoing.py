"""Going back and forth: what must be asked before, and what people then move by hand.

It decides nothing about the game; the evening does, and says when a reveal would be hidden again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.errors import PastReveal
from companion.session.view import View
from companion.words import Say, render
from ui import theme
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
    """`Undoing(app)` asks on the app's stage and does it with the app's evening."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._fits = False

    def undo(self) -> None:
        """Takes the last thing back; asks first where envelopes would be torn up or a reveal hidden."""
        self.with_envelopes(partial(self.past_reveal, self.app.evening.undo))

    def go_back(self, kept: int) -> None:
        """Takes back all but the first `kept` things; asks as `undo` does."""
        self.with_envelopes(partial(self.past_reveal, partial(self.app.evening.go_back, kept)))

    def redo(self, count: int = 1) -> None:
        """Puts back what was undone last, or so much; asks first where envelopes would be torn up."""
        self.with_envelopes(partial(self.app.evening.redo, count))

    def offer(self, seen: View | None) -> None:
        """Asks, once, whether what an amendment took back is redone, as soon as some of it fits."""
        fitting = seen.fitting if seen else 0
        news, self._fits = bool(fitting) and not self._fits, bool(fitting)
        if news:
            app = self.app
            title = app.trn("Redo {n} more answer?", "Redo {n} more answers?", fitting)
            text = app.tr("The answers after the changed answer are valid again.")
            self._ask(title, text, app.tr("Redo"), partial(self.redo, fitting), look="brass")

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

    def past_reveal(self, undo: Callable[..., None]) -> None:
        """Does it; asks first where a reveal would be hidden."""
        try:
            undo()
        except PastReveal:
            self._ask(
                self.app.tr("Undo the reveal?"),
                self.app.tr(
                    "Everybody has seen the answers. If you undo the reveal, everybody answers again."
                ),
                self.app.tr("Undo"),
                partial(undo, past_reveal=True),
            )

    def with_envelopes(self, do: Callable[[], None]) -> None:
        """Does it, but asks first where envelopes would be torn up."""
        app, envelopes = self.app, self.app.evening.view.envelopes
        closed, given = sum(bool(each.seal) for each in envelopes), sum(each.closed for each in envelopes)
        if not given:
            do()
            return
        if not closed:
            text = app.trn(
                "{n} entry of this round will be deleted.",
                "{n} entries of this round will be deleted.",
                given,
            )
            self._ask(app.tr("Delete the entries?"), text, app.tr("Delete"), do)
            return
        text = app.trn(
            "{n} sealed answer will be torn up.",
            "{n} sealed answers will be torn up.",
            closed,
        )
        self._ask(app.tr("Tear up the envelopes?"), text, app.tr("Tear up"), do)

    def _ask(self, title: str, text: str, yes: str, do: Callable[[], None], look: str = "danger") -> None:
        answers = [("no", self.app.tr("Change nothing"), "paper"), ("yes", yes, look)]
        self.app.ask(title, text, answers, do)
