"""The keypad's side of the protocol, which its firmware has in MicroPython: it says what the host reads.

For tests and measurements.
"""

from collections.abc import Mapping
from typing import assert_never

from hardware.firmware.keypad.lines import unescape
from hardware.panel import Light
from hardware.protocol.lines import DamagedLine, write_line
from hardware.protocol.protocol import (
    BOOT,
    NUMBER,
    Ack,
    Beat,
    Entry,
    Form,
    FromHost,
    FromPad,
    Hello,
    Nak,
    Press,
    Show,
    Who,
    parsed,
)

TEXT = "((?:[ -$&-~]|%25|%A[1-9A-F]|%[BC][0-9A-F]|%D[0-9A-F])*)"
"""The form of an escaped text, as a regular expression with one group."""


def _show(boot: str, question: str, light: Light, text: str) -> Show:
    return Show(boot, int(question), light, unescape(text))


FROM_HOST: Mapping[str, Form[FromHost]] = {
    "WHO": ("", Who),
    "SHOW": (f" {BOOT} {NUMBER} (off|on|blink) {TEXT}", _show),
    "ACK": ("", Ack),
    "NAK": (f" {TEXT}", lambda text: Nak(unescape(text))),
}


def pad_line(seq: int, message: FromPad) -> bytes:
    """The line a keypad sends; SEQ numbers an answer and is 0 for the rest."""
    return write_line(seq, _pad_body(message))


def parse_host_line(line: bytes) -> tuple[int, FromHost]:
    """SEQ and message of a host's line; raises DamagedLine."""
    seq, message = parsed(line, FROM_HOST)
    if isinstance(message, Ack | Nak) != (seq > 0):
        raise DamagedLine("ACK and NAK have a SEQ above 0, any other line 0")
    return seq, message


def _pad_body(message: FromPad) -> str:
    match message:
        case Hello(version, name, firmware, boot, can):
            return f"HELLO {version} {name} {firmware} {boot} {','.join(can)}"
        case Beat(ms):
            return f"BEAT {ms}"
        case Entry(question, ms, numbers):
            return f"ENTRY {question} {ms} {'.'.join(map(str, numbers))}"
        case Press(question, ms, key):
            return f"PRESS {question} {ms} {key}"
        case _:
            assert_never(message)
