"""The kinds of devices at a table, and how those of a wiring are made; their metal loads only here.

A kind that people answer with is a function and a line in `ANSWERING`; one that only tells something is
a function and a line in `TELLING`. The key is the section's in hardware.toml. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from companion.requests import Form
from companion.texts import Text
from hardware.inbox import Inbox
from hardware.numpads.reader import Inputs
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.rfid.rfid import ReaderChip
from hardware.signals import Given, Moved
from hardware.wiring.sections import Buttons, Buzzer, Display, Keypad, Light, Numpad, Reader


@runtime_checkable
class Introducing(Openable, Protocol):
    """Devices that say what they are."""

    def about(self, device: str) -> Text:
        """Id and firmware, or chip; nothing while it isn't known, or for a device of another kind."""


class Answering(Openable, Protocol):
    """Devices that people answer with."""

    def show(self, device: str, panel: Panel) -> None:
        """From now on this is asked there."""

    def taken(self, answer: Given) -> None:
        """The answer is committed."""

    def refused(self, answer: Given, why: str) -> None:
        """The answer doesn't count."""


@runtime_checkable
class Pressing(Answering, Protocol):
    """Devices whose presses mean something only beside what is asked."""

    def heard(self, signal: Moved, form: Form | None) -> Given | None:
        """The answer that a press completes, if any; `form` is what its seat is asked for."""


@runtime_checkable
class Echoing(Answering, Protocol):
    """Devices that can't show what is being entered on them."""

    def entry(self, device: str) -> str:
        """What is entered there so far, as keypads show it: `12`, `2.3`."""


class Telling(Openable, Protocol):
    """Devices that tell a seat something and hear nothing."""

    def show(self, seat: int, panel: Panel) -> None:
        """From now on this is so at that seat; its light blinks after what wasn't understood."""


class Surroundings(NamedTuple):
    """What devices are made with.

    `clock` returns the monotonic seconds of all signals, `pins` the pins of the header, which may fail;
    `spi` opens a reader's chip by its path, as `rfid.at_spi` does; `inputs` finds number
    pads; `pause` is what buzzers wait with.
    """

    inbox: Inbox
    clock: Callable[[], float]
    pins: Callable[[], Any]
    spi: Callable[..., ReaderChip]
    inputs: Callable[[], Inputs]
    pause: Callable[[float], None]


def _keypads(wired: Sequence[Keypad], around: Surroundings) -> Answering:
    from hardware.keypads.keypads import Keypads

    return Keypads(wired, around.inbox)


def _numpads(wired: Sequence[Numpad], around: Surroundings) -> Answering:
    from hardware.numpads.numpads import Numpads

    return Numpads(wired, around.inbox, inputs=around.inputs, clock=around.clock)


def _buttons(wired: Sequence[Buttons], around: Surroundings) -> Answering:
    from hardware.gpio.button_seats import ButtonSeats

    return ButtonSeats(wired, around.inbox, pins=around.pins, clock=around.clock)


def _lights(wired: Sequence[Light], around: Surroundings) -> Telling:
    from hardware.gpio.lights import Lights

    return Lights(wired, around.inbox, pins=around.pins)


def _displays(wired: Sequence[Display], around: Surroundings) -> Telling:
    from hardware.gpio.displays import Displays

    return Displays(wired, around.inbox, pins=around.pins)


def _buzzers(wired: Sequence[Buzzer], around: Surroundings) -> Telling:
    from hardware.gpio.buzzers import Buzzers

    return Buzzers(wired, around.inbox, pins=around.pins, pause=around.pause)


def readers(wired: Sequence[Reader], around: Surroundings) -> Openable:
    """The readers of tags."""
    from hardware.rfid.wired_readers import WiredReaders

    return WiredReaders(wired, around.inbox, spi=around.spi, pins=around.pins, clock=around.clock)


Wired: TypeAlias = Any
"""The sections of one kind, which each maker knows."""
ANSWERING: Mapping[str, Callable[[Wired, Surroundings], Answering]] = {
    "keypad": _keypads,
    "numpad": _numpads,
    "buttons": _buttons,
}
TELLING: Mapping[str, Callable[[Wired, Surroundings], Telling]] = {
    "light": _lights,
    "display": _displays,
    "buzzer": _buzzers,
}
KINDS: Mapping[str, Callable[[Wired, Surroundings], Openable]] = {**ANSWERING, **TELLING, "reader": readers}
"""Every kind of device there is; each must hold what the conformance suite asks of devices."""
