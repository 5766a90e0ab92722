"""The seats' four digits: what their owner is just entering or asks of their own, and nothing else.

A display faces its owner, behind a hood if the table likes (docs/build/lights-displays-buzzers.md): what is
entered for an envelope stands there until OK. Once the envelope is in, the display is blank.
Of the game it shows nothing unasked, so that there is nothing else to hide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpiozero.exc import GPIOZeroError

from hardware.gpio.four_digits import FourDigits
from hardware.gpio.taking import Outputs, Pins
from hardware.inbox import Inbox
from hardware.panel import Panel
from hardware.signals import Found, Lost
from hardware.wiring.sections import Display

CELLS = 4
BLANK = " " * CELLS
TOO_LONG = "-" * CELLS


class Displays(Outputs):
    """The wired displays.

    One where no chip answers is `Lost` too, and tried again whenever something is shown.
    A change of what is shown takes a few thousandths of a second, in the thread that shows it.
    """

    def __init__(self, wired: Sequence[Display], inbox: Inbox, *, pins: Callable[[], Pins]) -> None:
        super().__init__(wired, inbox, pins=pins)
        self._digits: dict[int, FourDigits] = {}
        self._shown: dict[int, str] = {}

    def show(self, seat: int, panel: Panel) -> None:
        """From now on this is entered there."""
        text = four(panel.entry)
        if seat not in self._digits or self._shown.get(seat) == text:
            return
        was_there, is_there = seat in self._shown, self._write(seat, text)
        if was_there != is_there:
            device = self._wired[seat].device
            self._inbox.put(Found(device) if is_there else Lost(device, "silent"))

    def close(self) -> None:
        """Blanks all and gives the pins back."""
        self._taking.close()
        while self._digits:
            seat = next(iter(self._digits))
            self._write(seat, BLANK)
            self._digits.pop(seat).close()

    def _take(self, wired: Display) -> Lost | None:
        digits = FourDigits(wired.clock, wired.data, self._pins())
        try:
            digits.show(BLANK)
        except (OSError, GPIOZeroError):
            return Lost(wired.device, "silent")
        else:
            self._shown[wired.seat] = BLANK
            return None
        finally:
            self._digits[wired.seat] = digits  # from now on it is another thread's

    def _write(self, seat: int, text: str) -> bool:
        """Whether the chip took it."""
        try:
            self._digits[seat].show(text)
        except (OSError, GPIOZeroError):
            self._shown.pop(seat, None)
            return False
        self._shown[seat] = text
        return True


def four(entry: str) -> str:
    """What is entered, as keypads show it (`12`, `2.3`), in four cells.

    Of several numbers the one that is being entered, behind its place: `2- 3`.
    A number that is longer than its room is dashes: nobody should trust half of it.
    """
    *before, last = entry.split(".")
    if before:
        last = f"{len(before) + 1}-{last:>2}"
    return f"{last:>{CELLS}}" if len(last) <= CELLS else TOO_LONG
