"""Window sizes and languages in which screens are checked, and an app that shows widgets without a game."""

from __future__ import annotations

from itertools import product
from typing import Any

from companion.languages import languages
from tests.support.soak import SOAK

SIZES = [(800, 480), (1280, 720)]

SIZES_AND_LANGUAGES = list(product(SIZES, languages())) if SOAK else [(SIZES[0], "ja")]
"""Size and language of a screen to check: all in a soak, otherwise the one with the least space."""
SIZES_AND_LONG_WORDS = SIZES_AND_LANGUAGES if SOAK else [*SIZES_AND_LANGUAGES, (SIZES[0], "de")]
"""Also German, which has the longest words, for screens full of short texts."""


def make_bare_app(**kwargs: Any) -> Any:
    """Returns an app with an empty stage; it opens no evening."""
    from kivy.uix.widget import Widget

    from ui.app import CompanionApp

    class BareApp(CompanionApp):
        def on_start(self) -> None:
            self.stage.replace_screen(Widget)

    return BareApp(None, **kwargs)  # type: ignore[arg-type]  # no evening is opened
