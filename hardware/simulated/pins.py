"""The header without metal: pins that fingers, bounce and loose wires move, in a time of their own.

    from hardware.simulated.pins import SimulatedTable
    from hardware.wiring import load_wiring

    with SimulatedTable(load_wiring(path)) as table:
        devices = Devices(table.wiring, inbox, pins=table.pins, clock=table.clock)
        table.buttons[1]["plus"].press()

Simulated at the pins: what reads them is the real driver with its threads and its debounce.
A clock that stands still until somebody waits lets whole games be played in a moment.
Over 300 lines, because all that is at the header shares its pins and its time.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin
from msgspec.structs import replace

from hardware.gpio.chips import PinTaken
from hardware.rfid.rfid import ReaderChip
from hardware.simulated.chip import SimulatedChip, open_simulated
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.tm1637 import SimulatedTM1637
from hardware.wiring.pins import Pin
from hardware.wiring.sections import MHZ, Numpad, Reader, Wiring, port_of

if TYPE_CHECKING:
    from hardware.simulated.numpads import SimulatedInputs, SimulatedNumpad

TAP = 0.1
"""Seconds that a finger takes for a press, and until the next."""
FINGER = 0.014
"""Seconds that the quickest finger is down."""
WORN = (0.0004, 0.0011, 0.0007, 0.002, 0.0005, 0.0013)
"""Seconds between the edges of a worn contact that bounces."""
LOOSE = 0.003
"""Seconds between the edges of a wire that hardly touches."""
MAINS = 0.02
"""Seconds from one spike to the next on a wire that picks up the mains' hum."""


class Clock(Protocol):
    """The seconds that edges carry, and a way to let some pass."""

    def __call__(self) -> float:
        """Now."""

    def wait(self, seconds: float) -> None:
        """Later."""


class RealClock:
    """The monotonic clock of the machine."""

    def __call__(self) -> float:
        """Now."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Later."""
        time.sleep(seconds)


