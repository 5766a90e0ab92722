"""Phones on the screen: switching them on, the QR code of a seat, the two digits, and unpairing.

`open_phones(app, seats)` opens the page with these seats. A page shows one seat's code at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.table.seats import Seat
from ui import theme
from ui.events import bind_weak
from ui.host import AppWithEvening
from ui.pages import DialogChoice, Page, make_key, make_key_row, open_choice_dialog, open_page, run_or_explain
from ui.screens.wifi import open_hotspot_code, open_wifi
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.overlays import Overlay
from ui.widgets.sheets.score_charts import QrCode

if TYPE_CHECKING:
    from hardware.phones.phones import Phones

SEAT_COLUMNS, SEAT_ROWS = 2, 3
"""The columns and rows of seats on one page of a landscape screen; an upright one has twice the rows."""
QR_SHARE = 0.45
"""The share of the code's page that the QR code takes."""


class PhonesPage(Page):
    """The page with a key for each seat, which says whether it has a phone.

    `switch` switches phones on or off, `open_wifi` opens the page of the Wi-Fi, `open_seat` is called with a
    seat that was touched.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        *,
        switch: Callable[[], object],
        open_wifi: Callable[[], object],
        open_seat: Callable[[Seat], object],
    ) -> None:
        super().__init__()
        self._seats, self._open_seat = seats, open_seat
        is_upright = self.app.stage.is_next_page_portrait
        self.switch_key = make_key("switch", "", switch, width_px=theme.length.target * 2.4)
        wifi_key = make_key("wifi", self.app.tr("Wi-Fi"), open_wifi, width_px=theme.length.target * 1.5)
        self.note = FittedLabel(is_on_felt=True, lines=2, size_hint_y=None, height=theme.length.body * 2.8)
        self.pager = Pager(
            cols=1 if is_upright else SEAT_COLUMNS,
            rows=theme.grow_count(SEAT_ROWS * (SEAT_COLUMNS if is_upright else 1)),
            has_external_keys=True,
        )
        self.add_content(
            self.app.tr("Phones"),
            self.note,
            self.pager,
            keys_beside_title=(*self.pager.page_turn_keys, wifi_key, self.switch_key),
        )

    def show_phones(self, phones: Phones | None) -> None:
        """Shows whether phones are on, and which seats have one; None while they are off."""
        tr = self.app.tr
        self.switch_key.text = tr("Switch on") if phones is None else tr("Switch off")
        self.switch_key.look = "brass" if phones is None else "paper"
        if phones is None:
            self.note.text = tr("Players can bid and answer on their own phones, without an app or internet.")
            self.pager.items = []
            return
        self.note.text = tr("Touch a player to give them a phone.")
        if phones.web_addresses == ():
            self.note.text = tr("Connect the companion to a network first.")
        if phones.web_addresses:
            address = f"{phones.web_addresses[0]}/table"
            self.note.text += " " + tr("The table in any browser: {address}", address=address)
        self.pager.items = [self._make_seat_key(seat, phones) for seat in self._seats]

    def _make_seat_key(self, seat: Seat, phones: Phones) -> Widget:
        tr = self.app.tr
        if seat.number in phones.connected_seat_numbers:
            state = tr("Phone is connected")
        elif seat.number in phones.paired_seat_numbers:
            state = tr("Phone is asleep")
        else:
            state = tr("No phone")
        key = OptionKey(
            name=f"seat {seat.number}",
            text=seat.name,
            detail_text=state,
            subject=seat,
            size_hint_max_y=theme.length.row * 1.6,
        )
        key.bind(on_release=lambda _: self._open_seat(seat))
        return key


class PhoneCodePage(Page):
    """The page with the QR code of a seat; once a phone has used it, with the two digits to compare."""

    def __init__(self, seat: Seat, confirm: Callable[[], object], reject: Callable[[], object]) -> None:
        super().__init__()
        tr = self.app.tr
        self._shown_address: str | None = None
        is_upright = self.app.stage.is_next_page_portrait
        self.body = BoxLayout(
            orientation="vertical" if is_upright else "horizontal", spacing=theme.length.gap
        )
        self.confirm_keys = make_key_row(
            make_key("differ", tr("They differ"), reject, look="danger"),
            make_key("equal", tr("They are equal"), confirm, look="brass"),
        )
        self.add_content(tr("A phone for {name}", name=seat.name), self.body)

    def show_code(self, address: str | None, *, is_in_network: bool) -> None:
        """Shows the QR code; without an address, that there is no network, or that it takes a moment."""
        if address is not None and address == self._shown_address:
            return
        tr = self.app.tr
        self._shown_address = address
        self.body.clear_widgets()
        if address is None:
            text = tr("One moment …") if is_in_network else tr("Connect the companion to a network first.")
            label = FittedLabel(text=text, style="question", is_on_felt=True, halign="center", lines=3)
            self.body.add_widget(label)
            return
        shown_address = address.partition("#")[0].removeprefix("http://")
        texts = (
            tr("Scan this code with the phone's camera, and open the page."),
            tr("The phone must be in the same network: {address}", address=shown_address),
        )
        labels = [FittedLabel(text=text, style="question", lines=4) for text in texts]
        side = "size_hint_y" if self.body.orientation == "vertical" else "size_hint_x"
        slip = PaperBoxLayout(padding=theme.length.margin, **{side: 1 - QR_SHARE})
        add_children(self.body, QrCode(address, **{side: QR_SHARE}), add_children(slip, *labels))

    def show_digits(self, digits: str) -> None:
        """Shows the two digits that the phone shows, too."""
        self._shown_address = None
        self.body.clear_widgets()
        slip = PaperBoxLayout(padding=theme.length.margin, spacing=theme.length.gap)
        question = FittedLabel(
            text=self.app.tr("Does the phone show the same two digits?"),
            style="question",
            halign="center",
            lines=2,
        )
        add_children(slip, question, FittedLabel(text=digits, style="headline", halign="center"))
        if self.confirm_keys.parent is not None:
            self.confirm_keys.parent.remove_widget(self.confirm_keys)
        self.body.add_widget(add_children(slip, self.confirm_keys))


def open_phones(app: AppWithEvening, seats: Sequence[Seat]) -> None:
    """Opens the page of phones for the seats of the game on the table, or of the game that is set up."""
    PhonesFlow(app, seats).open()


class PhonesFlow:
    """Switches phones on, pairs and unpairs them. The keys of its page keep it alive."""

    def __init__(self, app: AppWithEvening, seats: Sequence[Seat]) -> None:
        self.app, self._seats = app, seats
        self._service = app.controller.phone_service
        self._page: PhonesPage | None = None
        self._code_page: PhoneCodePage | None = None
        self._code_overlay: Overlay | None = None
        self._code_seat: Seat | None = None

    def open(self) -> None:
        """Opens the page with all seats."""
        self._page = PhonesPage(
            self._seats,
            switch=self._switch,
            open_wifi=partial(open_wifi, self.app),
            open_seat=self._open_seat,
        )
        self.app.controller.wifi_service.update_status()
        self._update()
        bind_weak(self._service, "on_phones", self._handle_phones)
        open_page(self._page)

    def _handle_phones(self, _service: object) -> None:
        self._update()

    def _phones(self) -> Phones | None:
        return self._service.phones if self._service.is_on else None

    def _change(self, change: Callable[[], object]) -> None:
        """Changes who has a phone, or explains why that isn't possible; shows the result everywhere."""
        run_or_explain(change)
        self.app.controller.refresh_phones()

    def _switch(self) -> None:
        self._change(self._service.switch_off if self._service.is_on else self._service.switch_on)

    def _open_seat(self, seat: Seat) -> None:
        tr, phones = self.app.tr, self._service.phones
        if seat.number not in phones.paired_seat_numbers:
            self._show_codes(seat)
            return
        choices = [
            DialogChoice("unpair", tr("Unpair"), partial(self._unpair, seat)),
            DialogChoice("code", tr("Another phone"), partial(self._show_codes, seat)),
        ]
        open_choice_dialog(tr("{name}'s phone", name=seat.name), choices)

    def _unpair(self, seat: Seat) -> None:
        if self._service.is_on:
            self._change(partial(self._service.phones.unpair, seat.number))

    def _show_codes(self, seat: Seat) -> None:
        """Shows the seat's code; while our hotspot is on, the code of its Wi-Fi before that."""
        status = self.app.controller.wifi_service.status
        if status is not None and status.key:
            open_hotspot_code(status, partial(self._show_code, seat))
        else:
            self._show_code(seat)

    def _show_code(self, seat: Seat) -> None:
        self._service.phones.offer_code(seat.number)
        self._code_seat = seat
        self._code_page = PhoneCodePage(seat, self._confirm, self._reject)
        self._code_overlay = open_page(self._code_page, on_removed=self._withdraw_code)
        self._update()

    def _withdraw_code(self) -> None:
        self._code_page = self._code_overlay = None
        if self._service.is_on:
            self._service.phones.withdraw_code()

    def _confirm(self) -> None:
        self._change(self._service.phones.confirm_pairing)

    def _reject(self) -> None:
        self._change(self._service.phones.reject_pairing)

    def _update(self) -> None:
        """Shows what has changed; the page of a code closes once its phone is paired or refused."""
        phones = self._phones()
        if self._page is not None:
            self._page.show_phones(phones)
        if self._code_page is None or self._code_overlay is None:
            return
        if phones is not None and phones.pending_pairing is not None:
            self._code_page.show_digits(phones.pending_pairing.keys.digits)
        elif phones is not None and phones.offered_code is not None:
            self._code_page.show_code(phones.address_of_code(), is_in_network=phones.web_addresses != ())
        else:
            self._code_overlay.close()
