"""The simulated header: pins that simulated buttons and loose wires move, and a TM1637 at two of them.

    from hardware.gpio.displays import Tm1637Display
    from hardware.simulated.pins import ManualClock, SimulatedPins, SimulatedTM1637

    pins = SimulatedPins(ManualClock())
    chip = SimulatedTM1637(pins.pin(23), pins.pin(24))
    Tm1637Display(23, 24, pins).show("  12")
    print(chip.text)

Only the pins are simulated: the real driver reads them, with its threads and its debounce. With a clock that
stands still until a wait, whole games are played in a moment.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.gpio.pin_claims import PinTaken

FINGER_PRESS_SECONDS = 0.1
"""Duration of a press by a finger, and of the pause before the next."""
QUICKEST_FINGER_PRESS_SECONDS = 0.014
"""Duration of the quickest press by a finger."""
WORN_CONTACT_BOUNCE_SECONDS = (0.0004, 0.0011, 0.0007, 0.002, 0.0005, 0.0013)
"""Seconds between the edges of a worn contact that bounces."""
LOOSE_WIRE_EDGE_INTERVAL_SECONDS = 0.003
"""Time between the edges of a loose wire."""
MAINS_PERIOD_SECONDS = 0.02
"""Time between two spikes on a wire that picks up mains hum."""


class WaitableClock(Protocol):
    """A clock for the times of edges, with a way to wait."""

    def __call__(self) -> float:
        """Returns the time."""

    def wait(self, seconds: float) -> None:
        """Waits for this time, or moves the clock on."""


class RealClock:
    """The monotonic clock of the machine."""

    def __call__(self) -> float:
        """Returns the time."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Sleeps for this time."""
        time.sleep(seconds)


class ManualClock:
    """A clock that stands still until `wait` moves it on."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Returns the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Moves the clock on by this time, at once."""
        self.now += seconds


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A simulated pin of gpiozero, with a line that devices on the wire can pull down.

    A line that is pulled down is low unless somebody drives it. The pin's edges carry the time of its
    factory's clock, as the kernel's do, and the pin calls its watchers at every edge.
    """

    def __init__(self, factory: Any, info: Any) -> None:
        self.watchers: list[Callable[[], None]] = []
        self.next_edge_delay = 0.0
        """Seconds from now to the time that the pin's next edge carries."""
        self._pullers: list[object] = []
        super().__init__(factory, info)

    def pull_down(self, puller: object, *, is_down: bool) -> None:
        """Pulls the pin down on behalf of a device on the wire, or releases it."""
        self._pullers = [each for each in self._pullers if each is not puller] + [puller] * is_down
        if self.function == "input":
            self._set_pull(self.pull)
            self._drive_low_if_pulled_down()

    def is_pulled_down_by(self, puller: object) -> bool:
        """Returns whether this device pulls the pin down now."""
        return any(each is puller for each in self._pullers)

    def drive_high(self) -> None:
        """Drives the pin high.

        A pin that a device pulls down stays low.
        """
        if not self._pullers:
            super().drive_high()

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._drive_low_if_pulled_down()

    def _drive_low_if_pulled_down(self) -> None:
        if self._pullers and self.function == "input":
            self.drive_low()

    def _change_state(self, value: float) -> bool:
        has_changed = bool(super()._change_state(value))
        if has_changed:
            for watcher in self.watchers:
                watcher()
        return has_changed

    def _call_when_changed(self) -> None:
        edge_ticks = self._factory.ticks() + self.next_edge_delay
        PiPin._call_when_changed(self, edge_ticks, self._state)  # noqa: SLF001 - as MockPin does


