"""The keypad's side of the protocol, which its firmware has in MicroPython: it says what the host reads.

For tests and measurements.
"""

from collections.abc import Mapping
from typing import assert_never

from hardware.device_drivers import LightState
from hardware.firmware.keypad.lines import unescape_katakana
from hardware.keypad_protocol import (
    BOOT_PATTERN,
    NUMBER_PATTERN,
    AnswerAcceptedMessage,
    AnswerRefusedMessage,
    ControlKeyMessage,
    DamagedLine,
    EntryMessage,
    HeartbeatMessage,
    HelloMessage,
    HelloRequestMessage,
    HostMessage,
    KeypadMessage,
    LineParser,
    ShowMessage,
    encode_line,
    parse_message_line,
)

TEXT = "((?:[ -$&-~]|%25|%A[1-9A-F]|%[BC][0-9A-F]|%D[0-9A-F])*)"
"""The form of an escaped text, as a regular expression with one group."""


def _show(boot: str, question: str, light: LightState, text: str) -> ShowMessage:
    return ShowMessage(boot, int(question), light, unescape_katakana(text))


FROM_HOST: Mapping[str, LineParser[HostMessage]] = {
    "WHO": ("", HelloRequestMessage),
    "SHOW": (f" {BOOT_PATTERN} {NUMBER_PATTERN} (off|on|blink) {TEXT}", _show),
    "ACK": ("", AnswerAcceptedMessage),
    "NAK": (f" {TEXT}", lambda text: AnswerRefusedMessage(unescape_katakana(text))),
}


def pad_line(seq: int, message: KeypadMessage) -> bytes:
    """The line a keypad sends; SEQ numbers an answer and is 0 for the rest."""
    return encode_line(seq, _pad_body(message))


def parse_host_line(line: bytes) -> tuple[int, HostMessage]:
    """SEQ and message of a host's line; raises DamagedLine."""
    seq, message = parse_message_line(line, FROM_HOST)
    if isinstance(message, AnswerAcceptedMessage | AnswerRefusedMessage) != (seq > 0):
        raise DamagedLine("ACK and NAK have a SEQ above 0, any other line 0")
    return seq, message


def _pad_body(message: KeypadMessage) -> str:
    match message:
        case HelloMessage(version, name, firmware, boot, can):
            return f"HELLO {version} {name} {firmware} {boot} {','.join(can)}"
        case HeartbeatMessage(ms):
            return f"BEAT {ms}"
        case EntryMessage(question, ms, numbers):
            return f"ENTRY {question} {ms} {'.'.join(map(str, numbers))}"
        case ControlKeyMessage(question, ms, key):
            return f"PRESS {question} {ms} {key}"
        case _:
            assert_never(message)
