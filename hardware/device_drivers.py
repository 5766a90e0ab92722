"""The interfaces of device drivers: how drivers start and stop, and what the game shows through them.

A driver serves all devices of one type. People answer with input devices; output devices only show or sound
something at a seat. `hardware.devices` makes and calls the drivers.
"""

from __future__ import annotations

from typing import Protocol, Self, runtime_checkable

from companion.requests import Form
from companion.texts import Text
from hardware.panel import SeatPanel
from hardware.signals import DeviceAnswer, RawInput


class DeviceDriver(Protocol):
    """A driver, or a part of one, that runs from `start` to `close`; `with` calls both."""

    def start(self) -> None:
        """Opens ports or pins; a device that can't be used is reported with `DeviceLost`, or stays dark."""

    def close(self) -> None:
        """Frees ports and pins."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


@runtime_checkable
class SelfDescribingDriver(DeviceDriver, Protocol):
    """A driver that can describe its devices, such as their firmware or chip."""

    def describe_device(self, device: str) -> Text:
        """Returns a device's description of itself, such as its id and firmware, or its chip.

        Returns "" while the description isn't known, and for a device of another type.
        """


class InputDriver(DeviceDriver, Protocol):
    """The driver of a type of input devices, with which people answer."""

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on the device until the next one, also after it is plugged in later."""

    def handle_answer_accepted(self, answer: DeviceAnswer) -> None:
        """Informs the device that its answer is saved."""

    def handle_answer_refused(self, answer: DeviceAnswer, reason: str) -> None:
        """Informs the device that its answer doesn't count, and why."""


@runtime_checkable
class RawInputDriver(InputDriver, Protocol):
    """The driver of devices with raw input: a press means something only for the open question."""

    def interpret_press(self, signal: RawInput, form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a press completes, or None; `form` is that of the seat's question."""


@runtime_checkable
class InputDriverWithoutDisplay(InputDriver, Protocol):
    """The driver of input devices that can't show what is entered on them."""

    def current_entry(self, device: str) -> str:
        """Returns what is entered on a device so far, as keypads show it: `12`, `2.3`."""


class OutputDriver(DeviceDriver, Protocol):
    """The driver of a type of output devices, which take no input, but show or sound something at a seat."""

    def show_panel(self, seat_number: int, panel: SeatPanel) -> None:
        """Shows a panel at a seat until the next one; the seat's light blinks after a refused answer."""
