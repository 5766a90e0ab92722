"""What a device can say.

A signal is what happened at a device, nothing more: whose turn it is and what
an answer means are not known here.
`device` is the name the device has in the wiring ("keypad 1").
Until a device has said `Found` it counts as missing.
`at` is when the key went down, in seconds of this machine's monotonic clock
(`time.monotonic`); a keypad's own clock is converted, so that an answer that
had to be repeated keeps the time of its press.
"""

from typing import Literal, TypeAlias

import msgspec

YesNo: TypeAlias = Literal["ok", "no"]
"""Answers by themselves: confirm, and withdraw or pass."""

Key: TypeAlias = Literal["ok", "no", "own"]
"""Keys by themselves: confirm; withdraw or pass; and to see what lies covered before one's own seat."""

Cap: TypeAlias = Literal["tap", "minus", "plus", "ok"]
"""A seat's buttons, by the key that names them in the wiring."""

PadCap: TypeAlias = Literal["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "DEL", "NO", "OK", "OWN"]
"""What is printed on a keypad's keys; a number pad's own stand for these (`hardware.numpads.event_files`)."""

Why: TypeAlias = Literal[
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

unplugged: its port is gone; silent: the port is there, but nothing answers (of a
keypad three heartbeats are missing); another: a keypad with another id is at its
port; protocol: it speaks another version; denied: only members of the group
`Lost.what` may open it; failed: the program that reads the devices stopped;
no_package: what it needs to be read isn't installed.
Of what is at the pins, no_pins: this machine has none or gives none; taken: another program
holds one, `Lost.what` says which and which one; of buttons, stuck: one doesn't
come up again; chatters: one has a loose wire; dead: the program that reads them
stopped.
Of a number pad, busy: another program has grabbed it; stuck: a key has been
down since before it was plugged in; dead: the program that reads them stopped.
"""


Unread: TypeAlias = Literal["check", "mark"]
"""Why a tag can't be read.

check: its check byte doesn't fit its id; mark: its id begins with 88, the mark of a longer one, and it says
that there is no more, or the other way round.
"""


class Pressed(msgspec.Struct, frozen=True):
    """OK, NO or OWN alone, pressed while `question` stood on the device (0: none)."""

    device: str
    question: int
    key: Key
    at: float
    receipt: int
    """By this the keypads know which press is meant when it is settled."""


class Typed(msgspec.Struct, frozen=True):
    """Numbers and OK: (12,) is an amount or a choice, (2, 3) two counts."""

    device: str
    question: int
    numbers: tuple[int, ...]
    at: float
    receipt: int


class Pushed(msgspec.Struct, frozen=True):
    """One of a seat's buttons went down."""

    device: str
    cap: Cap
    at: float


class Held(msgspec.Struct, frozen=True):
    """It has been down for a while, and is so again and again until it comes up."""

    device: str
    cap: Cap
    at: float


class LetGo(msgspec.Struct, frozen=True):
    """It came up."""

    device: str
    cap: Cap
    at: float


class KeyDown(msgspec.Struct, frozen=True):
    """One of a number pad's keys went down; `cap` None: the pad was pulled out, its keys were for nothing."""

    device: str
    cap: PadCap | None
    at: float


class Found(msgspec.Struct, frozen=True):
    """The device is there and may be used."""

    device: str


class Lost(msgspec.Struct, frozen=True):
    """The device can't be used until it says `Found` again."""

    device: str
    why: Why
    what: str = ""
    """Which part of it, if it has several, such as `plus (GPIO6)`; or whose members may open it."""


class Doubled(msgspec.Struct, frozen=True):
    """Another keypad, at this port, claims to be this one, which is there and stays; the other isn't used."""

    device: str
    id: str
    port: str


class TagArrived(msgspec.Struct, frozen=True):
    """A tag was laid where none of its UID lay before."""

    device: str
    zone: str
    """The place of the reader as the wiring names it ("market")."""
    tag: str
    """Its UID in hexadecimal digits: 8, 14 or 20 of them."""
    at: float


class TagLeft(msgspec.Struct, frozen=True):
    """A tag that had arrived is gone; `at` is when that was sure."""

    device: str
    zone: str
    tag: str
    at: float


class TagUnread(msgspec.Struct, frozen=True):
    """Something lies there whose id can't be: it is never taken for a tag."""

    device: str
    zone: str
    why: Unread
    tag: str
    """What it says of itself, in hexadecimal digits."""
    at: float


Given: TypeAlias = Pressed | Typed
"""An answer as a device gives it, which waits to be settled: taken, or refused with a sentence."""

Moved: TypeAlias = Pushed | Held | LetGo | KeyDown
"""What buttons and number pads say; `hardware.desk.schemes` and `hardware.desk.keying` know what it means."""

Tag: TypeAlias = TagArrived | TagLeft | TagUnread
"""What readers say."""

Signal: TypeAlias = Given | Moved | Tag | Found | Lost | Doubled
"""All that a device can say."""
