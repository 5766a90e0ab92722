"""Questions that need no more than a key or two: done, write, and the confirmation of a grave answer."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.requests import ConfirmField, Request, TextField
from ui import theme
from ui.events import EventMixin
from ui.questions.question import Question
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.sheets.overlays import Overlay, keyboard


class AnswerConfirmation(EventMixin, BoxLayout):
    """Asks in the place of the question."""

    __events__ = (
        "on_sure",  # it is meant
        "on_unsure",  # another answer is wanted
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.space, **kwargs)
        self.text = Writing(style="question", halign="center", felt=True, lines=3)
        self.unsure = Key(name="not sure")
        self.unsure.bind(on_release=lambda _: self.dispatch("on_unsure"))
        self.sure = Key(look="brass", name="sure")
        self.sure.bind(on_release=lambda _: self.dispatch("on_sure"))
        row = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        row.add_widget(self.unsure)
        row.add_widget(self.sure)
        self.add_widget(self.text)
        self.add_widget(row)


class DoneKey(Question[Request[Any]]):
    """One brass key; the instruction stands in the question above it."""

    def build(self) -> None:
        """The key, no larger than it must be."""
        self.size_hint_y, self.height = None, theme.length.row * 1.15
        self.key = Key(look="brass", icon="tick", name="done")
        field = self.form.single_field
        assert isinstance(field, ConfirmField)
        self.key.bind(on_release=lambda _: self.dispatch("on_answer", field.answer))
        self.add_widget(self.key)

    def speak(self) -> None:
        """Writes the text on the key."""
        self.key.text = self.app.tr("All done")


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
        field = self.form.single_field
        assert isinstance(field, TextField)
        self._keyboard = keyboard(
            self.said(self.request.text), self._take, most=field.max_letters, text=self._before
        )
        self.app.stage.show_overlay(self._keyboard)

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
