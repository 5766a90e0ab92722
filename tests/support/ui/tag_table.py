"""An app with a card reader on a simulated chip; tests lay cards on it."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

from hardware.signals import TagArrived, TagLeft
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.wiring import Wiring
from hardware.wiring.sections import Reader

TAG_1, TAG_2, TAG_3 = "04A1B2C3D4E580", "DEADBEEF", "04A1B2C3D4E5F6010203"


class TagTable:
    """The app, its card service, and the simulated reader chip."""

    def __init__(self, table: Any, chip: SimulatedRc522) -> None:
        self.table, self.chip = table, chip
        self.card_service = table.app.controller.cards
        self.present_tags: set[str] = set()
        table.app.controller._devices.signal_listeners.append(self._track_tag)

    async def lay_and_lift(self, *tags: str) -> None:
        """Lays cards, waits until all are read, lifts them, and waits until they are gone."""
        for tag in tags:
            self.chip.add_tag(tag)
        await self.table.wait_until(lambda: self.present_tags >= set(tags))
        for tag in tags:
            self.chip.remove_tag(tag)
        await self.table.wait_until(lambda: not self.present_tags)
        await self.table.wait_frames(2)

    def _track_tag(self, signal: object) -> None:
        if isinstance(signal, TagArrived):
            self.present_tags.add(signal.tag)
        elif isinstance(signal, TagLeft):
            self.present_tags.discard(signal.tag)

    @property
    def page_message(self) -> str:
        """The result or refusal below the page for tags."""
        from ui.screens.cards_and_tags import TagReadingPage

        page = next(widget for widget in self.table.widgets() if isinstance(widget, TagReadingPage))
        return str(page.result_text.text or page.refusal.text)


def make_app_with_reader(state: Path, chip: SimulatedRc522, **kwargs: Any) -> Any:
    """Returns an app with the reader."""
    from companion.store import Store
    from hardware.devices import Devices
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    wiring = Wiring(reader=(Reader("market", "/dev/spidev0.0"),))
    devices = partial(Devices, spi=lambda _path, **_: open_simulated_reader(chip))

    def controller() -> TableController:
        return TableController(Store.open(state, for_writing=True), wiring, devices=devices)

    return CompanionApp(controller, **kwargs)


def make_real_time_chip() -> SimulatedRc522:
    """Returns a chip that runs on the machine's time."""
    began = time.monotonic()
    return SimulatedRc522(clock=lambda: time.monotonic() - began)
