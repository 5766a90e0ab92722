"""Layers over a screen: a second screen, a timed notice, the keyboard and the number pad."""

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
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget, FeltBackground
from ui.widgets.keys.keyboard import Keyboard
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.steppers import TypableStepper
from ui.words import get_running_translator


class Overlay(FloatLayout):
    """Layer of felt over a screen, with one widget; takes every touch until `close()`."""

    def __init__(self, content: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.content = content
        add_children(self, FeltBackground(), content)

    def close(self, *_: object) -> None:
        """Removes the overlay."""
        detach_from_parent(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, so that no widget below gets the touch."""
        super().on_touch_down(touch)
        return True


# A notice that disappears by itself


class TimedNotice(AutoRedrawWidget, BoxLayout):
    """Notice over everything that disappears at a touch or after some seconds (None: only at a touch)."""

    def __init__(self, seconds: float | None = None, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**{"padding": sizes.margin * 2, "spacing": sizes.margin} | kwargs)
        self._closing = None if seconds is None else Clock.schedule_once(lambda _: self.close(), seconds)

    def close(self) -> None:
        """Removes the notice."""
        if self._closing is not None:
            self._closing.cancel()
        detach_from_parent(self)

    def draw(self) -> None:
        """Draws a veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, _touch: Any) -> bool:
        """Closes the notice; nothing below gets the touch."""
        self.close()
        return True


# The keyboard and the number pad


def make_keyboard_overlay(
    heading: str, handle_text: Callable[[str], object], *, max_letters: int, text: str = ""
) -> Overlay:
    """Returns an overlay with a keyboard, which closes and then passes the typed text to `handle_text`."""
    app = get_running_translator()
    tr, language = app.tr, find_language(app.lang)
    keyboard = Keyboard(
        text=text,
        max_letters=max_letters,
        script=language.keyboard if language else "latin",
        heading=heading,
        done_text=tr("Done"),
        cancel_text=tr("Cancel"),
        space_text=tr("Space"),
    )
    overlay = Overlay(keyboard)

    def close_and_pass_on(_keyboard: Keyboard, typed: str) -> None:
        overlay.close()
        handle_text(typed)

    keyboard.bind(on_done=close_and_pass_on, on_cancel=overlay.close)
    return overlay


def make_number_pad_overlay(dial: TypableStepper, step_size: int) -> Overlay:
    """Returns an overlay with a number pad that sets the count of a dial, in steps of `step_size`."""
    tr = get_running_translator().tr
    pad = NumberPad(least=dial.least, most=dial.most, step=step_size, limits_text=dial.text)
    pad.confirm_text, pad.decline_text = tr("Take {amount}", amount="{amount}"), tr("Cancel")
    pad.prefill_amount(dial.count)
    overlay = Overlay(add_children(BoxLayout(padding=theme.length.margin), pad))

    def close_and_set(_pad: NumberPad, amount: int) -> None:
        overlay.close()
        dial.count = amount

    pad.bind(on_confirm=close_and_set, on_decline=overlay.close)
    return overlay
