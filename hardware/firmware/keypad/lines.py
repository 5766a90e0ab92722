r"""One line on the cable: `SEQ BODY*CRC16\n`, in printable ASCII. See docs/keypad-protocol.md."""

MAX_LINE_BYTES = 120
"""Maximum bytes of a line, newline included."""
MAX_SEQ = 65535

_SPACE, _TILDE = 0x20, 0x7E
_PERCENT = 0x25
_FIRST_KANA_CODE, _LAST_KANA_CODE = 0xA1, 0xDF
_FIRST_HALF_WIDTH_KATAKANA = 0xFF61
_CRC_BY_NIBBLE = tuple(nibble * 0x1021 & 0xFFFF for nibble in range(16))


def crc16(data: bytes) -> int:
    """Returns the CRC-16/IBM-3740 of the bytes; MicroPython's binascii has none."""
    crc = 0xFFFF
    for byte in data:
        crc = crc << 4 & 0xFFFF ^ _CRC_BY_NIBBLE[crc >> 12 ^ byte >> 4]
        crc = crc << 4 & 0xFFFF ^ _CRC_BY_NIBBLE[crc >> 12 ^ byte & 15]
    return crc


def encode_line(seq: int, body: str) -> bytes:
    """Encodes a SEQ and a body as a line with its CRC and newline."""
    payload = f"{seq} {body}"
    return f"{payload}*{crc16(payload.encode()):04X}\n".encode()


def verify_and_split_line(line: bytes) -> tuple[int, str] | None:
    """Verifies the CRC of a line without its newline; returns its SEQ and body, or None if it is damaged."""
    if min(line, default=0) < _SPACE or max(line) > _TILDE:
        return None
    payload, _, crc = line.decode().rpartition("*")
    seq, _, body = payload.partition(" ")
    if crc != f"{crc16(payload.encode()):04X}" or not seq.isdigit() or not body:
        return None
    return int(seq), body


def unescape_katakana(text: str) -> str:
    """Decodes the text of a display: `%A1` to `%DF` are half-width katakana, `%25` the percent sign.

    Raises ValueError for any other escape.
    """
    first, *escaped = text.split("%")
    return first + "".join(_decode_escape(int(part[:2], 16)) + part[2:] for part in escaped)


def _decode_escape(code: int) -> str:
    if code == _PERCENT:
        return "%"
    if _FIRST_KANA_CODE <= code <= _LAST_KANA_CODE:
        return chr(code - _FIRST_KANA_CODE + _FIRST_HALF_WIDTH_KATAKANA)
    raise ValueError("no such escape")


class LineSplitter:
    """Splits a stream of bytes at newlines, in bounded memory; too long lines are dropped."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_dropping_line = False

    def feed_bytes(self, data: bytes) -> list[bytes]:
        """Adds received bytes; returns the lines that are complete now, without their newlines."""
        *lines, rest = (self._rest + data).split(b"\n")
        if lines and self._is_dropping_line:
            lines[0] = b""
            self._is_dropping_line = False
        self._is_dropping_line = self._is_dropping_line or len(rest) >= MAX_LINE_BYTES
        self._rest = b"" if self._is_dropping_line else rest
        return [line for line in lines if 0 < len(line) < MAX_LINE_BYTES]
