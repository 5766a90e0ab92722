"""USB number pads: finds them, reads their keys, makes answers of them, and pairs pads with seats.

    [[numpad]]
    seat = 1
    port = "usb-0000:01:00.0-1.3"

`NumpadReader` reads the pads in a thread of its own and sends a signal for each key. A pad is grabbed, so
that its keys reach neither the screen nor a console.

    import threading

    from hardware.numpads import NumpadReader, make_kernel_inputs
    from hardware.signals import Inbox

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with NumpadReader({"usb-0000:01:00.0-1.3": "numpad 1"}.get, inbox, make_kernel_inputs):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

`Numpads` makes answers of the keys, in the game's thread, as a keypad does (`hardware.desk.entry`). What is
entered can't be seen on a pad, so its NumLock light, if it has one, blinks when an answer doesn't count,
until the next key.

`NumpadPairing` finds out which pad is at which seat: people press 1 at one seat after the other.

    from hardware.numpads import NumpadPairing, format_numpad_sections, handle_pairing_key

    pairing, _ = handle_pairing_key(NumpadPairing((1, 2)), "usb-1.4", "1")
    pairing, _ = handle_pairing_key(pairing, "usb-1.2", "1")
    print(format_numpad_sections(pairing.numpads))
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import selectors
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml
from companion.files.user_files import read_user_file, write_new_file, write_user_file
from companion.requests import Form
from companion.texts import Say, say
from hardware.desk.entry import KeyEntry, apply_key
from hardware.device_drivers import DeviceDriver
from hardware.panel import LightState, SeatPanel
from hardware.signals import (
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    Inbox,
    KeyAnswer,
    NumbersAnswer,
    NumpadKeyDown,
    PadKey,
    RawInput,
)
from hardware.wiring.files import WiringError, choose_wiring_file_mode, parse_wiring
from hardware.wiring.sections import Numpad, usb_port_of

if TYPE_CHECKING:
    from hardware.input_events import NumpadFile


EVDEV_MISSING_TEXT = say("Number pads need the package evdev: sudo apt install python3-evdev")
"""Message that evdev is missing, the package that reads number pads."""
RESCAN_INTERVAL_SECONDS = 0.4
"""Time between two scans for devices that were plugged in or unplugged."""
BLINK_HALF_PERIOD_SECONDS = 0.25
"""Time for which a blinking light is on, and then off."""
MAX_READ_BYTES = 4096
INPUT_GROUP = "input"
"""The group whose members may read input devices on Debian."""


class InputDeviceSource(Protocol):
    """Lists and opens input devices: the kernel's or simulated ones."""

    def ports_by_path(self) -> Mapping[str, str]:
        """Returns the port of each device that is plugged in, by its path."""

    def open_file(self, path: str) -> NumpadFile:
        """Opens a device; raises OSError."""


def make_kernel_inputs() -> InputDeviceSource:
    """Returns the kernel's input devices; raises ImportError if evdev isn't installed."""
    from hardware.input_events import KernelInputDevices

    return KernelInputDevices()


