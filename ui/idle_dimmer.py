"""Dims the screen after a while in which nobody did anything, then turns it dark; a touch wakes it.

    dimmer = IdleDimmer(ScreenLight())
    dimmer.start()
    dimmer.set_delays(dim_after_seconds=300, sleep_after_seconds=None)
    dimmer.wake()  # somebody used a device

The touch that wakes the screen presses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock, ClockEvent
from kivy.core.window import Window

from ui import theme
from ui.screen_light import ScreenLight


class IdleDimmer:
    """Changes the `light` of the screen between awake, dimmed and dark.

    `seconds` returns monotonic seconds. Every touch wakes the screen; whoever knows of something else that
    people do calls `wake`. While `must_stay_awake` returns True, the screen stays awake. The touch that wakes
    the screen calls `handle_waking_touch`, as no widget gets it.
    """

    def __init__(self, light: ScreenLight, seconds: Callable[[], float] = time.monotonic) -> None:
        self.light = light
        self.must_stay_awake: Callable[[], bool] = lambda: False
        self.handle_waking_touch: Callable[[], object] = lambda: None
        self._seconds = seconds
        self._dim_after_seconds: float | None = None
        self._sleep_after_seconds: float | None = None
        self._last_activity_at = seconds()
        self._woken_by_touch_at: float | None = None
        self._waking_touches: set[int] = set()
        self._next_check: ClockEvent | None = None

    def start(self) -> None:
        """Starts to follow the touches of the window; wakes a screen that a crash left dark."""
        self.light.set_dimming("awake")
        for event, handle in self._touch_handlers.items():
            Window.fbind(event, handle)

    def stop(self) -> None:
        """Stops following touches, and removes what is drawn over the window, which may outlive the app.

        Devices may still call `wake` while they are closed, but nothing dims the window any more.
        """
        for event, handle in self._touch_handlers.items():
            Window.funbind(event, handle)
        self._cancel_next_check()
        self._dim_after_seconds = self._sleep_after_seconds = None
        self.light.close()

    def set_delays(self, *, dim_after_seconds: float | None, sleep_after_seconds: float | None) -> None:
        """Sets after how many seconds the screen dims, and when it turns dark; None means never."""
        self._dim_after_seconds, self._sleep_after_seconds = dim_after_seconds, sleep_after_seconds
        self.wake()
        self.check()

    def wake(self) -> None:
        """Wakes the screen, because somebody did something; from now on people are idle."""
        self._last_activity_at = self._seconds()
        if self.light.dimming != "awake":
            self.light.set_dimming("awake")
        if self._next_check is None:
            self.check()

    def check(self) -> None:
        """Dims the screen if people were idle for long enough; sets when to look again."""
        self._cancel_next_check()
        if self.must_stay_awake():
            self._last_activity_at = self._seconds()
        idle_seconds = self._seconds() - self._last_activity_at
        dim_after, sleep_after = self._dim_after_seconds, self._sleep_after_seconds
        if sleep_after is not None and idle_seconds >= sleep_after:
            self.light.set_dimming("dark")
        elif dim_after is not None and idle_seconds >= dim_after:
            self.light.set_dimming("dimmed")
        delays = [delay - idle_seconds for delay in (dim_after, sleep_after) if delay is not None]
        if coming_delays := [delay for delay in delays if delay > 0]:
            self._next_check = Clock.schedule_once(lambda _: self.check(), min(coming_delays))

    def _cancel_next_check(self) -> None:
        if self._next_check is not None:
            self._next_check.cancel()
            self._next_check = None

    # Touches

    @property
    def _touch_handlers(self) -> dict[str, Callable[[object, Any], bool]]:
        return {
            "on_touch_down": self._swallow_waking_touch,
            "on_touch_move": self._swallow_move_of_waking_touch,
            "on_touch_up": self._swallow_end_of_waking_touch,
        }

    def _swallow_waking_touch(self, _window: object, touch: Any) -> bool:
        """Wakes the screen; returns whether the touch must press nothing.

        A hand has several fingers, so touches just after the one that woke the screen press nothing, either.
        """
        now = self._seconds()
        if self.light.dimming != "awake":
            self._woken_by_touch_at = now
            self.handle_waking_touch()
        is_waking = (
            self._woken_by_touch_at is not None and now - self._woken_by_touch_at < theme.WAKING_SECONDS
        )
        if is_waking:
            self._waking_touches.add(touch.uid)
        self.wake()
        return is_waking

    def _swallow_move_of_waking_touch(self, _window: object, touch: Any) -> bool:
        return touch.uid in self._waking_touches

    def _swallow_end_of_waking_touch(self, _window: object, touch: Any) -> bool:
        is_waking = touch.uid in self._waking_touches
        self._waking_touches.discard(touch.uid)
        return is_waking
