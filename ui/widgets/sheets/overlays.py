"""What lies over a screen: a second screen, a notice that goes by itself, the keyboard and the number pad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.languages import find_language
from ui import theme
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.surfaces import Drawn, Felt
from ui.widgets.keys.keyboard import Keyboard
from ui.widgets.keys.number_pad import Pad
from ui.widgets.keys.steppers import Dial
from ui.words import running_translator


class Overlay(FloatLayout):
    """Felt with one widget on it; nothing below can be touched until `close()`."""

    def __init__(self, content: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.content = content
        put(self, Felt(), content)

    def close(self, *_: object) -> None:
        """Take it away."""
        take_away(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Every touch ends here."""
        super().on_touch_down(touch)
        return True


# A notice that goes by itself


class Passing(Drawn, BoxLayout):
    """Lies over everything for `seconds`, or until it is touched."""

    def __init__(self, seconds: float | None = None, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**{"padding": sizes.margin * 2, "spacing": sizes.margin} | kwargs)
        self._ending = None if seconds is None else Clock.schedule_once(lambda _: self.leave(), seconds)

    def leave(self) -> None:
        """Takes itself away."""
        if self._ending is not None:
            self._ending.cancel()
        take_away(self)

    def draw(self) -> None:
        """A veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, _touch: Any) -> bool:
        """Whoever has seen it goes on; nothing below is touched."""
        self.leave()
        return True


# The keyboard and the number pad


def keyboard(heading: str, take: Callable[[str], object], *, most: int, text: str = "") -> Overlay:
    """To be laid over a screen; it has gone when `take` gets what was typed, at most `most` letters."""
    app = running_translator()
    tr, language = app.tr, find_language(app.lang)
    keys = Keyboard(
        text=text,
        most=most,
        script=language.keyboard if language else "latin",
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


def number_pad(dial: Dial, step: int) -> Overlay:
    """Opens a number pad for a dial, with multiples of `step`; the dial shows what was typed."""
    tr = running_translator().tr
    pad = Pad(least=dial.least, most=dial.most, step=step, sentence=dial.text)
    pad.yes, pad.way_out = tr("Take {amount}", amount="{amount}"), tr("Cancel")
    pad.start_at(int(dial.count))
    overlay = Overlay(put(BoxLayout(padding=theme.length.margin), pad))

    def typed(_pad: Pad, amount: int) -> None:
        overlay.close()
        dial.count = amount

    pad.bind(on_confirm=typed, on_no=overlay.close)
    return overlay
