"""Pairing number pads on the screen: from the devices' page, and back with what was found.

Meanwhile no game is on the table, and the devices are let go: a pad that a seat holds can't be heard.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.words import Say, render
from hardware.desk.missing import NO_EVDEV
from hardware.doctor.machine import join
from hardware.inbox import Inbox
from hardware.numpads.pairing import Pairing, at_usb, save, skipped, struck
from hardware.numpads.reader import Inputs, NumpadReader
from hardware.signals import KeyDown, Lost
from hardware.wiring import FILE, config_folders, find_config
from hardware.wiring.sections import MOST_SEATS
from ui.host import TableHost
from ui.screens.pairing import PairingPage


class PadPairing:
    """`PadPairing(app, inputs).open(names)`; the way back opens the devices again and leads home."""

    def __init__(self, app: TableHost, inputs: Callable[[], Inputs]) -> None:
        self.app = app
        self._inputs = inputs
        self._names: Sequence[str] = ()
        self._pairing = Pairing(())
        self._reader: NumpadReader | None = None
        self._woken = Clock.create_trigger(lambda _: self._hear())
        self._inbox = Inbox(wake=self._woken)

    def open(self, names: Sequence[str]) -> None:
        """Begins with the first seat; seats beyond `names` go by their number.

        Only seats that can have devices are asked.
        """
        tr, lang = self.app.tr, self.app.lang
        names = names[:MOST_SEATS]
        numbers = range(len(names) + 1, MOST_SEATS + 1)
        self._names = [*names, *(tr("Seat {number}", number=number) for number in numbers)]
        self._pairing = Pairing(tuple(range(1, MOST_SEATS + 1)))
        self._reader = NumpadReader(at_usb, self._inbox, self._inputs, grab=False)
        self.app.let_go()
        self.app.stage.show(self._page)
        try:
            self._reader.start()
        except ImportError:
            self.close(render(NO_EVDEV, lang))

    def close(self, text: str = "") -> None:
        """Back home, where that is said."""
        self.stop()
        self.app.open()
        if text:
            self.app.tell(text)

    def stop(self) -> None:
        """Hears no pads any more; what they said last is forgotten."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
            self._woken.cancel()
            self._inbox.drain()

    def _page(self) -> Widget:
        page = PairingPage(self.app, self._names)
        page.show(self._pairing)
        page.bind(
            on_close=lambda _: self.close(),
            on_skip=lambda _: self._go_on(skipped(self._pairing)),
            on_save=lambda _: self._save(),
        )
        return page

    def _hear(self) -> None:
        for signal in self._inbox.drain():
            match signal:
                case KeyDown(port, cap):
                    self._go_on(*struck(self._pairing, port, cap))
                case Lost(why="denied") if not self.app.stage.is_covered:  # once for all devices
                    self.app.say(join("input"))

    def _go_on(self, pairing: Pairing, remark: Say | None = None) -> None:
        self._pairing = pairing
        if isinstance(page := self.app.stage.screen, PairingPage):
            page.show(pairing, render(remark, self.app.lang) if remark else "")

    def _save(self) -> None:
        folders = config_folders(os.environ)
        path = find_config(FILE, folders) or folders[0] / FILE
        if self.app.tries(lambda: save(path, self._pairing.numpads)):
            self.close(self.app.tr("The number pads were saved in {file}.", file=str(path)))
