"""Simulated USB number pads: the kernel's own events through a socket, in and out.

    from hardware.numpads import Numpads
    from hardware.simulated.numpads import SimulatedInputs

    inputs = SimulatedInputs()
    pad = inputs.add_numpad("usb-1.3")
    with Numpads([Numpad(1, "usb-1.3")], inbox, inputs=lambda: inputs):
        pad.type("12 OK")

The code that reads real pads reads these too, with evdev's own reading and writing. Only calls that don't
go through a file are answered here, such as the question which keys a pad has.
"""

from __future__ import annotations

import errno
import itertools
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evdev import ecodes
from evdev.eventio import EventIO

from hardware.input_events import KERNEL_KEY_NAMES_BY_PAD_KEY, NumpadFile
from hardware.simulated.keypads import parse_keys

INPUT_EVENT_STRUCT = struct.Struct("@llHHi")
"""The kernel's `struct input_event`: seconds, microseconds, kind, code, value."""
UP, DOWN, STILL_DOWN = 0, 1, 2
KERNEL_KEY_BY_PAD_KEY: Mapping[str, str] = {
    cap: names[0] for cap, names in KERNEL_KEY_NAMES_BY_PAD_KEY.items()
}
NUMPAD_KEY_CODES = [ecodes.ecodes[name] for names in KERNEL_KEY_NAMES_BY_PAD_KEY.values() for name in names]


class _OpenNumpadFile(EventIO):  # type: ignore[misc,unused-ignore]  # evdev's older releases ship no types
    """Open file of a simulated pad, in place of evdev's `InputDevice`."""

    def __init__(self, pad: SimulatedNumpad) -> None:
        self._pad = pad
        program_end, self.kernel = socket.socketpair()
        program_end.setblocking(False)
        self.kernel.setblocking(False)
        self.fd = program_end.detach()
        self.path = pad.path

    def read(self) -> Iterator[Any]:
        events = list(super().read())
        if not events:
            raise OSError(errno.ENODEV, "No such device")
        return iter(events)

    def capabilities(self) -> dict[int, list[int]]:
        lights = {ecodes.EV_LED: [ecodes.LED_NUML]} if self._pad.has_light else {}
        return {ecodes.EV_KEY: NUMPAD_KEY_CODES if self._pad.has_digits else [ecodes.KEY_CALC]} | lights

    def active_keys(self) -> list[int]:
        return sorted(self._pad.keys_down)

    def grab(self) -> None:
        self._pad.grab_for(self)

    def set_led(self, led_num: int, value: int) -> None:
        self.write(ecodes.EV_LED, led_num, value)

    def close(self) -> None:
        self._pad.remove_closed_file(self)
        os.close(self.fd)


