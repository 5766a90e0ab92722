"""The readers of a wiring: each a zone at its SPI device, reset by its pin where that is wired."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from gpiozero import OutputDevice
from gpiozero.exc import GPIOZeroError

from hardware.gpio.chips import NoPins, PinTaken
from hardware.gpio.taking import Pins
from hardware.inbox import Inbox
from hardware.rfid.rfid import ReaderChip, Readers, Zone, at_spi
from hardware.wiring.pins import Pin
from hardware.wiring.sections import Reader

DOWN = 0.001
"""Seconds that the reset pin is low; the data sheet wants 100 ns."""
UP = 0.005
"""Seconds until the chip's oscillator is steady."""


class WiredReaders(Readers):
    """`spi` opens a chip as `rfid.at_spi` does; each reader's reset pin is taken as it is opened.

    `clock` returns the seconds that signals carry. A reader whose reset pin can't be used is lost until it
    can: the pin may hold its chip down.
    """

    def __init__(
        self,
        wired: Sequence[Reader],
        inbox: Inbox,
        *,
        pins: Callable[[], Pins],
        spi: Callable[..., ReaderChip] = at_spi,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._spi = spi
        self._resets: dict[str, OutputDevice] = {}
        zones = [Zone(each.device, each.zone, partial(self._open, each)) for each in wired]
        super().__init__(zones, inbox, clock=clock)

    def close(self) -> None:
        """Lets go of all readers and pins."""
        super().close()
        for reset in self._resets.values():
            reset.close()

    def _reset(self, device: str, pin: Pin) -> OutputDevice:
        if device not in self._resets:
            try:
                self._resets[device] = OutputDevice(int(pin), initial_value=True, pin_factory=self._pins())
            except PinTaken:
                raise
            except (OSError, ImportError, GPIOZeroError) as error:
                raise NoPins(f"the reset pin {pin} can't be used: {error}") from error
        return self._resets[device]

    def _open(self, reader: Reader) -> ReaderChip:
        if reader.reset is None:
            return self._spi(reader.spi, mhz=reader.mhz)
        reset = self._reset(reader.device, reader.reset)
        return self._spi(reader.spi, mhz=reader.mhz, reset=partial(self._pulse, reset))

    def _pulse(self, reset: OutputDevice) -> None:
        reset.off()
        time.sleep(DOWN)
        reset.on()
        time.sleep(UP)
