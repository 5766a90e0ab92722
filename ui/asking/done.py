"""A step at the real table: one key, pressed when it is done."""

from __future__ import annotations

from typing import Any

from companion.requests import ConfirmField, Request
from ui import theme
from ui.asking.question import Question
from ui.widgets.keys.key import Key


class DoneKey(Question[Request[Any]]):
    """One brass key; the instruction stands in the question above it."""

    def build(self) -> None:
        """The key, no larger than it must be."""
        self.size_hint_y, self.height = None, theme.length.row * 1.15
        self.key = Key(look="brass", icon="tick", name="done")
        field = self.form.field
        assert isinstance(field, ConfirmField)
        self.key.bind(on_release=lambda _: self.dispatch("on_answer", field.answer))
        self.add_widget(self.key)

    def speak(self) -> None:
        """Its word."""
        self.key.text = self.app.tr("All done")
