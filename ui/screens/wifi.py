"""Wi-Fi on the screen: its status, joining a network, and the hotspot with its QR code for phones.

`open_wifi(app)` opens the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.texts import Say, render
from ui import theme
from ui.events import bind_weak
from ui.host import AppWithEvening
from ui.pages import (
    DialogChoice,
    Page,
    do_nothing,
    make_key,
    make_key_row,
    open_choice_dialog,
    open_dialog,
    open_keyboard,
    open_page,
    run_or_explain,
    show_message,
)
from ui.screens.pin import run_after_pin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.score_charts import QrCode

if TYPE_CHECKING:
    from hardware.wifi.wifi import WifiNetwork, WifiStatus

NETWORK_COLUMNS, NETWORK_ROWS = 2, 4
"""The columns and rows of networks on one page of a landscape screen; an upright one has twice the rows."""
MAX_KEY_LETTERS = 63
"""The most letters that the key of a Wi-Fi can have."""
QR_SHARE = 0.45
"""The share of the hotspot's page that the QR code takes."""


class WifiPage(Page):
    """The page with the status of the Wi-Fi, and a key for each thing that people can do now."""

    def __init__(self) -> None:
        super().__init__()
        self.status_label = FittedLabel(style="question", halign="center", is_on_felt=True, lines=5)
        self.keys = BoxLayout(
            orientation="vertical" if self.app.stage.is_next_page_portrait else "horizontal",
            spacing=theme.length.gap,
            size_hint_y=None,
        )
        self.add_content(self.app.tr("Wi-Fi"), self.status_label, self.keys)

    def show_status(self, text: str, keys: Sequence[Key]) -> None:
        """Shows the status in words, and these keys."""
        self.status_label.text = text
        self.keys.clear_widgets()
        rows = len(keys) if self.keys.orientation == "vertical" else min(1, len(keys))
        self.keys.height = rows * (theme.length.row + theme.length.gap)
        add_children(self.keys, *keys)


class NetworksPage(Page):
    """The page with the networks in reach; `choose` is called with the one that was touched."""

    def __init__(self, networks: Sequence[WifiNetwork], choose: Callable[[WifiNetwork], object]) -> None:
        super().__init__()
        is_upright = self.app.stage.is_next_page_portrait
        self._choose = choose
        pager = Pager(
            cols=1 if is_upright else NETWORK_COLUMNS,
            rows=theme.grow_count(NETWORK_ROWS * (NETWORK_COLUMNS if is_upright else 1)),
            has_external_keys=True,
        )
        pager.items = [self._make_network_key(network) for network in networks]
        self.add_content(self.app.tr("Join a Wi-Fi"), pager, keys_beside_title=pager.page_turn_keys)

    def _make_network_key(self, network: WifiNetwork) -> Widget:
        tr = self.app.tr
        signal = tr("Signal {steps} of 4", steps=network.signal_steps)
        if network.is_saved:
            detail = tr("{signal}, saved", signal=signal)
        else:
            detail = signal if network.is_secured else tr("{signal}, without a key", signal=signal)
        key = OptionKey(
            name=f"network {network.name}",
            text=network.name,
            detail_text=detail,
            abbreviates=True,
            size_hint_max_y=theme.length.row * 1.6,
        )
        key.bind(on_release=lambda _: self._choose(network))
        return key


class HotspotCodePage(Page):
    """The page with the QR code of the hotspot, its name and its key.

    `go_on`, if given, is called by a key for people whose phone has joined it; the page then closes.
    """

    def __init__(self, name: str, key: str, go_on: Callable[[], object] | None = None) -> None:
        from hardware.wifi.hotspot import WifiCredentials, encode_wifi_qr

        super().__init__()
        tr = self.app.tr
        is_upright = self.app.stage.is_next_page_portrait
        body = BoxLayout(orientation="vertical" if is_upright else "horizontal", spacing=theme.length.gap)
        side = "size_hint_y" if is_upright else "size_hint_x"
        slip = PaperBoxLayout(padding=theme.length.margin, spacing=theme.length.gap, **{side: 1 - QR_SHARE})
        code = QrCode(encode_wifi_qr(WifiCredentials(name, key)), **{side: QR_SHARE})
        add_children(
            slip,
            FittedLabel(text=tr("Scan this code with the phone's camera to join the Wi-Fi."), lines=3),
            FittedLabel(text=name, style="title", lines=2),
            FittedLabel(text=tr("Key: {key}", key=key), style="title", lines=2),
            FittedLabel(
                text=tr("If the phone says that this Wi-Fi has no internet, stay connected."),
                style="quiet",
                lines=3,
            ),
        )
        if go_on is not None:
            slip.add_widget(
                make_key_row(make_key("go on", tr("Continue"), partial(self._go_on, go_on), look="brass"))
            )
        self.add_content(tr("The Companion's Wi-Fi"), add_children(body, code, slip))

    def _go_on(self, go_on: Callable[[], object]) -> None:
        self.close()
        go_on()


def open_hotspot_code(status: WifiStatus, go_on: Callable[[], object] | None = None) -> None:
    """Opens the page with the QR code of our hotspot, which must be on."""
    open_page(HotspotCodePage(status.name, status.key, go_on))


def open_wifi(app: AppWithEvening) -> None:
    """Opens the page of the Wi-Fi."""
    WifiFlow(app).open()


