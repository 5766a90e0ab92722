r"""Keypad protocol 1: the lines that a keypad and its host send; docs/keypad-protocol.md describes them.

    from hardware.keypad_protocol import ShowMessage, encode_host_line

    print(encode_host_line(0, ShowMessage(boot="9F2C1A07", question=7, light="blink", text="Bid")))
    # b'0 SHOW 9F2C1A07 7 blink Bid*FCAB\n'

A line is `SEQ BODY*CRC16\n` in printable ASCII. SEQ is a decimal number from 0 to 65535.
The CRC is CRC-16/IBM-3740 (also called CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, no final
xor; "123456789" gives 29B1) over everything before the asterisk, as four upper-case hexadecimal digits.
Text for a display is ASCII too: half-width katakana are escaped as `%A1` to `%DF`, their codes in JIS X 0201,
and the percent sign as `%25`.

This module writes the host's lines and reads a keypad's; the firmware knows what a keypad does with them. The
host cuts a stream into lines with the firmware's own code.
Host and keypad use different words, so an echo is never taken for the other side.
"""

import re
from binascii import crc_hqx
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar, assert_never

import msgspec

from hardware.device_drivers import HALF_WIDTH_KATAKANA, LightState
from hardware.firmware.keypad.lines import MAX_LINE_BYTES, MAX_SEQ
from hardware.signals import ControlKey

_LINE = re.compile(rb"((0|[1-9][0-9]{0,4}) ([ -~]+))\*([0-9A-F]{4})")


def parse_entry(entry: str) -> tuple[int, ...]:
    """Returns the numbers of an entry, which have points between them.

    A number after a point that begins with a needless 0 is `UNCLEAR_NUMBER`, and the desk refuses it:
    `7.05` must not count as 7½.
    """
    first, *others = entry.split(".")
    return int(first), *[UNCLEAR_NUMBER if number != str(int(number)) else int(number) for number in others]


def is_later_seq(seq: int, other: int) -> bool:
    """Returns whether `seq` comes after `other`: it is one of the next 32767, where 1 follows 65535."""
    return 0 < (seq - other) % MAX_SEQ <= MAX_SEQ // 2


class DamagedLine(ValueError):
    """Raised for a line that was damaged on the way, or that no keypad or host sends."""


def crc16(data: bytes) -> int:
    """Returns the CRC-16/IBM-3740 of the bytes."""
    return crc_hqx(data, 0xFFFF)


def encode_line(seq: int, body: str) -> bytes:
    """Encodes a SEQ and a body as a line; raises ValueError if the body can't be sent."""
    payload = f"{seq} {body}".encode("ascii")
    line = b"%b*%04X\n" % (payload, crc16(payload))
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"a line has at most {MAX_LINE_BYTES} bytes, this one {len(line)}")
    verify_and_split_line(line[:-1])
    return line


class KeypadLine(NamedTuple):
    """A line on the cable without its checksum: its sequence number, called SEQ, and its body."""

    sequence_number: int
    body: str


def verify_and_split_line(line: bytes) -> KeypadLine:
    """Verifies the form and the CRC of a line without its newline, and returns its parts.

    Raises DamagedLine if the form or the CRC is wrong.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise DamagedLine("not of the form SEQ BODY*CRC16")
    payload, seq, body, crc = match.groups()
    if crc16(payload) != int(crc, 16):
        raise DamagedLine("the CRC doesn't fit")
    if int(seq) > MAX_SEQ:
        raise DamagedLine(f"SEQ is at most {MAX_SEQ}")
    return KeypadLine(int(seq), body.decode("ascii"))


FIRST_KANA_CODE = 0xA1


def escape_katakana(text: str) -> str:
    """Escapes the katakana in a text for a keypad's display, so that the text is ASCII.

    The text has ASCII and half-width katakana. A katakana becomes `%` and its code in JIS X 0201, in two
    hexadecimal digits; `%` becomes `%25`.
    """
    return "".join(map(_escape_cell, text))


def _escape_cell(cell: str) -> str:
    if ord(cell) in HALF_WIDTH_KATAKANA:
        return f"%{ord(cell) - HALF_WIDTH_KATAKANA.start + FIRST_KANA_CODE:02X}"
    return "%25" if cell == "%" else cell


PROTOCOL_VERSION = 1
HEARTBEAT_SECONDS = 0.25
"""Time between two heartbeats, and between two attempts to send an answer."""
MAX_MISSED_HEARTBEATS = 3
"""Maximum heartbeats missed in a row: after this many, the other side counts as gone.

A heartbeat is missed if no intact line arrives meanwhile.
"""
MAX_ENTRY_LENGTH = 16
"""Maximum characters of an entry, with the points between its numbers."""
UNCLEAR_NUMBER = -(10**MAX_ENTRY_LENGTH)
"""Stands for a number after a point with a needless 0, as in `7.05`; it is below all numbers of an entry."""


class HelloMessage(msgspec.Struct, frozen=True):
    """A keypad's message HELLO: its id, firmware and capabilities.

    The keypad's program draws `boot` at random when it starts.
    """

    version: int
    keypad_id: str
    firmware: str
    boot: str
    capabilities: tuple[str, ...]


class HeartbeatMessage(msgspec.Struct, frozen=True):
    """A keypad's message that it is alive; `ms` is the time of its own clock."""

    ms: int


