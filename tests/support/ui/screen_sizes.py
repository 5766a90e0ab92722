"""Sizes and languages in which screens are looked at, and an app that shows widgets without an evening."""

from __future__ import annotations

from itertools import product
from typing import Any

from companion.languages import languages
from tests.support.soak import SOAK

SIZES = [(800, 480), (1280, 720)]

SIZES_AND_LANGUAGES = list(product(SIZES, languages())) if SOAK else [(SIZES[0], "ja")]
"""Size and language of a screen that is looked at: all in a soak, otherwise the tightest."""


def make_bare_app(**kwargs: Any) -> Any:
    """Returns an app with a stage and nothing on it: no evening is opened."""
    from kivy.uix.widget import Widget

    from ui.app import CompanionApp

    class BareApp(CompanionApp):
        def on_start(self) -> None:
            self.stage.replace_screen(Widget)

    return BareApp(None, **kwargs)  # type: ignore[arg-type]  # no evening is opened
