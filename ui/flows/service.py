"""Service: from home to the doctor's lines, and to the devices as they are worked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.uix.widget import Widget

from companion.words import render
from hardware.doctor.live import named
from hardware.doctor.machine import seat_of
from hardware.wiring import Buttons, Reader, Section
from ui.evening.diagnostics import Diagnostics
from ui.host import TableHost
from ui.screens.service import Checks, Device, DeviceTable


class Service:
    """`Service(app, controller.diagnostics, names, pair).open()`; the way back leads home.

    `names` are those of the open game, in the order of the seats; without one seats go by their number.
    `pair` asks them which number pad is whose.
    """

    def __init__(
        self,
        app: TableHost,
        diagnostics: Diagnostics,
        names: Callable[[], Sequence[str]],
        pair: Callable[[Sequence[str]], None],
    ) -> None:
        self.app, self.diagnostics = app, diagnostics
        self._names = names
        self._ask_for_pads = pair
        self._devices: dict[str, tuple[Section, Device]] = {}
        diagnostics.bind(findings=lambda *_: self._found(), is_done=lambda *_: self._found())
        diagnostics.bind(on_heard=lambda _, device: self._heard(device))

    def open(self) -> None:
        """Examines the machine again."""
        self.diagnostics.open()
        self._back()

    def close(self) -> None:
        """Back home; devices are heard by the game alone again."""
        self.diagnostics.close()
        self.app.go_home()

    def _back(self) -> None:
        self.app.stage.show(self._checks)

    def _checks(self) -> Widget:
        page = Checks()
        page.show(self.diagnostics.findings, is_done=self.diagnostics.is_done)
        page.bind(
            on_close=lambda _: self.close(),
            on_report=lambda _: self._report(),
            on_copy=lambda _: self._copy(),
            on_devices=lambda _: self.app.stage.show(self._table),
        )
        return page

    def _found(self) -> None:
        if isinstance(page := self.app.stage.screen, Checks):
            page.show(self.diagnostics.findings, is_done=self.diagnostics.is_done)

    def _report(self) -> None:
        tell, tr = self.app.tell, self.app.tr
        self.app.tries(
            lambda: tell(tr("The report was saved as {file}.", file=str(self.diagnostics.report())))
        )

    def _copy(self) -> None:
        tell, tr = self.app.tell, self.app.tr

        def copied() -> None:
            file = str(self.diagnostics.copy())
            text = tr("All games were saved in {file}. Unplug the stick when its light is off. Keep the file "
"private: it contains the hidden cards and bids of all games.", file=file)  # fmt: skip  # one sentence
            tell(text)

        self.app.tries(copied)

    # Devices

    def _table(self) -> Widget:
        self._devices = {}
        for section, _ in self.diagnostics.standing():
            caps = list(section.pins) if isinstance(section, Buttons) else []
            name = render(named(section, self._who(section)), self.app.lang)
            self._devices[section.device] = section, Device(name, caps)
            self._show(section.device)
        table = DeviceTable([device for _, device in self._devices.values()])
        table.bind(on_close=lambda _: self._back(), on_pair=lambda _: self._pair())
        return table

    def _pair(self) -> None:
        names = self._names()
        self.diagnostics.close()
        self._ask_for_pads(names)

    def _heard(self, device: str) -> None:
        if isinstance(self.app.stage.screen, DeviceTable) and device in self._devices:
            self._show(device)

    def _show(self, device: str) -> None:
        section, tile = self._devices[device]
        finding = next(finding for each, finding in self.diagnostics.standing() if each is section)
        tile.show(finding, self.diagnostics.about(section), self.app.lang)
        tile.lamps.down = [cap for of, cap in self.diagnostics.heard.down if of == device]
        lying = self.diagnostics.heard.lying.get(device, [])
        tile.said = _tags(lying) if isinstance(section, Reader) else self.diagnostics.said(device)

    def _who(self, section: Section) -> str | None:
        names, number = self._names(), seat_of(section) or 0
        return names[number - 1] if 0 < number <= len(names) else None


def _tags(lying: Sequence[str]) -> str:
    """Each tag by its last four digits, enough to tell two stickers apart."""
    return " ".join(f"…{tag[-4:]}" for tag in lying)
