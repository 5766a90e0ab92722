"""The machine's radio as NetworkManager has it: access points, profiles, and waiting for a connection.

The numbers are those of https://networkmanager.dev/docs/api/latest/nm-dbus-types.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any

import msgspec

from companion.texts import Say, say
from hardware.wifi.bus import (
    MANAGER_PATH,
    NO_OBJECT,
    SETTINGS_PATH,
    NetworkManagerBus,
    ObjectGone,
    RequestRefused,
    Signal,
    WifiError,
)
from hardware.wifi.hotspot import VariantMap

SIGNAL_STEPS = 4
_WIFI_DEVICE_TYPE = 2
_FAILED_DEVICE_STATE = 120
_ACTIVATED_STATE = 2
_DEACTIVATED_STATE = 4
_INFRASTRUCTURE_MODE = 2
_HOTSPOT_CAPABILITY = 0x40
_PRIVACY_FLAG = 0x1
_PSK_FLAG = 0x100
_SAE_FLAG = 0x400
_SAVE_TO_DISK_FLAG = 0x1


class ActivationFailure(Enum):
    """Why a connection wasn't made."""

    WRONG_KEY = "wrong key"
    NO_ANSWER = "no answer"
    NO_ADDRESS = "no address"
    LOST = "lost"


LOST = ActivationFailure.LOST
"""The failure for all reasons that the following tables don't have."""
_FAILURE_BY_DEVICE_REASON = {
    7: ActivationFailure.WRONG_KEY,  # no secrets: NetworkManager asks for another key, and nobody has one
    **dict.fromkeys(
        (10, 11, 53), ActivationFailure.NO_ANSWER
    ),  # wpa_supplicant failed, took too long, found none
    **dict.fromkeys(
        (5, 6, 15, 16, 17), ActivationFailure.NO_ADDRESS
    ),  # no or an expired address, DHCP failed
}
_FAILURE_BY_CONNECTION_REASON = {
    **dict.fromkeys((9, 10), ActivationFailure.WRONG_KEY),  # no secrets, login failed
    6: ActivationFailure.NO_ANSWER,
    5: ActivationFailure.NO_ADDRESS,
}


class ActivationFailed(WifiError):
    """A connection wasn't made. The text is for a network with a key."""

    def __init__(self, name: str, failure: ActivationFailure) -> None:
        super().__init__(_explain(failure, name))


def _explain(failure: ActivationFailure, name: str) -> Say:
    match failure:
        case ActivationFailure.WRONG_KEY:
            return say(
                "{name} doesn't accept this key. Check each letter of the key and try again.", name=name
            )
        case ActivationFailure.NO_ANSWER:
            return say(
                "{name} doesn't answer. Switch it on or move the Companion closer, then try again.", name=name
            )
        case ActivationFailure.NO_ADDRESS:
            return say(
                "{name} gives the Companion no address. Restart the router, then try again.", name=name
            )
        case ActivationFailure.LOST:
            return say(
                "The connection to {name} broke off. Move the Companion closer, then try again.", name=name
            )


class AccessPoint(msgspec.Struct, frozen=True):
    """An access point in reach: its path, its network's name, and how the network is secured."""

    path: str
    name: str
    signal_steps: int
    is_secured: bool
    key_management: str | None
    """NetworkManager's word for how the key is used; None if the network isn't joined with a WPA key."""