class WifiFlow:
    """Shows the status of the Wi-Fi, joins networks, and opens and closes the hotspot.

    Its page keeps it alive until people close the page.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._service = app.controller.wifi_service
        self._page = WifiPage()
        self._is_open = False
        """Whether people still see the page: whatever they began goes on, but opens nothing any more."""
        self._progress_text = app.tr("One moment …")
        self._show_hotspot_soon = False

    def open(self) -> None:
        """Opens the page."""
        for event in ("status", "is_busy"):
            bind_weak(self._service, event, self._handle_change)
        bind_weak(self._service, "on_problem", self._show_problem)
        self._is_open = True
        open_page(self._page, on_removed=self._handle_removed)
        self._service.update_status()
        self._update()

    def _handle_removed(self) -> None:
        self._is_open = False

    def _handle_change(self, *_: object) -> None:
        self._update()

    def _show_problem(self, _service: object, text: Say) -> None:
        if self._is_open:
            show_message(text)

    def _update(self) -> None:
        """Shows the status, or what runs at the moment."""
        from hardware.wifi.wifi import WifiState

        status = self._service.status
        if self._service.is_busy or status is None:
            self._page.show_status(self._progress_text, [])
            return
        self._page.show_status(self._status_text(status), self._make_keys(status))
        was_opened, self._show_hotspot_soon = self._show_hotspot_soon, False
        if self._is_open and was_opened and status.state is WifiState.HOTSPOT:
            open_hotspot_code(status)

    def _status_text(self, status: WifiStatus) -> str:
        from hardware.wifi.wifi import WHY_UNUSABLE, WifiState

        tr = self.app.tr
        if status.state in WHY_UNUSABLE:
            return render(WHY_UNUSABLE[status.state], self.app.lang)
        if status.state is WifiState.NOT_CONNECTED:
            return tr("The Companion is in no Wi-Fi.")
        if status.state is WifiState.HOTSPOT:
            return tr("The hotspot {name} is on.", name=status.name)
        text = tr("The Companion is in the Wi-Fi {name}.", name=status.name)
        signal = tr("Signal {steps} of 4", steps=status.signal_steps)
        return f"{text}\n{signal}" if status.signal_steps else text

    def _make_keys(self, status: WifiStatus) -> list[Key]:
        from hardware.wifi.wifi import WifiState

        tr = self.app.tr
        if status.state is WifiState.HOTSPOT:
            return [
                make_key("close hotspot", tr("Close the hotspot"), self._stop_hotspot),
                make_key("code", tr("Show the code"), lambda: open_hotspot_code(status), look="brass"),
            ]
        if status.state not in {WifiState.NOT_CONNECTED, WifiState.CONNECTED}:
            return []
        return [
            make_key("join", tr("Join a Wi-Fi"), partial(run_after_pin, self.app, self._find_networks)),
            make_key("hotspot", tr("Open a hotspot"), self._ask_to_start_hotspot),
        ]

    # Joining a network

    def _find_networks(self) -> None:
        self._progress_text = self.app.tr("Looking for networks …")
        self._service.find_networks(self._show_networks)

    def _show_networks(self, networks: Sequence[WifiNetwork]) -> None:
        if not self._is_open:
            return
        if networks:
            open_page(self._make_networks_page(networks))
        else:
            show_message(self.app.tr("No Wi-Fi is in reach. Move the Companion closer to your router."))

    def _make_networks_page(self, networks: Sequence[WifiNetwork]) -> NetworksPage:
        def choose(network: WifiNetwork) -> None:
            page.close()
            self._choose(network)

        page = NetworksPage(networks, choose)
        return page

    def _choose(self, network: WifiNetwork) -> None:
        tr = self.app.tr
        if not network.is_secured:
            self._join(network.name)
        elif network.is_saved:
            choices = [
                DialogChoice("key", tr("Type another key"), partial(self._ask_key, network.name)),
                DialogChoice("join", tr("Join"), partial(self._join, network.name), "brass"),
            ]
            open_choice_dialog(network.name, choices)
        else:
            self._ask_key(network.name)

    def _ask_key(self, name: str) -> None:
        open_keyboard(
            self.app.tr("Key of {name}", name=name),
            partial(self._join, name),
            max_letters=MAX_KEY_LETTERS,
            script="latin",
            types_network_key=True,
        )

    def _join(self, name: str, key: str = "") -> None:
        self._progress_text = self.app.tr("Joining {name} …", name=name)
        self._service.join(name, key)

    # The hotspot

    def _ask_to_start_hotspot(self) -> None:
        tr = self.app.tr
        open_dialog(
            tr("Open a hotspot?"),
            tr(
                "Phones then join the Companion's own Wi-Fi, which has no internet. The Companion leaves "
                "your Wi-Fi until you close the hotspot."
            ),
            DialogChoice("no", tr("Cancel"), do_nothing),
            DialogChoice("yes", tr("Open it"), self._start_hotspot, "brass"),
        )

    def _start_hotspot(self) -> None:
        """Opens the hotspot, and switches phones on: only then does it give them addresses (ADR 41)."""
        if not self.app.controller.phone_service.is_on:
            run_or_explain(self.app.controller.phone_service.switch_on)
            self.app.controller.refresh_phones()
        self._progress_text, self._show_hotspot_soon = self.app.tr("Opening the hotspot …"), True
        self._service.start_hotspot()

    def _stop_hotspot(self) -> None:
        self._progress_text = self.app.tr("Closing the hotspot …")
        self._service.stop_hotspot()