class NumpadReader(DeviceDriver):
    """Reads number pads in a thread of its own, and sends a signal for each key.

    `device_at_port` returns the device name for a port; pads without one aren't read. `grab` False leaves
    their keys to other programs too.
    """

    def __init__(
        self,
        device_at_port: Callable[[str], str | None],
        inbox: Inbox,
        inputs: Callable[[], InputDeviceSource] = make_kernel_inputs,
        *,
        clock: Callable[[], float] = time.monotonic,
        grab: bool = True,
    ) -> None:
        self._device_at_port = device_at_port
        self._inbox = inbox
        self._open_inputs = inputs
        self._clock = clock
        self._grab = grab
        self._files: dict[str, tuple[str, NumpadFile]] = {}
        self._reported: dict[str, DeviceFound | DeviceLost] = {}
        self._trouble: dict[str, DeviceLost] = {}
        self._lights: dict[str, LightState] = {}
        self._scan_due = clock()
        self._selector = selectors.DefaultSelector()
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="number pads", daemon=True)

    def start(self) -> None:
        """Starts to read; every pad that is plugged in is found. Raises ImportError without evdev."""
        self._inputs = self._open_inputs()
        self._thread.start()

    def set_light(self, device: str, light_state: LightState) -> None:
        """Sets the light of a pad, if it has one."""
        if not self._closed and self._lights.get(device, "off") != light_state:
            self._lights[device] = light_state
            self._wake_thread()

    def close(self) -> None:
        """Closes all pads."""
        if not self._closed:
            self._closed = True
            if self._thread.ident is not None:
                self._wake_thread()
                self._thread.join()
            for _, file in self._files.values():
                file.close()
            self._selector.close()
            os.close(self._woken)
            os.close(self._wake)

    def _wake_thread(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes as well
            os.write(self._wake, b"!")

    def _run(self) -> None:
        try:
            while not self._closed:
                self._poll()
        except BaseException:
            # A game must never wait for a pad that nobody reads.
            for device in list(self._reported):
                self._report_state(DeviceLost(device, "dead"))
            raise

    def _poll(self) -> None:
        """Waits until something happens or is due, and handles it."""
        now = self._clock()
        if now >= self._scan_due:
            self._scan_due = now + RESCAN_INTERVAL_SECONDS
            self._rescan()
        self._update_lights(now)
        wait = self._scan_due - now
        if "blink" in self._lights.values():
            wait = min(wait, BLINK_HALF_PERIOD_SECONDS - now % BLINK_HALF_PERIOD_SECONDS)
        strokes = []
        for key, _ in self._selector.select(wait):
            if key.data is None:
                os.read(self._woken, MAX_READ_BYTES)
            else:
                strokes += self._read(key.data)
        for stroke in sorted(strokes, key=lambda each: each.at):  # who was first is known by the kernel
            self._inbox.put(stroke)

    def _read(self, path: str) -> list[NumpadKeyDown]:
        device, file = self._files[path]
        try:
            return [NumpadKeyDown(device, each.cap, each.at) for each in file.read()]
        except OSError:
            self._drop(path)
            return []

    def _rescan(self) -> None:
        there = self._inputs.ports_by_path()
        for path in self._files.keys() - there.keys():
            self._drop(path)
        before, self._trouble = self._trouble, {}
        for path, phys in there.items():
            device = self._device_at_port(usb_port_of(phys))
            if device is not None and path not in self._files:
                self._open_pad(path, device)
        for device in before.keys() | self._trouble.keys():
            if device not in self._trouble and not self._is_there(device):
                self._report_state(DeviceLost(device, "unplugged"))
            # While a pad is being plugged in, its file is there before its rights are.
            elif device in self._trouble and before.get(device) == self._trouble[device]:
                self._report_state(self._trouble[device])

    def _open_pad(self, path: str, device: str) -> None:
        try:
            file = self._inputs.open_file(path)
        except PermissionError:
            self._trouble[device] = DeviceLost(device, "denied", INPUT_GROUP)
            return
        except OSError:  # it went again
            return
        try:
            # Whoever else hears a key go down must hear it come up, or it repeats there for ever.
            if self._grab and (held := file.held_key_name()):
                self._trouble[device] = DeviceLost(device, "stuck", held)
                file.close()
                return
            if self._grab:
                file.grab()
        except OSError:
            self._trouble[device] = DeviceLost(device, "busy")
            file.close()
            return
        self._files[path] = (device, file)
        self._selector.register(file.fileno(), selectors.EVENT_READ, path)
        if file.has_digits:
            self._report_state(DeviceFound(device))

    def _drop(self, path: str) -> None:
        device, file = self._files.pop(path)
        self._selector.unregister(file.fileno())
        file.close()
        if file.has_digits:
            self._inbox.put(NumpadKeyDown(device, None, self._clock()))
        if not self._is_there(device):
            self._report_state(DeviceLost(device, "unplugged"))

    def _is_there(self, device: str) -> bool:
        return any(other == device and file.has_digits for other, file in self._files.values())

    def _report_state(self, state: DeviceFound | DeviceLost) -> None:
        if self._reported.get(state.device) != state:
            self._reported[state.device] = state
            self._inbox.put(state)

    def _update_lights(self, now: float) -> None:
        lit = {"off": False, "on": True, "blink": int(now / BLINK_HALF_PERIOD_SECONDS) % 2 == 0}
        for path, (device, file) in list(self._files.items()):
            try:
                file.set_light(is_lit=lit[self._lights.get(device, "off")])
            except OSError:
                self._drop(path)


RECEIPT_NOT_NEEDED = 0
"""Receipt of an answer from a number pad, which gets no confirmation of its answers."""


MAX_PAUSE_WITHIN_NUMBER_SECONDS = 1.0
"""Maximum time between two keys of one number, even if a question appears between them."""


class Numpads(DeviceDriver):
    """Driver of the wired number pads; makes answers of keys."""

    def __init__(
        self,
        sections: Sequence[Numpad],
        inbox: Inbox,
        *,
        inputs: Callable[[], InputDeviceSource] = make_kernel_inputs,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox = inbox
        self._clock = clock
        self._entries = {each.device_name: KeyEntry() for each in sections}
        self._shown_questions = {each.device_name: (0, 0, math.inf) for each in sections}
        self._last_key_times = {each.device_name: -math.inf for each in sections}
        self._refused: set[str] = set()
        ports = {usb_port_of(each.port): each.device_name for each in sections}
        self._reader = NumpadReader(ports.get, inbox, inputs)

    def start(self) -> None:
        """Starts to read; every pad that is plugged in is found."""
        try:
            self._reader.start()
        except ImportError:
            for device in self._entries:
                self._inbox.put(DeviceLost(device, "no_package"))

    def close(self) -> None:
        """Closes all pads."""
        self._reader.close()

    def interpret_press(self, signal: RawInput, _form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a key completes, or None.

        The desk refuses a key while nothing is asked.
        """
        assert isinstance(signal, NumpadKeyDown)
        device, cap, at = signal.device, signal.cap, signal.at
        self._refused.discard(device)
        self._last_key_times[device] = at
        entry = self._entries[device]
        if cap is None:
            self._entries[device] = KeyEntry()
            return None
        before, now, shown = self._shown_questions[device]
        question = now if at >= shown else before
        self._entries[device], said = apply_key(entry, cap, question)
        if isinstance(said, tuple):
            return NumbersAnswer(device, entry.question, said, at, RECEIPT_NOT_NEEDED)
        if said is not None:
            return KeyAnswer(device, question, said, at, RECEIPT_NOT_NEEDED)
        is_missing_a_number = cap == "OK"
        if is_missing_a_number or not question:
            return KeyAnswer(device, 0, "ok", at, RECEIPT_NOT_NEEDED)  # for no question: the desk refuses it
        return None

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on a pad as far as it can: sets its light, and notes the question."""
        _, now, _ = self._shown_questions[device]
        if panel.question != now:
            shown = self._clock()
            self._shown_questions[device] = (now, panel.question, shown)
            self._refused.discard(device)
            # Who fiddled while nothing was asked begins again; of who is typing just now, half a number
            # must not count for the whole.
            if not now and self._last_key_times[device] < shown - MAX_PAUSE_WITHIN_NUMBER_SECONDS:
                self._entries[device] = KeyEntry()
        if panel.is_sealed and not panel.question:
            self._refused.discard(device)  # not shown now, it would be when the envelopes are opened
        blinks = device in self._refused and not panel.is_sealed
        self._reader.set_light(device, "blink" if blinks else panel.light)

    def current_entry(self, device: str) -> str:
        """Returns what is entered so far: `12`, `2.3`."""
        return self._entries[device].text

    def show_answer_accepted(self, _answer: DeviceAnswer) -> None:
        """Shows nothing: the light goes out with the next panel."""

    def show_answer_refused(self, answer: DeviceAnswer, _reason: str) -> None:
        """Shows that the pad's answer is refused: its light blinks.

        A peek with OWN is no refusal; it needs a display.
        """
        if not (isinstance(answer, KeyAnswer) and answer.key == "own"):
            self._refused.add(answer.device)


PAIRING_KEY: PadKey = "1"
NUMPAD_HEADER = re.compile(r"^\s*\[\[\s*numpad\s*\]\].*$")
SECTION_HEADER = re.compile(r"^\s*\[")


def usb_port_as_device_name(port: str) -> str | None:
    """Returns a USB port as the device name of a pad whose seat isn't known yet.

    Returns None for other ports.
    """
    return port if port.startswith("usb-") else None


class NumpadPairing(msgspec.Struct, frozen=True):
    """The state of pairing number pads with seats.

    The first of `remaining_seats` is asked now; `numpads` are paired.
    """

    remaining_seats: tuple[int, ...]
    numpads: tuple[Numpad, ...] = ()

    @property
    def current_seat(self) -> int | None:
        """The seat where 1 is to be pressed now; None when everybody was asked."""
        return self.remaining_seats[0] if self.remaining_seats else None


def handle_pairing_key(
    pairing: NumpadPairing, port: str, key: PadKey | None
) -> tuple[NumpadPairing, Say | None]:
    """Pairs the pad at a port with the current seat if 1 is pressed.

    Returns the new pairing, and a message if the key pairs nothing.
    """
    if pairing.current_seat is None or key is None:
        return pairing, None
    if key != PAIRING_KEY:
        # Enter and the like are pressed in passing, or come from a keyboard.
        return pairing, say("You pressed {key}. Press 1.", key=key) if key.isdigit() else None
    taken = next((each.seat for each in pairing.numpads if each.port == port), None)
    if taken is not None:
        return pairing, say(
            "This number pad already belongs to seat {number}. Press 1 on another number pad.", number=taken
        )
    numpads = (*pairing.numpads, Numpad(pairing.current_seat, port))
    return NumpadPairing(pairing.remaining_seats[1:], numpads), None


def skip_seat(pairing: NumpadPairing) -> NumpadPairing:
    """Returns the pairing without the current seat, which has no number pad."""
    return replace(pairing, remaining_seats=pairing.remaining_seats[1:])


def format_numpad_sections(numpads: Sequence[Numpad]) -> str:
    """Returns the sections of these pads for hardware.toml."""
    return "\n".join(f'[[numpad]]\nseat = {each.seat}\nport = "{each.port}"\n' for each in numpads)


def replace_numpad_sections(path: Path, text: str, numpads: Sequence[Numpad]) -> str:
    """Returns the text of a hardware.toml with these pads in place of all others; the rest stays as it is.

    Raises `WiringError` if the text has a mistake, or if the pads can't be put in without changing more.
    """
    _check_wiring(path, text)
    kept = _without_numpads(text).rstrip()
    new = "\n\n".join(filter(None, (kept, format_numpad_sections(numpads).rstrip()))) + "\n"
    if not _is_same_but_for_numpads(text, new, numpads):
        raise WiringError(
            say(
                (
                    "{file}: the [[numpad]] sections can't be changed automatically. Enter the number "
                    "pads by hand."
                ),
                file=str(path),
            )
        )
    _check_wiring(path, new)
    return new


def save_numpads(path: Path, numpads: Sequence[Numpad]) -> None:
    """Writes the sections of the pads into a hardware.toml, and creates it if needed.

    Raises `UserError`.
    """
    text = read_user_file(path, toml.MAX_FILE_CHARACTERS) if path.exists() else ""
    new = replace_numpad_sections(path, text, numpads)
    (write_user_file if path.exists() else write_new_file)(path, new, choose_wiring_file_mode(path))


def _check_wiring(path: Path, text: str) -> None:
    faults = parse_wiring(path, text).faults
    if faults:
        raise WiringError(faults[0])


def _without_numpads(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if SECTION_HEADER.match(line):
            inside = bool(NUMPAD_HEADER.match(line))
        # A comment under a pad may be about what comes next.
        if not inside or line.lstrip().startswith("#"):
            kept.append(line)
    return "".join(kept)


def _is_same_but_for_numpads(old: str, new: str, numpads: Sequence[Numpad]) -> bool:
    before = toml.parse_toml(old)
    try:
        after = toml.parse_toml(new)
    except UserError:
        return False
    found = [(each["seat"], each["port"]) for each in after.pop("numpad", [])]
    before.pop("numpad", None)
    return before == after and found == [(each.seat, each.port) for each in numpads]
