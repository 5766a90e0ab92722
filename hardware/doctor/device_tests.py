"""Tests of each device by hand: press a button, type on keypads and number pads, lay a tag on each reader.

    events: SimpleQueue[DeviceTestEvent] = SimpleQueue()
    with Devices(wiring, Inbox(wake=lambda: events.put("woken"))) as devices:
        for finding in DeviceTests(devices, events, print).run(wiring):
            print(finding)

Each test has a time limit; the event `enter` skips it. A finding contains no tag and no number that was
entered. No game is played meanwhile, and what is pressed answers nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Literal, TypeAlias

import msgspec

from companion.texts import Say, Text, say
from hardware.devices import Devices
from hardware.doctor.machine import Finding
from hardware.signals import (
    ButtonDown,
    ButtonUp,
    DeviceFound,
    DeviceLost,
    LostReason,
    Signal,
    TagArrived,
    TagLeft,
    TagUnreadable,
)
from hardware.wiring.pins import Pin
from hardware.wiring.sections import (
    Buttons,
    Keypad,
    Numpad,
    Reader,
    Section,
    Wiring,
)

DeviceTestEvent: TypeAlias = Literal["woken", "enter"]
"""An event during a test: a device sent a signal, or somebody pressed Enter to skip the test."""
DEVICE_FOUND_TIMEOUT_SECONDS = 5.0
"""Time limit for a device to report that it is connected."""
TEST_STEP_TIMEOUT_SECONDS = 20.0
"""Time limit for people to do what a test step asks."""


LOST_DEVICE_ADVICE_BY_REASON: Mapping[LostReason, Say] = {
    "unplugged": say("Plug this device in."),
    "silent": say("The device isn't responding. Unplug it and plug it in again."),
    "another": say("The wrong device is plugged into this port. Plug in the right device."),
    "protocol": say(
        "The firmware on this device is from another version. Flash the firmware of this version."
    ),
    "failed": say("The driver of this device has crashed. Restart the Companion."),
    "no_package": say("A package is missing. The lines above say how to install it."),
    "no_pins": say(
        "The pins of this device can't be used. Close the program that uses them, and see the lines above."
    ),
    "taken": say("{what} is using a pin of this device. Close that program."),
    "denied": say("No permission to read this device. Join the group {what}, then log in again."),
    "busy": say("Another program is using this device. Close that program."),
    "stuck": say("{what} is stuck. Free the key or button."),
    "chatters": say("{what} has a loose wire, or a long wire with interference. Fix the wire."),
    "dead": say("The driver of this device has crashed. Restart the Companion."),
}
"""What to do about a lost device, by the reason of the loss."""
LOST_READER_ADVICE_BY_REASON: Mapping[LostReason, Say] = {
    "unplugged": say("The reader wasn't found. Switch SPI on, and check the name of the device."),
    "silent": say("The reader isn't responding. Check its wires and its 3.3 V supply."),
}
"""What to do about a lost reader, for the reasons where the advice differs from that for other devices."""


class DeviceStateTracker:
    """The state of the devices as their signals so far tell it, for the doctor and the service screen."""

    def __init__(self, devices: Devices) -> None:
        self.lost_by_device: dict[str, DeviceLost] = dict(devices.lost_devices)
        self.found_devices: set[str] = set()
        self.tags_by_device: dict[str, list[str]] = {}
        self.buttons_down: set[tuple[str, str]] = set()
        """The buttons that are down now, by device and key."""
        self.last_signals: dict[str, Signal] = {}

    def record(self, signal: Signal) -> None:
        """Records one more signal."""
        match signal:
            case DeviceFound(device):
                self.found_devices.add(device)
                self.lost_by_device.pop(device, None)
            case DeviceLost(device):
                self.found_devices.discard(device)
                self.lost_by_device[device] = signal
                self.buttons_down = {button for button in self.buttons_down if button[0] != device}
            case ButtonDown(device, key):
                self.buttons_down.add((device, key))
            case ButtonUp(device, key):
                self.buttons_down.discard((device, key))
            case TagArrived(device, _, tag):
                self.tags_by_device.setdefault(device, []).append(tag)
            case TagLeft(device, _, tag) if tag in self.tags_by_device.get(device, ()):
                self.tags_by_device[device].remove(tag)
        self.last_signals[signal.device] = signal


class DeviceTestStep(msgspec.Struct, frozen=True):
    """Something that people are asked to do with a device; `advice` is what to do if no signal comes."""

    instruction: Say
    subject: Say
    advice: Say
    is_done: Callable[[DeviceStateTracker], bool]


def testable_sections(wiring: Wiring) -> list[Section]:
    """Returns the sections of the devices that can be tested."""
    testable_types = Keypad | Numpad | Buttons | Reader
    return [section for _, section in wiring.sections_with_keys() if isinstance(section, testable_types)]


def lost_device_advice(section: Section, lost: DeviceLost) -> Say:
    """Returns what to do about a device that can't be used."""
    advice = LOST_DEVICE_ADVICE_BY_REASON[lost.reason]
    if isinstance(section, Reader):
        advice = LOST_READER_ADVICE_BY_REASON.get(lost.reason, advice)
    return say(advice.template, what=lost.detail)


def check_device_usable(section: Section, devices: Devices) -> Finding:
    """Returns a finding about a device: its description, or advice if it can't be used now."""
    lost = devices.lost_devices.get(section.device_name)
    if lost is not None:
        return Finding(section.device_title(), lost_device_advice(section, lost))
    return Finding(
        say(
            "{device}: {about}",
            device=section.device_title(),
            about=describe_device_or_pins(section, devices),
        )
    )


