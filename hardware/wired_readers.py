"""The readers of a wiring: each a zone at its SPI device, reset by its pin where that is wired."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError

from companion.words import Text
from hardware.buttons import Pins
from hardware.inbox import Inbox
from hardware.rfid import Chip, Readers, Zone, at_spi
from hardware.wiring.sections import MHZ, Reader

DOWN = 0.001
"""Seconds that the reset pin is low; the data sheet wants 100 ns."""
UP = 0.005
"""Seconds until the chip's oscillator is steady."""


class WiredReaders:
    """Starts with `start`, ends with `close`; `spi` opens a chip as `rfid.at_spi` does.

    `clock` gives the seconds that signals carry. A reader whose reset pin can't be had stays lost: the
    pin may hold its chip down.
    """

    def __init__(
        self,
        wired: Sequence[Reader],
        inbox: Inbox,
        *,
        pins: Callable[[], Pins],
        spi: Callable[..., Chip] = at_spi,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wired = wired
        self._pins = pins
        self._spi = spi
        self._resets: dict[str, OutputDevice] = {}
        zones = [Zone(each.device, each.zone, partial(self._open, each)) for each in wired]
        self._readers = Readers(zones, inbox, clock=clock)

    def start(self) -> None:
        """Takes the reset pins and begins to look."""
        for each in self._wired:
            if each.reset is not None:
                self._take(each)
        self._readers.start()

    def close(self) -> None:
        """Lets go of all readers and pins."""
        self._readers.close()
        for reset in self._resets.values():
            reset.close()

    def about(self, device: str) -> Text:
        """The chip of a reader; nothing while it isn't known, or for another device."""
        return self._readers.about(device)

    def _take(self, reader: Reader) -> None:
        assert reader.reset is not None
        with contextlib.suppress(OSError, ImportError, GPIOZeroError):
            pin = OutputDevice(int(reader.reset), initial_value=True, pin_factory=self._pins())
            self._resets[reader.device] = pin

    def _open(self, reader: Reader) -> Chip:
        wired: dict[str, Any] = {} if reader.mhz == MHZ else {"mhz": reader.mhz}
        if reader.reset is not None:
            if reader.device not in self._resets:
                raise OSError(f"the reset pin {reader.reset} can't be had")
            wired["reset"] = partial(self._pulse, self._resets[reader.device])
        return self._spi(reader.spi, **wired)

    def _pulse(self, reset: OutputDevice) -> None:
        reset.off()
        time.sleep(DOWN)
        reset.on()
        time.sleep(UP)
