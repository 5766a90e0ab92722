"""The signals that devices send, and the inbox through which they reach the game's thread.

    import threading

    from hardware.signals import DeviceFound, Inbox

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    inbox.put(DeviceFound("keypad 1"))  # from any thread
    awake.wait()
    print(inbox.drain())  # in the game's thread

A signal says what happened at a device. The module doesn't know whose turn it is or what an answer means.
`device` is the name of the device in the wiring ("keypad 1"). A device counts as missing until it sends
`DeviceFound`.
`at` is when the key went down, in seconds of this machine's monotonic clock (`time.monotonic`). Times of a
keypad's own clock are converted, so an answer that is sent again keeps the time of its press.
`receipt` is the number by which a keypad's session finds an answer again when it is accepted or refused.
"""

import threading
from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from companion.half_numbers import WholeOrHalf
from companion.web.link import AnyFromWeb

OkOrNoKey: TypeAlias = Literal["ok", "no"]
"""The keys OK and NO, which answer a question: OK confirms, NO withdraws or passes."""

ControlKey: TypeAlias = Literal["ok", "no", "own"]
"""Control keys, which are the keys without a digit: OK, NO and OWN.

OK confirms; NO withdraws or passes; OWN shows the seat's hidden pieces.
"""

ButtonName: TypeAlias = Literal["tap", "minus", "plus", "ok"]
"""The buttons of a seat, by their keys in hardware.toml."""

PadKey: TypeAlias = Literal["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "DEL", "NO", "OK", "OWN"]
"""The keys of a keypad; keys of a number pad stand for them too (`hardware.input_events`)."""

LostReason: TypeAlias = Literal[
    "unplugged",
    "silent",
    "another",
    "protocol",
    "failed",
    "no_package",
    "no_pins",
    "taken",
    "denied",
    "busy",
    "stuck",
    "chatters",
    "dead",
]
"""Why a device is lost.

- unplugged: the port is gone.
- silent: the port is there, but nothing answers; of a keypad three heartbeats are missing.
- another: a keypad with a different id is at this port.
- protocol: the keypad speaks another version of the protocol.
- denied: only members of the group in `DeviceLost.detail` may open the device.
- failed: the thread that reads the devices has crashed.
- no_package: a package that the driver needs isn't installed.

Of devices at pins:

- no_pins: this machine has no pins, or can't give these.
- taken: another program holds a pin; `DeviceLost.detail` names the program and the pin.
- stuck: a button doesn't come up again.
- chatters: a button has a loose wire.
- dead: the thread that reads the buttons has crashed.

Of a number pad:

- busy: another program has grabbed the pad.
- stuck: a key has been down since before the pad was plugged in.
- dead: the thread that reads the pads has crashed."""


UnreadableTagReason: TypeAlias = Literal["check", "mark"]
"""Why a tag can't be read.

check: the check byte doesn't fit the id. mark: the id begins with 88, the mark of a longer id, but the tag
reports that there is no more; or the other way round.
"""


class ControlKeyAnswer(msgspec.Struct, frozen=True):
    """A control key pressed alone as an answer: OK, NO or OWN.

    The key was pressed while the device showed `question` (0: no question).
    """

    device: str
    question: int
    key: ControlKey
    at: float
    receipt: int


class NumbersAnswer(msgspec.Struct, frozen=True):
    """An answer of numbers, entered with OK.

    (12,) is an amount or a choice, (2, 3) are two counts.
    """

    device: str
    question: int
    numbers: tuple[WholeOrHalf, ...]
    at: float
    receipt: int


class ButtonDown(msgspec.Struct, frozen=True):
    """A button of a seat went down."""

    device: str
    button: ButtonName
    at: float


class ButtonStillHeld(msgspec.Struct, frozen=True):
    """A button of a seat is held down; the signal is repeated until the button comes up."""

    device: str
    button: ButtonName
    at: float


class ButtonUp(msgspec.Struct, frozen=True):
    """A button of a seat came up."""

    device: str
    button: ButtonName
    at: float


class NumpadKeyDown(msgspec.Struct, frozen=True):
    """A key of a number pad went down; `key` None means that the pad was unplugged and its entry is void."""

    device: str
    key: PadKey | None
    at: float


class DeviceFound(msgspec.Struct, frozen=True):
    """The device is connected and can be used."""

    device: str


class DeviceLost(msgspec.Struct, frozen=True):
    """The device can't be used until it sends `DeviceFound`."""

    device: str
    reason: LostReason
    detail: str = ""
    """Detail of the reason: a part of the device, such as `plus (GPIO6)`.

    Or the program that holds the device, or the group that may open it.
    """


class DuplicateKeypad(msgspec.Struct, frozen=True):
    """A second keypad, at `port`, has the same id as the keypad `device`; the second keypad isn't used."""

    device: str
    id: str
    port: str


class TagArrived(msgspec.Struct, frozen=True):
    """A tag was laid on a reader; no tag with its UID was there before."""

    device: str
    zone: str
    """The place of the reader in the wiring, such as "market"."""
    tag: str
    """The UID in 8, 14 or 20 hexadecimal digits."""
    at: float


class TagLeft(msgspec.Struct, frozen=True):
    """A tag was removed from a reader; `at` is when that was certain."""

    device: str
    zone: str
    tag: str
    at: float


class TagUnreadable(msgspec.Struct, frozen=True):
    """A tag on the reader can't be read; such a tag never counts as a card."""

    device: str
    zone: str
    reason: UnreadableTagReason
    claimed_tag: str
    """The UID that the tag claims, in hexadecimal digits."""
    at: float


ALL_PHONES = "phones"
"""The name under which all phones and browsers send signals."""


class PhoneSignal(msgspec.Struct, frozen=True):
    """A message of the process that faces the network: what a browser or a phone did."""

    message: AnyFromWeb
    device: str = ALL_PHONES


class WebLinkLost(msgspec.Struct, frozen=True):
    """The process that faces the network has ended; no phone is connected any more."""

    device: str = ALL_PHONES


DeviceAnswer: TypeAlias = ControlKeyAnswer | NumbersAnswer
"""An answer from a device; the device waits until the answer is accepted, or refused with a sentence."""

RawInput: TypeAlias = ButtonDown | ButtonStillHeld | ButtonUp | NumpadKeyDown
"""Raw input: presses on buttons and number pads, of which `hardware.desk.entry` makes answers."""

TagSignal: TypeAlias = TagArrived | TagLeft | TagUnreadable
"""Signals of readers."""

RECEIPT_NOT_NEEDED = 0
"""Receipt of an answer from buttons or a number pad, which get no confirmation of their answers."""

WebSignal: TypeAlias = PhoneSignal | WebLinkLost
"""What happens on phones and browsers, which have no wiring."""

Signal: TypeAlias = (
    DeviceAnswer | RawInput | TagSignal | DeviceFound | DeviceLost | DuplicateKeypad | WebSignal
)
"""All signals of devices."""


class Inbox:
    """A queue of signals: `put` from any thread, `drain` from the game's thread.

    `wake` is called in the putting thread whenever an empty inbox gets its first signal. It must return at
    once and must not raise.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._signals: list[Signal] = []

    def put(self, signal: Signal) -> None:
        """Puts a signal into the inbox, and wakes the game's thread if the inbox was empty."""
        with self._lock:
            was_empty = not self._signals
            self._signals.append(signal)
        if was_empty:
            self._wake()

    def drain(self) -> list[Signal]:
        """Returns all signals since the last call, the oldest first."""
        with self._lock:
            drained, self._signals = self._signals, []
        return drained
