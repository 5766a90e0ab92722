"""What a monkey sees: which keys can be pressed, and whether all is as it must be."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from companion.session.view import make_view

MAX_LAYERS = 12
SCREENS_WITHOUT_KEYS = ("SealedAnswerScreen", "RevealScreen", "DiceNotice", "ScoreScreen")
"""What goes by itself, or at any touch, where no key can be pressed."""


class MonkeyChecks(logging.Handler):
    """`look()` after each touch on the `app`; `close` them at the end.

    `asked` and `seen` count the questions and the layers that were looked at, `finished` the games.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.app: Any = None
        self.question_counts: Counter[str] = Counter()
        self.layer_counts: Counter[str] = Counter()
        self.finished_game_count = 0
        self._logged: list[logging.LogRecord] = []
        self._last_finished_session: Any = None
        self._session_and_totals: tuple[Any, dict[str, int]] = (None, {})
        logging.getLogger().addHandler(self)

    def close(self) -> None:
        """Sees no log any more."""
        logging.getLogger().removeHandler(self)
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """Faults are told at the next look."""
        self._logged.append(record)

    def touchable_keys(self, *, in_drawer: bool = False) -> list[Any]:
        """What can be pressed now: on what lies on top, or in the drawer."""
        from kivy.uix.behaviors import ButtonBehavior

        top = self.app.stage.topmost_widget
        if type(top).__name__ == "SetUpScreen":  # it lays its dialogs over itself
            top = top.children[0]
        found = (self.app.drawer if in_drawer else top).walk()
        return [each for each in found if isinstance(each, ButtonBehavior) and self._is_pressable(each)]

    @property
    def is_home(self) -> bool:
        """Whether home is shown, and nothing over it."""
        return type(self.app.stage.screen).__name__ == "HomeScreen" and not self.app.stage.has_overlay

    def check_screen(self) -> None:
        """Fails where something isn't as it must be."""
        for record in self._logged:
            raise AssertionError(record.getMessage()) from (record.exc_info[1] if record.exc_info else None)
        stage = self.app.stage
        names = [type(each).__name__ for each in (*stage.overlays_topmost_first, stage.screen)]
        self.layer_counts.update(names)
        assert len(names) <= MAX_LAYERS, names
        assert self.touchable_keys() or names[0] in SCREENS_WITHOUT_KEYS, f"no key can be pressed on {names}"
        if self.app.has_open_evening and (session := self.app.evening.session) is not None:
            self._check_game(self.app.controller, session)

    def _check_game(self, controller: Any, session: Any) -> None:
        """The screen shows the game as it stands, and no piece is lost."""
        screen = self.app.stage.screen
        if type(screen).__name__ == "PlayScreen":
            assert screen.view is controller.view
            assert screen.question_widget.request is session.question
            assert make_view(session) == controller.view, "the screen shows another moment"
        of, sums = self._session_and_totals
        now = session.table.ledger.total_by_piece_key()
        assert of is not session or sums == now, "the sum of some piece has changed"
        self._session_and_totals = session, now
        if session.question is not None:
            self.question_counts[session.question.kind] += 1
        elif self._last_finished_session is not session:
            self._last_finished_session = session
            self.finished_game_count += 1

    def _is_pressable(self, key: Any) -> bool:
        from kivy.core.window import Window

        x, y = key.to_window(*key.center)
        is_inside = 0 <= x < Window.width and 0 <= y < Window.height
        return is_inside and not key.disabled and key.width > 1 and key.height > 1


def key_name(key: Any) -> str:
    """A key's name; some have only their text."""
    return str(getattr(key, "name", ""))


def key_description(key: Any) -> str:
    """How people would call a key."""
    return getattr(key, "text", "") or key_name(key) or type(key).__name__
