"""The seats' lights, read at simulated pins."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.table.seats import SEAT_COLOURS
from hardware.device_drivers import SeatPanel
from hardware.gpio.lights import RGB_BY_SEAT_COLOUR, UNKNOWN_SEAT_COLOUR, Lights
from hardware.signals import DeviceFound, DeviceLost, Inbox
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Light, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import MAX_SEATS_WITH_DEVICES
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS

LED = Light(1, pin=Pin(16))
RGB = Light(2, red=Pin(18), green=Pin(19), blue=Pin(20))


class Lit:
    """Two lights, one with three colours, and who hears of them."""

    def __init__(self, *wired: Light) -> None:
        self.metal = SimulatedTable(Wiring(outputs=(LED, RGB)), ManualClock())
        self.inbox = Inbox(lambda: None)
        self.lights = Lights(wired or (LED, RGB), self.inbox, pins=self.metal.pins)

    def shows(self, seat: int, *panels: SeatPanel) -> tuple[bool, ...]:
        """What a light does at last."""
        for panel in panels:
            self.lights.show_panel(seat, panel)
        return self.metal.led_states(seat)

    def edges(self, pin: int) -> list[bool]:
        """Everything a pin did."""
        return [bool(each.state) for each in self.metal.pins().pin(pin).states[1:]]


def test_an_led_is_dark_until_the_table_waits_for_its_seat() -> None:
    """Nothing asked: dark; asked: steady; answered: dark."""
    lit = Lit()
    with lit.metal, lit.lights:
        assert lit.inbox.drain() == [DeviceFound("light 1"), DeviceFound("light 2")]
        assert lit.shows(1, SeatPanel()) == (False,)
        assert lit.shows(1, SeatPanel(3, "Bid 1-9", "on", "orange")) == (True,)
        assert lit.shows(1, SeatPanel(3, "OK. Wait", "off", "orange", is_sealed=True)) == (False,)


@pytest.mark.parametrize("colour", SEAT_COLOURS)
def test_three_leds_mix_the_colour_of_their_seat(colour: str) -> None:
    """As near as three pins come; what they can't come near is white."""
    lit = Lit()
    with lit.metal, lit.lights:
        mixed = lit.shows(2, SeatPanel(3, "Bid 1-9", "on", colour))
        assert mixed == tuple(map(bool, RGB_BY_SEAT_COLOUR.get(colour, UNKNOWN_SEAT_COLOUR)))
        assert lit.shows(2, SeatPanel(4, "Bid 1-9", "on", colour)) == mixed
        assert lit.shows(2, SeatPanel(0, "Wait: Ben", "off", colour)) == (False,) * 3


def test_the_lights_of_five_seats_differ() -> None:
    """The seats take the first colours, and none of them is white, the colour of nobody."""
    usual = [RGB_BY_SEAT_COLOUR[colour] for colour in SEAT_COLOURS[:MAX_SEATS_WITH_DEVICES]]
    assert len(set(usual)) == MAX_SEATS_WITH_DEVICES
    assert UNKNOWN_SEAT_COLOUR not in RGB_BY_SEAT_COLOUR.values()


@pytest.mark.parametrize(("seat", "pin", "dark"), [(1, 16, None), (2, 18, 20)])
def test_what_is_not_understood_blinks(seat: int, pin: int, dark: int | None) -> None:
    """On and off again, in the colour of the seat, until the next press; then steady as before."""
    lit = Lit()
    asked, refused = SeatPanel(3, "Bid 1-9", "on", "orange"), SeatPanel(3, "Bid 1-9", "blink", "orange")
    with lit.metal, lit.lights:
        lit.shows(seat, asked, refused)
        _soon(lit.metal.pins().pin(pin).watchers, lambda: lit.edges(pin)[-3:] == [True, False, True])
        assert all(lit.shows(seat, asked)[:1])
        assert dark is None or lit.edges(dark) == []


def _soon(watchers: list[Callable[[], None]], seen: Callable[[], bool]) -> None:
    """Waits for an edge after which something is so."""
    from threading import Event

    happened = Event()
    watchers.append(lambda: happened.set() if seen() else None)
    assert happened.wait(TIMEOUT_SECONDS)


def test_a_light_whose_pin_is_taken_is_lost_and_the_others_shine() -> None:
    """It stays dark, which is said once; showing something there does nothing."""
    lit = Lit(Light(1, pin=Pin(18)), RGB)
    with lit.metal, lit.lights:
        assert lit.inbox.drain() == [DeviceFound("light 1"), DeviceLost("light 2", "no_pins")]
        assert lit.shows(2, SeatPanel(3, "Bid 1-9", "on", "sky")) == (False,) * 3


def test_a_light_that_fails_later_is_lost_and_nobody_else_notices() -> None:
    """Whatever its pin says when it is to be lit: the game's thread goes on, and so do the other lights."""
    lit = Lit(Light(1, pin=Pin(18)), Light(2, pin=Pin(4)))
    with lit.metal, lit.lights:
        assert lit.inbox.drain() == [DeviceFound("light 1"), DeviceFound("light 2")]
        lit.metal.pins().pin(18).watchers.append(_burn_out)
        for question in (3, 4):
            lit.lights.show_panel(1, SeatPanel(question, "Bid 1-9", "on", "orange"))
        assert lit.inbox.drain() == [DeviceLost("light 1", "no_pins")]
        lit.lights.show_panel(2, SeatPanel(3, "Bid 1-9", "on", "sky"))
        assert lit.metal.pins().pin(4).state
        lit.metal.pins().pin(18).watchers.clear()


def _burn_out() -> None:
    raise OSError(19, "No such device")


def test_lights_go_out_when_they_are_closed() -> None:
    """And closing twice is fine."""
    lit = Lit()
    with lit.metal:
        lit.lights.start()
        assert lit.shows(1, SeatPanel(3, "Bid 1-9", "on", "orange")) == (True,)
        lit.lights.close()
        lit.lights.close()
        assert lit.metal.led_states(1) == (False,)
