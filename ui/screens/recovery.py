"""Screens if the evening can't begin, and after a crash: the error, or the interrupted game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.actions import RESUME_CLOCKS
from companion.texts import Say, render
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, open_dialog
from ui.screens.actions import perform_with_confirmations
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.sheets.overlays import Dialog


class StartErrorScreen(EventMixin, AnchorLayout):
    """The screen that shows why the evening can't begin.

    If only devices prevent it, people can go on without them.
    """

    __events__ = (
        "on_again",  # people try again
        "on_without",  # people go on without devices
        "on_quit",  # people quit the app, after a confirmation
    )

    def __init__(self, text: Say, *, is_device_problem: bool = False, **kwargs: Any) -> None:
        super().__init__(padding=theme.length.margin * 2, **kwargs)
        self.reason = text
        self.app = get_companion_app()
        self.title = FittedLabel(style="question", size_hint_y=None, height=theme.length.row)
        self.sentence = FittedLabel(lines=8, is_paragraph=True, valign="top")
        self.quit_key = Key(name="quit", on_release=lambda _: self.dispatch("on_quit"))
        self.try_again_key = Key(name="again", look="brass", on_release=lambda _: self.dispatch("on_again"))
        self.without_devices_key = Key(name="without", on_release=lambda _: self.dispatch("on_without"))
        keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        add_children(
            keys,
            *(
                [self.quit_key, self.without_devices_key, self.try_again_key]
                if is_device_problem
                else [self.quit_key, self.try_again_key]
            ),
        )
        add_children(
            self, add_children(PaperBoxLayout(padding=theme.length.margin), self.title, self.sentence, keys)
        )
        bind_weak(self.app, "lang", self._update_texts)
        self._update_texts()

    def _update_texts(self, *_: object) -> None:
        app = self.app
        self.title.text = app.tr("The companion can't start yet")
        self.sentence.text = render(self.reason, app.lang)
        self.quit_key.text, self.try_again_key.text = app.tr("Close"), app.tr("Try again")
        self.without_devices_key.text = app.tr("Continue without devices")


# After a power cut or a crash: the table is shown again, but the game goes on only when people say so.


def offer_interrupted_game(app: AppWithEvening, put_away: Callable[[], object]) -> None:
    """Opens the interrupted game, and asks whether to continue it or to put it away.

    The clocks are stopped. `put_away` closes the game. If no game is open, or the game can't go on, home
    stays; the controller says why.
    """
    controller, tr = app.controller, app.tr
    if (
        controller.read_store(lambda evening: evening.find_open_game(), None) is None
        or not controller.resume_saved_game()
    ):
        return
    session = app.evening.current_session
    if session.question is None:
        return
    text = tr("Nothing was lost.")
    if session.has_clocks:
        text += " " + tr("The clocks are stopped until you continue or somebody answers.")
    dialog = open_dialog(
        tr("{game} was interrupted", game=render(session.game.title, app.lang)),
        text,
        DialogChoice("end", tr("Put the game away"), put_away),
        DialogChoice("look", tr("Look first")),
        DialogChoice(
            "go on", tr("Play on"), partial(perform_with_confirmations, app, RESUME_CLOCKS), "brass"
        ),
    )
    _close_at_next_question(app, dialog)


def _close_at_next_question(app: AppWithEvening, dialog: Dialog) -> None:
    """Closes the dialog at the next question, for instance after somebody answered on a keypad."""
    controller, question_number = app.controller, app.controller.view.question_number

    def close_if_answered(_controller: object) -> None:
        if controller.view is None or controller.view.question_number != question_number:
            controller.unbind(on_change=close_if_answered)
            dialog.close()

    controller.bind(on_change=close_if_answered)
