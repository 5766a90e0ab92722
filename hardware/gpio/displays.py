"""The seats' four digits: what their owner is just entering or asks of their own, and nothing else.

A display faces its owner, behind a hood if the table likes (docs/build/lights-displays-buzzers.md): what is
entered for an envelope stands there until OK. Once the envelope is in, the display is blank.
Of the game it shows nothing unasked, so that there is nothing else to hide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpiozero.exc import GPIOZeroError

from hardware.gpio.buttons import Pins
from hardware.gpio.four_digits import FourDigits
from hardware.gpio.taking import Taking
from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.signals import Found, Lost
from hardware.wiring.sections import Display

CELLS = 4
BLANK = " " * CELLS
TOO_LONG = "-" * CELLS


class Displays(Openable):
    """The wired displays.

    `pins` gives the factory of the pins; where it can't, or where no chip answers, the display is `Lost`
    and the game goes on. A display without an answer is tried again whenever something is shown, one whose
    pins another program holds when that lets go.
    A change of what is shown takes a few thousandths of a second, in the thread that shows it.
    """

    def __init__(self, wired: Sequence[Display], inbox: Inbox, *, pins: Callable[[], Pins]) -> None:
        self._wired = {each.seat: each for each in wired}
        self._inbox = inbox
        self._pins = pins
        self._digits: dict[int, FourDigits] = {}
        self._shown: dict[int, str] = {}
        self._taking = Taking(wired, self._take, inbox)

    def start(self) -> None:
        """Takes the pins and blanks what there is; every display that answers is `Found`."""
        self._taking.start()

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
