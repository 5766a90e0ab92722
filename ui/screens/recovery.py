"""What is shown if the evening can't begin, and after a crash: the game that was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.actions import GO_ON
from companion.texts import Say, render
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, running_app
from ui.pages import Choice, open_dialog
from ui.screens.actions import perform
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Sheet
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.sheets.dialog import Dialog


class StartErrorScreen(EventMixin, AnchorLayout):
    """Says why the evening can't begin; `devices`: only devices prevent it, people can go on without them."""

    __events__ = (
        "on_again",  # what was wrong has been mended
        "on_without",  # play by touch alone
        "on_quit",  # leave the app, if that is meant
    )

    def __init__(self, text: Say, *, devices: bool = False, **kwargs: Any) -> None:
        super().__init__(padding=theme.length.margin * 2, **kwargs)
        self.reason = text
        self.app = running_app()
        self.title = Writing(style="question", size_hint_y=None, height=theme.length.row)
        self.sentence = Writing(lines=8, valign="top")
        self.quit = Key(name="quit", on_release=lambda _: self.dispatch("on_quit"))
        self.again = Key(name="again", look="brass", on_release=lambda _: self.dispatch("on_again"))
        self.without = Key(name="without", on_release=lambda _: self.dispatch("on_without"))
        keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        put(keys, *([self.quit, self.without, self.again] if devices else [self.quit, self.again]))
        put(self, put(Sheet(padding=theme.length.margin), self.title, self.sentence, keys))
        bind_weak(self.app, "lang", self._speak)
        self._speak()

    def _speak(self, *_: object) -> None:
        app = self.app
        self.title.text = app.tr("The companion can't start yet")
        self.sentence.text = render(self.reason, app.lang)
        self.quit.text, self.again.text = app.tr("Close"), app.tr("Try again")
        self.without.text = app.tr("Continue without devices")


# After a power cut or a crash: back at the table, where nothing goes on unasked.


def offer_interrupted_game(app: AppWithEvening, end: Callable[[], object]) -> None:
    """Opens the interrupted game with its clocks stopped, and asks whether to play on; `end` puts it away.

    Without an open game home stays; so it does for one that can't go on, which says why when it is opened.
    """
    controller, tr = app.controller, app.tr
    if (
        controller.read_store(lambda evening: evening.find_open_game(), None) is None
        or not controller.resume()
    ):
        return
    playing = app.evening.playing
    if playing.question is None:
        return
    text = tr("Nothing was lost.")
    if playing.clocks:
        text += " " + tr("The clocks are stopped until you continue or somebody answers.")
    dialog = open_dialog(
        tr("{game} was interrupted", game=render(playing.game.title, app.lang)),
        text,
        Choice("end", tr("Put the game away"), end),
        Choice("look", tr("Look first")),
        Choice("go on", tr("Play on"), partial(perform, app, GO_ON), "brass"),
    )
    _until_somebody_plays(app, dialog)


def _until_somebody_plays(app: AppWithEvening, dialog: Dialog) -> None:
    """Closes the dialog when somebody answers on a keypad."""
    controller, n = app.controller, app.controller.view.n

    def look(_controller: object) -> None:
        if controller.view is None or controller.view.n != n:
            controller.unbind(on_change=look)
            dialog.leave()

    controller.bind(on_change=look)
