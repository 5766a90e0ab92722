"""How bright the screen is: by the panel's backlight, or by a dark veil over the window.

    light = ScreenLight(find_backlight())
    light.set_brightness(7)

The veil is drawn when the brightness changes, and costs nothing while it stays.
"""

from __future__ import annotations

from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Rectangle

from hardware.backlight import Backlight
from ui import theme
from ui.journal import LOG

MAX_BRIGHTNESS = 10
"""The highest value of the setting for the brightness."""
MAX_READABLE_VEIL_OPACITY = 0.8
"""The opacity of the darkest veil through which people can still read."""


class ScreenLight:
    """The light of the screen; without a `backlight`, a veil over the whole window makes the screen darker.

    A veil also replaces a backlight that fails.
    """

    def __init__(self, backlight: Backlight | None = None) -> None:
        self._backlight = backlight
        self._shown_fraction = 1.0
        self.veil_opacity = 0.0
        """The opacity of the veil; 0 if none is drawn."""
        self._veil, self._veil_rectangle = InstructionGroup(), Rectangle()

    def set_brightness(self, brightness: int) -> None:
        """Sets the brightness, from 1 to `MAX_BRIGHTNESS`."""
        self._show_fraction(brightness / MAX_BRIGHTNESS)

    def close(self) -> None:
        """Removes the veil from the window, which may outlive the app."""
        self._draw_veil(0.0)

    def _show_fraction(self, fraction: float) -> None:
        """Shows a fraction of the full brightness, unless it is shown already."""
        if fraction == self._shown_fraction:
            return
        self._shown_fraction = fraction
        if self._backlight is not None:
            try:
                self._backlight.set_brightness(fraction)
            except OSError as error:
                LOG.warning("the backlight can't be dimmed: %s", error.strerror)
                self._backlight = None
        self._draw_veil(0.0 if self._backlight is not None else (1 - fraction) * MAX_READABLE_VEIL_OPACITY)

    def _draw_veil(self, opacity: float) -> None:
        """Draws the veil over everything in the window; an opacity of 0 removes it."""
        if self.veil_opacity:
            Window.canvas.after.remove(self._veil)
            Window.funbind("size", self._fit_veil)
        self.veil_opacity = opacity
        self._veil.clear()
        if opacity:
            self._veil.add(Color(*theme.multiply_opacity(theme.DARKNESS, opacity)))
            self._veil.add(self._veil_rectangle)
            self._fit_veil(Window, Window.size)
            Window.canvas.after.add(self._veil)
            Window.fbind("size", self._fit_veil)

    def _fit_veil(self, _window: object, size: tuple[int, int]) -> None:
        self._veil_rectangle.size = size
