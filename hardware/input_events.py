"""Linux input devices (evdev): which are plugged in at which port, and which keys are pressed.

    inputs = KernelInputDevices()
    for path, port in inputs.ports_by_path().items():
        print(port, inputs.open_file(path).has_digits)

The module doesn't know whose device it is.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from evdev import InputDevice, ecodes

from hardware.signals import PadKey

KERNEL_KEY_NAMES_BY_PAD_KEY: Mapping[PadKey, tuple[str, ...]] = {
    "0": ("KEY_KP0", "KEY_0", "KEY_INSERT"),
    "1": ("KEY_KP1", "KEY_1", "KEY_END"),
    "2": ("KEY_KP2", "KEY_2", "KEY_DOWN"),
    "3": ("KEY_KP3", "KEY_3", "KEY_PAGEDOWN"),
    "4": ("KEY_KP4", "KEY_4", "KEY_LEFT"),
    "5": ("KEY_KP5", "KEY_5"),
    "6": ("KEY_KP6", "KEY_6", "KEY_RIGHT"),
    "7": ("KEY_KP7", "KEY_7", "KEY_HOME"),
    "8": ("KEY_KP8", "KEY_8", "KEY_UP"),
    "9": ("KEY_KP9", "KEY_9", "KEY_PAGEUP"),
    ".": ("KEY_KPDOT", "KEY_DOT", "KEY_KPCOMMA", "KEY_COMMA", "KEY_DELETE", "KEY_KPPLUS"),
    "DEL": ("KEY_BACKSPACE",),
    "NO": ("KEY_KPMINUS", "KEY_MINUS", "KEY_ESC"),
    "OK": ("KEY_KPENTER", "KEY_ENTER"),
    "OWN": ("KEY_KPASTERISK",),
}
"""The kernel's names for each key of a pad; the first is the name that pads usually send.

A pad that NumLock has switched to arrows sends other keys for its digits; those keys mean the digits too.
NumLock, Tab, / and = aren't named here and do nothing.
"""
EVIOCSCLOCKID = 0x400445A0
"""Kernel request to stamp events by a clock other than the date (linux/input.h)."""
KEY_DOWN_VALUE = 1
"""Value of an event for a key that goes down; 0 is up, 2 is a repeat."""

PAD_KEY_BY_KERNEL_CODE: Mapping[int, PadKey] = {
    ecodes.ecodes[name]: cap for cap, names in KERNEL_KEY_NAMES_BY_PAD_KEY.items() for name in names
}
DIGIT_ONE_KEY_CODES = {ecodes.KEY_KP1, ecodes.KEY_1}


class KeyDown(NamedTuple):
    """A key that went down at the time `at` of the monotonic clock."""

    at: float
    key: PadKey


class EvdevDevice(Protocol):
    """The part of evdev's `InputDevice` that `NumpadFile` uses."""

    def fileno(self) -> int:
        """Returns the file descriptor for the selector."""

    def read(self) -> Iterable[Any]:
        """Returns all events since the last call."""

    def capabilities(self) -> Any:
        """Returns the codes that the device can send and take, by type of event."""

    def active_keys(self) -> Any:
        """Returns the keys that are down now."""

    def grab(self) -> None:
        """Grabs the device: no other program gets its keys."""

    def set_led(self, led_num: int, value: int) -> None:
        """Switches one of the device's lights."""

    def close(self) -> None:
        """Closes the device."""


class NumpadFile:
    """The opened device file of a number pad; every method raises OSError once the pad is unplugged."""

    def __init__(self, evdev_device: EvdevDevice) -> None:
        self._evdev_device = evdev_device
        codes_by_event_type = evdev_device.capabilities()
        self.has_digits = not DIGIT_ONE_KEY_CODES.isdisjoint(codes_by_event_type.get(ecodes.EV_KEY, ()))
        self._has_light = ecodes.LED_NUML in codes_by_event_type.get(ecodes.EV_LED, ())
        self._is_lit: bool | None = None

    def fileno(self) -> int:
        """Returns the file descriptor for the selector."""
        return self._evdev_device.fileno()

    def held_key_name(self) -> str:
        """Returns the name of a key that is held down now, as the kernel names it without `KEY_`.

        Returns "" if no key is down.
        """
        for code in self._evdev_device.active_keys():
            name = ecodes.KEY.get(code, code)
            return str(name if isinstance(name, str) else name[0]).removeprefix("KEY_")
        return ""

    def grab(self) -> None:
        """Grabs the device: no other program gets its keys.

        Raises OSError if another program has grabbed the device.
        """
        self._evdev_device.grab()

    def read(self) -> list[KeyDown]:
        """Returns the keys pressed since the last call.

        Raises OSError also if the kernel had no room for some keys.
        """
        return [
            KeyDown(event.timestamp(), PAD_KEY_BY_KERNEL_CODE[event.code])
            for event in self._events()
            if _is_pad_key_down(event)
        ]

    def set_light(self, *, is_lit: bool) -> None:
        """Switches the NumLock light, if the pad has one; it serves as the seat's light."""
        if self._has_light and is_lit != self._is_lit:
            self._is_lit = is_lit
            self._evdev_device.set_led(ecodes.LED_NUML, int(is_lit))

    def close(self) -> None:
        """Closes the device; other programs get its keys again."""
        self._evdev_device.close()

    def _events(self) -> list[Any]:
        try:
            events = list(self._evdev_device.read())
        except BlockingIOError:  # there is nothing to read
            return []
        if any((each.type, each.code) == (ecodes.EV_SYN, ecodes.SYN_DROPPED) for each in events):
            raise OSError(errno.ENOBUFS, "keys were lost")
        return events


def _is_pad_key_down(event: Any) -> bool:
    return (
        event.type == ecodes.EV_KEY and event.value == KEY_DOWN_VALUE and event.code in PAD_KEY_BY_KERNEL_CODE
    )


class KernelInputDevices:
    """The input devices of this machine, as the kernel lists them."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._class_folder, self._device_folder = str(root / "sys/class/input"), str(root / "dev/input")
        self._inode_and_port_by_name: dict[str, tuple[int, str]] = {}

    def ports_by_path(self) -> dict[str, str]:
        """Returns the port of each device that is plugged in, by the path of its file.

        A device that is plugged in later may get the name of an earlier one, but never its inode.
        """
        earlier_ports, self._inode_and_port_by_name = self._inode_and_port_by_name, {}
        with contextlib.suppress(FileNotFoundError):  # no input device was ever plugged in
            for name in os.listdir(self._class_folder):  # noqa: PTH208 - every 0.4 s: paths would take most of it
                if name.startswith("event"):
                    with contextlib.suppress(OSError):  # it was unplugged meanwhile, or has no port
                        self._inode_and_port_by_name[name] = self._read_port(
                            name, earlier_ports.get(name, (0, ""))
                        )
        return {
            f"{self._device_folder}/{name}": port for name, (_, port) in self._inode_and_port_by_name.items()
        }

    def _read_port(self, name: str, known_port: tuple[int, str]) -> tuple[int, str]:
        inode = os.stat(f"{self._class_folder}/{name}").st_ino  # noqa: PTH116 - as above
        if inode == known_port[0]:
            return known_port
        return inode, Path(f"{self._class_folder}/{name}/device/phys").read_text("utf-8", "replace").strip()

    def open_file(self, path: str) -> NumpadFile:
        """Opens a device; raises PermissionError if its file may not be read, OSError if it is gone."""
        evdev_device = InputDevice(path)
        fcntl.ioctl(evdev_device.fd, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
        return NumpadFile(evdev_device)