class EntryMessage(msgspec.Struct, frozen=True):
    """A keypad's message of an entry: numbers, then OK.

    OK was pressed at `ms`; the entry was begun while `question` was shown.
    """

    question: int
    ms: int
    numbers: tuple[int, ...]


class ControlKeyMessage(msgspec.Struct, frozen=True):
    """A keypad's message of a press that needs no numbers: OK, NO or OWN alone.

    OK and NO are answers; OWN asks for the seat's hidden pieces.
    """

    question: int
    ms: int
    key: ControlKey


class HelloRequestMessage(msgspec.Struct, frozen=True):
    """The host's message that asks a keypad for HELLO (sent as WHO)."""


class ShowMessage(msgspec.Struct, frozen=True):
    """The host's message with all that the keypad with this `boot` must show.

    The message is also the host's heartbeat.
    """

    boot: str
    question: int
    light: LightState
    text: str


class AnswerAcceptedMessage(msgspec.Struct, frozen=True):
    """The host's message that it has accepted the answer with the SEQ of this line."""


class AnswerRefusedMessage(msgspec.Struct, frozen=True):
    """The host's message that it has refused the answer with the SEQ of this line; `text` is the reason."""

    text: str


KeypadMessage: TypeAlias = HelloMessage | HeartbeatMessage | EntryMessage | ControlKeyMessage
HostMessage: TypeAlias = HelloRequestMessage | ShowMessage | AnswerAcceptedMessage | AnswerRefusedMessage
M = TypeVar("M")

LineParser: TypeAlias = tuple[str, Callable[..., M]]
"""Pattern of a line after its first word, and a function that makes a message of its groups."""

BOOT_PATTERN = "([0-9A-F]{8})"
NUMBER_PATTERN = "(0|[1-9][0-9]{0,9})"
CAPABILITIES_PATTERN = "([a-z0-9]+(?:,[a-z0-9]+)*)"
KEYPAD_ID_PATTERN = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,23}"
"""Pattern of a keypad's id."""


def _make_hello(version: str, keypad_id: str, firmware: str, boot: str, capabilities: str) -> HelloMessage:
    return HelloMessage(int(version), keypad_id, firmware, boot, tuple(capabilities.split(",")))


def _make_entry(question: str, ms: str, numbers: str) -> EntryMessage:
    if len(numbers) > MAX_ENTRY_LENGTH:
        raise DamagedLine(f"an entry has at most {MAX_ENTRY_LENGTH} characters")
    return EntryMessage(int(question), int(ms), parse_entry(numbers))


def _make_press(question: str, ms: str, key: ControlKey) -> ControlKeyMessage:
    return ControlKeyMessage(int(question), int(ms), key)


KEYPAD_LINE_PARSER_BY_WORD: Mapping[str, LineParser[KeypadMessage]] = {
    "HELLO": (
        f" ([1-9][0-9]?) ({KEYPAD_ID_PATTERN}) ({KEYPAD_ID_PATTERN}) {BOOT_PATTERN} {CAPABILITIES_PATTERN}",
        _make_hello,
    ),
    "BEAT": (f" {NUMBER_PATTERN}", lambda ms: HeartbeatMessage(int(ms))),
    "ENTRY": (rf" {NUMBER_PATTERN} {NUMBER_PATTERN} ([0-9]+(?:\.[0-9]+)*)", _make_entry),
    "PRESS": (f" {NUMBER_PATTERN} {NUMBER_PATTERN} (ok|no|own)", _make_press),
}


def encode_host_line(seq: int, message: HostMessage) -> bytes:
    """Encodes a message of the host as a line.

    ACK and NAK have the SEQ of the answer, other lines have 0.
    """
    return encode_line(seq, _format_host_body(message))


class NumberedMessage(NamedTuple, Generic[M]):
    """A message with the sequence number, called SEQ, of its line."""

    sequence_number: int
    message: M


def parse_keypad_line(line: bytes) -> NumberedMessage[KeypadMessage]:
    """Parses a line of a keypad. Raises DamagedLine."""
    parsed = parse_message_line(line, KEYPAD_LINE_PARSER_BY_WORD)
    if isinstance(parsed.message, EntryMessage | ControlKeyMessage) != (parsed.sequence_number > 0):
        raise DamagedLine("an answer has a SEQ above 0, any other line 0")
    return parsed


def _format_host_body(message: HostMessage) -> str:
    match message:
        case HelloRequestMessage():
            return "WHO"
        case ShowMessage(boot, question, light, text):
            return f"SHOW {boot} {question} {light} {escape_katakana(text)}"
        case AnswerAcceptedMessage():
            return "ACK"
        case AnswerRefusedMessage(text):
            return f"NAK {escape_katakana(text)}"
        case _:
            assert_never(message)


def parse_message_line(line: bytes, parser_by_word: Mapping[str, LineParser[M]]) -> NumberedMessage[M]:
    """Parses a line by the parser for its first word. Raises DamagedLine."""
    seq, body = verify_and_split_line(line)
    word = body.partition(" ")[0]
    if word not in parser_by_word:  # an unknown word must not become part of a pattern either
        raise DamagedLine("no kind of line that is known here")
    pattern, make_message = parser_by_word[word]
    match = re.fullmatch(word + pattern, body)
    if match is None:
        raise DamagedLine("not of the form of its kind")
    return NumberedMessage(seq, make_message(*match.groups()))
