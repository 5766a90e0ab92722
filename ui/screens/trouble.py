"""What is shown when the evening can't begin: what is wrong, and what to do about it."""

from __future__ import annotations

from typing import Any

from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.words import Say, render
from ui import theme
from ui.events import Tells, heed
from ui.host import running
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key


class Trouble(Tells, AnchorLayout):
    """One sentence on the whole screen; `devices` says that it is only they who are in the way."""

    __events__ = (
        "on_again",  # what was wrong has been mended
        "on_without",  # play by touch alone
        "on_quit",  # leave the app, if that is meant
    )

    def __init__(self, text: Say, *, devices: bool = False, **kwargs: Any) -> None:
        super().__init__(padding=theme.length.margin * 2, **kwargs)
        self.reason = text
        self.app = running()
        self.title = Writing(style="question", size_hint_y=None, height=theme.length.row)
        self.sentence = Writing(lines=8, valign="top")
        self.quit = Key(name="quit", on_release=lambda _: self.dispatch("on_quit"))
        self.again = Key(name="again", look="brass", on_release=lambda _: self.dispatch("on_again"))
        self.without = Key(name="without", on_release=lambda _: self.dispatch("on_without"))
        keys = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        put(keys, *([self.quit, self.without, self.again] if devices else [self.quit, self.again]))
        put(self, put(Sheet(padding=theme.length.margin), self.title, self.sentence, keys))
        heed(self.app, "lang", self._speak)
        self._speak()

    def _speak(self, *_: object) -> None:
        app = self.app
        self.title.text = app.tr("The companion can't start yet")
        self.sentence.text = render(self.reason, app.lang)
        self.quit.text, self.again.text = app.tr("Close"), app.tr("Try again")
        self.without.text = app.tr("Continue without devices")
