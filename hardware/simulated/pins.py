"""The simulated header: pins that fingers, bounce and loose wires move, and a display that hangs on them.

    from hardware.gpio.displays import Tm1637Display
    from hardware.simulated.pins import ManualClock, SimulatedPins, SimulatedTM1637

    pins = SimulatedPins(ManualClock())
    chip = SimulatedTM1637(pins.pin(23), pins.pin(24))
    Tm1637Display(23, 24, pins).show("  12")
    print(chip.text)

Only the pins are simulated: the real driver reads them, with its threads and its debounce.
A clock that stands still until somebody waits lets whole games be played in a moment.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.gpio.pin_claims import PinTaken

if TYPE_CHECKING:
    pass


PRESS_SECONDS = 0.1
"""Time that a finger takes for a press, and until the next."""
MIN_PRESS_SECONDS = 0.014
"""Time that the quickest finger is down."""
WORN_CONTACT_BOUNCE = (0.0004, 0.0011, 0.0007, 0.002, 0.0005, 0.0013)
"""Seconds between the edges of a worn contact that bounces."""
LOOSE_WIRE_SECONDS = 0.003
"""Time between the edges of a wire that hardly touches."""
MAINS_PERIOD_SECONDS = 0.02
"""Time from one spike to the next on a wire that picks up the mains' hum."""


class WaitableClock(Protocol):
    """The seconds that edges carry, and a way to let some pass."""

    def __call__(self) -> float:
        """Returns the time."""

    def wait(self, seconds: float) -> None:
        """Lets so many seconds pass."""


class RealClock:
    """The monotonic clock of the machine."""

    def __call__(self) -> float:
        """Returns the time."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Sleeps."""
        time.sleep(seconds)


class ManualClock:
    """A clock that stands still until somebody waits."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Returns the time."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Moves the time on at once."""
        self.now += seconds


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin whose edges carry the time of its factory's clock, as the kernel's edges do.

    Its watchers are called at every edge. What is wired to it may pull the line down: then it is low unless
    somebody drives it.
    """

    def __init__(self, factory: Any, info: Any) -> None:
        self.watchers: list[Callable[[], None]] = []
        self.next_edge_delay = 0.0
        """Seconds from now to the time that its next edge carries."""
        self._pullers: list[object] = []
        super().__init__(factory, info)

    def pull_down(self, who: object, *, is_down: bool) -> None:
        """A device on the wire pulls the pin down, or releases it."""
        self._pullers = [each for each in self._pullers if each is not who] + [who] * is_down
        if self.function == "input":
            self._set_pull(self.pull)
            self._sink()

    def is_pulled_by(self, who: object) -> bool:
        """Returns whether this device pulls the pin down now."""
        return any(each is who for each in self._pullers)

    def drive_high(self) -> None:
        """Drives the pin high, unless a device pulls it down."""
        if not self._pullers:
            super().drive_high()

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._sink()

    def _sink(self) -> None:
        if self._pullers and self.function == "input":
            self.drive_low()

    def _change_state(self, value: float) -> bool:
        has_changed = bool(super()._change_state(value))
        if has_changed:
            for watcher in self.watchers:
                watcher()
        return has_changed

    def _call_when_changed(self) -> None:
        at = self._factory.ticks() + self.next_edge_delay
        PiPin._call_when_changed(self, at, self._state)  # noqa: SLF001 - as its own kind does


class SimulatedPins(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The pins of a header."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=SimulatedPin)
        self._clock = clock
        self.holders: dict[int, str] = {}
        """Other programs, by the number of the pin that each holds."""

    def ticks(self) -> float:
        """Returns the time."""
        return self._clock()

    def reserve_pins(self, requester: object, *pins: int) -> None:
        """Reserves the pins of a device; raises `PinTaken` if another program holds one."""
        for pin in pins:
            if pin in self.holders:
                raise PinTaken(f"GPIO{int(pin)}", self.holders[pin])
        super().reserve_pins(requester, *pins)

    def close(self) -> None:
        """Makes every pin an input again; devices stay wired for whoever opens the header next."""
        for pin in self.pins.values():
            pin.close()


class SimulatedButton:
    """A button between a pin and ground, or 3.3 V where a press is high."""

    def __init__(self, pin: SimulatedPin, clock: WaitableClock, *, low: bool = True) -> None:
        self._pin = pin
        self._clock = clock
        self._low = low
        self._pushed = -math.inf

    def press_down(self, bounce: Sequence[float] = ()) -> None:
        """Presses it down; `bounce` are the seconds between the edges until it stays down."""
        self._pushed = self._clock()
        self._move(bounce, down=True)

    def release(self, bounce: Sequence[float] = ()) -> None:
        """Releases it, after the time a finger is down at least: a click may take none."""
        self._move(bounce, down=False, later=max(0.0, self._pushed + MIN_PRESS_SECONDS - self._clock()))

    def press(self, seconds: float = PRESS_SECONDS, bounce: Sequence[float] = ()) -> None:
        """Presses it for so many seconds and releases it; then a finger's pause."""
        self.press_down(bounce)
        self._clock.wait(seconds - sum(bounce))
        self._move(bounce, down=False)
        self._clock.wait(PRESS_SECONDS - sum(bounce))

    def chatter(self, seconds: float) -> None:
        """Makes its wire hardly touch for so many seconds; at last it doesn't touch."""
        for _ in range(int(seconds / LOOSE_WIRE_SECONDS / 2)):
            for down in (True, False):
                self._drive(down=down)
                self._clock.wait(LOOSE_WIRE_SECONDS)

    def hum(self, seconds: float, width: float) -> None:
        """Makes its wire pick up mains hum for so long: 50 times a second it is down for `width` seconds."""
        for _ in range(round(seconds / MAINS_PERIOD_SECONDS)):
            for down, lasting in ((True, width), (False, MAINS_PERIOD_SECONDS - width)):
                self._drive(down=down)
                self._clock.wait(lasting)

    def _move(self, bounce: Sequence[float], *, down: bool, later: float = 0.0) -> None:
        """Makes edges at once with the times they should have: no device waits for a busy machine."""
        is_down, self._pin.next_edge_delay = down, later
        for pause in bounce[: len(bounce) // 2 * 2]:
            self._drive(down=is_down)
            self._pin.next_edge_delay += pause
            is_down = not is_down
        self._drive(down=down)
        lasted, self._pin.next_edge_delay = self._pin.next_edge_delay - later, 0.0
        self._clock.wait(lasted)

    def _drive(self, *, down: bool) -> None:
        if down == self._low:
            self._pin.drive_low()
        else:
            self._pin.drive_high()


REGISTERS = 6
DIGITS = 4
BITS = 8
DATA, DISPLAY, ADDRESS = 0b01, 0b10, 0b11
"""The two highest bits of a command."""
FIXED_ADDRESS = 0x04
ON = 0x08

GLYPHS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4",
    0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9", 0x40: "-",
}  # fmt: skip  # a table
"""What people read in a digit; the lowest bit is its top segment, then clockwise, the middle last."""


