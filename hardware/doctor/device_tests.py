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
"""A device sent a signal, or people want to skip the test."""
MAX_PRESENCE_SECONDS = 5.0
"""Time for a device to report that it is there."""
MAX_STEP_SECONDS = 20.0
"""Time for people to do what they are asked."""


LOST_ADVICE: Mapping[LostReason, Say] = {
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
"""What to do about a lost device."""
READER_LOST_ADVICE: Mapping[LostReason, Say] = {
    "unplugged": say("The reader wasn't found. Switch SPI on, and check the name of the device."),
    "silent": say("The reader isn't responding. Check its wires and its 3.3 V supply."),
}
"""What to do about a lost reader, where that differs."""


class SignalHistory:
    """What the devices have sent so far; the doctor and the service screen show it."""

    def __init__(self, devices: Devices) -> None:
        self.lost: dict[str, DeviceLost] = dict(devices.lost_devices)
        self.found: set[str] = set()
        self.tags_present: dict[str, list[str]] = {}
        self.buttons_down: set[tuple[str, str]] = set()
        """The buttons that are down now, by device and key."""
        self.last_signals: dict[str, Signal] = {}

    def record(self, signal: Signal) -> None:
        """Notes one more signal."""
        match signal:
            case DeviceFound(device):
                self.found.add(device)
                self.lost.pop(device, None)
            case DeviceLost(device):
                self.found.discard(device)
                self.lost[device] = signal
                self.buttons_down = {each for each in self.buttons_down if each[0] != device}
            case ButtonDown(device, cap):
                self.buttons_down.add((device, cap))
            case ButtonUp(device, cap):
                self.buttons_down.discard((device, cap))
            case TagArrived(device, _, tag):
                self.tags_present.setdefault(device, []).append(tag)
            case TagLeft(device, _, tag) if tag in self.tags_present.get(device, ()):
                self.tags_present[device].remove(tag)
        self.last_signals[signal.device] = signal


class DeviceTestStep(msgspec.Struct, frozen=True):
    """Something that people are asked to do with a device; `todo` is what to do if no signal came."""

    instruction: Say
    what: Say
    todo: Say
    is_done: Callable[[SignalHistory], bool]


def sections_to_test(wiring: Wiring) -> list[Section]:
    """Returns the devices that can be tested."""
    kinds = Keypad | Numpad | Buttons | Reader
    return [section for _, section in wiring.named_sections() if isinstance(section, kinds)]


def lost_advice(section: Section, lost: DeviceLost) -> Say:
    """Returns what to do about a device that can't be used."""
    todo = (
        READER_LOST_ADVICE.get(lost.reason, LOST_ADVICE[lost.reason])
        if isinstance(section, Reader)
        else LOST_ADVICE[lost.reason]
    )
    return say(todo.template, what=lost.detail)


def device_finding(section: Section, devices: Devices) -> Finding:
    """Returns whether a device can be used now, and what it says of itself."""
    lost = devices.lost_devices.get(section.device_name)
    if lost is not None:
        return Finding(section.title(), lost_advice(section, lost))
    return Finding(say("{device}: {about}", device=section.title(), about=device_details(section, devices)))


def device_details(section: Section, devices: Devices) -> Text:
    """Returns what a device says of itself; if it says nothing, its pins."""
    pins = ", ".join(f"{key} {pin}" for key, pin in section.pins.items())
    return devices.describe_device(section.device_name) or pins or say("found")


class DeviceTests:
    """Tests one device after the other; `show_instruction` asks people for what they are to do."""

    def __init__(
        self,
        devices: Devices,
        events: SimpleQueue[DeviceTestEvent],
        show_instruction: Callable[[Say], object],
        *,
        to_answer: float = MAX_PRESENCE_SECONDS,
        to_act: float = MAX_STEP_SECONDS,
    ) -> None:
        self._devices, self._events, self._tell = devices, events, show_instruction
        self._to_answer, self._to_act = to_answer, to_act
        self._heard = SignalHistory(devices)

    def run(self, wiring: Wiring) -> Iterator[Finding]:
        """Yields a finding for each device, and one for each thing that can be done with it."""
        self._devices.signal_listeners.append(self._heard.record)
        for section in sections_to_test(wiring):
            presence = self._test_presence(section)
            yield presence
            if presence.status == "ok":
                yield from map(self._run_step, device_test_steps(section))
                # A reader knows only after its first tag what is odd about its chip.
                if (later := device_finding(section, self._devices)) != presence:
                    yield later
        self._devices.signal_listeners.remove(self._heard.record)

    def _test_presence(self, section: Section) -> Finding:
        is_there = self._wait(lambda: section.device_name in self._heard.found, self._to_answer)
        if is_there is None:
            return Finding(section.title(), is_skipped=True)
        if not is_there:
            lost = self._heard.lost.get(section.device_name, DeviceLost(section.device_name, "silent"))
            return Finding(section.title(), lost_advice(section, lost))
        return device_finding(section, self._devices)

    def _run_step(self, act: DeviceTestStep) -> Finding:
        self._heard.last_signals.clear()
        self._tell(act.instruction)
        is_done = self._wait(lambda: act.is_done(self._heard), self._to_act)
        if is_done is None:
            return Finding(act.what, is_skipped=True)
        return Finding(act.what, None if is_done else self._unexpected_signal() or act.todo)

    def _unexpected_signal(self) -> Say | None:
        """Returns what came instead: another button, if two wires are swapped, or a broken tag."""
        if any(isinstance(each, TagUnreadable) for each in self._heard.last_signals.values()):
            return say("A tag can't be read: it is broken or forged. Use another tag.")
        pushed = (each for each in self._heard.last_signals.values() if isinstance(each, ButtonDown))
        others = ", ".join(f"{each.device} {each.cap}" for each in pushed)
        return (
            say("{others} responded instead of this button. Are two wires swapped?", others=others)
            if others
            else None
        )

    def _wait(self, is_so: Callable[[], bool], limit: float) -> bool | None:
        """Returns whether it happened in time; None if people want to skip it."""
        until = time.monotonic() + limit
        self._devices.pump(None)
        while not is_so():
            try:
                event = self._events.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                return False
            if event == "enter":
                return None
            self._devices.pump(None)
        return True


def device_test_steps(section: Section) -> list[DeviceTestStep]:
    """Returns what people are asked to do with a device."""
    match section:
        case Buttons():
            return [_button_step(section, cap, pin) for cap, pin in section.pins.items()]
        case Reader():
            return [_reader_step(section)]
    return [_keypad_step(section)]


def _button_step(section: Buttons, cap: str, pin: Pin) -> DeviceTestStep:
    button = say("{cap} ({pin}, pin {physical})", cap=cap, pin=str(pin), physical=pin.physical_number)

    def is_done(heard: SignalHistory) -> bool:
        pushed = heard.last_signals.get(section.device_name)
        return isinstance(pushed, ButtonDown) and pushed.cap == cap

    return DeviceTestStep(
        say("Press {button} on {device}.", button=button, device=section.title()),
        say("{device}: {button}", device=section.title(), button=button),
        say("No signal arrived. Check the wires of this button."),
        is_done,
    )


def _keypad_step(section: Section) -> DeviceTestStep:
    return DeviceTestStep(
        say("Type a number and press OK on {device}.", device=section.title()),
        say("{device}: keys", device=section.title()),
        say("No key press arrived. Check the wires of the keys, or use another keypad."),
        lambda heard: (
            not isinstance(heard.last_signals.get(section.device_name), DeviceFound | DeviceLost | None)
        ),
    )


def _reader_step(section: Reader) -> DeviceTestStep:
    return DeviceTestStep(
        say("Lay a tag on {device}.", device=section.title()),
        say("{device}: reading a tag", device=section.title()),
        say(
            "No tag was read. Lay the tag flat in the middle of the reader, or try another kind of tag: "
            "NTAG213, NTAG215, MIFARE Classic."
        ),
        lambda heard: bool(heard.tags_present.get(section.device_name)),
    )
