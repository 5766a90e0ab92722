"""Pins for devices: one device after the other, and those that another program holds when it lets go of them.

    taking = Taking(wired, self._take, inbox)
    taking.start()

Here it is told which device has its pins and which has not, and why; what a device does with them is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any, TypeAlias

from gpiozero.exc import GPIOZeroError

from hardware.gpio.chips import PinTaken
from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.signals import Found, Lost
from hardware.wiring.sections import Section

AGAIN = 1.0
"""Seconds until pins that another program holds are tried once more."""
GROUP = "gpio"
"""Whose members may open the pins on Raspberry Pi OS."""

Pins: TypeAlias = Any
"""A pin factory of gpiozero, which ships no types."""
Take: TypeAlias = Callable[[Any], Lost | None]
"""Takes the pins of a device, or none of them where it raises; returns what is wrong with it all the same."""


def header_pins() -> Any:
    """The pins of this machine's header; raises OSError or ImportError where it has none.

    PermissionError where it has, but they may not be used.
    """
    from hardware.gpio.gpiod_pins import GpiodFactory

    return GpiodFactory()


class Taking:
    """Takes what is wired with `take`; starts with `start`, ends with `close`.

    Every device is `Found`, or `Lost`. `take` is called in the thread that starts, and later in one of its
    own, which runs only while another program holds pins.
    """

    def __init__(self, wired: Sequence[Section], take: Take, inbox: Inbox) -> None:
        self._wired = wired
        self._take = take
        self._inbox = inbox
        self._waiting: dict[str, tuple[Section, Lost]] = {}
        self._closing = Event()
        self._thread = Thread(target=self._run, name="pins", daemon=True)

    def start(self) -> None:
        """Takes all that can be had."""
        for each in self._wired:
            self._try(each)
        if self._waiting:
            self._thread.start()

    def give_up(self) -> None:
        """What is missing now stays so."""
        self._closing.set()

    def close(self) -> None:
        """Tries no more; what was taken is for others to give back."""
        self.give_up()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._waiting and not self._closing.wait(AGAIN):
            for each, _ in list(self._waiting.values()):
                self._try(each)

    def _try(self, wired: Section) -> None:
        _, before = self._waiting.pop(wired.device, (wired, None))
        try:
            said = self._take(wired) or Found(wired.device)
        except PinTaken as error:
            said = Lost(wired.device, "taken", error.holder)
            self._waiting[wired.device] = wired, said
        except PermissionError:
            said = Lost(wired.device, "denied", GROUP)
        except (OSError, GPIOZeroError, ImportError):
            said = Lost(wired.device, "no_pins")
        if said != before:
            self._inbox.put(said)


class Outputs(Openable):
    """What seats are told by, at pins: lights, displays, buzzers; `pins` returns the factory of the pins.

    What can't have its pins is `Lost`, and the game goes on without it; if another program holds them it is
    `Found` when that lets go.
    """

    def __init__(self, wired: Sequence[Any], inbox: Inbox, *, pins: Callable[[], Pins]) -> None:
        self._wired = {each.seat: each for each in wired}
        self._inbox = inbox
        self._pins = pins
        self._taking = Taking(wired, self._take, inbox)

    def start(self) -> None:
        """Takes the pins; everything that can be used is `Found`."""
        self._taking.start()

    def _take(self, wired: Any) -> Lost | None:
        raise NotImplementedError  # each kind has pins of its own
