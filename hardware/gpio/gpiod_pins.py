"""gpiozero's pins over libgpiod: kernel timestamps, one quiet thread, the right chip on every Raspberry Pi.

    from gpiozero import LED
    from hardware.gpio.gpiod_pins import GpiodFactory

    LED(17, pin_factory=GpiodFactory()).on()

gpiozero also finds the factory by its name: GPIOZERO_PIN_FACTORY=gpiod.
The pins have no PWM, because gpiozero needs none for lights that are on or off.
"""

from __future__ import annotations

import errno
import os
import re
import selectors
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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

from hardware.gpio.pin_claims import (
    CONSUMER_NAME,
    DEVICE_FOLDER,
    HEADER_CHIP_LABELS,
    PinTaken,
    require_permission_to_open_chips,
)

EDGE_BUFFER_SIZE = 1024
"""Maximum edges of one line that the kernel stores until they are read."""
NANOSECONDS_PER_SECOND = 1_000_000_000

BIAS_BY_PULL = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGE_BY_NAME = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class HeaderChipNotFound(OSError):
    """Raised when no GPIO chip of the machine has the pins of a Raspberry Pi."""


class GpioChip(NamedTuple):
    """A GPIO chip: its device file, and the label by which the kernel names it, such as `pinctrl-rp1`."""

    path: Path
    label: str


def list_gpio_chips(device_folder: Path = DEVICE_FOLDER) -> Iterator[GpioChip]:
    """Yields every GPIO chip that may be opened, in the order of their numbers."""
    matches = (re.fullmatch(r"gpiochip(\d+)", path.name) for path in device_folder.glob("gpiochip*"))
    numbers = [int(match[1]) for match in matches if match]
    for number in sorted(numbers):
        path = device_folder / f"gpiochip{number}"
        try:
            with gpiod.Chip(str(path)) as chip:
                yield GpioChip(path, chip.get_info().label)
        except OSError:
            continue


def find_header_chip(device_folder: Path = DEVICE_FOLDER) -> Path:
    """Returns the chip behind the 40-pin header.

    Raises `HeaderChipNotFound`, or PermissionError if a chip may not be opened.
    """
    path_by_label = {label: path for path, label in reversed(list(list_gpio_chips(device_folder)))}
    for label in HEADER_CHIP_LABELS:
        if label in path_by_label:
            return path_by_label[label]
    require_permission_to_open_chips(device_folder)
    raise HeaderChipNotFound(
        f"no GPIO chip of a Raspberry Pi under {device_folder}; found: {', '.join(path_by_label) or 'none'}"
    )


def read_pin_holders(device_folder: Path = DEVICE_FOLDER) -> dict[int, str]:
    """Returns the program that uses each pin of the header, by GPIO; raises as `find_header_chip` does."""
    with gpiod.Chip(str(find_header_chip(device_folder))) as chip:
        lines = [chip.get_line_info(number) for number in range(chip.get_info().num_lines)]
    return {line.offset: line.consumer for line in lines if line.used}


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero ships no types
    """Factory of the header's pins.

    Raises `HeaderChipNotFound`, or OSError if the chip may not be opened.
    `on_thread_failure` is called when the thread that reads edges crashes, in that thread.
    """

    def __init__(self, chip: str | None = None) -> None:
        super().__init__()
        self.path = str(chip or find_header_chip())
        self.pin_class = GpiodPin
        self.on_thread_failure: Callable[[], None] = lambda: None
        self._selector = selectors.DefaultSelector()
        self._wake_read_fd, self._wake_write_fd = os.pipe()
        self._selector.register(self._wake_read_fd, selectors.EVENT_READ, None)
        self._watch_lock = threading.RLock()
        self._thread: threading.Thread | None = None

    def watch_pin(self, pin: GpiodPin, fd: int) -> None:
        """Passes the edges of a pin on to it until `unwatch_pin`."""
        with self._watch_lock:
            self._selector.register(fd, selectors.EVENT_READ, pin)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="gpio edges", daemon=True)
                self._thread.start()

    def unwatch_pin(self, fd: int) -> None:
        """Stops passing edges on to a pin; returns when no thread reads its edges any more."""
        with self._watch_lock:
            if fd in self._selector.get_map():
                self._selector.unregister(fd)

    def read_pending_edges(self) -> None:
        """Reads all pending edges in this thread and passes them on to their pins.

        After the call no edge is left that is older than the call.
        """
        self._pass_on_edges([key.data for key, _ in self._selector.select(0)])

    def close(self) -> None:
        """Releases all pins."""
        super().close()
        if self._thread is not None:
            os.write(self._wake_write_fd, b"!")
            if self._thread is not threading.current_thread():
                self._thread.join()
            self._thread = None
        for fd in (self._wake_read_fd, self._wake_write_fd):
            if fd >= 0:
                os.close(fd)
        self._wake_read_fd = self._wake_write_fd = -1
        self._selector.close()

    def _run(self) -> None:
        try:
            while self._pass_on_next_edges():
                pass
        except BaseException:
            # No button of the table works now, and a game must not wait for buttons.
            self.on_thread_failure()
            raise

    def _pass_on_next_edges(self) -> bool:
        ready = [key.data for key, _ in self._selector.select()]
        self._pass_on_edges(ready)
        return None not in ready

    def _pass_on_edges(self, ready: Sequence[GpiodPin | None]) -> None:
        with self._watch_lock:
            for pin in ready:
                if pin is not None:
                    pin.read_edges()


