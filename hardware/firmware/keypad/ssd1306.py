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

_FIRST_HALF_WIDTH_KATAKANA = 0xFF61
_FIRST_KATAKANA_IN_FONT = 95
_UNKNOWN_CHARACTER = ord("?")


class OledDisplay:
    """Driver of an SSD1306 with two lines; a missing display is tried again every second."""

    def __init__(self, data: int, clock: int, height: int) -> None:
        # GP0/1, GP4/5 … are the first I²C of the chip, GP2/3, GP6/7 … the second.
        self._bus = I2C(data // 2 % 2, sda=Pin(data), scl=Pin(clock), freq=400_000)
        self._pages = height // 8
        self._init_commands = INIT_COMMANDS[:-1] + SIZE_COMMANDS_BY_HEIGHT[height] + INIT_COMMANDS[-1:]
        self._shown_line_by_page: dict[int, str] | None = None  # None before the display is initialised
        self._retry_at = 0
        with open(__file__.rsplit("/", 1)[0] + "/font.bin", "rb") as font:  # noqa: PTH123 - no pathlib here
            self._font = font.read()

    def show_lines(self, host_line: str, own_line: str, now_ms: int) -> None:
        """Shows the host's line above and the keypad's own below; one call sends at most one of them."""
        if now_ms < self._retry_at:
            return
        try:
            if self._shown_line_by_page is None:
                self._init_display()
            for page, line in ((0, host_line), (self._pages - 2, own_line)):
                if self._shown_line_by_page[page] != line:
                    self._write_line(page, line)
                    return
        except OSError:
            self._shown_line_by_page = None
            self._retry_at = now_ms + RETRY_MS

    def _init_display(self) -> None:
        self._bus.writeto(I2C_ADDRESS, b"\x00" + self._init_commands)
        for page in range(self._pages):
            self._send_page(page, bytes(LINE_LENGTH * 8))
        self._shown_line_by_page = {0: "", self._pages - 2: ""}

    def _write_line(self, page: int, line: str) -> None:
        letters = [
            self._dots_of_character(ord(character)) for character in (line + " " * LINE_LENGTH)[:LINE_LENGTH]
        ]
        self._send_page(page, b"".join([dots[:8] for dots in letters]))
        self._send_page(page + 1, b"".join([dots[8:] for dots in letters]))
        self._shown_line_by_page[page] = line

    def _dots_of_character(self, code: int) -> bytes:
        index = (
            code - _FIRST_HALF_WIDTH_KATAKANA + _FIRST_KATAKANA_IN_FONT
            if code >= _FIRST_HALF_WIDTH_KATAKANA
            else code - ord(" ")
        )
        if not 0 <= index < len(self._font) // 16:
            index = _UNKNOWN_CHARACTER - ord(" ")
        return self._font[16 * index : 16 * index + 16]

    def _send_page(self, page: int, dots: bytes) -> None:
        self._bus.writeto(I2C_ADDRESS, bytes([0, 0x21, 0, 127, 0x22, page, page]))
        self._bus.writeto(I2C_ADDRESS, b"\x40" + dots)
