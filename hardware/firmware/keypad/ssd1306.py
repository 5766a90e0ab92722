"""A small graphic display, SSD1306 with 128 × 32 or 128 × 64 dots on I²C: two lines of sixteen letters."""

from machine import I2C, Pin

CAPABILITIES = "line16,kana"
LINE_LENGTH = 16
I2C_ADDRESS = 0x3C
RETRY_MS = 1000
"""Milliseconds until a display that didn't answer is tried again."""

# The data sheet's start for a module with its own charge pump, then the whole memory shown as it lies.
INIT_COMMANDS = b"\xae\xd5\x80\xd3\x00\x40\x8d\x14\x20\x00\xa1\xc8\x81\x7f\xd9\xf1\xdb\x40\xa4\xa6\x2e\xaf"
SIZE_COMMANDS_BY_HEIGHT = {32: b"\xa8\x1f\xda\x02", 64: b"\xa8\x3f\xda\x12"}
"""Commands for the number of rows and for how the rows are wired, by the display's height."""

_KANA = 0xFF61
_KANA_AT = 95
_UNKNOWN = ord("?")


class OledDisplay:
    """Driver of an SSD1306 with two lines; a missing display is tried again every second."""

    def __init__(self, data: int, clock: int, height: int) -> None:
        # GP0/1, GP4/5 … are the first I²C of the chip, GP2/3, GP6/7 … the second.
        self._bus = I2C(data // 2 % 2, sda=Pin(data), scl=Pin(clock), freq=400_000)
        self._pages = height // 8
        self._start = INIT_COMMANDS[:-1] + SIZE_COMMANDS_BY_HEIGHT[height] + INIT_COMMANDS[-1:]
        self._shown: dict[int, str] | None = None  # by page; None before the start
        self._retry_at = 0
        with open(__file__.rsplit("/", 1)[0] + "/font.bin", "rb") as font:  # noqa: PTH123 - no pathlib here
            self._font = font.read()

    def show_lines(self, host_line: str, own_line: str, now_ms: int) -> None:
        """Shows the host's line above and the keypad's own below; one call sends at most one of them."""
        if now_ms < self._retry_at:
            return
        try:
            if self._shown is None:
                self._begin()
            for page, line in ((0, host_line), (self._pages - 2, own_line)):
                if self._shown[page] != line:
                    self._write(page, line)
                    return
        except OSError:
            self._shown = None
            self._retry_at = now_ms + RETRY_MS

    def _begin(self) -> None:
        self._bus.writeto(I2C_ADDRESS, b"\x00" + self._start)
        for page in range(self._pages):
            self._send(page, bytes(LINE_LENGTH * 8))
        self._shown = {0: "", self._pages - 2: ""}

    def _write(self, page: int, line: str) -> None:
        letters = [self._dots(ord(character)) for character in (line + " " * LINE_LENGTH)[:LINE_LENGTH]]
        self._send(page, b"".join([dots[:8] for dots in letters]))
        self._send(page + 1, b"".join([dots[8:] for dots in letters]))
        self._shown[page] = line

    def _dots(self, code: int) -> bytes:
        at = code - _KANA + _KANA_AT if code >= _KANA else code - ord(" ")
        if not 0 <= at < len(self._font) // 16:
            at = _UNKNOWN - ord(" ")
        return self._font[16 * at : 16 * at + 16]

    def _send(self, page: int, dots: bytes) -> None:
        self._bus.writeto(I2C_ADDRESS, bytes([0, 0x21, 0, 127, 0x22, page, page]))
        self._bus.writeto(I2C_ADDRESS, b"\x40" + dots)
