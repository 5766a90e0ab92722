"""Where the saved games are lost while people play: offers to go on in another directory.

What it writes there is all that was taken; what was refused isn't among it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from companion.actions import GO_ON_IN, Outcome
from ui.flows.acting import perform
from ui.host import TableHost
from ui.widgets.sheets.dialog import Dialog


class Moving:
    """`Moving(app)` asks on the app's stage, once at a time, and does it with the app's evening."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._asking: Dialog | None = None

    def offer(self) -> None:
        """Asks, if nothing can be kept where it was and there is another place."""
        place = self.app.evening.store.elsewhere()
        if place is None or (self._asking is not None and self._asking.parent is not None):
            return
        tr = self.app.tr
        text = tr(
            "The companion can't reach the saved games. "
            "This game can continue in {directory}. No answer is lost.",
            directory=str(place),
        )
        answers = [("no", tr("Not now"), "paper"), ("yes", tr("Continue there"), "brass")]
        title = tr("Continue in another folder?")
        self._asking = self.app.ask(title, text, answers, partial(self._do, place))

    def _do(self, place: Path) -> None:
        perform(self.app, GO_ON_IN, {"directory": str(place)}, done=self._tell)

    def _tell(self, outcome: Outcome) -> None:
        tr = self.app.tr
        self.app.tell(
            tr(
                "The game continues in {directory}. Next time, start with: companion --state {directory}",
                directory=str(outcome.moved_to),
            )
        )
