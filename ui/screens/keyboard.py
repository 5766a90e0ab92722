"""The keyboard over a screen, until something is typed or given up."""

from __future__ import annotations

from collections.abc import Callable

from kivy.app import App

from ui.widgets.keys.keyboard import Keyboard
from ui.widgets.sheets.overlay import Overlay


def keyboard(heading: str, take: Callable[[str], object], *, most: int, text: str = "") -> Overlay:
    """To be laid over a screen; it has gone when `take` gets what was typed, at most `most` letters."""
    app = App.get_running_app()
    tr, lang = app.tr, app.lang
    keys = Keyboard(
        text=text,
        most=most,
        script="hiragana" if lang == "ja" else "latin",
        heading=heading,
        done_text=tr("Done"),
        cancel_text=tr("Cancel"),
        space_text=tr("Space"),
    )
    overlay = Overlay(keys)

    def done(_keyboard: Keyboard, typed: str) -> None:
        overlay.close()
        take(typed)

    keys.bind(on_done=done, on_cancel=overlay.close)
    return overlay
