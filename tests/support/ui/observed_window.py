"""Observes a window for twin tests: texts, widgets, pixels, sounds, and every animation, frame by frame.

Kivy's time stands still between the frames that a test asks for, so two runs have the same frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import pytest

from companion.testing.noninterference import Observation


class ObservedWindow:
    """The window of an app that runs in the test, from `watch(table)` on.

    Make it before the app starts, so that no sound escapes it, and `close` it at the end. `moments` are all
    observations so far.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from kivy.animation import Animation
        from kivy.clock import Clock, ClockBase

        from ui.sound import SoundPlayer

        self.moments: list[Observation] = []
        self._steady_time, self._seconds = Clock.time, Clock.get_time()
        self._heard: list[str] = []
        self._begun_animations: list[str] = []
        begin_animation, play_sound = Animation._initialize, SoundPlayer.play

        def note_animation(animation: Any, widget: Any) -> None:
            self._begun_animations.append(_describe_animation(animation, widget))
            begin_animation(animation, widget)

        def note_sound(player: Any, effect: Any) -> None:
            self._heard.append(effect)
            play_sound(player, effect)

        monkeypatch.setattr(Animation, "_initialize", note_animation)
        monkeypatch.setattr(SoundPlayer, "play", note_sound)
        Clock.time = lambda: self._seconds

        async def go_on_at_once() -> float:
            Clock._max_fps = 0
            seconds: float = await ClockBase.async_idle(Clock)
            return seconds

        # A rest between frames would never end, as it is measured by the time that stands still.
        monkeypatch.setattr(Clock, "async_idle", go_on_at_once)

    def close(self) -> None:
        """Lets Kivy's time go on by itself, from now on."""
        from kivy.clock import Clock

        self._steady_time.continue_from(self._seconds)
        Clock.time = self._steady_time

    def watch(self, table: Any) -> None:
        """Begins to observe an app, and forgets what was observed of another."""
        self._table = table
        self.moments = []
        self.forget_sounds_and_animations()

    def forget_sounds_and_animations(self) -> None:
        """Forgets what was heard and what moved since the last moment."""
        self._heard.clear()
        self._begun_animations.clear()

    async def pass_time(self, seconds: float) -> None:
        """Lets time pass until the next frame, and shows that frame."""
        self._seconds += seconds
        await self._table.wait_frames(3)

    async def look(self, *delays: float) -> None:
        """Lets these seconds pass one after the other, and observes the window after each."""
        for seconds in delays:
            await self.pass_time(seconds)
            self.moments.append(Observation(dict(self._observed_values())))
            self.forget_sounds_and_animations()

    async def look_across_room(self) -> None:
        """Observes the page for people across the room, if a game is played, and leads back to the table."""
        flow = self._table.app.table_flow.across_room_flow
        flow.show()
        if flow.page is not None:
            await self.pass_time(0.0)
            values = {f"across the room: {name}": value for name, value in self._observed_values()}
            self.moments.append(Observation(values))
            flow.return_to_table()
            await self.pass_time(0.0)

    def note_sounds_and_animations(self) -> None:
        """Observes only what was heard and what moved, as while one player has the screen alone."""
        self.moments.append(Observation(dict(self._sounds_and_animations())))
        self.forget_sounds_and_animations()

    def _observed_values(self) -> Iterator[tuple[str, bytes]]:
        widgets = [*self._table.widgets()]
        yield "texts", repr(self._table.texts()).encode()
        yield "widgets", repr([_describe_widget(widget) for widget in widgets]).encode()
        yield "pixels", blake2b(self._table.app.stage.export_as_image().texture.pixels).digest()
        yield from self._sounds_and_animations()

    def _sounds_and_animations(self) -> Iterator[tuple[str, bytes]]:
        yield "sounds", repr(self._heard).encode()
        yield "animations", repr(self._begun_animations).encode()


def _describe_widget(widget: Any) -> tuple[object, ...]:
    """Returns what a widget shows besides its pixels: also a name, which a screen reader would say."""
    box = [round(length) for length in (*getattr(widget, "pos", ()), *widget.size)]  # the window has no place
    return type(widget).__name__, getattr(widget, "name", ""), box, round(getattr(widget, "opacity", 1.0), 2)


def _describe_animation(animation: Any, widget: Any) -> str:
    """Returns what an animation moves, from where to where and how, and for how many seconds."""
    changes = {key: (getattr(widget, key), value) for key, value in animation.animated_properties.items()}
    slides = getattr(widget, "slides", ())
    return (
        f"{_describe_widget(widget)} {changes} {slides} {animation.duration} {animation.transition.__name__}"
    )
