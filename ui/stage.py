"""The felt and whatever screen lies on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui.widgets.drawing.drawn import Felt


class Stage(FloatLayout):
    """Holds one screen at a time; dialogs, covers and overlays are laid over it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._make: Callable[[], Widget] = Widget
        self.rebuild()

    def show(self, make: Callable[[], Widget]) -> None:
        """Take everything away and show the screen that `make` builds."""
        self._make = make
        self.rebuild()

    def rebuild(self) -> None:
        """Build the screen again, for instance at another size of the window."""
        self.clear_widgets()
        self.add_widget(Felt())
        self.screen: Widget = self._make()
        self.add_widget(self.screen)

    @property
    def is_covered(self) -> bool:
        """Whether anything lies over the screen."""
        return self.children[0] is not self.screen

    def lay(self, thing: Widget) -> None:
        """Lay a dialog or cover over everything."""
        self.add_widget(thing)
