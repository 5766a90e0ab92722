"""Buzzers: one short sound when a seat's turn begins, two when its answer is taken, a long one if not.

They follow the seats' lights, which never tell an amount, and so neither do they.
A seat's own buzzer sounds for that seat. The table's sounds for the seats without one, but never that
somebody wasn't understood: that is for their own light to say.
Which of the sounds a buzzer makes stands in hardware.toml; `sounds = []` is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Queue
from threading import Thread
from typing import Any

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError

from hardware.gpio.taking import Outputs, Pins
from hardware.inbox import Inbox
from hardware.panel import Panel
from hardware.signals import Lost
from hardware.wiring.sections import Buzzer, Sound

SOUNDS: Mapping[Sound, tuple[float, ...]] = {
    "turn": (0.08,),
    "taken": (0.04, 0.06, 0.04),
    "refused": (0.3,),
}
"""Seconds on, off, on."""
TONE = 2000.0
"""Hertz for a passive buzzer: most are loudest at 2 to 4 kHz, and Python keeps up with this."""
MOST_WAITING = 8
"""Sounds that may wait for others to end; who presses faster is not heard."""


class Buzzers(Outputs):
    """The wired buzzers.

    One thread makes the sounds, one after the other; `pause` is what it waits with.
    """

    def __init__(
        self,
        wired: Sequence[Buzzer],
        inbox: Inbox,
        *,
        pins: Callable[[], Pins],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(wired, inbox, pins=pins)
        self._pause = pause
        self._voices: dict[int | None, Any] = {}
        self._panels: dict[int, Panel] = {}
        self._waiting: Queue[tuple[int | None, Sound] | None] = Queue()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Takes the pins; every buzzer whose pin can be had is `Found`."""
        super().start()
        self._thread = Thread(target=self._run, name="buzzers", daemon=True)
        self._thread.start()

    def show(self, seat: int, panel: Panel) -> None:
        """From now on this is so at that seat: its buzzer, or the table's, tells of what has changed."""
        sound = heard(self._panels.get(seat, Panel()), panel)
        self._panels[seat] = panel
        buzzer = self._wired.get(seat)
        if buzzer is None and sound != "refused":
            buzzer = self._wired.get(None)
        if sound is None or buzzer is None or buzzer.seat not in self._voices or sound not in buzzer.sounds:
            return
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put((buzzer.seat, sound))

    def close(self) -> None:
        """Lets what has begun be heard, and gives the pins back."""
        self._taking.close()
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None
        while self._voices:
            self._voices.popitem()[1].close()

    def _take(self, wired: Buzzer) -> None:
        self._voices[wired.seat] = OutputDevice(int(wired.pin), pin_factory=self._pins())

    def _run(self) -> None:
        while (waiting := self._waiting.get()) is not None:
            seat, sound = waiting
            try:
                self._play(seat, sound)
            except (OSError, GPIOZeroError):
                # Nobody would hear of it here; the game goes on without the sound.
                self._inbox.put(Lost(self._wired[seat].device, "no_pins"))
            self._waiting.task_done()

    def _play(self, seat: int | None, sound: Sound) -> None:
        voice, is_passive = self._voices[seat], self._wired[seat].model == "passive"
        for at, seconds in enumerate(SOUNDS[sound]):
            if at % 2:
                self._pause(seconds)
                continue
            for is_on, lasting in swings(seconds) if is_passive else ((True, seconds),):
                voice.value = is_on
                self._pause(lasting)
            voice.off()


def swings(seconds: float) -> Iterator[tuple[bool, float]]:
    """What makes a passive buzzer sound for so long: on and off, with the seconds each lasts."""
    for _ in range(round(seconds * TONE)):
        yield True, 0.5 / TONE
        yield False, 0.5 / TONE


def heard(before: Panel, now: Panel) -> Sound | None:
    """What a seat hears when this changes there; nothing where no game is shown any more."""
    was_asked = before.question != 0 and before.light != "off"
    if now.light == "blink":
        return "refused" if before.light != "blink" else None
    if not was_asked:
        return "turn" if now.light == "on" else None
    is_past = now.light == "off" or now.question > before.question
    return "taken" if is_past and now.line else None
