"""Four digits with a TM1637 on two wires: the entry while one is typed, else the host's line, scrolling."""

import time

from machine import Pin

CAPABILITIES = "line16"
DIGIT_COUNT = 4
SCROLL_STEP_MS = 300
"""Milliseconds per character, when a line is too long and scrolls."""
HALF_BIT_MICROSECONDS = 10
"""Half the clock period in microseconds.

The chip allows shorter ones, but many modules have capacitors on both wires.
"""
DISPLAY_ON_COMMAND = 0x8A
"""Command that switches the display on, with brightness 3 of 8."""

SEGMENTS = (
    b"\x00\x82\x22\x76\x6d\x52\x7d\x02\x39\x0f\x63\x70\x04\x40\x08\x52"
    b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f\x48\x48\x58\x48\x4c\x53"
    b"\x5f\x77\x7c\x39\x5e\x79\x71\x3d\x76\x06\x1e\x75\x38\x37\x54\x3f"
    b"\x73\x67\x50\x6d\x78\x3e\x1c\x7e\x76\x6e\x5b\x39\x64\x0f\x23\x08"
)
"""The lit segments of the ASCII characters from the space to the underscore.

The lowest bit is the top segment, then clockwise, the middle last.
"""


def encode_segments(text: str) -> bytes:
    """Returns the lit segments of each character; 0 for what seven segments can't show."""
    codes = [ord(character) - ord(" ") for character in text.upper()]
    return bytes([SEGMENTS[code] if 0 <= code < len(SEGMENTS) else 0 for code in codes])


def format_entry(entry: str) -> str:
    """Returns an entry in four digits, as `2- 3` if it has several numbers; dashes if a number is too long.

    A `>` before an entry that is being sent gives way to its digits. Nobody should trust half of a number.
    """
    earlier_numbers, _, number = entry.rpartition(".")
    if earlier_numbers:
        number = f"{earlier_numbers.count('.') + 2}-{number:>2}"
    elif len(number) > DIGIT_COUNT and number[0] == ">":
        number = number[1:]
    return f"{number:>4}" if len(number) <= DIGIT_COUNT else "----"


class SegmentDisplay:
    """Driver of a TM1637: an entry, or a line that scrolls."""

    def __init__(self, clock: int, data: int) -> None:
        self._clock = Pin(clock, Pin.OUT, value=1)
        self._data = Pin(data, Pin.OUT, value=1)
        self._host_line = ""
        self._line_shown_since = 0
        self._shown = b""

    def show_lines(self, host_line: str, own_line: str, now_ms: int) -> None:
        """Shows the entry, or else the host's line, as far as four digits allow."""
        if host_line != self._host_line:
            self._host_line, self._line_shown_since = host_line, now_ms
        segments = encode_segments(format_entry(own_line) if own_line else self._visible_part_of_line(now_ms))
        if segments != self._shown:
            self._shown = segments
            self._send(b"\x40")  # write, with addresses that count up
            self._send(b"\xc0" + segments)
            self._send(bytes([DISPLAY_ON_COMMAND]))

    def _visible_part_of_line(self, now_ms: int) -> str:
        offset = 0
        if len(self._host_line) > DIGIT_COUNT:
            # The line stays at its beginning for three steps, and leaves a gap before it comes again.
            offset = max(
                0, (now_ms - self._line_shown_since) // SCROLL_STEP_MS % (len(self._host_line) + 7) - 3
            )
        return (self._host_line + " " * DIGIT_COUNT)[offset : offset + DIGIT_COUNT]

    def _send(self, data: bytes) -> None:
        self._data.value(0)
        for byte in data:
            for bit in range(8):
                self._clock_bit(byte >> bit & 1)
            # The chip pulls the data low to acknowledge the byte. The driver pulls it low, too, so that
            # neither drives against the other. It ignores a missing acknowledgement, because nothing could be
            # done about it.
            self._clock_bit(0)
        self._clock.value(0)
        self._data.value(0)
        time.sleep_us(HALF_BIT_MICROSECONDS)
        self._clock.value(1)
        time.sleep_us(HALF_BIT_MICROSECONDS)
        self._data.value(1)

    def _clock_bit(self, bit: int) -> None:
        self._clock.value(0)
        self._data.value(bit)
        time.sleep_us(HALF_BIT_MICROSECONDS)
        self._clock.value(1)
        time.sleep_us(HALF_BIT_MICROSECONDS)
