"""What was just undone, on the play screen, with the offer to put it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.clock import Clock

from companion.texts import Say, render
from ui import theme
from ui.host import get_companion_app
from ui.widgets.sheets.messages import UndoneNotice


class UndoneMessage:
    """Shows on its slip for a moment what was undone; `place` gives the slip its place, or hides it.

    While something covers the table, or a refusal the slip (`is_covered`), the time begins anew.
    """

    def __init__(
        self, notice: UndoneNotice, place: Callable[[], object], is_covered: Callable[[], bool]
    ) -> None:
        self._notice, self._place, self._app = notice, place, get_companion_app()
        self._is_covered = is_covered
        self._texts: Sequence[Say] = ()
        self._end_trigger = Clock.create_trigger(self._end, theme.PUT_BACK_SECONDS)

    @property
    def undone_count(self) -> int:
        """How many steps the message says were undone."""
        return len(self._texts)

    def show(self, texts: Sequence[Say]) -> None:
        """Shows what was undone, the last step first."""
        self._texts = texts
        self.write()
        self._end_trigger.cancel()
        if texts:
            self._end_trigger()

    def clear(self) -> None:
        """Removes the message."""
        if self._texts:
            self.show(())

    def write(self) -> None:
        """Writes the message in the language of the screen."""
        tr = self._app.tr
        sentence = ""
        if self._texts:
            what = render(self._texts[-1], self._app.lang)
            sentence = tr("Undone: {what}", what=what)
            if (later_count := len(self._texts) - 1) > 0:
                sentence = tr("Undone: {what} And {n} more.", what=what, n=later_count)
        self._notice.show_text(sentence, tr("Put back"))
        self._place()

    def _end(self, *_: object) -> None:
        if self._texts and (self._app.stage.has_overlay or self._is_covered()):
            self._end_trigger()
        else:
            self.clear()
