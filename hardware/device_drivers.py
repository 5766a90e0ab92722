"""The interfaces of device drivers: how they start and stop, and the panel that the game shows through them.

    from hardware.device_drivers import SeatPanel, fit_to_display

    panel = SeatPanel(question=7, line="Bid more than 4", light="blink")
    print(fit_to_display("ベン > 4", width_cells=16, has_kana=True))  # ﾍﾞﾝ > 4

A driver serves all devices of one type. People answer with input devices; output devices only show or sound
something at a seat. `hardware.devices` makes and calls the drivers. The desk decides what a panel shows: one
line, one light, and the number of the question. `fit_to_display` fits a text into the cells of a character
display.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, Protocol, Self, TypeAlias, runtime_checkable

import msgspec

from companion.half_numbers import HALF_SIGN
from companion.requests import Form
from companion.texts import Text
from hardware.signals import DeviceAnswer, RawInput

# What the devices of a seat show


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


# Drivers


class DeviceDriver(Protocol):
    """A driver, or a part of one, that runs from `start` to `close`; `with` calls both."""

    def start(self) -> None:
        """Opens ports or pins; a device that can't be used is reported with `DeviceLost`, or stays dark."""

    def close(self) -> None:
        """Frees ports and pins."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


@runtime_checkable
class SelfDescribingDriver(DeviceDriver, Protocol):
    """A driver that can describe its devices, such as their firmware or chip."""

    def describe_device(self, device: str) -> Text:
        """Returns a device's description of itself, such as its id and firmware, or its chip.

        Returns "" while the description isn't known, and for a device of another type.
        """


class InputDriver(DeviceDriver, Protocol):
    """The driver of a type of input devices, with which people answer."""

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on the device until the next one, also after it is plugged in later."""

    def handle_answer_accepted(self, answer: DeviceAnswer) -> None:
        """Informs the device that its answer is saved."""

    def handle_answer_refused(self, answer: DeviceAnswer, reason: str) -> None:
        """Informs the device that its answer doesn't count, and why."""


@runtime_checkable
class RawInputDriver(InputDriver, Protocol):
    """The driver of devices with raw input: a press means something only for the open question."""

    def interpret_press(self, signal: RawInput, form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a press completes, or None; `form` is that of the seat's question."""


@runtime_checkable
class InputDriverWithoutDisplay(InputDriver, Protocol):
    """The driver of input devices that can't show what is entered on them."""

    def current_entry(self, device: str) -> str:
        """Returns what is entered on a device so far, as keypads show it: `12`, `2.3`."""


class OutputDriver(DeviceDriver, Protocol):
    """The driver of a type of output devices, which take no input, but show or sound something at a seat."""

    def show_panel(self, seat_number: int, panel: SeatPanel) -> None:
        """Shows a panel at a seat until the next one; the seat's light blinks after a refused answer."""
