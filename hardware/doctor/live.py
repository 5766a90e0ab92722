"""Each device tried by hand: buttons pressed, keypads and number pads typed on, a tag laid at every reader.

    events: SimpleQueue[Event] = SimpleQueue()
    with Devices(wiring, Inbox(wake=lambda: events.put("woken"))) as devices:
        for finding in Trials(devices, events, print).run(wiring):
            print(finding)

Each trial has a limit of time; the event `enter` skips it. What a finding says holds no tag and no number
that was typed. No game is played meanwhile, and what is pressed answers nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Literal, TypeAlias

import msgspec

from companion.texts import Labelled, Say, Text, say
from hardware.devices import Devices
from hardware.doctor.machine import Finding, seat_of
from hardware.signals import Found, LetGo, Lost, Pushed, Signal, TagArrived, TagLeft, TagUnread, Why
from hardware.wiring.pins import Pin
from hardware.wiring.sections import (
    Buttons,
    Buzzer,
    Display,
    Keypad,
    Light,
    Numpad,
    Reader,
    Section,
    Wiring,
)

Event: TypeAlias = Literal["woken", "enter"]
"""A device said something, or people want to go on."""
TO_ANSWER = 5.0
"""Seconds for a device to say that it is there."""
TO_ACT = 20.0
"""Seconds for people to do what they are asked."""


NAMES: Mapping[type[Section], Say] = {
    Keypad: say("{seat}'s keypad"),
    Numpad: say("{seat}'s number pad"),
    Buttons: say("{seat}'s buttons"),
    Light: say("{seat}'s light"),
    Display: say("{seat}'s display"),
    Buzzer: say("{seat}'s buzzer"),
}
"""What a seat's devices are called."""
WHY: Mapping[Why, Say] = {
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
"""What to do about a device that is lost."""
READERS: Mapping[Why, Say] = {
    "unplugged": say("The reader wasn't found. Switch SPI on, and check the name of the device."),
    "silent": say("The reader isn't responding. Check its wires and its 3.3 V supply."),
}
"""What to do about a lost reader, where that differs."""


class Heard:
    """What the devices have said so far; the doctor and the service screen show it."""

    def __init__(self, devices: Devices) -> None:
        self.lost: dict[str, Lost] = dict(devices.lost)
        self.found: set[str] = set()
        self.lying: dict[str, list[str]] = {}
        self.down: set[tuple[str, str]] = set()
        """The buttons that are down now, by device and key."""
        self.last: dict[str, Signal] = {}

    def hear(self, signal: Signal) -> None:
        """One more signal."""
        match signal:
            case Found(device):
                self.found.add(device)
                self.lost.pop(device, None)
            case Lost(device):
                self.found.discard(device)
                self.lost[device] = signal
                self.down = {each for each in self.down if each[0] != device}
            case Pushed(device, cap):
                self.down.add((device, cap))
            case LetGo(device, cap):
                self.down.discard((device, cap))
            case TagArrived(device, _, tag):
                self.lying.setdefault(device, []).append(tag)
            case TagLeft(device, _, tag) if tag in self.lying.get(device, ()):
                self.lying[device].remove(tag)
        self.last[signal.device] = signal


class Act(msgspec.Struct, frozen=True):
    """Something that people are asked to do with a device; `todo` is what to do where nothing came of it."""

    ask: Say
    what: Say
    todo: Say
    is_done: Callable[[Heard], bool]


def tried(wiring: Wiring) -> list[Section]:
    """The devices that can be tried."""
    kinds = Keypad | Numpad | Buttons | Reader
    return [section for _, section in wiring.sections() if isinstance(section, kinds)]


def named(section: Section, who: Labelled | str | None = None) -> Say:
    """A device as people call it; `who` sits there."""
    if isinstance(section, Reader):
        return say("reader {zone}", zone=section.zone)
    number = seat_of(section)
    if number is None:
        return say("the table's buzzer")
    return say(NAMES[type(section)].template, seat=who or say("seat {number}", number=number))


def why(section: Section, lost: Lost) -> Say:
    """What to do about a device that can't be used."""
    todo = READERS.get(lost.why, WHY[lost.why]) if isinstance(section, Reader) else WHY[lost.why]
    return say(todo.template, what=lost.what)


def standing(section: Section, devices: Devices) -> Finding:
    """Whether a device can be used now, and what it says of itself."""
    lost = devices.lost.get(section.device)
    if lost is not None:
        return Finding(named(section), why(section, lost))
    return Finding(say("{device}: {about}", device=named(section), about=about(section, devices)))


def about(section: Section, devices: Devices) -> Text:
    """What a device says of itself, else its pins, as nothing else is known of it."""
    pins = ", ".join(f"{key} {pin}" for key, pin in section.pins.items())
    return devices.about(section.device) or pins or say("found")


class Trials:
    """Tries one device after the other; `tell` asks people for what they are to do."""

    def __init__(
        self,
        devices: Devices,
        events: SimpleQueue[Event],
        tell: Callable[[Say], object],
        *,
        to_answer: float = TO_ANSWER,
        to_act: float = TO_ACT,
    ) -> None:
        self._devices, self._events, self._tell = devices, events, tell
        self._to_answer, self._to_act = to_answer, to_act
        self._heard = Heard(devices)

    def run(self, wiring: Wiring) -> Iterator[Finding]:
        """A finding for each device, and one for everything that can be done with it."""
        self._devices.overhearing.append(self._heard.hear)
        for section in tried(wiring):
            presence = self._presence(section)
            yield presence
            if presence.mark == "ok":
                yield from map(self._acted, acts(section))
                # A reader knows only after its first tag what is odd about its chip.
                if (later := standing(section, self._devices)) != presence:
                    yield later
        self._devices.overhearing.remove(self._heard.hear)

    def _presence(self, section: Section) -> Finding:
        is_there = self._wait(lambda: section.device in self._heard.found, self._to_answer)
        if is_there is None:
            return Finding(named(section), skipped=True)
        if not is_there:
            lost = self._heard.lost.get(section.device, Lost(section.device, "silent"))
            return Finding(named(section), why(section, lost))
        return standing(section, self._devices)

    def _acted(self, act: Act) -> Finding:
        self._heard.last.clear()
        self._tell(act.ask)
        is_done = self._wait(lambda: act.is_done(self._heard), self._to_act)
        if is_done is None:
            return Finding(act.what, skipped=True)
        return Finding(act.what, None if is_done else self._instead() or act.todo)

    def _instead(self) -> Say | None:
        """Two buttons whose wires are swapped are found by what is heard instead, and so is a broken tag."""
        if any(isinstance(each, TagUnread) for each in self._heard.last.values()):
            return say("A tag can't be read: it is broken or forged. Use another tag.")
        pushed = (each for each in self._heard.last.values() if isinstance(each, Pushed))
        others = ", ".join(f"{each.device} {each.cap}" for each in pushed)
        return (
            say("{others} responded instead of this button. Are two wires swapped?", others=others)
            if others
            else None
        )

    def _wait(self, is_so: Callable[[], bool], limit: float) -> bool | None:
        """Whether it came to that in time; None: people want to go on."""
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


def acts(section: Section) -> list[Act]:
    """What people are asked to do with a device."""
    match section:
        case Buttons():
            return [_press(section, cap, pin) for cap, pin in section.pins.items()]
        case Reader():
            return [_lay(section)]
    return [_type(section)]


def _press(section: Buttons, cap: str, pin: Pin) -> Act:
    button = say("{cap} ({pin}, pin {physical})", cap=cap, pin=str(pin), physical=pin.physical)

    def is_done(heard: Heard) -> bool:
        pushed = heard.last.get(section.device)
        return isinstance(pushed, Pushed) and pushed.cap == cap

    return Act(
        say("Press {button} on {device}.", button=button, device=named(section)),
        say("{device}: {button}", device=named(section), button=button),
        say("No signal arrived. Check the wires of this button."),
        is_done,
    )


def _type(section: Section) -> Act:
    return Act(
        say("Type a number and press OK on {device}.", device=named(section)),
        say("{device}: keys", device=named(section)),
        say("No key press arrived. Check the wires of the keys, or use another keypad."),
        lambda heard: not isinstance(heard.last.get(section.device), Found | Lost | None),
    )


def _lay(section: Reader) -> Act:
    return Act(
        say("Lay a tag on {device}.", device=named(section)),
        say("{device}: reading a tag", device=named(section)),
        say(
            "No tag was read. Lay the tag flat in the middle of the reader, or try another kind of tag: "
            "NTAG213, NTAG215, MIFARE Classic."
        ),
        lambda heard: bool(heard.lying.get(section.device)),
    )
