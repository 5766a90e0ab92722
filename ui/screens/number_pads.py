"""Pairing number pads with seats: each player in turn presses 1 on their pad.

The page only shows the pairing; `NumberPadsFlow` reads the pads and saves the pairs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.texts import Say, render
from hardware.doctor.machine import join_group_advice
from hardware.numpads import (
    EVDEV_MISSING_TEXT,
    InputDeviceSource,
    NumpadPairingProgress,
    NumpadReader,
    handle_pairing_key,
    save_numpads,
    skip_seat,
    usb_port_as_device_name,
)
from hardware.signals import DeviceLost, Inbox, NumpadKeyDown
from hardware.wiring import WIRING_FILE, config_folders, find_config_file
from hardware.wiring.sections import MAX_SEATS_WITH_DEVICES
from ui import theme
from ui.host import AppWithEvening
from ui.pages import Page, run_or_explain, show_message
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, draw_paper, draw_sunken_background
from ui.widgets.drawing.text import FittedLabel


class SeatPairingRow(AutoRedrawWidget, BoxLayout):
    """The row of a seat on the page that pairs number pads.

    The row has a brass frame while the seat is asked, and is flat while the seat waits for its turn.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_asked", "is_paired")
    is_asked = BooleanProperty(defaultvalue=False)
    is_paired = BooleanProperty(defaultvalue=False)

    def __init__(self, name: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap * 1.5, 0), spacing=gap, size_hint_max_y=theme.length.row, **kwargs)
        self.name_label = FittedLabel(text=name, style="question")
        self.status_label = FittedLabel(halign="right", lines=2, line_height=1.0)
        add_children(self, self.name_label, self.status_label)

    def draw(self) -> None:
        """Draws the row: as paper for a seat that is asked or paired, else as a dent."""
        self.name_label.is_on_felt = self.status_label.is_on_felt = not (self.is_asked or self.is_paired)
        if self.is_asked or self.is_paired:
            draw_paper(self.box, theme.length.line)
        else:
            draw_sunken_background(self.box)
        if self.is_asked:
            draw_border(theme.BRASS, self.box, theme.length.rim)


class NumberPadsPage(Page):
    """The page for pairing number pads with seats: a row for each seat, in order.

    `names` are the players' names.
    """

    __events__: tuple[str, ...] = (
        "on_skip",  # people say that the seat that is asked has no number pad
        "on_save",  # people save the pairs so far; seats that weren't asked have no number pad
    )

    def __init__(self, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr = self.app.tr
        self.names = names
        width = {"size_hint_x": None, "width": theme.length.target * 2.4}
        self.skip_key = self.make_event_key("on_skip", name="skip", text=tr("No number pad"), **width)
        self.save_key = self.make_event_key("on_save", name="save", text=tr("Save"), **width)
        self.error_label = FittedLabel(is_on_felt=True, size_hint_y=None, height=theme.length.body * 1.4)
        self.rows = [SeatPairingRow(name) for name in names]
        self.add_content(
            "", self.error_label, *self.rows, BoxLayout(), keys_beside_title=(self.skip_key, self.save_key)
        )

    def show_pairing(self, pairing: NumpadPairingProgress, error_text: str = "") -> None:
        """Shows which pads are paired; `error_text` says what was wrong with the last press."""
        tr = self.app.tr
        port_by_seat = {numpad.seat: numpad.port for numpad in pairing.numpads}
        for number, row in enumerate(self.rows, 1):
            row.is_asked, row.is_paired = number == pairing.current_seat, number in port_by_seat
            row.status_label.text = self._status_text(pairing, number, port_by_seat.get(number))
        self.error_label.text = error_text
        seat = pairing.current_seat
        name = self.names[seat - 1] if seat else ""
        self.head.title.text = (
            tr("{name}: press 1 on your number pad", name=name) if seat else tr("Who has which number pad?")
        )
        self.skip_key.disabled = seat is None
        self.save_key.look = "brass" if seat is None else "paper"

    def _status_text(self, pairing: NumpadPairingProgress, number: int, port: str | None) -> str:
        tr = self.app.tr
        if port is not None:
            return port
        if number == pairing.current_seat:
            return str(tr("Press 1"))
        return "" if number in pairing.remaining_seats else str(tr("No number pad"))


# The flow from the page of devices, and back with the paired pads.
#
# The evening is closed during the pairing, because a pad that a seat uses can't be read twice.


class NumberPadsFlow:
    """Pairs number pads with seats: asks one player after the other.

    `NumberPadsFlow(app, inputs).start_pairing(names)`; the back key reopens the devices and leads home.
    """

    def __init__(self, app: AppWithEvening, open_inputs: Callable[[], InputDeviceSource]) -> None:
        self.app = app
        self._inputs = open_inputs
        self._names: Sequence[str] = ()
        self._pairing = NumpadPairingProgress(())
        self._reader: NumpadReader | None = None
        self._read_soon = Clock.create_trigger(lambda _: self._read_pads())
        self._inbox = Inbox(wake=self._read_soon)

    def start_pairing(self, player_names: Sequence[str]) -> None:
        """Starts pairing with the first seat.

        Only seats that can have devices are asked. Seats without a player's name are called by their number.
        """
        tr, lang = self.app.tr, self.app.lang
        player_names = player_names[:MAX_SEATS_WITH_DEVICES]
        numbers = range(len(player_names) + 1, MAX_SEATS_WITH_DEVICES + 1)
        self._names = [*player_names, *(tr("Seat {number}", number=number) for number in numbers)]
        self._pairing = NumpadPairingProgress(tuple(range(1, MAX_SEATS_WITH_DEVICES + 1)))
        self._reader = NumpadReader(usb_port_as_device_name, self._inbox, self._inputs, grab=False)
        self.app.close_evening()
        self.app.stage.replace_screen(self._make_page)
        try:
            self._reader.start()
        except ImportError:
            self.reopen_evening(render(EVDEV_MISSING_TEXT, lang))

    def reopen_evening(self, message: str = "") -> None:
        """Reopens the evening and shows home, with a message if `message` isn't empty."""
        self.stop_reading_pads()
        self.app.open_evening()
        if message:
            show_message(message)

    def stop_reading_pads(self) -> None:
        """Stops reading the pads, and drops unread input."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
            self._read_soon.cancel()
            self._inbox.drain()

    def _make_page(self) -> Widget:
        page = NumberPadsPage(self._names)
        page.show_pairing(self._pairing)
        page.bind(
            on_close=lambda _: self.reopen_evening(),
            on_skip=lambda _: self._show_pairing(skip_seat(self._pairing)),
            on_save=lambda _: self._save(),
        )
        return page

    def _read_pads(self) -> None:
        for signal in self._inbox.drain():
            match signal:
                case NumpadKeyDown(port, cap):
                    self._show_pairing(*handle_pairing_key(self._pairing, port, cap))
                case DeviceLost(reason="denied") if not self.app.stage.has_overlay:  # once for all devices
                    show_message(join_group_advice("input"))

    def _show_pairing(self, pairing: NumpadPairingProgress, remark: Say | None = None) -> None:
        self._pairing = pairing
        if isinstance(page := self.app.stage.screen, NumberPadsPage):
            page.show_pairing(pairing, render(remark, self.app.lang) if remark else "")

    def _save(self) -> None:
        folders = config_folders(os.environ)
        path = find_config_file(WIRING_FILE, folders) or folders[0] / WIRING_FILE
        if run_or_explain(lambda: save_numpads(path, self._pairing.numpads)):
            self.reopen_evening(self.app.tr("The number pads were saved in {file}.", file=str(path)))