class Radio:
    """The radio at a path; `find_radio` finds it. Its methods raise `WifiError`."""

    def __init__(self, bus: NetworkManagerBus, path: str) -> None:
        self.bus = bus
        self.path = path

    def properties(self) -> Mapping[str, Any]:
        """Returns the properties of the device."""
        return self.bus.properties(self.path, "Device")

    def is_switched_on(self) -> bool:
        """Returns False if a switch or a setting (rfkill) keeps the radio off."""
        manager = self.bus.properties(MANAGER_PATH)
        return bool(manager["WirelessEnabled"] and manager["WirelessHardwareEnabled"])

    def can_be_hotspot(self) -> bool:
        """Returns whether the radio can be an access point."""
        return bool(self._wireless_properties()["WirelessCapabilities"] & _HOTSPOT_CAPABILITY)

    def active_connection(self) -> Mapping[str, Any] | None:
        """Returns the properties of the connection that is active or becomes active, with its `Path`."""
        path = self.properties()["ActiveConnection"]
        if path == NO_OBJECT:
            return None
        return {**self.bus.properties(path, "Connection.Active"), "Path": path}

    def is_activated(self, active_connection: Mapping[str, Any]) -> bool:
        """Returns whether a connection is active, and not only on its way."""
        return bool(active_connection["State"] == _ACTIVATED_STATE)

    def address(self) -> str:
        """Returns the IPv4 address, or an empty text."""
        path = self.properties().get("Ip4Config", NO_OBJECT)
        if path == NO_OBJECT:
            return ""
        addresses = self.bus.properties(path, "IP4Config")["AddressData"]
        return str(addresses[0]["address"][1]) if addresses else ""

    def active_access_point(self) -> AccessPoint | None:
        """Returns the access point of the network that the machine is in."""
        path = self._wireless_properties().get("ActiveAccessPoint", NO_OBJECT)
        return None if path == NO_OBJECT else _read_access_point(path, self._access_point_properties(path))

    def list_access_points(self) -> Sequence[AccessPoint]:
        """Returns the access points with a name, the strongest first."""
        points = []
        for path in self._wireless_properties()["AccessPoints"]:
            try:
                properties = self._access_point_properties(path)
            except ObjectGone:
                continue
            if properties["Mode"] == _INFRASTRUCTURE_MODE and properties["Ssid"].strip(b"\0"):
                points.append((properties["Strength"], _read_access_point(path, properties)))
        return [point for _, point in sorted(points, key=lambda each: (-each[0], each[1].name))]

    def scan(self, timeout_seconds: float) -> None:
        """Waits until the radio has heard all channels; not if it did so a moment ago."""
        with self.bus.signals(timeout_seconds) as signals:
            try:
                self.bus.call(self.path, "Device.Wireless", "RequestScan", "a{sv}", {})
            except RequestRefused:
                return
            for signal in signals:
                if signal.path == self.path and "LastScan" in signal.changed_properties():
                    return

    def saved_profiles(self) -> Mapping[str, str]:
        """Returns the paths of the profiles that can be activated now, by the names of their networks."""
        profiles = {}
        for path in self.properties()["AvailableConnections"]:
            try:
                profile = self.read_profile(path)
            except ObjectGone:
                continue
            profiles[decode_name(profile["802-11-wireless"]["ssid"][1])] = path
        return profiles

    def read_profile(self, path: str) -> Mapping[str, Mapping[str, tuple[str, Any]]]:
        """Returns the settings of a profile, without secrets."""
        profile: Mapping[str, Mapping[str, tuple[str, Any]]]
        (profile,) = self.bus.call(path, "Settings.Connection", "GetSettings")
        return profile

    def read_key(self, profile_path: str) -> str:
        """Returns the key of a profile."""
        setting = "802-11-wireless-security"
        (secrets,) = self.bus.call(profile_path, "Settings.Connection", "GetSecrets", "s", setting)
        return str(secrets[setting]["psk"][1])

    def find_profile(self, uuid: str) -> str | None:
        """Returns the path of the profile with a UUID; None if there is none any more."""
        try:
            (path,) = self.bus.call(SETTINGS_PATH, "Settings", "GetConnectionByUuid", "s", uuid)
        except (ObjectGone, RequestRefused):
            return None
        return str(path)

    def activate_new(
        self, name: str, profile: Mapping[str, VariantMap], point_path: str, timeout_seconds: float
    ) -> str:
        """Activates a new profile, and returns its path.

        The profile is volatile: NetworkManager forgets it when it is no longer active.
        Raises `ActivationFailed`.
        """
        with self.bus.signals(timeout_seconds) as signals:
            profile_path, active_path, _ = self.bus.call(
                MANAGER_PATH,
                "",
                "AddAndActivateConnection2",
                "a{sa{sv}}ooa{sv}",
                profile,
                self.path,
                point_path,
                {"persist": ("s", "volatile")},
            )
            self._wait_until_activated(name, active_path, signals)
        return str(profile_path)

    def activate_saved(self, name: str, profile_path: str, timeout_seconds: float) -> None:
        """Activates a profile; raises `ActivationFailed`."""
        with self.bus.signals(timeout_seconds) as signals:
            active_path = self.start_activating(profile_path)
            self._wait_until_activated(name, active_path, signals)

    def start_activating(self, profile_path: str) -> str:
        """Activates a profile without waiting; returns the path of the active connection."""
        (path,) = self.bus.call(
            MANAGER_PATH, "", "ActivateConnection", "ooo", profile_path, self.path, NO_OBJECT
        )
        return str(path)

    def deactivate(self, active_path: str) -> None:
        """Ends a connection."""
        self.bus.call(MANAGER_PATH, "", "DeactivateConnection", "o", active_path)

    def save(self, profile_path: str) -> None:
        """Saves a volatile profile."""
        self.bus.call(
            profile_path, "Settings.Connection", "Update2", "a{sa{sv}}ua{sv}", {}, _SAVE_TO_DISK_FLAG, {}
        )

    def _wait_until_activated(self, name: str, active_path: str, signals: Iterator[Signal]) -> None:
        """Waits until a connection is active. At the timeout, ends the connection.

        Raises `ActivationFailed`.
        """
        with suppress(ObjectGone):  # a connection that is gone already has left signals, which say why
            if self.is_activated(self.bus.properties(active_path, "Connection.Active")):
                return
        for signal in signals:
            if signal.member != "StateChanged":
                continue
            if signal.path == self.path and signal.arguments[0] == _FAILED_DEVICE_STATE:
                raise ActivationFailed(name, _FAILURE_BY_DEVICE_REASON.get(signal.arguments[2], LOST))
            if signal.path == active_path and signal.arguments[0] == _DEACTIVATED_STATE:
                raise ActivationFailed(name, _FAILURE_BY_CONNECTION_REASON.get(signal.arguments[1], LOST))
            if signal.path == active_path and signal.arguments[0] == _ACTIVATED_STATE:
                return
        with suppress(ObjectGone):
            self.deactivate(active_path)
        raise ActivationFailed(name, ActivationFailure.NO_ANSWER)

    def _wireless_properties(self) -> Mapping[str, Any]:
        return self.bus.properties(self.path, "Device.Wireless")

    def _access_point_properties(self, path: str) -> Mapping[str, Any]:
        return self.bus.properties(path, "AccessPoint")


