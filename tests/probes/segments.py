"""A device type that the product doesn't know: a lamp for each digit that is entered at a seat.

A new output device needs only its driver and its section, once `SECTION_TYPE_BY_NAME` has the section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from companion.texts import Say, Text, say
from hardware.device_drivers import SeatPanel
from hardware.gpio.pin_claims import PinFactory, PinOutputDriver
from hardware.signals import Inbox
from hardware.wiring.pins import Pin
from hardware.wiring.sections import DriverSpec, OutputSection, SeatNumber, SupplyWire


class Segments(OutputSection, frozen=True):
    """Two lamps of a seat: how many digits are entered."""

    driver: ClassVar[DriverSpec] = DriverSpec("tests.probes.segments:SegmentDriver", ("pins",))
    title_text: ClassVar[Say] = say("{seat}'s segments")
    wire_name_by_key: ClassVar[Mapping[str, str]] = {"tens": "D1"}
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {"glow": "1 to 3"}
    missing_text: ClassVar[Say] = say("{seat}'s segments stay dark.")
    seat: SeatNumber
    ones: Pin
    tens: Pin
    glow: int = 1

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields ground."""
        yield SupplyWire("GND", "ground")


class SegmentDriver(PinOutputDriver):
    """The wired segments: a lamp is on for each digit that is being entered."""

    def __init__(self, wired: Sequence[Segments], inbox: Inbox, *, pins: Callable[[], PinFactory]) -> None:
        super().__init__(wired, inbox, pins=pins)
        self._lamps: dict[int, list[Any]] = {}

    def _take_pins(self, section: Any) -> None:
        factory = self._pins()
        factory.reserve_pins(self, *[int(pin) for pin in section.pins.values()])
        self._lamps[section.seat] = [factory.pin(int(pin)) for pin in section.pins.values()]
        for lamp in self._lamps[section.seat]:
            lamp.output_with_state(False)

    def show_panel(self, seat: int, panel: SeatPanel) -> None:
        """Lights a lamp for each digit."""
        for at, lamp in enumerate(self._lamps.get(seat, ())):
            lamp.state = at < len(panel.entry)

    def close(self) -> None:
        """Frees the pins."""
        self._claims.stop_and_wait()
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.close()