class SimulatedPins(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The gpiozero factory of a simulated header's pins."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=SimulatedPin)
        self._clock = clock
        self.holders: dict[int, str] = {}
        """Other programs, by the number of the pin that each holds."""

    def ticks(self) -> float:
        """Returns the time of the clock."""
        return self._clock()

    def reserve_pins(self, requester: object, *pins: int) -> None:
        """Reserves the pins of a device; raises `PinTaken` if another program holds one."""
        for pin in pins:
            if pin in self.holders:
                raise PinTaken(f"GPIO{int(pin)}", self.holders[pin])
        super().reserve_pins(requester, *pins)

    def close(self) -> None:
        """Closes the factory: every pin becomes an input again.

        Devices stay wired for the next user of the header.
        """
        for pin in self.pins.values():
            pin.close()


class SimulatedButton:
    """A simulated button between a pin and ground, or 3.3 V if a press is high."""

    def __init__(self, pin: SimulatedPin, clock: WaitableClock, *, is_active_low: bool = True) -> None:
        self._pin = pin
        self._clock = clock
        self._is_active_low = is_active_low
        self._pressed_at = -math.inf

    def press_down(self, bounce_seconds: Sequence[float] = ()) -> None:
        """Presses the button down; `bounce_seconds` are between the edges until it stays down."""
        self._pressed_at = self._clock()
        self._make_edges(bounce_seconds, down=True)

    def release(self, bounce_seconds: Sequence[float] = ()) -> None:
        """Releases the button, at the earliest after the quickest press by a finger.

        A click with a mouse may be quicker than any finger.
        """
        self._make_edges(
            bounce_seconds,
            down=False,
            delay=max(0.0, self._pressed_at + QUICKEST_FINGER_PRESS_SECONDS - self._clock()),
        )

    def press(
        self, press_seconds: float = FINGER_PRESS_SECONDS, bounce_seconds: Sequence[float] = ()
    ) -> None:
        """Presses the button for this time, releases it, and waits for a finger's pause."""
        self.press_down(bounce_seconds)
        self._clock.wait(press_seconds - sum(bounce_seconds))
        self._make_edges(bounce_seconds, down=False)
        self._clock.wait(FINGER_PRESS_SECONDS - sum(bounce_seconds))

    def simulate_loose_wire(self, seconds: float) -> None:
        """Simulates a loose wire with rapid edges for this time; at the end the wire doesn't touch."""
        for _ in range(int(seconds / LOOSE_WIRE_EDGE_INTERVAL_SECONDS / 2)):
            for down in (True, False):
                self._drive(down=down)
                self._clock.wait(LOOSE_WIRE_EDGE_INTERVAL_SECONDS)

    def simulate_mains_hum(self, seconds: float, pulse_seconds: float) -> None:
        """Simulates mains hum for this time: 50 times a second the line is down for `pulse_seconds`."""
        for _ in range(round(seconds / MAINS_PERIOD_SECONDS)):
            for down, duration in ((True, pulse_seconds), (False, MAINS_PERIOD_SECONDS - pulse_seconds)):
                self._drive(down=down)
                self._clock.wait(duration)

    def _make_edges(self, bounce_seconds: Sequence[float], *, down: bool, delay: float = 0.0) -> None:
        """Makes all edges at once, with the times that they should have.

        So a busy machine can't delay an edge.
        """
        is_down, self._pin.next_edge_delay = down, delay
        for pause in bounce_seconds[: len(bounce_seconds) // 2 * 2]:
            self._drive(down=is_down)
            self._pin.next_edge_delay += pause
            is_down = not is_down
        self._drive(down=down)
        duration, self._pin.next_edge_delay = self._pin.next_edge_delay - delay, 0.0
        self._clock.wait(duration)

    def _drive(self, *, down: bool) -> None:
        if down == self._is_active_low:
            self._pin.drive_low()
        else:
            self._pin.drive_high()


TM1637_REGISTER_COUNT = 6
TM1637_DIGIT_COUNT = 4
BITS = 8
DATA, DISPLAY, ADDRESS = 0b01, 0b10, 0b11
"""The two highest bits of a command."""
FIXED_ADDRESS_BIT = 0x04
DISPLAY_ON_BIT = 0x08

CHARACTER_BY_SEGMENTS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4",
    0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9", 0x40: "-",
}  # fmt: skip  # a table
"""The character that people read for lit segments.

The lowest bit is the top segment, then clockwise, the middle last.
"""


class SimulatedTM1637:
    """A TM1637 with four digits at two simulated pins, bit by bit as its data sheet (V2.4) describes it.

    It knows start, bytes with their lowest bit first, the acknowledgement on the data line from the eighth
    fall of the clock to the ninth, and stop; six registers of segments, addresses counted up or fixed, and
    brightness. It reads no keys. It has power from the start.
    """

    def __init__(self, clock: Any, data: Any) -> None:
        self._clock, self._data = clock, data
        self._last_levels = self._levels
        self._power_up()
        self.drive_conflicts = 0
        """Number of times the data line was driven high against the chip."""
        clock.watchers.append(self._handle_edge)
        data.watchers.append(self._handle_edge)

    @property
    def lit_segments_by_digit(self) -> tuple[int, ...]:
        """The lit segments of each of the four digits, as bits."""
        return tuple(self._registers[:TM1637_DIGIT_COUNT]) if self._is_on else (0,) * TM1637_DIGIT_COUNT

    @property
    def text(self) -> str:
        """The text that people read, a character for each digit; `?` for an unknown pattern."""
        return "".join(CHARACTER_BY_SEGMENTS.get(each, "?") for each in self.lit_segments_by_digit)

    @property
    def brightness(self) -> int:
        """The brightness from 0 to 7; -1 while the display is dark."""
        return self._brightness if self._is_on else -1

    def unplug(self) -> None:
        """Cuts the power: the display is dark, doesn't answer, and loses its state."""
        self._has_power = False
        self._is_on = False
        self._data.pull_down(self, is_down=False)

    def plug_in(self) -> None:
        """Restores the power; the display stays dark until a command switches it on."""
        self._power_up()

    def _power_up(self) -> None:
        self._has_power = True
        self._is_on = False
        self._brightness = 0
        self._registers = bytearray(TM1637_REGISTER_COUNT)
        self._address, self._is_fixed = 0, False
        self._is_receiving = False
        self._begin_byte_sequence()

    def _begin_byte_sequence(self) -> None:
        self._bits: list[bool] = []
        self._is_first = True

    @property
    def _levels(self) -> tuple[bool, bool]:
        return bool(self._clock.state), bool(self._data.state)

    def _handle_edge(self) -> None:
        (clock, data), (last_clock, last_data) = self._levels, self._last_levels
        self._last_levels = clock, data
        if not self._has_power:
            return
        if clock and last_clock and data != last_data:
            # Data moves while the clock is high only to start (falling) and to stop (rising).
            self._is_receiving = not data
            self._begin_byte_sequence()
        elif self._is_receiving and clock and not last_clock:
            self._handle_clock_rise(data=data)
        elif self._is_receiving and last_clock and not clock:
            self._handle_clock_fall()

    def _handle_clock_rise(self, *, data: bool) -> None:
        if len(self._bits) < BITS:
            self._bits.append(data)
        elif self._data.function == "output" and data:
            self.drive_conflicts += 1

    def _handle_clock_fall(self) -> None:
        if self._data.is_pulled_down_by(self):
            self._data.pull_down(self, is_down=False)
            self._handle_byte(sum(bit << place for place, bit in enumerate(self._bits)))
            self._bits, self._is_first = [], False
        elif len(self._bits) == BITS:
            self._data.pull_down(self, is_down=True)

    def _handle_byte(self, byte: int) -> None:
        command = byte >> 6
        if not self._is_first:
            if self._address < TM1637_REGISTER_COUNT:
                self._registers[self._address] = byte
            self._address += not self._is_fixed
        elif command == DATA:
            self._is_fixed = bool(byte & FIXED_ADDRESS_BIT)
        elif command == DISPLAY:
            self._is_on, self._brightness = bool(byte & DISPLAY_ON_BIT), byte & 0x07
        elif command == ADDRESS:
            self._address = byte & 0x0F
