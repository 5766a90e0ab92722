"""The machine's Wi-Fi: its status, the networks in reach, joining one, and the hotspot of an evening.

    wifi = Wifi()
    problem = wifi.start_hotspot()
    status = wifi.read_status()

Each method opens its own connection to the system bus, so that any thread may call it. A method may take
seconds: the threads that draw and that own the game must not call it.

systemd/51-companion-web.rules lets the Companion's user do all this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum

import msgspec

from companion.texts import Say, say
from hardware.wifi.bus import NO_OBJECT, NetworkManagerMissing, WifiError, open_bus
from hardware.wifi.hotspot import (
    HOTSPOT_PROFILE_ID,
    PREVIOUS_PROFILE_KEY,
    VariantMap,
    make_credentials,
    make_hotspot_profile,
)
from hardware.wifi.radio import (
    AccessPoint,
    ActivationFailed,
    ActivationFailure,
    Radio,
    decode_name,
    find_radio,
)

ACTIVATION_TIMEOUT_SECONDS = 60.0
"""NetworkManager gives up by itself after 25 s without an answer, and after 45 s more without an address."""
SCAN_TIMEOUT_SECONDS = 6.0
"""A radio hears all channels in about four seconds."""
MIN_KEY_CHARACTERS = 8
MAX_KEY_CHARACTERS = 63


class WifiState(Enum):
    """What the Wi-Fi does now."""

    NO_NETWORK_MANAGER = "no NetworkManager"
    NO_HARDWARE = "no hardware"
    SWITCHED_OFF = "switched off"
    NOT_CONNECTED = "not connected"
    CONNECTED = "connected"
    HOTSPOT = "hotspot"


WHY_UNUSABLE = {
    WifiState.NO_NETWORK_MANAGER: NetworkManagerMissing().text,
    WifiState.NO_HARDWARE: say("This machine has no Wi-Fi that NetworkManager controls."),
    WifiState.SWITCHED_OFF: say(
        "The Wi-Fi is switched off. To switch it on, run this command on the machine: nmcli radio wifi on"
    ),
}
"""Why the Wi-Fi can't be used, in the states in which it can't."""


class WifiStatus(msgspec.Struct, frozen=True):
    """What the Wi-Fi does now.

    `name` and `address` (ours) are those of the house network or of our hotspot. Only a house network has
    `signal_steps`, from 1 to 4, and only our hotspot has its `key`.
    """

    state: WifiState
    name: str = ""
    address: str = ""
    signal_steps: int = 0
    key: str = ""


class WifiNetwork(msgspec.Struct, frozen=True):
    """A network in reach: `signal_steps` is from 1 to 4; a saved network can be joined without its key."""

    name: str
    signal_steps: int
    is_secured: bool
    is_saved: bool


class Wifi:
    """The machine's Wi-Fi.

    A method that changes something returns None, or why it failed: a sentence that says what to do.
    """

    def __init__(
        self,
        bus_address: str = "SYSTEM",
        activation_timeout_seconds: float = ACTIVATION_TIMEOUT_SECONDS,
        scan_timeout_seconds: float = SCAN_TIMEOUT_SECONDS,
    ) -> None:
        self._bus_address = bus_address
        self._activation_timeout_seconds = activation_timeout_seconds
        self._scan_timeout_seconds = scan_timeout_seconds

    def read_status(self) -> WifiStatus:
        """Returns what the Wi-Fi does now."""
        try:
            with open_bus(self._bus_address) as bus:
                radio = find_radio(bus)
                return _read_status(radio) if radio else WifiStatus(WifiState.NO_HARDWARE)
        except NetworkManagerMissing:
            return WifiStatus(WifiState.NO_NETWORK_MANAGER)
        except WifiError:  # what was active a moment ago is gone
            return WifiStatus(WifiState.NOT_CONNECTED)

    def list_networks(self) -> Sequence[WifiNetwork]:
        """Returns the networks in reach after a new scan, the strongest first.

        Without a radio that is switched on there are none. A name is listed once, with its strongest access
        point. Networks without a name aren't listed.
        """
        with suppress(WifiError), open_bus(self._bus_address) as bus:
            radio = _require_radio(find_radio(bus))
            radio.scan(self._scan_timeout_seconds)
            saved_names = radio.saved_profiles().keys()
            points: dict[str, AccessPoint] = {}
            for point in radio.list_access_points():
                points.setdefault(point.name, point)
            return tuple(
                WifiNetwork(name, point.signal_steps, point.is_secured, name in saved_names)
                for name, point in points.items()
            )
        return ()

    def join(self, name: str, key: str = "") -> Say | None:
        """Joins a house network by its name; without a key, a network that is open or saved.

        The network is saved as soon as the machine is connected. No other network is forgotten. If joining
        fails, the machine goes back to the network from before.
        """
        return self._change(lambda radio: self._join(radio, name, key))

    def start_hotspot(self) -> Say | None:
        """Leaves the house network and opens a hotspot with a new name and key, which `read_status` returns.

        If our hotspot is already on, it stays as it is.
        """
        return self._change(self._start_hotspot)

    def stop_hotspot(self) -> Say | None:
        """Closes our hotspot and goes back to the network from before. Does nothing if the hotspot is off."""
        return self._change(self._stop_hotspot)

    def _change(self, change: Callable[[Radio], None]) -> Say | None:
        try:
            with open_bus(self._bus_address) as bus:
                change(_require_radio(find_radio(bus)))
        except WifiError as error:
            return error.text
        return None

    def _join(self, radio: Radio, name: str, key: str) -> None:
        if _is_our_hotspot_on(radio):
            raise WifiError(say("Switch off the hotspot first. The Wi-Fi can't do both at once."))
        point = next((point for point in radio.list_access_points() if point.name == name), None)
        if point is None:
            raise ActivationFailed(name, ActivationFailure.NO_ANSWER)
        saved_path = None if key else radio.saved_profiles().get(name)
        profile = {} if saved_path else _make_house_profile(point, key)
        with _going_back_after_failure(radio):
            if saved_path:
                radio.activate_saved(name, saved_path, self._activation_timeout_seconds)
            else:
                profile_path = radio.activate_new(name, profile, point.path, self._activation_timeout_seconds)
                # Not earlier: a wrong key never stays saved, whenever this program is stopped.
                radio.save(profile_path)

    def _start_hotspot(self, radio: Radio) -> None:
        if _is_our_hotspot_on(radio):
            return
        if not radio.can_be_hotspot():
            raise WifiError(
                say("The Wi-Fi of this machine can't open a hotspot. Join your Wi-Fi at home instead.")
            )
        active = radio.active_connection()
        profile = make_hotspot_profile(make_credentials(), active["Uuid"] if active else "")
        with _going_back_after_failure(radio):
            try:
                radio.activate_new(HOTSPOT_PROFILE_ID, profile, NO_OBJECT, self._activation_timeout_seconds)
            except ActivationFailed as error:
                raise WifiError(
                    say("The hotspot didn't start. Try again; if it fails again, restart the machine.")
                ) from error

    def _stop_hotspot(self, radio: Radio) -> None:
        active = radio.active_connection()
        if active is None or active["Id"] != HOTSPOT_PROFILE_ID:
            return
        data = radio.read_profile(active["Connection"]).get("user", {}).get("data", ("", {}))[1]
        previous_path = radio.find_profile(data.get(PREVIOUS_PROFILE_KEY, ""))
        if previous_path is None:
            radio.deactivate(active["Path"])
        else:
            name = radio.read_profile(previous_path)["connection"]["id"][1]
            radio.activate_saved(name, previous_path, self._activation_timeout_seconds)


def _require_radio(radio: Radio | None) -> Radio:
    """Returns a radio that is switched on; raises `WifiError` if there is none."""
    if radio is None:
        raise WifiError(WHY_UNUSABLE[WifiState.NO_HARDWARE])
    if not radio.is_switched_on():
        raise WifiError(WHY_UNUSABLE[WifiState.SWITCHED_OFF])
    return radio


def _is_our_hotspot_on(radio: Radio) -> bool:
    active = radio.active_connection()
    return active is not None and active["Id"] == HOTSPOT_PROFILE_ID


@contextmanager
def _going_back_after_failure(radio: Radio) -> Iterator[None]:
    """Activates the profile from before again if a new connection fails, without waiting for it."""
    active = radio.active_connection()
    try:
        yield
    except WifiError:
        if active is not None:
            with suppress(WifiError):
                radio.start_activating(active["Connection"])
        raise


def _read_status(radio: Radio) -> WifiStatus:
    if not radio.is_switched_on():
        return WifiStatus(WifiState.SWITCHED_OFF)
    active = radio.active_connection()
    if active is None or not radio.is_activated(active):
        return WifiStatus(WifiState.NOT_CONNECTED)
    address = radio.address()
    if active["Id"] == HOTSPOT_PROFILE_ID:
        ssid = radio.read_profile(active["Connection"])["802-11-wireless"]["ssid"][1]
        key = radio.read_key(active["Connection"])
        return WifiStatus(WifiState.HOTSPOT, decode_name(ssid), address, key=key)
    point = radio.active_access_point()
    if point is None:
        return WifiStatus(WifiState.CONNECTED, active["Id"], address)
    return WifiStatus(WifiState.CONNECTED, point.name, address, point.signal_steps)


def _make_house_profile(point: AccessPoint, key: str) -> dict[str, VariantMap]:
    """Returns the settings for a network that NetworkManager can't take from the access point itself.

    Raises `WifiError` if the network can't be joined with this key.
    """
    if not point.is_secured:
        return {}
    if point.key_management is None:
        raise WifiError(
            say("{name} can't be joined with a WPA key alone. Choose another network.", name=point.name)
        )
    if not MIN_KEY_CHARACTERS <= len(key) <= MAX_KEY_CHARACTERS:
        raise WifiError(
            say(
                "The key of a Wi-Fi has {least} to {most} characters.",
                least=MIN_KEY_CHARACTERS,
                most=MAX_KEY_CHARACTERS,
            )
        )
    return {"802-11-wireless-security": {"key-mgmt": ("s", point.key_management), "psk": ("s", key)}}
