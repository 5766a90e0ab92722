"""Questions that need no more than a key or two: done, write, and the confirmation of a serious answer."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.requests import ConfirmField, Request, TextField
from ui import theme
from ui.events import EventMixin
from ui.questions.question import QuestionWidget
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.sheets.overlays import Overlay, make_keyboard_overlay


class AnswerConfirmation(EventMixin, BoxLayout):
    """Asks people to confirm a serious answer, in the place of the question's keys."""

    __events__ = (
        "on_confirm",  # people confirm the answer
        "on_cancel",  # people want to give another answer
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.space, **kwargs)
        self.text = FittedLabel(style="question", halign="center", is_on_felt=True, lines=3)
        self.cancel_key = Key(name="not sure")
        self.cancel_key.bind(on_release=lambda _: self.dispatch("on_cancel"))
        self.confirm_key = Key(look="brass", name="sure")
        self.confirm_key.bind(on_release=lambda _: self.dispatch("on_confirm"))
        row = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        row.add_widget(self.cancel_key)
        row.add_widget(self.confirm_key)
        self.add_widget(self.text)
        self.add_widget(row)


class DoneKey(QuestionWidget[Request[Any]]):
    """The widget of a task that people confirm as done: one brass key.

    The banner above shows the instruction.
    """

    def build_widgets(self) -> None:
        """Builds the key, with no more height than it needs."""
        self.size_hint_y, self.height = None, theme.length.row * 1.15
        self.key = Key(look="brass", icon="tick", name="done")
        field = self.form.single_field
        assert isinstance(field, ConfirmField)
        self.key.bind(on_release=lambda _: self.dispatch("on_answer", field.answer))
        self.add_widget(self.key)

    def update_texts(self) -> None:
        """Updates the text of the key."""
        self.key.text = self.app.tr("All done")


class WriteOrDeclineKeys(QuestionWidget[Request[Any]]):
    """Keys that open the keyboard for a written answer, or decline.

    Closing the keyboard drops an unfinished text.
    """

    def build_widgets(self) -> None:
        """Builds the keys, one below the other."""
        self._prefilled_text = ""
        self._keyboard_overlay: Overlay | None = None
        row = theme.length.row
        self.write_key = Key(look="brass", name="write", size_hint_y=None, height=row)
        self.write_key.bind(on_release=lambda _: self._open_keyboard())
        self.decline_key = Key(name="nothing", size_hint_y=None, height=row)
        self.decline_key.bind(on_release=lambda _: self.dispatch("on_answer", ""))
        keys = [self.write_key] if self.form.decline is None else [self.write_key, self.decline_key]
        self.size_hint_y, self.height = None, len(keys) * (row + self.spacing) - self.spacing
        for key in keys:
            self.add_widget(key)

    def prefill(self, previous_answer: str) -> None:
        """Fills the keyboard with the previous answer."""
        self._prefilled_text = previous_answer

    def update_texts(self) -> None:
        """Updates the texts of the keys."""
        self.write_key.text = self.app.tr("Write")
        self.decline_key.text = self.decline_label

    def clear_answer(self) -> None:
        """Clears the written answer, and closes the keyboard with the typed text."""
        self._close_keyboard()
        super().clear_answer()

    def _open_keyboard(self) -> None:
        field = self.form.single_field
        assert isinstance(field, TextField)
        self._keyboard_overlay = make_keyboard_overlay(
            self.render_with_short_names(self.request.text),
            self._submit_text,
            max_letters=field.max_letters,
            text=self._prefilled_text,
        )
        self.app.stage.show_overlay(self._keyboard_overlay)

    def _submit_text(self, text: str) -> None:
        self._keyboard_overlay = None
        self.dispatch("on_answer", text)

    def _close_keyboard(self) -> None:
        overlay, self._keyboard_overlay = self._keyboard_overlay, None
        if overlay is not None:
            overlay.close()

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: closes the keyboard when the widget is removed from the screen."""
        if parent is None:
            self._close_keyboard()
