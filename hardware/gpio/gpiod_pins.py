"""gpiozero's pins over libgpiod: kernel timestamps, one quiet thread, the right chip on every Raspberry Pi.

    from gpiozero import LED
    from hardware.gpio.gpiod_pins import GpiodFactory

    LED(17, pin_factory=GpiodFactory()).on()

gpiozero also finds it by its name: GPIOZERO_PIN_FACTORY=gpiod.
It makes no PWM; gpiozero's software does not need it for lights that are on or off.
"""

from __future__ import annotations

import errno
import os
import re
import selectors
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.gpio.chips import CONSUMER, DEVICES, LABELS, PinTaken, refuse_closed

EVENTS = 1024
"""Edges that the kernel keeps of one line until they are read."""
NANOSECONDS = 1_000_000_000

PULLS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class NoChip(OSError):
    """No chip here has the pins of a Raspberry Pi."""


def chips(devices: Path = DEVICES) -> Iterator[tuple[Path, str]]:
    """Every GPIO chip that may be opened, with its label, in the order of their numbers."""
    names = (re.fullmatch(r"gpiochip(\d+)", path.name) for path in devices.glob("gpiochip*"))
    numbers = [int(found[1]) for found in names if found]
    for number in sorted(numbers):
        path = devices / f"gpiochip{number}"
        try:
            with gpiod.Chip(str(path)) as chip:
                yield path, chip.get_info().label
        except OSError:
            continue


def header_chip(devices: Path = DEVICES) -> Path:
    """The chip behind the 40-pin header; raises `NoChip`, or PermissionError if one may not be opened."""
    found = {label: path for path, label in reversed(list(chips(devices)))}
    for label in LABELS:
        if label in found:
            return found[label]
    refuse_closed(devices)
    raise NoChip(f"no GPIO chip of a Raspberry Pi under {devices}; found: {', '.join(found) or 'none'}")


def holders(devices: Path = DEVICES) -> dict[int, str]:
    """Who has which pin of the header now, by its number; raises as `header_chip` does."""
    with gpiod.Chip(str(header_chip(devices))) as chip:
        lines = [chip.get_line_info(number) for number in range(chip.get_info().num_lines)]
    return {line.offset: line.consumer for line in lines if line.used}


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The pins of the header. Raises `NoChip`, or OSError if the chip may not be opened.

    `when_failed` is called, in its thread, if the thread that reads edges dies.
    """

    def __init__(self, chip: str | None = None) -> None:
        super().__init__()
        self.path = str(chip or header_chip())
        self.pin_class = GpiodPin
        self.when_failed: Callable[[], None] = lambda: None
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = os.pipe()
        self._selector.register(self._woken, selectors.EVENT_READ, None)
        self._changing = threading.RLock()
        self._thread: threading.Thread | None = None

    def watch(self, pin: GpiodPin, fd: int) -> None:
        """From now on tells the pin of its edges."""
        with self._changing:
            self._selector.register(fd, selectors.EVENT_READ, pin)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="gpio edges", daemon=True)
                self._thread.start()

    def forget(self, fd: int) -> None:
        """No longer; returns when nobody reads it any more."""
        with self._changing:
            if fd in self._selector.get_map():
                self._selector.unregister(fd)

    def catch_up(self) -> None:
        """Tells, in this thread, of all edges that wait now: a level is no older than they are."""
        self._read([key.data for key, _ in self._selector.select(0)])

    def close(self) -> None:
        """Gives all pins back."""
        super().close()
        if self._thread is not None:
            os.write(self._wake, b"!")
            if self._thread is not threading.current_thread():
                self._thread.join()
            self._thread = None
        for fd in (self._woken, self._wake):
            if fd >= 0:
                os.close(fd)
        self._woken = self._wake = -1
        self._selector.close()

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        except BaseException:
            # Every button of the table is dead now; whoever waits for them must hear of it.
            self.when_failed()
            raise

    def _turn(self) -> bool:
        ready = [key.data for key, _ in self._selector.select()]
        self._read(ready)
        return None not in ready

    def _read(self, ready: Sequence[GpiodPin | None]) -> None:
        with self._changing:
            for pin in ready:
                if pin is not None:
                    pin.read_edges()


class GpiodPin(LocalPiPin):  # type: ignore[misc]  # gpiozero ships no types
    """One line of the chip, requested again whenever its function, pull or edges change."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._function = "input"
        self._pull = info.pull or "floating"
        self._edges = "both"
        self._is_high = False
        self._is_watched = False
        self._request: gpiod.LineRequest | None = None
        self._offset = int(info.name.removeprefix("GPIO"))

    def read_edges(self) -> None:
        """Passes on what the kernel saw. Only for the factory, which lets one thread do so at a time."""
        request = self._request
        if request is None or not self._is_watched or not request.wait_edge_events(0):
            return
        for event in request.read_edge_events(EVENTS):
            rising = event.event_type is event.Type.RISING_EDGE
            self._call_when_changed(event.timestamp_ns / NANOSECONDS, int(rising))

    def close(self) -> None:
        """Gives the line back."""
        self.when_changed = None
        self._release()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._function = value
        self._take()

    def _get_state(self) -> bool:
        return bool(self._taken().get_value(self._offset) is Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._is_high = bool(value)
        self._taken().set_value(self._offset, Value.ACTIVE if self._is_high else Value.INACTIVE)

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in {value, ""}:
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in PULLS:
            raise PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        self._pull = value
        self._take()

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            raise PinPWMUnsupported(f"PWM is not supported on pin {self!r}")

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce(f"pin {self!r} reports every edge; see hardware.gpio.debounce")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f'invalid edge specification "{value}" for pin {self!r}')
        self._edges = value
        if self._is_watched:
            self._take()

    def _enable_event_detect(self) -> None:
        self._is_watched = True
        self._take()

    def _disable_event_detect(self) -> None:
        self._is_watched = False
        if self._request is not None:
            self._take()

    def _taken(self) -> gpiod.LineRequest:
        return self._take() if self._request is None else self._request

    def _take(self) -> gpiod.LineRequest:
        """Requests the line as it is wanted now."""
        self._release()
        path, offset = self.factory.path, self._offset
        try:
            self._request = request = gpiod.request_lines(
                path, consumer=CONSUMER, config={offset: self._settings()}, event_buffer_size=EVENTS
            )
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            with gpiod.Chip(path) as chip:
                raise PinTaken(self.info.name, chip.get_line_info(offset).consumer) from error
        if self._is_watched:
            self.factory.watch(self, request.fd)
        return request

    def _settings(self) -> gpiod.LineSettings:
        if self._function == "output":
            value = Value.ACTIVE if self._is_high else Value.INACTIVE
            return gpiod.LineSettings(direction=Direction.OUTPUT, output_value=value)
        return gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=PULLS[self._pull],
            edge_detection=EDGES[self._edges] if self._is_watched else Edge.NONE,
        )

    def _release(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            self.factory.forget(request.fd)
            request.release()
