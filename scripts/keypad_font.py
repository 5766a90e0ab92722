"""`python -m scripts.keypad_font UNIFONT.HEX`: the letters of the keypads' graphic display, again.

Takes the printable ASCII and the half-width katakana of GNU Unifont (Debian: /usr/share/unifont/unifont.hex)
and turns them the way an SSD1306 wants its bytes: 16 a letter, first the eight columns of the upper half,
then those of the lower, the topmost dot in the lowest bit.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

FONT = Path(__file__).parents[1] / "hardware/firmware/keypad/font.bin"
CHARACTERS = [*range(0x20, 0x7F), *range(0xFF61, 0xFFA0)]
ROWS = 16


def columns(rows: bytes) -> Iterator[int]:
    """The bytes of a letter of 8 × 16 dots that is given row by row, the leftmost dot in the highest bit."""
    for half in (rows[:8], rows[8:]):
        for column in range(8):
            yield sum((row >> 7 - column & 1) << at for at, row in enumerate(half))


def main() -> None:
    """Write the font."""
    lines = Path(sys.argv[1]).read_text("ascii").split()
    glyphs = {int(code, 16): bytes.fromhex(rows) for code, _, rows in (line.partition(":") for line in lines)}
    FONT.write_bytes(b"".join(bytes(columns(glyphs[code])) for code in CHARACTERS))


if __name__ == "__main__":
    main()
