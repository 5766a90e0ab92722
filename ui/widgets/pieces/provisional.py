"""The badge of printed values that nobody has entered from a real copy yet."""

from __future__ import annotations

from typing import Any

from kivy.app import App

from companion.session.view import View
from ui import theme
from ui.widgets.pieces.glyph import Plate


class Provisional(Plate):
    """A plate with a red edge; without width and words where all values are the owner's."""

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(text, warning=True, pos_hint={"center_y": 0.5}, **kwargs)
        self.height = theme.length.glyph * 1.1

    def show(self, seen: View, lang: str) -> None:
        """What the view says."""
        app = App.get_running_app()
        self.text = app.words.said(lang, "provisional values") if seen.provisional else ""
