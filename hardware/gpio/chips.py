"""The GPIO chip behind the header: what it is called, and why its pins can't be used."""

from __future__ import annotations

import errno
import os
from pathlib import Path

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the chip behind the header is called, on a Raspberry Pi 5, a 4, and those before.

Its number is no use: a Raspberry Pi 5 has had it as 4, 0 and 11 to 15.
"""
DEVICES = Path("/dev")
CONSUMER = "companion"
"""What the companion calls itself to the kernel, where it holds pins."""
UNNAMED = "?"
"""Who holds a pin and has no name, such as a part of the kernel."""


class NoPins(OSError):
    """A pin can't be used, and no other program holds it."""


class PinTaken(OSError):
    """Another program holds a pin; `holder` is what it calls itself, with the pin: `fan-control (GPIO17)`."""

    def __init__(self, pin: str, program: str) -> None:
        self.holder = f"{program or UNNAMED} ({pin})"
        super().__init__(errno.EBUSY, f"held by {self.holder}")


def refuse_closed(devices: Path) -> None:
    """Raises PermissionError if a chip may not be opened: who finds no other can't say that there is none."""
    for path in devices.glob("gpiochip*"):
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, "this chip may not be opened", str(path))
