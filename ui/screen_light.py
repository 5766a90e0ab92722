"""How bright the screen is: by the panel's backlight, or by a dark veil over the window.

    light = ScreenLight(find_backlight())
    light.set_brightness(7)
    light.set_dimming("dark")

The veil is drawn when the brightness changes, and costs nothing while it stays.
"""

from __future__ import annotations

from typing import Literal

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Rectangle

from hardware.backlight import Backlight
from ui import theme
from ui.journal import LOG

MAX_BRIGHTNESS = 10
"""The highest value of the setting for the brightness."""
MAX_READABLE_VEIL_OPACITY = 0.8
"""The opacity of the darkest veil through which people can still read."""


Dimming = Literal["awake", "dimmed", "dark"]
BRIGHTNESS_SHARE_BY_DIMMING: dict[Dimming, float] = {"awake": 1.0, "dimmed": 0.3, "dark": 0.0}
"""The share of the brightness that is left in each state; a dimmed screen can still be read nearby."""


class ScreenLight:
    """The light of the screen; without a `backlight`, a veil over the whole window makes the screen darker.

    A veil also replaces a backlight that fails, until setting it succeeds.
    """

    def __init__(self, backlight: Backlight | None = None) -> None:
        self._backlight = backlight
        self._brightness = MAX_BRIGHTNESS
        self.dimming: Dimming = "awake"
        """How much the screen is dimmed now."""
        self._shown_fraction: float | None = None
        """The fraction that is shown; None while the panel may show another, as before the first change."""
        self._has_backlight_failed = False
        self._retry = Clock.create_trigger(lambda _: self._show(), theme.BACKLIGHT_RETRY_SECONDS)
        self.veil_opacity = 0.0
        """The opacity of the veil; 0 if none is drawn."""
        self._veil, self._veil_rectangle = InstructionGroup(), Rectangle()

    def set_brightness(self, brightness: int) -> None:
        """Sets the brightness, from 1 to `MAX_BRIGHTNESS`."""
        self._brightness = brightness
        self._show()

    def set_dimming(self, dimming: Dimming) -> None:
        """Dims the screen, turns it dark, or wakes it."""
        self.dimming = dimming
        self._show()

    def close(self) -> None:
        """Wakes the screen, and removes the veil from the window, which may outlive the app."""
        self.set_dimming("awake")
        self._retry.cancel()
        self._draw_veil(0.0)

    def _show(self) -> None:
        """Shows brightness and dimming, unless they are shown already."""
        fraction = self._brightness / MAX_BRIGHTNESS * BRIGHTNESS_SHARE_BY_DIMMING[self.dimming]
        if fraction == self._shown_fraction:
            return
        has_backlight = self._dim_backlight(fraction)
        self._shown_fraction = None if self._has_backlight_failed else fraction
        if self.dimming == "dark":  # a backlight stays at its lowest step
            self._draw_veil(1.0)
        else:
            self._draw_veil(0.0 if has_backlight else (1 - fraction) * MAX_READABLE_VEIL_OPACITY)

    def _dim_backlight(self, fraction: float) -> bool:
        """Sets the backlight; returns whether there is one that can be set.

        One that can't is set again after a second, as a panel may be plugged in again.
        """
        if self._backlight is None:
            return False
        try:
            self._backlight.set_brightness(fraction)
        except OSError as error:
            if not self._has_backlight_failed:
                LOG.warning("the backlight can't be dimmed: %s", error.strerror)
            self._has_backlight_failed = True
            self._retry()
        else:
            self._has_backlight_failed = False
            self._retry.cancel()
        return not self._has_backlight_failed

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
