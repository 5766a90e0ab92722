"""Which of gpiozero's pin factories is used here: ours over libgpiod, or lgpio's where that is missing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.gpio.chips import DEVICES, LABELS, PinTaken, refuse_closed


def header_pins() -> Any:
    """The pins of this machine's header; raises OSError or ImportError where it has none.

    PermissionError where it has, but they may not be used.
    """
    try:
        from hardware.gpio.gpiod_pins import GpiodFactory
    except ImportError:
        return _lgpio()
    return GpiodFactory()


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
