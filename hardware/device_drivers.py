"""What all device drivers have in common: how they start and stop, and what the game tells them.

A driver serves all devices of one type. Input devices are what people answer with; output devices only tell a
seat something. `hardware.devices` makes the drivers and talks to them.
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
class Identifiable(DeviceDriver, Protocol):
    """A driver whose devices say what they are."""

    def describe_device(self, device: str) -> Text:
        """Returns id and firmware, or chip; "" while it isn't known, or for a device of another type."""


class InputDevice(DeviceDriver, Protocol):
    """A driver of devices that people answer with."""

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows a panel on the device until the next one, also after it is plugged in later."""

    def show_answer_accepted(self, answer: DeviceAnswer) -> None:
        """Tells the device that its answer is saved."""

    def show_answer_refused(self, answer: DeviceAnswer, why: str) -> None:
        """Tells the device that its answer doesn't count, and why."""


@runtime_checkable
class ButtonInput(InputDevice, Protocol):
    """A driver whose presses mean something only together with the open question."""

    def handle_signal(self, signal: RawInput, form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a press completes; `form` is the form of the seat's question."""


@runtime_checkable
class InputWithoutDisplay(InputDevice, Protocol):
    """A driver of devices that can't show what is entered on them."""

    def current_entry(self, device: str) -> str:
        """Returns what is entered so far, as keypads show it: `12`, `2.3`."""


class OutputDevice(DeviceDriver, Protocol):
    """A driver of devices that tell a seat something and take no input."""

    def show_panel(self, seat: int, panel: SeatPanel) -> None:
        """Shows a panel at the seat until the next one; its light blinks after a refused answer."""
