"""The machine's Wi-Fi on the screen's side: each call runs in a thread of its own, as it may take seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ObjectProperty

from companion.texts import Say
from ui.events import EventMixin

if TYPE_CHECKING:
    from hardware.wifi.wifi import Wifi, WifiNetwork, WifiStatus

T = TypeVar("T")


def _make_wifi() -> Wifi:
    from hardware.wifi.wifi import Wifi  # not before people open a page that needs it

    return Wifi()


class WifiService(EventMixin, EventDispatcher):
    """The machine's Wi-Fi: its status, joining a network, and the hotspot.

    One change runs at a time: while `is_busy`, others are ignored. Results come in the screen's thread.
    """

    status: WifiStatus | None = ObjectProperty(None, allownone=True)
    """What the Wi-Fi did when it was last asked; None before."""
    is_busy = BooleanProperty(defaultvalue=False)
    """True while a change or a scan for networks runs."""
    __events__ = ("on_problem",)  # text: why a change failed, and what to do

    def __init__(self, make_wifi: Callable[[], Wifi] = _make_wifi) -> None:
        super().__init__()
        self._make_wifi = make_wifi

    def update_status(self) -> None:
        """Asks for the status."""
        self._run(lambda wifi: wifi.read_status(), self._take_status)

    def find_networks(self, show: Callable[[Sequence[WifiNetwork]], object]) -> None:
        """Calls `show` with the networks in reach, the strongest first."""

        def finish(networks: Sequence[WifiNetwork]) -> None:
            self.is_busy = False
            show(networks)

        if not self.is_busy:
            self.is_busy = True
            self._run(lambda wifi: wifi.list_networks(), finish)

    def join(self, name: str, key: str = "") -> None:
        """Joins a network; without a key, one that is open or saved."""
        self._change(lambda wifi: wifi.join(name, key))

    def start_hotspot(self) -> None:
        """Opens the hotspot; its name and key are then in the status."""
        self._change(lambda wifi: wifi.start_hotspot())

    def stop_hotspot(self) -> None:
        """Closes the hotspot, and goes back to the network from before."""
        self._change(lambda wifi: wifi.stop_hotspot())

    def _change(self, change: Callable[[Wifi], Say | None]) -> None:
        def finish(result: tuple[Say | None, WifiStatus]) -> None:
            problem, self.status = result
            self.is_busy = False
            if problem is not None:
                self.dispatch("on_problem", problem)

        if not self.is_busy:
            self.is_busy = True
            self._run(lambda wifi: (change(wifi), wifi.read_status()), finish)

    def _take_status(self, status: WifiStatus) -> None:
        self.status = status

    def _run(self, work: Callable[[Wifi], T], finish: Callable[[T], object]) -> None:
        wifi = self._make_wifi()

        def run() -> None:
            result = work(wifi)
            Clock.schedule_once(lambda _: finish(result))

        Thread(target=run, name="wifi", daemon=True).start()
