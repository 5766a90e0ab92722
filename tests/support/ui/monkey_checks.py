"""What a monkey sees: which keys can be pressed, and whether all is as it must be."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from companion.session.view import make_view

MANY_LAYERS = 12
PASSING = ("SealedAnswerScreen", "RevealScreen", "DiceNotice", "ScoreScreen")
"""What goes by itself, or at any touch, where no key can be pressed."""


class Eyes(logging.Handler):
    """`look()` after each touch on the `app`; `close` them at the end.

    `asked` and `seen` count the questions and the layers that were looked at, `finished` the games.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.app: Any = None
        self.asked: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.finished = 0
        self._logged: list[logging.LogRecord] = []
        self._over: Any = None
        self._sums: tuple[Any, dict[str, int]] = (None, {})
        logging.getLogger().addHandler(self)

    def close(self) -> None:
        """Sees no log any more."""
        logging.getLogger().removeHandler(self)
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """Faults are told at the next look."""
        self._logged.append(record)

    def touchable(self, *, drawn: bool = False) -> list[Any]:
        """What can be pressed now: on what lies on top, or in the drawer."""
        from kivy.uix.behaviors import ButtonBehavior

        top = self.app.stage.topmost_widget
        if type(top).__name__ == "SetUpScreen":  # it lays its dialogs over itself
            top = top.children[0]
        found = (self.app.drawer if drawn else top).walk()
        return [each for each in found if isinstance(each, ButtonBehavior) and self._is_there(each)]

    @property
    def is_home(self) -> bool:
        """Whether home is shown, and nothing over it."""
        return type(self.app.stage.screen).__name__ == "HomeScreen" and not self.app.stage.has_overlay

    def look(self) -> None:
        """Fails where something isn't as it must be."""
        for record in self._logged:
            raise AssertionError(record.getMessage()) from (record.exc_info[1] if record.exc_info else None)
        stage = self.app.stage
        names = [type(each).__name__ for each in (*stage.overlays_topmost_first, stage.screen)]
        self.seen.update(names)
        assert len(names) <= MANY_LAYERS, names
        assert self.touchable() or names[0] in PASSING, f"no key can be pressed on {names}"
        if self.app.has_open_evening and (session := self.app.evening.session) is not None:
            self._look_at(self.app.controller, session)

    def _look_at(self, controller: Any, session: Any) -> None:
        """The screen shows the game as it stands, and no piece is lost."""
        screen = self.app.stage.screen
        if type(screen).__name__ == "PlayScreen":
            assert screen.view is controller.view
            assert screen.question_widget.request is session.question
            assert make_view(session) == controller.view, "the screen shows another moment"
        of, sums = self._sums
        now = session.table.ledger.total_by_piece_key()
        assert of is not session or sums == now, "the sum of some piece has changed"
        self._sums = session, now
        if session.question is not None:
            self.asked[session.question.kind] += 1
        elif self._over is not session:
            self._over = session
            self.finished += 1

    def _is_there(self, key: Any) -> bool:
        from kivy.core.window import Window

        x, y = key.to_window(*key.center)
        is_inside = 0 <= x < Window.width and 0 <= y < Window.height
        return is_inside and not key.disabled and key.width > 1 and key.height > 1


def named(key: Any) -> str:
    """A key's name; some have only their text."""
    return str(getattr(key, "name", ""))


def called(key: Any) -> str:
    """How people would call a key."""
    return getattr(key, "text", "") or named(key) or type(key).__name__
