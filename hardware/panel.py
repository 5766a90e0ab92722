"""What the devices of a seat show: one line, one light, and the number of the question.

    from hardware.panel import SeatPanel, fit_to_display

    panel = SeatPanel(question=7, line="Bid more than 4", light="blink")
    print(fit_to_display("ベン > 4", width_cells=16, has_kana=True))  # ﾍﾞﾝ > 4

The desk decides what to show. `fit_to_display` fits a text into the cells of a character display.
"""

import re
import unicodedata
from typing import Literal, TypeAlias

import msgspec

from companion.half_numbers import HALF_SIGN

LightState: TypeAlias = Literal["off", "on", "blink"]
BLINK_HALF_PERIOD_SECONDS = 0.25
"""Time for which a blinking light is on, and then off."""


class SeatPanel(msgspec.Struct, frozen=True):
    """Everything that the devices of a seat show; `question` is 0 if nothing is asked of the seat."""

    question: int = 0
    line: str = ""
    light: LightState = "off"
    seat_colour: str = ""
    """The colour of the seat; "" where nobody plays."""
    is_sealed: bool = False
    """Whether the answer is sealed: nothing that others see or hear may depend on the entry."""
    entry: str = ""
    """The current entry on a device of the seat that has no display of its own."""


REPLACEMENT_CHARACTER = "?"
"""Replaces a character that a display doesn't have."""
HALF_WIDTH_KATAKANA = range(0xFF61, 0xFFA0)
"""The codes of half-width katakana, the kana that a character display has (JIS X 0201)."""

_HALF_WIDTH_BY_FULL_WIDTH_KANA = {
    unicodedata.normalize("NFKC", chr(code)): chr(code) for code in HALF_WIDTH_KATAKANA
}
_LONE_HALF_PATTERN = re.compile(rf"(?<![0-9]){HALF_SIGN}")
_NEAREST_KANA_ON_DISPLAYS = str.maketrans("ヮヰヱヵヶ", "ワイエカケ")
_HIRAGANA = range(0x3041, 0x3097)
_HIRAGANA_TO_KATAKANA_OFFSET = 0x60


def fit_to_display(text: str, *, width_cells: int, has_kana: bool) -> str:
    """Converts a text to characters that a display has, cut to `width_cells`.

    Hiragana and katakana become half-width katakana (a voicing mark takes a cell of its own), accents are
    dropped, and any other character becomes "?". A half is written as on the keys: `7½` as 7.5.
    """
    text = _LONE_HALF_PATTERN.sub("0.5", text).replace(HALF_SIGN, ".5")
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return "".join(_display_cell(character, has_kana=has_kana) for character in decomposed)[:width_cells]


def can_display_show(text: str, *, width_cells: int) -> bool:
    """Returns whether a display with kana can show the whole text, every character of it."""
    cells = fit_to_display(text, width_cells=width_cells + 1, has_kana=True)
    return len(cells) <= width_cells and REPLACEMENT_CHARACTER not in cells


def _display_cell(character: str, *, has_kana: bool) -> str:
    if " " <= character <= "~":
        return character
    if ord(character) in _HIRAGANA:
        character = chr(ord(character) + _HIRAGANA_TO_KATAKANA_OFFSET)
    cell = _HALF_WIDTH_BY_FULL_WIDTH_KANA.get(character.translate(_NEAREST_KANA_ON_DISPLAYS))
    if cell is not None and has_kana:
        return cell
    return "" if unicodedata.combining(character) else REPLACEMENT_CHARACTER