def find_radio(bus: NetworkManagerBus) -> Radio | None:
    """Returns the first radio that NetworkManager manages; None if there is none."""
    for path in sorted(bus.properties(MANAGER_PATH)["Devices"]):
        with suppress(ObjectGone):
            device = bus.properties(path, "Device")
            if device["DeviceType"] == _WIFI_DEVICE_TYPE and device["Managed"]:
                return Radio(bus, path)
    return None


def decode_name(ssid: bytes) -> str:
    """Returns the name of a network as people read it."""
    return ssid.decode("utf-8", "replace")


def _read_access_point(path: str, properties: Mapping[str, Any]) -> AccessPoint:
    security_flags = properties["WpaFlags"] | properties["RsnFlags"]
    key_management = None
    if security_flags & _PSK_FLAG:
        key_management = "wpa-psk"  # with which NetworkManager also uses WPA3 if the network has both
    elif security_flags & _SAE_FLAG:
        key_management = "sae"
    return AccessPoint(
        path=path,
        name=decode_name(properties["Ssid"]),
        signal_steps=min(SIGNAL_STEPS, 1 + properties["Strength"] * SIGNAL_STEPS // 100),
        is_secured=bool(security_flags or properties["Flags"] & _PRIVACY_FLAG),
        key_management=key_management,
    )
