"""Buzzers: one short sound when a seat's turn begins, two for an accepted answer, a long one for a refusal.

Buzzers follow the lights of the seats. The lights never reveal an amount, so the buzzers don't either.
A seat's own buzzer sounds for that seat. The table's buzzer sounds for the seats without a buzzer, but never
for a refusal, which the seat's own light shows.
hardware.toml says which sounds a buzzer makes; `sounds = []` means none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError

from hardware.device_drivers import SeatPanel
from hardware.gpio.pin_claims import PinFactory, PinOutputDriver
from hardware.signals import DeviceLost, Inbox
from hardware.wiring.sections import Buzzer, BuzzerSound

ON_OFF_SECONDS_BY_SOUND: Mapping[BuzzerSound, tuple[float, ...]] = {
    "turn": (0.08,),
    "taken": (0.04, 0.06, 0.04),
    "refused": (0.3,),
}
"""Seconds on, off, on … of each sound."""
PASSIVE_BUZZER_HERTZ = 2000.0
"""Tone of a passive buzzer: most are loudest at 2 to 4 kHz, and Python keeps up with 2 kHz."""
MAX_QUEUED_SOUNDS = 8
"""Maximum number of sounds that wait for others to end; more sounds are dropped."""


class Buzzers(PinOutputDriver):
    """Driver of the wired buzzers.

    One thread plays the sounds, one after the other; it waits with `pause`.
    """

    def __init__(
        self,
        sections: Sequence[Buzzer],
        inbox: Inbox,
        *,
        pins: Callable[[], PinFactory],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(sections, inbox, pins=pins)
        self._pause = pause
        self._output_by_seat: dict[int | None, Any] = {}
        self._panel_by_seat: dict[int, SeatPanel] = {}
        self._queued_sounds: Queue[tuple[int | None, BuzzerSound] | None] = Queue()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Claims the pins and starts the thread; every buzzer whose pin is free is found."""
        super().start()
        self._thread = Thread(target=self._run, name="buzzers", daemon=True)
        self._thread.start()

    def show_panel(self, seat_number: int, panel: SeatPanel) -> None:
        """Plays the sound for the change from a seat's last panel to this one, if there is a sound for it.

        The buzzer of the seat plays the sound, or else the table's buzzer.
        """
        sound = sound_for_panel_change(self._panel_by_seat.get(seat_number, SeatPanel()), panel)
        self._panel_by_seat[seat_number] = panel
        buzzer = self._section_by_seat.get(seat_number)
        if buzzer is None and sound != "refused":
            buzzer = self._section_by_seat.get(None)
        if (
            sound is None
            or buzzer is None
            or buzzer.seat not in self._output_by_seat
            or sound not in buzzer.sounds
        ):
            return
        if self._queued_sounds.qsize() < MAX_QUEUED_SOUNDS:
            self._queued_sounds.put((buzzer.seat, sound))

    def close(self) -> None:
        """Waits until the queued sounds are played, then releases the pins."""
        self._claims.stop_and_wait()
        if self._thread is not None:
            self._queued_sounds.put(None)
            self._thread.join()
            self._thread = None
        while self._output_by_seat:
            self._output_by_seat.popitem()[1].close()

    def _take_pins(self, section: Buzzer) -> None:
        self._output_by_seat[section.seat] = OutputDevice(int(section.pin), pin_factory=self._pins())

    def _run(self) -> None:
        while (queued_sound := self._queued_sounds.get()) is not None:
            seat, sound = queued_sound
            try:
                self._play(seat, sound)
            except (OSError, GPIOZeroError):
                # An exception would end this thread; the game goes on without the buzzer.
                self._inbox.put(DeviceLost(self._section_by_seat[seat].device_name, "no_pins"))
            self._queued_sounds.task_done()

    def _play(self, seat: int | None, sound: BuzzerSound) -> None:
        output, is_passive = self._output_by_seat[seat], self._section_by_seat[seat].model == "passive"
        for index, seconds in enumerate(ON_OFF_SECONDS_BY_SOUND[sound]):
            if index % 2:
                self._pause(seconds)
                continue
            steady_level = OutputLevel(is_high=True, seconds=seconds)
            for level in generate_square_wave(seconds) if is_passive else (steady_level,):
                output.value = level.is_high
                self._pause(level.seconds)
            output.off()


class OutputLevel(NamedTuple):
    """A level of an output pin, and how long it lasts."""

    is_high: bool
    seconds: float


def generate_square_wave(seconds: float) -> Iterator[OutputLevel]:
    """Yields the levels of a passive buzzer's pin for this time."""
    for _ in range(round(seconds * PASSIVE_BUZZER_HERTZ)):
        yield OutputLevel(is_high=True, seconds=0.5 / PASSIVE_BUZZER_HERTZ)
        yield OutputLevel(is_high=False, seconds=0.5 / PASSIVE_BUZZER_HERTZ)


def sound_for_panel_change(old_panel: SeatPanel, new_panel: SeatPanel) -> BuzzerSound | None:
    """Returns the sound for the change from one panel to the next; None for no sound, or without a game."""
    was_asked = old_panel.question != 0 and old_panel.light != "off"
    if new_panel.light == "blink":
        return "refused" if old_panel.light != "blink" else None
    if not was_asked:
        return "turn" if new_panel.light == "on" else None
    is_past = new_panel.light == "off" or new_panel.question > old_panel.question
    return "taken" if is_past and new_panel.line else None