class GpiodPin(LocalPiPin):  # type: ignore[misc]  # gpiozero ships no types
    """One line of the chip, requested anew whenever its function, pull or edges change."""

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
        """Reads the pin's edges from the kernel and passes them on.

        Only for the factory, which lets one thread do so at a time.
        """
        request = self._request
        if request is None or not self._is_watched or not request.wait_edge_events(0):
            return
        for event in request.read_edge_events(EDGE_BUFFER_SIZE):
            rising = event.event_type is event.Type.RISING_EDGE
            self._call_when_changed(event.timestamp_ns / NANOSECONDS_PER_SECOND, int(rising))

    def close(self) -> None:
        """Releases the line."""
        self.when_changed = None
        self._release_line()

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._function = value
        self._request_line()

    def _get_state(self) -> bool:
        return bool(self._current_request().get_value(self._offset) is Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._is_high = bool(value)
        self._current_request().set_value(self._offset, Value.ACTIVE if self._is_high else Value.INACTIVE)

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in {value, ""}:
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in BIAS_BY_PULL:
            raise PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        self._pull = value
        self._request_line()

    def _get_frequency(self) -> None:
        return None

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            raise PinPWMUnsupported(f"PWM is not supported on pin {self!r}")

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce(f"pin {self!r} reports every edge; see hardware.gpio.buttons")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGE_BY_NAME:
            raise PinInvalidEdges(f'invalid edge specification "{value}" for pin {self!r}')
        self._edges = value
        if self._is_watched:
            self._request_line()

    def _enable_event_detect(self) -> None:
        self._is_watched = True
        self._request_line()

    def _disable_event_detect(self) -> None:
        self._is_watched = False
        if self._request is not None:
            self._request_line()

    def _current_request(self) -> gpiod.LineRequest:
        return self._request_line() if self._request is None else self._request

    def _request_line(self) -> gpiod.LineRequest:
        """Requests the line with its present settings."""
        self._release_line()
        path, offset = self.factory.path, self._offset
        try:
            self._request = request = gpiod.request_lines(
                path,
                consumer=CONSUMER_NAME,
                config={offset: self._line_settings()},
                event_buffer_size=EDGE_BUFFER_SIZE,
            )
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            with gpiod.Chip(path) as chip:
                raise PinTaken(self.info.name, chip.get_line_info(offset).consumer) from error
        if self._is_watched:
            self.factory.watch_pin(self, request.fd)
        return request

    def _line_settings(self) -> gpiod.LineSettings:
        if self._function == "output":
            value = Value.ACTIVE if self._is_high else Value.INACTIVE
            return gpiod.LineSettings(direction=Direction.OUTPUT, output_value=value)
        return gpiod.LineSettings(
            direction=Direction.INPUT,
            bias=BIAS_BY_PULL[self._pull],
            edge_detection=EDGE_BY_NAME[self._edges] if self._is_watched else Edge.NONE,
        )

    def _release_line(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            self.factory.unwatch_pin(request.fd)
            request.release()
