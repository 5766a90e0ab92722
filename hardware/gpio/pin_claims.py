"""Takes the pins of devices, and retries pins that another program holds.

    claims = PinClaims(sections, self._take_pins, inbox)
    claims.start()

The module knows the labels of the chip behind the header and why pins can't be used, and reports which device
has its pins. It imports neither gpiozero nor gpiod before pins are taken.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeAlias

from hardware.device_drivers import DeviceDriver
from hardware.signals import DeviceFound, DeviceLost, Inbox
from hardware.wiring.sections import Section

HEADER_CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip behind the header, on a Raspberry Pi 5, a 4, and those before.

The chip's number doesn't identify it: on a Raspberry Pi 5 the number has been 4, 0 and 11 to 15.
"""
DEVICE_FOLDER = Path("/dev")
CONSUMER_NAME = "companion"
"""The name under which the companion holds pins in the kernel."""
UNNAMED_HOLDER = "?"
"""Stands for the holder of a pin that has no name, such as a part of the kernel."""


class PinUnusable(OSError):
    """Raised if a pin can't be used, though no other program holds it."""


class PinTaken(OSError):
    """Raised if another program holds a pin; `holder` names program and pin: `fan-control (GPIO17)`."""

    def __init__(self, pin: str, program: str) -> None:
        self.holder = f"{program or UNNAMED_HOLDER} ({pin})"
        super().__init__(errno.EBUSY, f"held by {self.holder}")


def require_permission_to_open_chips(device_folder: Path) -> None:
    """Raises PermissionError if a GPIO chip may not be opened, as any chip may be that of the header."""
    for path in device_folder.glob("gpiochip*"):
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, "this chip may not be opened", str(path))


PIN_RETRY_SECONDS = 1.0
"""Time until pins that another program holds are tried again."""
GPIO_GROUP = "gpio"
"""The group whose members may open the pins on Raspberry Pi OS."""

PinFactory: TypeAlias = Any
"""A pin factory of gpiozero, which ships no types."""
TakePins: TypeAlias = Callable[[Any], DeviceLost | None]
"""Function that takes all pins of the device of a section, or raises and takes none.

The function returns a loss if the device can't be used though its pins were taken.
"""


class PinClaims:
    """Claims the pins of devices, and retries while another program holds them.

    Every device is reported as found or lost. `take_pins` is called in the thread that calls `start`, and
    later in a thread of its own, which runs only while another program holds pins.
    """

    def __init__(self, sections: Sequence[Section], take_pins: TakePins, inbox: Inbox) -> None:
        self._sections = sections
        self._take_pins = take_pins
        self._inbox = inbox
        self._taken_section_and_loss_by_device: dict[str, tuple[Section, DeviceLost]] = {}
        from gpiozero.exc import GPIOZeroError  # only devices at pins load gpiozero

        self._pin_errors = (OSError, GPIOZeroError, ImportError)
        self._closing = Event()
        self._thread = Thread(target=self._run, name="pins", daemon=True)

    def start(self) -> None:
        """Claims all pins that are free."""
        for section in self._sections:
            self._claim_pins(section)
        if self._taken_section_and_loss_by_device:
            self._thread.start()

    def stop_retrying(self) -> None:
        """Stops retrying: missing devices stay missing."""
        self._closing.set()

    def stop_and_wait(self) -> None:
        """Stops retrying and waits for the thread. The owners of the pins release them."""
        self.stop_retrying()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._taken_section_and_loss_by_device and not self._closing.wait(PIN_RETRY_SECONDS):
            for section, _ in list(self._taken_section_and_loss_by_device.values()):
                self._claim_pins(section)

    def _claim_pins(self, section: Section) -> None:
        _, old_state = self._taken_section_and_loss_by_device.pop(section.device_name, (section, None))
        try:
            state = self._take_pins(section) or DeviceFound(section.device_name)
        except PinTaken as error:
            state = DeviceLost(section.device_name, "taken", error.holder)
            self._taken_section_and_loss_by_device[section.device_name] = section, state
        except PermissionError:
            state = DeviceLost(section.device_name, "denied", GPIO_GROUP)
        except self._pin_errors:
            state = DeviceLost(section.device_name, "no_pins")
        if state != old_state:
            self._inbox.put(state)


class PinOutputDriver(DeviceDriver):
    """Base of the drivers of output devices at pins; `pins` opens the pin factory.

    A device whose pins can't be used is lost, and the game goes on without it. If another program holds the
    pins, the device is found when that program frees them.
    """

    def __init__(self, sections: Sequence[Any], inbox: Inbox, *, pins: Callable[[], PinFactory]) -> None:
        self._section_by_seat = {each.seat: each for each in sections}
        self._inbox = inbox
        self._pins = pins
        self._claims = PinClaims(sections, self._take_pins, inbox)

    def start(self) -> None:
        """Claims the pins; every device that can be used is found."""
        self._claims.start()

    def _take_pins(self, section: Any) -> DeviceLost | None:
        raise NotImplementedError  # each type of device has pins of its own
