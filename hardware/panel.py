"""What a seat's device shows: one line, one light, and the number asked.

    from hardware.panel import Panel, fitted

    panel = Panel(question=7, line="Bid more than 4", light="blink")
    print(fitted("ベン > 4", width=16, kana=True))  # ﾍﾞﾝ > 4

What to show is decided by the desk; how a text gets into sixteen character
cells is decided here.
"""

import unicodedata
from typing import Literal, TypeAlias

import msgspec

Light: TypeAlias = Literal["off", "on", "blink"]


class Panel(msgspec.Struct, frozen=True):
    """All that the devices of a seat show; `question` 0 means that nothing is asked of it."""

    question: int = 0
    line: str = ""
    light: Light = "off"
    colour: str = ""
    """The seat's own; empty where nobody plays."""
    is_sealed: bool = False
    """Its answer goes into an envelope: nothing that others see or hear may depend on what is entered."""
    entry: str = ""
    """What is being entered, where the device that it is entered on has no display of its own."""


UNKNOWN = "?"
"""Stands for a character that a display doesn't have."""
HALF_WIDTH = range(0xFF61, 0xFFA0)
"""Half-width katakana: the kana that a character display has (JIS X 0201)."""

_CELL = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in HALF_WIDTH}
_NOT_ON_DISPLAYS = str.maketrans("ヮヰヱヵヶ", "ワイエカケ")
_HIRAGANA = range(0x3041, 0x3097)
_TO_KATAKANA = 0x60


def fitted(text: str, *, width: int, kana: bool) -> str:
    """Return the text as a character display can show it, cut to `width` cells.

    Hiragana and katakana become half-width katakana (a voicing mark takes a
    cell of its own), accents are dropped, anything else becomes "?".
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return "".join(_cell(character, kana=kana) for character in plain)[:width]


def fits(text: str, *, width: int) -> bool:
    """Whether a display with kana shows the whole text, every character of it."""
    cells = fitted(text, width=width + 1, kana=True)
    return len(cells) <= width and UNKNOWN not in cells


def _cell(character: str, *, kana: bool) -> str:
    if " " <= character <= "~":
        return character
    if ord(character) in _HIRAGANA:
        character = chr(ord(character) + _TO_KATAKANA)
    cell = _CELL.get(character.translate(_NOT_ON_DISPLAYS))
    if cell is not None and kana:
        return cell
    return "" if unicodedata.combining(character) else UNKNOWN
