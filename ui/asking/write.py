"""A few words: a key that leads to the keyboard, and one that writes nothing, where that means something."""

from __future__ import annotations

from typing import Any

from companion.requests import Request, TextField
from ui import theme
from ui.asking.question import Question
from ui.widgets.keys.key import Key
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay


class WriteKeys(Question[Request[Any]]):
    """What was begun on the keyboard is gone when the keyboard is closed."""

    def build(self) -> None:
        """One under the other."""
        self._before = ""
        self._keyboard: Overlay | None = None
        row = theme.length.row
        self.write = Key(look="brass", name="write", size_hint_y=None, height=row)
        self.write.bind(on_release=lambda _: self._write())
        self.nothing = Key(name="nothing", size_hint_y=None, height=row)
        self.nothing.bind(on_release=lambda _: self.dispatch("on_answer", ""))
        keys = [self.write] if self.form.decline is None else [self.write, self.nothing]
        self.size_hint_y, self.height = None, len(keys) * (row + self.spacing) - self.spacing
        for key in keys:
            self.add_widget(key)

    def begin_at(self, answer: str) -> None:
        """What was written stands on the keyboard."""
        self._before = answer

    def speak(self) -> None:
        """What the keys do."""
        self.write.text = self.app.tr("Write")
        self.nothing.text = self.decline_label

    def forget(self) -> None:
        """The keyboard goes with what was typed on it."""
        self._close()
        super().forget()

    def _write(self) -> None:
        field = self.form.field
        assert isinstance(field, TextField)
        self._keyboard = keyboard(
            self.said(self.request.text), self._take, most=field.most, text=self._before
        )
        self.app.stage.lay(self._keyboard)

    def _take(self, text: str) -> None:
        self._keyboard = None
        self.dispatch("on_answer", text)

    def _close(self) -> None:
        over, self._keyboard = self._keyboard, None
        if over is not None:
            over.close()

    def on_parent(self, _widget: object, parent: object) -> None:
        """A question that is taken away takes the keyboard with it."""
        if parent is None:
            self._close()
