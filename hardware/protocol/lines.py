r"""One line on a serial cable: `SEQ BODY*CRC16\n`, in printable ASCII.

SEQ is a decimal number from 0 to 65535.
The CRC is CRC-16/IBM-3740 (also called CCITT-FALSE: polynomial 0x1021, start
0xFFFF, not reflected, no final xor; "123456789" gives 29B1) over everything
before the asterisk, as four upper-case hexadecimal digits.
Text for a display is ASCII too: half-width katakana are escaped as `%A1` to
`%DF`, their codes in JIS X 0201, and the percent sign as `%25`.
How a stream is cut into lines is the firmware's code, which runs here too.
What the body says is not known here (`hardware.protocol.protocol`).
"""

import re
from binascii import crc_hqx

from hardware.firmware.keypad.lines import MAX_LINE, MAX_SEQ
from hardware.panel import HALF_WIDTH

_LINE = re.compile(rb"((0|[1-9][0-9]{0,4}) ([ -~]+))\*([0-9A-F]{4})")


def is_after(seq: int, other: int) -> bool:
    """Whether a SEQ comes after another: it is one of the 32767 next, where 1 follows 65535."""
    return 0 < (seq - other) % MAX_SEQ <= MAX_SEQ // 2


class DamagedLine(ValueError):
    """A line that isn't what was sent, or never was a line."""


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 of the bytes."""
    return crc_hqx(data, 0xFFFF)


def write_line(seq: int, body: str) -> bytes:
    """Return the whole line; ValueError when it can't be written as one."""
    payload = f"{seq} {body}".encode("ascii")
    line = b"%b*%04X\n" % (payload, crc16(payload))
    if len(line) > MAX_LINE:
        raise ValueError(f"a line has at most {MAX_LINE} bytes, this one {len(line)}")
    read_line(line[:-1])
    return line


def read_line(line: bytes) -> tuple[int, str]:
    """Return SEQ and body of a line given without its newline.

    Raises DamagedLine when the form or the CRC is wrong.
    """
    match = _LINE.fullmatch(line)
    if match is None:
        raise DamagedLine("not of the form SEQ BODY*CRC16")
    payload, seq, body, crc = match.groups()
    if crc16(payload) != int(crc, 16):
        raise DamagedLine("the CRC doesn't fit")
    if int(seq) > MAX_SEQ:
        raise DamagedLine(f"SEQ is at most {MAX_SEQ}")
    return int(seq), body.decode("ascii")


KANA = 0xA1


def escape(text: str) -> str:
    """ASCII for a text of ASCII and half-width katakana."""
    return "".join(map(_escape, text))


def _escape(cell: str) -> str:
    if ord(cell) in HALF_WIDTH:
        return f"%{ord(cell) - HALF_WIDTH.start + KANA:02X}"
    return "%25" if cell == "%" else cell