class SimulatedNumpad:
    """A simulated number pad for a port, usable from any thread.

    `clock` returns the seconds that its keys carry; `may_be_read` is whether programs have the right to read
    it. `light_history` has the states that programs have set its light to; `is_lit` and closing a file bring
    it up to date. With `has_digits` False it is the second device that many pads have at their port, for a
    calculator's key.
    """

    def __init__(
        self,
        inputs: SimulatedInputs,
        port: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        has_light: bool = True,
        has_digits: bool = True,
    ) -> None:
        self.port = port
        self.has_light, self.has_digits = has_light, has_digits
        self.may_be_read = True
        self.keys_down: set[int] = set()
        self.path = ""
        self._inputs = inputs
        self._clock = clock
        self._lock = threading.RLock()
        self._open_files: list[_OpenNumpadFile] = []
        self._grabber: _OpenNumpadFile | None = None
        self.light_history: list[bool] = []

    def plug_in(self) -> None:
        """Plugs the pad in; the kernel finds it under a new name."""
        with self._lock:
            if not self.path:
                self.path = self._inputs.register_numpad(self)

    def unplug(self) -> None:
        """Unplugs the pad; programs that have it open can't read it any more."""
        with self._lock:
            self._inputs.remove_numpad_at_path(self.path)
            self.path = ""
            self.light_history.append(False)
            self.keys_down.clear()
            for file in self._open_files:
                file.kernel.close()
            self._open_files.clear()
            self._grabber = None

    @property
    def is_plugged_in(self) -> bool:
        """Whether the pad is plugged in."""
        return bool(self.path)

    def type(self, keys: str) -> None:
        """Types keys, given as text such as `"12 OK"`.

        Raises ValueError before the first key if one doesn't exist.
        """
        for key_name in [KERNEL_KEY_BY_PAD_KEY[key] for key in parse_keys(keys)]:
            self.press_key(key_name)

    def press_key(self, name: str) -> None:
        """Presses and releases a key, given by the kernel's name."""
        self.press_key_down(name)
        self.release_key(name)

    def press_key_down(self, name: str) -> None:
        """Presses a key down without releasing it."""
        self._set_key(ecodes.ecodes[name], DOWN)

    def repeat_key(self, name: str) -> None:
        """Sends the kernel's repeat of a key that is down."""
        self._set_key(ecodes.ecodes[name], STILL_DOWN)

    def release_key(self, name: str) -> None:
        """Releases a key."""
        self._set_key(ecodes.ecodes[name], UP)

    def report_dropped_events(self) -> None:
        """Reports to programs that the kernel's buffer had no room for some keys."""
        with self._lock:
            self._send((ecodes.EV_SYN, ecodes.SYN_DROPPED, 0))

    @property
    def open_file_count(self) -> int:
        """Number of programs that have the pad's file open."""
        with self._lock:
            return len(self._open_files)

    @property
    def is_lit(self) -> bool:
        """Whether the pad's NumLock light is on."""
        with self._lock:
            for file in self._open_files:
                self._read_light_events(file)
            return bool(self.light_history and self.light_history[-1])

    def open_file(self) -> NumpadFile:
        """Opens the pad's file for a program; raises OSError if that fails."""
        with self._lock:
            if not self.path:
                raise OSError(errno.ENODEV, "No such device")
            if not self.may_be_read:
                raise PermissionError(errno.EACCES, "Permission denied", self.path)
            self._open_files.append(_OpenNumpadFile(self))
            return NumpadFile(self._open_files[-1])

    def grab_for(self, opening: _OpenNumpadFile) -> None:
        """Grabs the pad for an opened file: the file alone gets the pad's keys.

        Raises OSError if another one has grabbed the pad.
        """
        with self._lock:
            if self._grabber is not None:
                raise OSError(errno.EBUSY, "Device or resource busy")
            self._grabber = opening

    def remove_closed_file(self, opening: _OpenNumpadFile) -> None:
        """Removes a closed file from the files that programs have open."""
        with self._lock:
            self._read_light_events(opening)
            opening.kernel.close()
            if opening in self._open_files:
                self._open_files.remove(opening)
            if self._grabber is opening:
                self._grabber = None

    def _set_key(self, code: int, value: int) -> None:
        with self._lock:
            (self.keys_down.add if value else self.keys_down.discard)(code)
            if self.path:
                self._send((ecodes.EV_KEY, code, value), (ecodes.EV_SYN, ecodes.SYN_REPORT, 0))

    def _send(self, *events: tuple[int, int, int]) -> None:
        seconds, microseconds = divmod(round(self._clock() * 1_000_000), 1_000_000)
        data = b"".join(INPUT_EVENT_STRUCT.pack(seconds, microseconds, *each) for each in events)
        for file in [self._grabber] if self._grabber else self._open_files:
            file.kernel.send(data)

    def _read_light_events(self, file: _OpenNumpadFile) -> None:
        try:
            for _, _, kind, code, value in INPUT_EVENT_STRUCT.iter_unpack(
                file.kernel.recv(INPUT_EVENT_STRUCT.size * 64)
            ):
                if (kind, code) == (ecodes.EV_LED, ecodes.LED_NUML):
                    self.light_history.append(bool(value))
        except OSError:  # nothing was written, or the file is closed
            return


class SimulatedInputs:
    """The simulated input devices of a machine."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._numpad_by_path: dict[str, SimulatedNumpad] = {}

    def add_numpad(self, port: str, **numpad_options: Any) -> SimulatedNumpad:
        """Plugs in and returns a new number pad; for the options see `SimulatedNumpad`."""
        pad = SimulatedNumpad(self, port, clock=self._clock, **numpad_options)
        pad.plug_in()
        return pad

    def register_numpad(self, pad: SimulatedNumpad) -> str:
        """Registers a pad that was plugged in; returns its path."""
        path = f"/dev/input/event{next(self._numbers)}"
        self._numpad_by_path = {**self._numpad_by_path, path: pad}
        return path

    def remove_numpad_at_path(self, path: str) -> None:
        """Removes the pad with this path."""
        self._numpad_by_path = {each: pad for each, pad in self._numpad_by_path.items() if each != path}

    def ports_by_path(self) -> dict[str, str]:
        """Returns the port of each device by its path."""
        return {path: f"{pad.port}/input0" for path, pad in self._numpad_by_path.items()}

    def open_file(self, path: str) -> NumpadFile:
        """Opens the pad at a path; raises OSError if the pad is gone or may not be read."""
        if path not in self._numpad_by_path:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return self._numpad_by_path[path].open_file()