class SimulatedTM1637:
    """A TM1637 with four digits at two simulated pins, bit by bit as its data sheet (V2.4) describes it.

    Start, bytes with their lowest bit first, an acknowledgement on the data line from the eighth fall of the
    clock to the ninth, stop; six registers of segments, addresses counted up or fixed, brightness. It reads
    no keys. It has power when it is made.
    """

    def __init__(self, clock: Any, data: Any) -> None:
        self._clock, self._data = clock, data
        self._was = self._levels
        self._power_up()
        self.drive_conflicts = 0
        """How often somebody drove the data line high against the chip."""
        clock.watchers.append(self._look)
        data.watchers.append(self._look)

    @property
    def segments(self) -> tuple[int, ...]:
        """The lit segments of each of the four digits."""
        return tuple(self._registers[:DIGITS]) if self._is_on else (0,) * DIGITS

    @property
    def text(self) -> str:
        """What people read, a character for each digit; `?` for a digit that is none."""
        return "".join(GLYPHS.get(each, "?") for each in self.segments)

    @property
    def brightness(self) -> int:
        """The brightness from 0 to 7; -1 while it is dark."""
        return self._brightness if self._is_on else -1

    def unplug(self) -> None:
        """Takes its power: it is dark, says nothing, and forgets everything."""
        self._has_power = False
        self._is_on = False
        self._data.pull_down(self, is_down=False)

    def plug_in(self) -> None:
        """Gives it power again; it shows nothing until it is told to."""
        self._power_up()

    def _power_up(self) -> None:
        self._has_power = True
        self._is_on = False
        self._brightness = 0
        self._registers = bytearray(REGISTERS)
        self._address, self._is_fixed = 0, False
        self._listening = False
        self._begin()

    def _begin(self) -> None:
        self._bits: list[bool] = []
        self._is_first = True

    @property
    def _levels(self) -> tuple[bool, bool]:
        return bool(self._clock.state), bool(self._data.state)

    def _look(self) -> None:
        (clock, data), (clock_was, data_was) = self._levels, self._was
        self._was = clock, data
        if not self._has_power:
            return
        if clock and clock_was and data != data_was:
            self._listening = not data  # data may only move while the clock is low, but to start and to stop
            self._begin()
        elif self._listening and clock and not clock_was:
            self._rise(data=data)
        elif self._listening and clock_was and not clock:
            self._fall()

    def _rise(self, *, data: bool) -> None:
        if len(self._bits) < BITS:
            self._bits.append(data)
        elif self._data.function == "output" and data:
            self.drive_conflicts += 1

    def _fall(self) -> None:
        if self._data.is_pulled_by(self):
            self._data.pull_down(self, is_down=False)
            self._take(sum(bit << at for at, bit in enumerate(self._bits)))
            self._bits, self._is_first = [], False
        elif len(self._bits) == BITS:
            self._data.pull_down(self, is_down=True)

    def _take(self, byte: int) -> None:
        kind = byte >> 6
        if not self._is_first:
            if self._address < REGISTERS:
                self._registers[self._address] = byte
            self._address += not self._is_fixed
        elif kind == DATA:
            self._is_fixed = bool(byte & FIXED_ADDRESS)
        elif kind == DISPLAY:
            self._is_on, self._brightness = bool(byte & ON), byte & 0x07
        elif kind == ADDRESS:
            self._address = byte & 0x0F
