r"""Keypad protocol 1: what a keypad and its host say, as values and as bodies of lines.

    from hardware.protocol.protocol import Show, host_line

    print(host_line(0, Show(boot="9F2C1A07", question=7, light="blink", text="Bid")))
    # b'0 SHOW 9F2C1A07 7 blink Bid*FCAB\n'

The host writes its own lines and reads a keypad's; what a keypad does with them its firmware knows.
The words of the two sides differ, so that an echo is never taken for the other side.
docs/keypad-protocol.md describes each line.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar, assert_never

import msgspec

from hardware.panel import Light
from hardware.protocol.lines import DamagedLine, escape, read_line, write_line
from hardware.signals import Key

VERSION = 1
HEARTBEAT = 0.25
"""Seconds between two heartbeats, and between two tries of an answer."""
MISSED = 3
"""Heartbeats without an intact line after which the other side counts as gone."""
ENTRY_LENGTH = 16
"""Characters in the longest entry, points between its numbers included."""


class Hello(msgspec.Struct, frozen=True):
    """Who the keypad is; `boot` is drawn again whenever its program starts."""

    version: int
    id: str
    firmware: str
    boot: str
    can: tuple[str, ...]


class Beat(msgspec.Struct, frozen=True):
    """The keypad is alive; `ms` is its own clock."""

    ms: int


class Entry(msgspec.Struct, frozen=True):
    """An answer: numbers, then OK at `ms`, begun while `question` was shown."""

    question: int
    ms: int
    numbers: tuple[int, ...]


class Press(msgspec.Struct, frozen=True):
    """An answer, OK or NO alone; or OWN, which asks what lies covered before the seat."""

    question: int
    ms: int
    key: Key


class Who(msgspec.Struct, frozen=True):
    """The host asks for HELLO."""


class Show(msgspec.Struct, frozen=True):
    """The host's heartbeat: all that the keypad with this `boot` shows."""

    boot: str
    question: int
    light: Light
    text: str


class Ack(msgspec.Struct, frozen=True):
    """The answer with this line's SEQ is taken."""


class Nak(msgspec.Struct, frozen=True):
    """The answer with this line's SEQ is not taken; `text` says why."""

    text: str


FromPad: TypeAlias = Hello | Beat | Entry | Press
FromHost: TypeAlias = Who | Show | Ack | Nak
M = TypeVar("M")

Form: TypeAlias = tuple[str, Callable[..., M]]
"""What stands after a line's first word, and what its groups make."""

BOOT = "([0-9A-F]{8})"
NUMBER = "(0|[1-9][0-9]{0,9})"
ID = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,23}"
"""The form of a keypad's id."""


def _hello(version: str, name: str, firmware: str, boot: str, can: str) -> Hello:
    return Hello(int(version), name, firmware, boot, tuple(can.split(",")))


def _entry(question: str, ms: str, numbers: str) -> Entry:
    if len(numbers) > ENTRY_LENGTH:
        raise DamagedLine(f"an entry has at most {ENTRY_LENGTH} characters")
    return Entry(int(question), int(ms), tuple(map(int, numbers.split("."))))


def _press(question: str, ms: str, key: Key) -> Press:
    return Press(int(question), int(ms), key)


FROM_PAD: Mapping[str, Form[FromPad]] = {
    "HELLO": (f" ([1-9][0-9]?) ({ID}) ({ID}) {BOOT} ([a-z0-9]+(?:,[a-z0-9]+)*)", _hello),
    "BEAT": (f" {NUMBER}", lambda ms: Beat(int(ms))),
    "ENTRY": (rf" {NUMBER} {NUMBER} ([0-9]+(?:\.[0-9]+)*)", _entry),
    "PRESS": (f" {NUMBER} {NUMBER} (ok|no|own)", _press),
}


def host_line(seq: int, message: FromHost) -> bytes:
    """The line a host sends; ACK and NAK have the SEQ of the answer, the rest 0."""
    return write_line(seq, _host_body(message))


def parse_pad_line(line: bytes) -> tuple[int, FromPad]:
    """SEQ and message of a keypad's line; raises DamagedLine."""
    seq, message = parsed(line, FROM_PAD)
    if isinstance(message, Entry | Press) != (seq > 0):
        raise DamagedLine("an answer has a SEQ above 0, any other line 0")
    return seq, message


def _host_body(message: FromHost) -> str:
    match message:
        case Who():
            return "WHO"
        case Show(boot, question, light, text):
            return f"SHOW {boot} {question} {light} {escape(text)}"
        case Ack():
            return "ACK"
        case Nak(text):
            return f"NAK {escape(text)}"
        case _:
            assert_never(message)


def parsed(line: bytes, forms: Mapping[str, Form[M]]) -> tuple[int, M]:
    """SEQ and message of a line that has one of these forms; raises DamagedLine."""
    seq, body = read_line(line)
    word = body.partition(" ")[0]
    if word not in forms:  # and must be no part of a pattern either
        raise DamagedLine("no kind of line that is known here")
    form, make = forms[word]
    match = re.fullmatch(word + form, body)
    if match is None:
        raise DamagedLine("not of the form of its kind")
    return seq, make(*match.groups())
