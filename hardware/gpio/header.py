"""Which of gpiozero's pin factories is used here: ours over libgpiod, or lgpio's where that is missing."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    """A pin can't be had, and no other program holds it."""


class PinTaken(OSError):
    """Another program holds a pin; `holder` is what it calls itself, with the pin: `fan-control (GPIO17)`."""

    def __init__(self, pin: str, program: str) -> None:
        self.holder = f"{program or UNNAMED} ({pin})"
        super().__init__(errno.EBUSY, f"held by {self.holder}")


def header_pins() -> Any:
    """The pins of this machine's header; raises OSError or ImportError where it has none.

    PermissionError where it has, but they may not be used.
    """
    try:
        from hardware.gpio.gpiod_pins import GpiodFactory
    except ImportError:
        return _lgpio()
    return GpiodFactory()


def refuse_closed(devices: Path) -> None:
    """Raises PermissionError if a chip may not be opened: who finds no other can't say that there is none."""
    for path in devices.glob("gpiochip*"):
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, "this chip may not be opened", str(path))


def pipe_folder(environ: Mapping[str, str]) -> Path:
    """Where lgpio makes its FIFO; left alone it would take the working directory."""
    return Path(environ.get("LG_WD") or environ.get("RUNTIME_DIRECTORY") or tempfile.gettempdir())


def tell_lgpio_where() -> None:
    """To be called before lgpio is imported, which `RPi.GPIO`'s stand-in does too."""
    os.environ["LG_WD"] = str(pipe_folder(os.environ))


def _lgpio() -> Any:
    tell_lgpio_where()
    import lgpio
    from gpiozero.pins.lgpio import LGPIOFactory

    class Pins(LGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
        def pin(self, name: Any) -> Any:
            try:
                return super().pin(name)
            except lgpio.error as error:
                if "busy" not in str(error):
                    raise OSError(f"{name}: {error}") from error
                pin = next(info for _, info in self.board_info.find_pin(name)).name
                user = lgpio.gpio_get_line_info(self._handle, int(pin.removeprefix("GPIO")))[4]
                raise PinTaken(pin, user) from error

    for number in sorted(int(path.name[8:]) for path in DEVICES.glob("gpiochip[0-9]*")):
        with contextlib.suppress(lgpio.error):  # which is no OSError
            handle = lgpio.gpiochip_open(number)
            label = lgpio.gpio_get_chip_info(handle)[3]
            lgpio.gpiochip_close(handle)
            if label in LABELS:
                return Pins(chip=number)
    refuse_closed(DEVICES)
    raise OSError("no GPIO chip of a Raspberry Pi")