def describe_device_or_pins(section: Section, devices: Devices) -> Text:
    """Returns the description that a device gives of itself, or else its pins."""
    pins = ", ".join(f"{key} {pin}" for key, pin in section.pins.items())
    return devices.describe_device(section.device_name) or pins or say("found")


class DeviceTests:
    """Tests each device by hand, one after the other; `show_instruction` shows people what to do."""

    def __init__(
        self,
        devices: Devices,
        events: SimpleQueue[DeviceTestEvent],
        show_instruction: Callable[[Say], object],
        *,
        found_timeout_seconds: float = DEVICE_FOUND_TIMEOUT_SECONDS,
        step_timeout_seconds: float = TEST_STEP_TIMEOUT_SECONDS,
    ) -> None:
        self._devices, self._events, self._show_instruction = devices, events, show_instruction
        self._found_timeout_seconds, self._step_timeout_seconds = found_timeout_seconds, step_timeout_seconds
        self._signal_history = DeviceStateTracker(devices)

    def run(self, wiring: Wiring) -> Iterator[Finding]:
        """Runs the tests of all wired devices; yields a finding for each device and each step of its test."""
        self._devices.signal_listeners.append(self._signal_history.record)
        try:
            for section in testable_sections(wiring):
                presence = self._test_presence(section)
                yield presence
                if presence.status == "ok":
                    yield from map(self._run_step, build_device_test_steps(section))
                    # A reader knows only after its first tag what is odd about its chip.
                    if (finding := check_device_usable(section, self._devices)) != presence:
                        yield finding
        finally:
            self._devices.signal_listeners.remove(self._signal_history.record)

    def _test_presence(self, section: Section) -> Finding:
        is_found = self._wait_until(
            lambda: section.device_name in self._signal_history.found_devices, self._found_timeout_seconds
        )
        if is_found is None:
            return Finding(section.device_title(), is_skipped=True)
        if not is_found:
            lost = self._signal_history.lost_by_device.get(
                section.device_name, DeviceLost(section.device_name, "silent")
            )
            return Finding(section.device_title(), lost_device_advice(section, lost))
        return check_device_usable(section, self._devices)

    def _run_step(self, step: DeviceTestStep) -> Finding:
        self._signal_history.last_signals.clear()
        self._show_instruction(step.instruction)
        is_done = self._wait_until(lambda: step.is_done(self._signal_history), self._step_timeout_seconds)
        if is_done is None:
            return Finding(step.subject, is_skipped=True)
        if is_done:
            return Finding(step.subject)
        return Finding(step.subject, self._advice_about_unexpected_signal() or step.advice)

    def _advice_about_unexpected_signal(self) -> Say | None:
        """Returns advice about a broken tag or another button than the step's, whose wires may be swapped."""
        signals = self._signal_history.last_signals.values()
        if any(isinstance(signal, TagUnreadable) for signal in signals):
            return say("A tag can't be read: it is broken or forged. Use another tag.")
        buttons = [f"{signal.device} {signal.button}" for signal in signals if isinstance(signal, ButtonDown)]
        if not buttons:
            return None
        text = "{others} responded instead of this button. Are two wires swapped?"
        return say(text, others=", ".join(buttons))

    def _wait_until(self, condition: Callable[[], bool], timeout_seconds: float) -> bool | None:
        """Returns whether the condition is met in time; None if people skip the test."""
        deadline = time.monotonic() + timeout_seconds
        self._devices.process_signals_and_refresh(None)
        while not condition():
            try:
                event = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                return False
            if event == "enter":
                return None
            self._devices.process_signals_and_refresh(None)
        return True


def build_device_test_steps(section: Section) -> list[DeviceTestStep]:
    """Returns the steps of a device's test, which people are asked to do."""
    match section:
        case Buttons():
            return [_button_step(section, cap, pin) for cap, pin in section.pins.items()]
        case Reader():
            return [_reader_step(section)]
    return [_keypad_step(section)]


def _button_step(section: Buttons, key: str, pin: Pin) -> DeviceTestStep:
    button = say("{cap} ({pin}, pin {physical})", cap=key, pin=str(pin), physical=pin.physical_number)

    def is_done(history: DeviceStateTracker) -> bool:
        signal = history.last_signals.get(section.device_name)
        return isinstance(signal, ButtonDown) and signal.button == key

    return DeviceTestStep(
        say("Press {button} on {device}.", button=button, device=section.device_title()),
        say("{device}: {button}", device=section.device_title(), button=button),
        say("No signal arrived. Check the wires of this button."),
        is_done,
    )


def _keypad_step(section: Section) -> DeviceTestStep:
    return DeviceTestStep(
        say("Type a number and press OK on {device}.", device=section.device_title()),
        say("{device}: keys", device=section.device_title()),
        say("No key press arrived. Check the wires of the keys, or use another keypad."),
        lambda history: (
            not isinstance(history.last_signals.get(section.device_name), DeviceFound | DeviceLost | None)
        ),
    )


def _reader_step(section: Reader) -> DeviceTestStep:
    return DeviceTestStep(
        say("Lay a tag on {device}.", device=section.device_title()),
        say("{device}: reading a tag", device=section.device_title()),
        say(
            "No tag was read. Lay the tag flat in the middle of the reader, or try another kind of tag: "
            "NTAG213, NTAG215, MIFARE Classic."
        ),
        lambda history: bool(history.tags_by_device.get(section.device_name)),
    )
