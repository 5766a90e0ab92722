"""Checks of the monkey test: which keys can be pressed, and whether the screen is correct."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from companion.session.upcoming_round import find_upcoming_round, is_same_round
from companion.session.view import make_view

MAX_LAYERS = 12
SCREENS_WITHOUT_KEYS = (
    "SealedAnswerScreen",
    "RevealScreen",
    "DiceNotice",
    "EventsNotice",
    "ResultCard",
    "ScoreScreen",
    "WinnersPage",
)
"""Layers that disappear by themselves or at any touch, so they need no keys."""


class MonkeyChecks(logging.Handler):
    """`check_screen()` after each action on the `app`; `close()` at the end.

    `question_counts` and `layer_counts` count the checked questions by kind and the checked layers by class.
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
        """Stops listening to the log."""
        logging.getLogger().removeHandler(self)
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a logged error until the next check."""
        self._logged.append(record)

    def touchable_keys(self, *, in_drawer: bool = False) -> list[Any]:
        """Returns the keys that can be pressed now, on the topmost layer or in the drawer."""
        from kivy.uix.behaviors import ButtonBehavior

        top = self.app.stage.topmost_widget
        if type(top).__name__ == "SetUpScreen":  # its dialogs are its children
            top = top.children[0]
        widgets = (self.app.drawer if in_drawer else top).walk(restrict=True)
        return [each for each in widgets if isinstance(each, ButtonBehavior) and self._is_pressable(each)]

    @property
    def is_home(self) -> bool:
        """Whether the home screen is shown without an overlay."""
        return type(self.app.stage.screen).__name__ == "HomeScreen" and not self.app.stage.has_overlay

    def check_screen(self) -> None:
        """Raises AssertionError if an error was logged or the screen isn't correct."""
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
        """Checks that the screen shows the current state of the game, and that no piece is lost."""
        screen = self.app.stage.screen
        if type(screen).__name__ == "PlayScreen":
            preview = controller.round_preview
            upcoming_round = preview.question
            is_shown = not preview.is_dismissed and not controller.is_playing_recording
            expected_round = find_upcoming_round(session) if is_shown else None
            assert is_same_round(upcoming_round, expected_round), "another round is shown than would be asked"
            assert screen.view == controller.table_view
            assert upcoming_round is not None or screen.view is controller.view
            assert screen.question_widget.request is (upcoming_round or session.question)
            assert make_view(session) == controller.view, "the screen shows another moment"
        session_before, totals_before = self._session_and_totals
        totals = session.table.ledger.total_by_piece_key()
        assert session_before is not session or totals_before == totals, "the sum of some piece has changed"
        self._session_and_totals = session, totals
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
    """Returns the name of a key; some keys have only a text."""
    return str(getattr(key, "name", ""))


def key_description(key: Any) -> str:
    """Returns what people would call a key."""
    return getattr(key, "text", "") or key_name(key) or type(key).__name__
