"""USB number pads: finds them, reads their keys, makes answers of them, and pairs pads with seats.

    [[numpad]]
    seat = 1
    port = "usb-0000:01:00.0-1.3"

`NumpadReader` reads the pads in a thread of its own and sends a signal for each key. A pad is grabbed, so
that its keys reach neither the screen nor a console.

    import threading

    from hardware.numpads import NumpadReader, make_kernel_input_devices
    from hardware.signals import Inbox

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with NumpadReader({"usb-0000:01:00.0-1.3": "numpad 1"}.get, inbox, make_kernel_input_devices):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

`Numpads` makes answers of the keys, in the game's thread, as a keypad does (`hardware.desk.entry`). A pad
doesn't show its entry, so its NumLock light, if it has one, blinks after a refused answer until the next key.

`NumpadPairingProgress` finds out which pad is at which seat: people press 1 at one seat after the other.

    from hardware.numpads import NumpadPairingProgress, format_numpad_sections, handle_pairing_key

    pairing, _ = handle_pairing_key(NumpadPairingProgress((1, 2)), "usb-1.4", "1")
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
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml
from companion.files.user_files import read_user_file, write_new_file, write_user_file
from companion.requests import Form
from companion.texts import Say, say
from hardware.desk.entry import KeyEntry, apply_key
from hardware.device_drivers import BLINK_HALF_PERIOD_SECONDS, DeviceDriver, LightState, SeatPanel
from hardware.signals import (
    RECEIPT_NOT_NEEDED,
    ControlKeyAnswer,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    Inbox,
    NumbersAnswer,
    NumpadKeyDown,
    PadKey,
    RawInput,
)
from hardware.wiring.files import WiringError, choose_file_mode_by_folder, parse_wiring
from hardware.wiring.sections import Numpad, parse_usb_port

if TYPE_CHECKING:
    from hardware.input_events import NumpadFile


EVDEV_MISSING_TEXT = say("Number pads need the package evdev: sudo apt install python3-evdev")
"""Message that evdev is missing, the package that reads number pads."""
RESCAN_INTERVAL_SECONDS = 0.4
"""Time between two scans for devices that were plugged in or unplugged."""

MAX_READ_BYTES = 4096
INPUT_GROUP = "input"
"""The group whose members may read input devices on Debian."""


class InputDeviceSource(Protocol):
    """Lists and opens input devices: the kernel's or simulated ones."""

    def ports_by_path(self) -> Mapping[str, str]:
        """Returns the port of each device that is plugged in, by its path."""

    def open_file(self, path: str) -> NumpadFile:
        """Opens a device; raises OSError."""


def make_kernel_input_devices() -> InputDeviceSource:
    """Returns the kernel's input devices; raises ImportError if evdev isn't installed."""
    from hardware.input_events import KernelInputDevices

    return KernelInputDevices()