class StillClock:
    """A clock that stands still until somebody waits."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Now."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Later, at once."""
        self.now += seconds


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin whose edges carry the time of its factory's clock, as the kernel's do.

    What is wired to it sees every edge by a call of its watcher, and may pull the line down: it is low
    then unless somebody drives it.
    """

    def __init__(self, factory: Any, info: Any) -> None:
        self.watchers: list[Callable[[], None]] = []
        self.later = 0.0
        """Seconds from now to the time that its next edge carries."""
        self._pullers: list[object] = []
        super().__init__(factory, info)

    def pull_down(self, who: object, *, is_down: bool) -> None:
        """Something that is wired to it pulls it down, or lets it go."""
        self._pullers = [each for each in self._pullers if each is not who] + [who] * is_down
        if self.function == "input":
            self._set_pull(self.pull)
            self._sink()

    def is_pulled_by(self, who: object) -> bool:
        """Whether this one pulls it down now."""
        return any(each is who for each in self._pullers)

    def drive_high(self) -> None:
        """It goes up, if nobody pulls it down."""
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
        at = self._factory.ticks() + self.later
        PiPin._call_when_changed(self, at, self._state)  # noqa: SLF001 - as its own kind does


class SimulatedPins(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The pins of a header to which nothing is wired but fingers."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(pin_class=SimulatedPin)
        self._clock = clock
        self.holders: dict[int, str] = {}
        """Other programs, by the number of the pin that each holds."""

    def ticks(self) -> float:
        """Now."""
        return self._clock()

    def reserve_pins(self, requester: object, *pins: int) -> None:
        """A device takes its pins."""
        for pin in pins:
            if pin in self.holders:
                raise PinTaken(f"GPIO{int(pin)}", self.holders[pin])
        super().reserve_pins(requester, *pins)

    def close(self) -> None:
        """Every pin is an input again; what is wired to it stays, for whoever opens the header next."""
        for pin in self.pins.values():
            pin.close()


class SimulatedButton:
    """A button between a pin and ground, or 3.3 V where a press is high."""

    def __init__(self, pin: SimulatedPin, clock: Clock, *, low: bool = True) -> None:
        self._pin = pin
        self._clock = clock
        self._low = low
        self._pushed = -math.inf

    def push(self, bounce: Sequence[float] = ()) -> None:
        """Push it down; `bounce` are the seconds between the edges until it stays down."""
        self._pushed = self._clock()
        self._move(bounce, down=True)

    def let_go(self, bounce: Sequence[float] = ()) -> None:
        """Let it come up, as after a finger that was down for a moment at least: a click may take none."""
        self._move(bounce, down=False, later=max(0.0, self._pushed + FINGER - self._clock()))

    def press(self, seconds: float = TAP, bounce: Sequence[float] = ()) -> None:
        """Push it down for so long and let it go; then a finger's pause."""
        self.push(bounce)
        self._clock.wait(seconds - sum(bounce))
        self._move(bounce, down=False)
        self._clock.wait(TAP - sum(bounce))

    def chatter(self, seconds: float) -> None:
        """For so long its wire hardly touches; at last it doesn't."""
        for _ in range(int(seconds / LOOSE / 2)):
            for down in (True, False):
                self._drive(down=down)
                self._clock.wait(LOOSE)

    def hum(self, seconds: float, width: float) -> None:
        """For so long its wire picks up the mains: 50 times a second it is down for `width` seconds."""
        for _ in range(round(seconds / MAINS)):
            for down, lasting in ((True, width), (False, MAINS - width)):
                self._drive(down=down)
                self._clock.wait(lasting)

    def _move(self, bounce: Sequence[float], *, down: bool, later: float = 0.0) -> None:
        """The edges come at once and carry the times they should have: no metal waits for a busy machine."""
        is_down, self._pin.later = down, later
        for pause in bounce[: len(bounce) // 2 * 2]:
            self._drive(down=is_down)
            self._pin.later += pause
            is_down = not is_down
        self._drive(down=down)
        lasted, self._pin.later = self._pin.later - later, 0.0
        self._clock.wait(lasted)

    def _drive(self, *, down: bool) -> None:
        if down == self._low:
            self._pin.drive_low()
        else:
            self._pin.drive_high()


class SimulatedTable:
    """Everything that a wiring describes, without metal; ends with `close` or `with`.

    `wiring` is the same table with its keypads at simulated ports; `pins`, `spi`, `inputs` and `clock` are
    for `Devices`. Tags are laid on `readers`, by zone: `table.readers["market"].lay("04A2B3C4D5E680")`.
    """

    def __init__(self, wiring: Wiring, clock: Clock | None = None) -> None:
        self.clock: Clock = RealClock() if clock is None else clock
        self._header = SimulatedPins(self.clock)
        self._opened = ExitStack()
        folder = Path(self._opened.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        self.keypads = {
            each.seat: self._opened.enter_context(
                SimulatedKeypad(each.id or f"kp-{each.seat}", folder / f"kp-{each.seat}")
            )
            for each in wiring.keypad
        }
        self._inputs: SimulatedInputs | None = None
        self.numpads = self._numpads(wiring.numpad)
        wired = tuple(replace(each, port=str(self.keypads[each.seat].path)) for each in wiring.keypad)
        self.wiring = replace(wiring, keypad=wired)
        self.buttons = {
            each.seat: {
                name: SimulatedButton(self._pin(pin), self.clock, low=each.active == "low")
                for name, pin in each.pins.items()
            }
            for each in wiring.buttons
        }
        self.displays = {
            each.seat: SimulatedTM1637(self._pin(each.clock), self._pin(each.data)) for each in wiring.display
        }
        self.readers = {each.zone: self._reader(each) for each in wiring.reader}
        self._at_spi = {each.spi: self.readers[each.zone] for each in wiring.reader}
        self._lights = {each.seat: each for each in wiring.light}

    def pins(self) -> SimulatedPins:
        """The header."""
        return self._header

    def spi(self, path: str, *, reset: Callable[[], None] = lambda: None, mhz: int = MHZ) -> ReaderChip:
        """The reader at an SPI device, with its real driver."""
        return open_simulated(self._at_spi[path], reset=reset, mhz=mhz)

    def inputs(self) -> SimulatedInputs:
        """Where its number pads are plugged in. ImportError where evdev isn't installed."""
        if self._inputs is None:
            from hardware.simulated.numpads import SimulatedInputs

            self._inputs = SimulatedInputs(self.clock)
        return self._inputs

    def shines(self, seat: int) -> bool:
        """Whether a seat's light is on at this moment."""
        return any(self.colour(seat))

    def colour(self, seat: int) -> tuple[bool, ...]:
        """Which of the LEDs of a seat's light are on: one, or red, green and blue."""
        return tuple(bool(self._pin(pin).state) for pin in self._lights[seat].pins.values())

    def close(self) -> None:
        """Unplugs everything."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _numpads(self, wired: Sequence[Numpad]) -> dict[int, SimulatedNumpad]:
        """None where evdev isn't installed: their drivers say so, as they would of real ones."""
        try:
            return {each.seat: self.inputs().numpad(port_of(each.port)) for each in wired}
        except ImportError:
            return {}

    def _reader(self, wired: Reader) -> SimulatedChip:
        chip = SimulatedChip(clock=self.clock)
        if wired.reset is not None:
            pin = self._pin(wired.reset)
            pin.watchers.append(lambda: chip.reset(is_high=bool(pin.state)))
        return chip

    def _pin(self, pin: Pin) -> Any:
        return self._header.pin(int(pin))
