"""A mark as a widget of its own, for whatever is no strip and no table: a plate, a piece under the finger."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.session.view import View
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.pieces.marks import Mark, Plaque
from ui.widgets.pieces.worded import PLATE
from ui.words import running_translator


class Glyph(Drawn):
    """As wide as its mark is where it is so high."""

    shows: ClassVar[tuple[str, ...]] = ("mark",)
    mark = ObjectProperty()

    def __init__(self, mark: Mark, **kwargs: Any) -> None:
        kwargs.setdefault("height", theme.length.glyph)
        super().__init__(size_hint=(None, None), mark=mark, **kwargs)
        for name in ("height", "mark"):
            self.fbind(name, self._widen)
        self._widen()

    def _widen(self, *_: object) -> None:
        self.width = self.mark.across(self.height)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for people who can't see them and for tests."""
        return [self.mark.said] if self.mark.said else []

    def draw(self) -> None:
        """The mark, from edge to edge."""
        self.mark.draw(self.x, self.y, self.height)


class Plate(Glyph):
    """A word on a small plate of paper; nothing without a word. `warning`: with a red rim."""

    text = StringProperty("")
    warning = BooleanProperty(defaultvalue=False)

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(Mark(), text=text, **kwargs)
        self.fbind("text", self._write)
        self._write()

    def _write(self, *_: object) -> None:
        self.mark = Plaque(self.text, warning=self.warning, share=PLATE) if self.text else Mark()


class Warned(EventMixin, Plate):
    """A plate with a red edge: a demo, or values that aren't the owner's; else without width and words.

    The values can be touched. The plate is small, so a finger near it counts as far as any key is large.
    """

    __events__ = ("on_values",)  # somebody wants to know which values are meant

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(warning=True, pos_hint={"center_y": 0.5}, height=theme.length.glyph * 1.1, **kwargs)
        self._leads = False

    def show(self, seen: View, lang: str, *, is_demo: bool) -> None:
        """What the view says; what belongs to a demo needs no other warning."""
        app = running_translator()
        warning = app.words.said(lang, "provisional values") if seen.provisional else ""
        self.text = app.words.said(lang, "Demo") if is_demo else warning
        self._leads = seen.provisional and not is_demo

    def on_touch_down(self, touch: Any) -> bool:
        """Takes a finger on it or near it."""
        if self._leads and self._is_near(touch):
            touch.grab(self)
            return True
        return bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """The finger was lifted: where it still is there, the values are wanted."""
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        if self._is_near(touch):
            self.dispatch("on_values")
        return True

    def _is_near(self, touch: Any) -> bool:
        reach = theme.length.target
        return bool(
            abs(touch.x - self.center_x) * 2 <= max(self.width, reach)
            and abs(touch.y - self.center_y) * 2 <= max(self.height, reach)
        )
