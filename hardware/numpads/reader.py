"""Number pads at work: finds those that are wired, reads them in one thread, finds them again.

    import threading

    from hardware.inbox import Inbox
    from hardware.numpads.reader import NumpadReader, event_files

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with NumpadReader({"usb-0000:01:00.0-1.3": "numpad 1"}.get, inbox, event_files):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

Metal in, signals out; what a key means is not known here.
A pad is grabbed, so that its keys reach neither the screen nor a console.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.panel import Light
from hardware.signals import Found, KeyDown, Lost
from hardware.wiring.sections import port_of

if TYPE_CHECKING:
    from hardware.numpads.event_files import EventFile

RESCAN = 0.4
"""Seconds between two looks at what is plugged in."""
BLINK = 0.25
"""Seconds for which a blinking light is lit, and as many dark."""
CHUNK = 4096
GROUP = "input"
"""Whose members may read input devices on Debian."""


class Inputs(Protocol):
    """Where input devices are found."""

    def scan(self) -> Mapping[str, str]:
        """The port of each device that is plugged in, by its path."""

    def open(self, path: str) -> EventFile:
        """Opens one; raises OSError."""


def event_files() -> Inputs:
    """The kernel's. ImportError where evdev isn't installed."""
    from hardware.numpads.event_files import EventFiles

    return EventFiles()


class NumpadReader(Openable):
    """The number pads of which `whose` returns a name by their port; starts with `start`, ends with `close`.

    `grab` False leaves their keys to other programs too.
    """

    def __init__(
        self,
        whose: Callable[[str], str | None],
        inbox: Inbox,
        inputs: Callable[[], Inputs] = event_files,
        *,
        clock: Callable[[], float] = time.monotonic,
        grab: bool = True,
    ) -> None:
        self._whose = whose
        self._inbox = inbox
        self._inputs_here = inputs
        self._clock = clock
        self._grab = grab
        self._files: dict[str, tuple[str, EventFile]] = {}
        self._told: dict[str, Found | Lost] = {}
        self._trouble: dict[str, Lost] = {}
        self._lights: dict[str, Light] = {}
        self._scan_due = clock()
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="number pads", daemon=True)

    def start(self) -> None:
        """Every pad that is plugged in is `Found`. ImportError where evdev isn't installed."""
        self._inputs = self._inputs_here()
        self._thread.start()

    def shine(self, device: str, light: Light) -> None:
        """From now on its light does this, if it has one."""
        if not self._closed and self._lights.get(device, "off") != light:
            self._lights[device] = light
            self._rouse()

    def close(self) -> None:
        """Lets go of all pads."""
        if not self._closed:
            self._closed = True
            if self._thread.ident is not None:
                self._rouse()
                self._thread.join()
            for _, file in self._files.values():
                file.close()
            self._selector.close()
            os.close(self._woken)
            os.close(self._wake)

    def _rouse(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes as well
            os.write(self._wake, b"!")

    def _run(self) -> None:
        try:
            while not self._closed:
                self._turn()
        except BaseException:
            # A game must never wait for a pad that nobody reads.
            for device in list(self._told):
                self._tell(Lost(device, "dead"))
            raise

    def _turn(self) -> None:
        """Waits until something happens or is due, and does it."""
        now = self._clock()
        if now >= self._scan_due:
            self._scan_due = now + RESCAN
            self._look()
        self._shine(now)
        wait = self._scan_due - now
        if "blink" in self._lights.values():
            wait = min(wait, BLINK - now % BLINK)
        strokes = []
        for key, _ in self._selector.select(wait):
            if key.data is None:
                os.read(self._woken, CHUNK)
            else:
                strokes += self._read(key.data)
        for stroke in sorted(strokes, key=lambda each: each.at):  # who was first is known by the kernel
            self._inbox.put(stroke)

    def _read(self, path: str) -> list[KeyDown]:
        device, file = self._files[path]
        try:
            return [KeyDown(device, each.cap, each.at) for each in file.read()]
        except OSError:
            self._drop(path)
            return []

    def _look(self) -> None:
        there = self._inputs.scan()
        for path in self._files.keys() - there.keys():
            self._drop(path)
        before, self._trouble = self._trouble, {}
        for path, phys in there.items():
            device = self._whose(port_of(phys))
            if device is not None and path not in self._files:
                self._take(path, device)
        for device in before.keys() | self._trouble.keys():
            if device not in self._trouble and not self._is_there(device):
                self._tell(Lost(device, "unplugged"))
            # While a pad is being plugged in, its file is there before its rights are.
            elif device in self._trouble and before.get(device) == self._trouble[device]:
                self._tell(self._trouble[device])

    def _take(self, path: str, device: str) -> None:
        try:
            file = self._inputs.open(path)
        except PermissionError:
            self._trouble[device] = Lost(device, "denied", GROUP)
            return
        except OSError:  # it went again
            return
        try:
            # Whoever else hears a key go down must hear it come up, or it repeats there for ever.
            if self._grab and (held := file.held()):
                self._trouble[device] = Lost(device, "stuck", held)
                file.close()
                return
            if self._grab:
                file.grab()
        except OSError:
            self._trouble[device] = Lost(device, "busy")
            file.close()
            return
        self._files[path] = (device, file)
        self._selector.register(file.fileno(), selectors.EVENT_READ, path)
        if file.has_digits:
            self._tell(Found(device))

    def _drop(self, path: str) -> None:
        device, file = self._files.pop(path)
        self._selector.unregister(file.fileno())
        file.close()
        if file.has_digits:
            self._inbox.put(KeyDown(device, None, self._clock()))
        if not self._is_there(device):
            self._tell(Lost(device, "unplugged"))

    def _is_there(self, device: str) -> bool:
        return any(other == device and file.has_digits for other, file in self._files.values())

    def _tell(self, state: Found | Lost) -> None:
        if self._told.get(state.device) != state:
            self._told[state.device] = state
            self._inbox.put(state)

    def _shine(self, now: float) -> None:
        lit = {"off": False, "on": True, "blink": int(now / BLINK) % 2 == 0}
        for path, (device, file) in list(self._files.items()):
            try:
                file.shine(lit=lit[self._lights.get(device, "off")])
            except OSError:
                self._drop(path)