class NumpadReader(DeviceDriver):
    """Reads number pads in a thread of its own, and sends a signal for each key.

    `device_at_port` returns the device name for a port; pads without a name aren't read. With `grab` False
    other programs get the keys too.
    """

    def __init__(
        self,
        device_at_port: Callable[[str], str | None],
        inbox: Inbox,
        inputs: Callable[[], InputDeviceSource] = make_kernel_input_devices,
        *,
        clock: Callable[[], float] = time.monotonic,
        grab: bool = True,
    ) -> None:
        self._device_at_port = device_at_port
        self._inbox = inbox
        self._open_inputs = inputs
        self._clock = clock
        self._grab = grab
        self._device_and_file_by_path: dict[str, tuple[str, NumpadFile]] = {}
        self._reported_state_by_device: dict[str, DeviceFound | DeviceLost] = {}
        self._failure_by_device: dict[str, DeviceLost] = {}
        self._light_by_device: dict[str, LightState] = {}
        self._next_scan_at = clock()
        self._selector = selectors.DefaultSelector()
        self._wake_read_fd, self._wake_write_fd = os.pipe()
        os.set_blocking(self._wake_read_fd, False)
        os.set_blocking(self._wake_write_fd, False)
        self._selector.register(self._wake_read_fd, selectors.EVENT_READ)
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="number pads", daemon=True)

    def start(self) -> None:
        """Starts to read the pads that are plugged in now or later; raises ImportError without evdev."""
        self._inputs = self._open_inputs()
        self._thread.start()

    def set_light(self, device: str, light_state: LightState) -> None:
        """Sets the light of a pad, if it has one."""
        if not self._is_closed and self._light_by_device.get(device, "off") != light_state:
            self._light_by_device[device] = light_state
            self._wake_thread()

    def close(self) -> None:
        """Closes all pads."""
        if not self._is_closed:
            self._is_closed = True
            if self._thread.ident is not None:
                self._wake_thread()
                self._thread.join()
            for _, file in self._device_and_file_by_path.values():
                file.close()
            self._selector.close()
            os.close(self._wake_read_fd)
            os.close(self._wake_write_fd)

    def _wake_thread(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes the thread as well
            os.write(self._wake_write_fd, b"!")

    def _run(self) -> None:
        try:
            while not self._is_closed:
                self._poll()
        except BaseException:
            # A game must never wait for a pad that no thread reads.
            for device in list(self._reported_state_by_device):
                self._report_state(DeviceLost(device, "dead"))
            raise

    def _poll(self) -> None:
        """Waits until something happens or is due, and handles it."""
        now = self._clock()
        if now >= self._next_scan_at:
            self._next_scan_at = now + RESCAN_INTERVAL_SECONDS
            self._rescan()
        self._update_lights(now)
        seconds = self._next_scan_at - now
        if "blink" in self._light_by_device.values():
            seconds = min(seconds, BLINK_HALF_PERIOD_SECONDS - now % BLINK_HALF_PERIOD_SECONDS)
        presses = []
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                os.read(self._wake_read_fd, MAX_READ_BYTES)
            else:
                presses += self._read_pad(key.data)
        for press in sorted(presses, key=lambda press: press.at):  # the kernel knows who was first
            self._inbox.put(press)

    def _read_pad(self, path: str) -> list[NumpadKeyDown]:
        device, file = self._device_and_file_by_path[path]
        try:
            return [NumpadKeyDown(device, stroke.key, stroke.at) for stroke in file.read()]
        except OSError:
            self._close_pad(path)
            return []

    def _rescan(self) -> None:
        port_by_path = self._inputs.ports_by_path()
        for path in self._device_and_file_by_path.keys() - port_by_path.keys():
            self._close_pad(path)
        earlier_failures, self._failure_by_device = self._failure_by_device, {}
        for path, port in port_by_path.items():
            device = self._device_at_port(parse_usb_port(port))
            if device is not None and path not in self._device_and_file_by_path:
                self._open_pad(path, device)
        for device in earlier_failures.keys() | self._failure_by_device.keys():
            if device not in self._failure_by_device and not self._is_connected(device):
                self._report_state(DeviceLost(device, "unplugged"))
            # While a pad is being plugged in, its file appears before its access rights are set.
            elif (
                device in self._failure_by_device
                and earlier_failures.get(device) == self._failure_by_device[device]
            ):
                self._report_state(self._failure_by_device[device])

    def _open_pad(self, path: str, device: str) -> None:
        try:
            file = self._inputs.open_file(path)
        except PermissionError:
            self._failure_by_device[device] = DeviceLost(device, "denied", INPUT_GROUP)
            return
        except OSError:  # it was unplugged again
            return
        try:
            # A program that gets a key's press must get its release too, or the key repeats there for ever.
            if self._grab and (held_key := file.held_key_name()):
                self._failure_by_device[device] = DeviceLost(device, "stuck", held_key)
                file.close()
                return
            if self._grab:
                file.grab()
        except OSError:
            self._failure_by_device[device] = DeviceLost(device, "busy")
            file.close()
            return
        self._device_and_file_by_path[path] = (device, file)
        self._selector.register(file.fileno(), selectors.EVENT_READ, path)
        if file.has_digits:
            self._report_state(DeviceFound(device))

    def _close_pad(self, path: str) -> None:
        device, file = self._device_and_file_by_path.pop(path)
        self._selector.unregister(file.fileno())
        file.close()
        if file.has_digits:
            self._inbox.put(NumpadKeyDown(device, None, self._clock()))
        if not self._is_connected(device):
            self._report_state(DeviceLost(device, "unplugged"))

    def _is_connected(self, device: str) -> bool:
        return any(
            other == device and file.has_digits for other, file in self._device_and_file_by_path.values()
        )

    def _report_state(self, state: DeviceFound | DeviceLost) -> None:
        if self._reported_state_by_device.get(state.device) != state:
            self._reported_state_by_device[state.device] = state
            self._inbox.put(state)

    def _update_lights(self, now: float) -> None:
        is_lit_by_state = {"off": False, "on": True, "blink": int(now / BLINK_HALF_PERIOD_SECONDS) % 2 == 0}
        for path, (device, file) in list(self._device_and_file_by_path.items()):
            try:
                file.set_light(is_lit=is_lit_by_state[self._light_by_device.get(device, "off")])
            except OSError:
                self._close_pad(path)


MAX_TYPING_PAUSE_AT_NEW_QUESTION_SECONDS = 1.0
"""Maximum time since the last key for which a question keeps digits typed before it, when nothing was asked.

Somebody who is typing just then goes on with the same number. After a longer pause the digits don't count.
"""


class Numpads(DeviceDriver):
    """Driver of the wired number pads; makes answers of keys."""

    def __init__(
        self,
        sections: Sequence[Numpad],
        inbox: Inbox,
        *,
        inputs: Callable[[], InputDeviceSource] = make_kernel_input_devices,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox = inbox
        self._clock = clock
        self._entry_by_device = {section.device_name: KeyEntry() for section in sections}
        self._question_change_by_device = {section.device_name: (0, 0, math.inf) for section in sections}
        self._last_key_time_by_device = {section.device_name: -math.inf for section in sections}
        self._refused_devices: set[str] = set()
        device_by_port = {parse_usb_port(section.port): section.device_name for section in sections}
        self._reader = NumpadReader(device_by_port.get, inbox, inputs)

    def start(self) -> None:
        """Starts to read the pads that are plugged in now or later."""
        try:
            self._reader.start()
        except ImportError:
            for device in self._entry_by_device:
                self._inbox.put(DeviceLost(device, "no_package"))

    def close(self) -> None:
        """Closes all pads."""
        self._reader.close()

    def interpret_press(self, signal: RawInput, _form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a key completes, or None.

        The desk refuses a key while nothing is asked.
        """
        assert isinstance(signal, NumpadKeyDown)
        device, key, at = signal.device, signal.key, signal.at
        self._refused_devices.discard(device)
        self._last_key_time_by_device[device] = at
        entry = self._entry_by_device[device]
        if key is None:
            self._entry_by_device[device] = KeyEntry()
            return None
        old_question, new_question, changed_at = self._question_change_by_device[device]
        question = new_question if at >= changed_at else old_question
        self._entry_by_device[device], result = apply_key(entry, key, question)
        if isinstance(result, tuple):
            return NumbersAnswer(device, entry.question, result, at, RECEIPT_NOT_NEEDED)
        if result is not None:
            return ControlKeyAnswer(device, question, result, at, RECEIPT_NOT_NEEDED)
        is_missing_a_number = key == "OK"
        if is_missing_a_number or not question:
            return ControlKeyAnswer(
                device, 0, "ok", at, RECEIPT_NOT_NEEDED
            )  # for no question: the desk refuses it
        return None

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on a pad as far as it can: sets its light, and notes the question."""
        _, old_question, _ = self._question_change_by_device[device]
        if panel.question != old_question:
            now = self._clock()
            self._question_change_by_device[device] = (old_question, panel.question, now)
            self._refused_devices.discard(device)
            # Keys that were pressed while nothing was asked don't count. But if somebody is typing just now,
            # the first digits count, or half a number would count as the whole.
            if (
                not old_question
                and self._last_key_time_by_device[device] < now - MAX_TYPING_PAUSE_AT_NEW_QUESTION_SECONDS
            ):
                self._entry_by_device[device] = KeyEntry()
        if panel.is_sealed and not panel.question:
            # The refusal isn't shown now, but it would be when the envelopes are opened.
            self._refused_devices.discard(device)
        blinks = device in self._refused_devices and not panel.is_sealed
        self._reader.set_light(device, "blink" if blinks else panel.light)

    def current_entry(self, device: str) -> str:
        """Returns what is entered so far: `12`, `2.3`."""
        return self._entry_by_device[device].text

    def handle_answer_accepted(self, _answer: DeviceAnswer) -> None:
        """Does nothing: the light goes out with the next panel."""

    def handle_answer_refused(self, answer: DeviceAnswer, _reason: str) -> None:
        """Makes the pad's light blink, unless OWN was pressed: a peek is no refusal, and needs a display."""
        if not (isinstance(answer, ControlKeyAnswer) and answer.key == "own"):
            self._refused_devices.add(answer.device)


PAIRING_KEY: PadKey = "1"
NUMPAD_HEADER_PATTERN = re.compile(r"^\s*\[\[\s*numpad\s*\]\].*$")
SECTION_HEADER_PATTERN = re.compile(r"^\s*\[")


def usb_port_as_device_name(port: str) -> str | None:
    """Returns a USB port as the name of a pad whose seat isn't known yet; None for other ports."""
    return port if port.startswith("usb-") else None


class NumpadPairingProgress(msgspec.Struct, frozen=True):
    """The state of pairing number pads with seats.

    The first of `remaining_seats` is asked now; `numpads` are paired.
    """

    remaining_seats: tuple[int, ...]
    numpads: tuple[Numpad, ...] = ()

    @property
    def current_seat(self) -> int | None:
        """The seat that is asked to press 1 now; None when every seat was asked."""
        return self.remaining_seats[0] if self.remaining_seats else None


class PairingAfterKey(NamedTuple):
    """The state of the pairing after a key, and a message for people if the key paired nothing."""

    progress: NumpadPairingProgress
    message: Say | None = None


def handle_pairing_key(pairing: NumpadPairingProgress, port: str, key: PadKey | None) -> PairingAfterKey:
    """Pairs the pad at a port with the current seat if 1 is pressed."""
    if pairing.current_seat is None or key is None:
        return PairingAfterKey(pairing)
    if key != PAIRING_KEY:
        # Enter and similar keys are pressed in passing, or come from a keyboard.
        message = say("You pressed {key}. Press 1.", key=key) if key.isdigit() else None
        return PairingAfterKey(pairing, message)
    paired_seat = next((numpad.seat for numpad in pairing.numpads if numpad.port == port), None)
    if paired_seat is not None:
        text = "This number pad already belongs to seat {number}. Press 1 on another number pad."
        return PairingAfterKey(pairing, say(text, number=paired_seat))
    numpads = (*pairing.numpads, Numpad(pairing.current_seat, port))
    return PairingAfterKey(NumpadPairingProgress(pairing.remaining_seats[1:], numpads))


def skip_seat(pairing: NumpadPairingProgress) -> NumpadPairingProgress:
    """Returns the pairing without the current seat, which has no number pad."""
    return replace(pairing, remaining_seats=pairing.remaining_seats[1:])


def format_numpad_sections(numpads: Sequence[Numpad]) -> str:
    """Returns the sections of these pads for hardware.toml."""
    return "\n".join(f'[[numpad]]\nseat = {numpad.seat}\nport = "{numpad.port}"\n' for numpad in numpads)


def replace_numpad_sections(path: Path, text: str, numpads: Sequence[Numpad]) -> str:
    """Returns the text of a hardware.toml with these pads in place of all others; the rest stays as it is.

    Raises `WiringError` if the text has a mistake, or if the pads can't be put in without changing more.
    """
    _require_correct_wiring(path, text)
    other_sections = _without_numpads(text).rstrip()
    new_text = "\n\n".join(filter(None, (other_sections, format_numpad_sections(numpads).rstrip()))) + "\n"
    if not _is_same_but_for_numpads(text, new_text, numpads):
        raise WiringError(
            say(
                (
                    "{file}: the [[numpad]] sections can't be changed automatically. Enter the number "
                    "pads by hand."
                ),
                file=str(path),
            )
        )
    _require_correct_wiring(path, new_text)
    return new_text


def save_numpads(path: Path, numpads: Sequence[Numpad]) -> None:
    """Writes the sections of the pads into a hardware.toml, and creates it if needed.

    Raises `UserError`.
    """
    text = read_user_file(path, toml.MAX_TOML_CHARACTERS) if path.exists() else ""
    new_text = replace_numpad_sections(path, text, numpads)
    (write_user_file if path.exists() else write_new_file)(path, new_text, choose_file_mode_by_folder(path))


def _require_correct_wiring(path: Path, text: str) -> None:
    faults = parse_wiring(path, text).faults
    if faults:
        raise WiringError(faults[0])


def _without_numpads(text: str) -> str:
    kept_lines, is_in_numpad_section = [], False
    for line in text.splitlines(keepends=True):
        if SECTION_HEADER_PATTERN.match(line):
            is_in_numpad_section = bool(NUMPAD_HEADER_PATTERN.match(line))
        # A comment under a pad may be about what comes next.
        if not is_in_numpad_section or line.lstrip().startswith("#"):
            kept_lines.append(line)
    return "".join(kept_lines)


def _is_same_but_for_numpads(old: str, new: str, numpads: Sequence[Numpad]) -> bool:
    old_wiring = toml.parse_toml(old)
    try:
        new_wiring = toml.parse_toml(new)
    except UserError:
        return False
    seats_and_ports = [(each["seat"], each["port"]) for each in new_wiring.pop("numpad", [])]
    old_wiring.pop("numpad", None)
    return old_wiring == new_wiring and seats_and_ports == [(each.seat, each.port) for each in numpads]
