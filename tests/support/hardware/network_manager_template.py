"""A NetworkManager for python-dbusmock that activates volatile profiles, sends signals and can fail.

It begins with dbusmock's own template, which has devices, access points and profiles. Debian's Python
runs it.
"""

from __future__ import annotations

import os
from typing import Any

import dbus
import dbusmock
from dbusmock import MOCK_IFACE
from dbusmock.templates import networkmanager as plain
from dbusmock.templates.networkmanager import *  # noqa: F403 - dbusmock looks for the template's methods here
from gi.repository import GLib

MANAGER_PATH = plain.MANAGER_OBJ
ACTIVATING, ACTIVATED, DEACTIVATED = 1, 2, 4
FAILED_DEVICE_STATE = 120
DROPPED_REASON = 3
SECURITY = "802-11-wireless-security"


def load(mock: Any, parameters: dict[str, Any]) -> None:
    """Makes the manager; dbusmock calls this."""
    plain.load(mock, parameters)
    manager = dbusmock.get_object(MANAGER_PATH)
    manager.activate = activate
    manager.add_and_activate = add_and_activate
    manager.deactivate = deactivate
    manager.outcome = "activated"
    for name, arguments, results, code in (
        ("ActivateConnection", "ooo", "o", "ret = self.activate(self, *args)"),
        (
            "AddAndActivateConnection2",
            "a{sa{sv}}ooa{sv}",
            "ooa{sv}",
            "ret = self.add_and_activate(self, *args)",
        ),
        ("DeactivateConnection", "o", "", "self.deactivate(self, args[0], 2)"),
    ):
        manager.AddMethod(plain.MANAGER_IFACE, name, arguments, results, code)


@dbus.service.method(MOCK_IFACE, in_signature="s", out_signature="")
def SetOutcome(_self: Any, outcome: str) -> None:  # noqa: N802 - named as dbusmock's methods are
    """Sets how the next activation ends.

    It is activated, silent or quit, or the number of the reason that a device gives. After "connection ", it
    is the number of the reason that a connection gives, without a word of the device.
    """
    dbusmock.get_object(MANAGER_PATH).outcome = str(outcome)


@dbus.service.method(MOCK_IFACE, in_signature="a{sa{sv}}s", out_signature="o")
def AddProfile(_self: Any, settings: Any, device_path: str) -> str:  # noqa: N802 - as above
    """Adds a saved profile that the device can activate."""
    return add_profile(settings, device_path)


def add_profile(settings: Any, device_path: str) -> str:
    """Adds a profile; volatile ones are made so by their caller."""
    settings_object = dbusmock.get_object(plain.SETTINGS_OBJ)
    path = settings_object.SettingsAddConnection(settings)
    profile = dbusmock.get_object(path)
    profile.is_volatile = False
    profile.ConnectionGetSettings = get_settings_without_secrets
    profile.ConnectionGetSecrets = get_secrets
    profile.save = save
    profile.AddMethod(
        plain.CSETTINGS_IFACE, "Update2", "a{sa{sv}}ua{sv}", "a{sv}", "self.save(self); ret = {}"
    )
    device = dbusmock.get_object(device_path)
    available = device.Get(plain.DEVICE_IFACE, "AvailableConnections")
    available.append(dbus.ObjectPath(path))
    device.Set(plain.DEVICE_IFACE, "AvailableConnections", available)
    return path


def get_settings_without_secrets(profile: Any) -> Any:
    """Returns the settings as NetworkManager shows them."""
    return dbus.Dictionary(
        {
            name: dbus.Dictionary(
                {key: value for key, value in values.items() if key != "psk"}, signature="sv"
            )
            for name, values in profile.settings.items()
        },
        signature="sa{sv}",
    )


def get_secrets(profile: Any, setting: str) -> Any:
    """Returns the key."""
    return {setting: {"psk": profile.settings[setting]["psk"]}}


def save(profile: Any) -> None:
    """Makes a volatile profile a saved one."""
    profile.is_volatile = False


def add_and_activate(manager: Any, settings: Any, device: str, point: str, options: Any) -> Any:
    """Adds a profile, completed from the access point, and activates it."""
    settings = dbus.Dictionary(
        {name: dbus.Dictionary(values, signature="sv") for name, values in settings.items()},
        signature="sa{sv}",
    )
    if point != "/":
        ssid = dbusmock.get_object(point).Get(plain.ACCESS_POINT_IFACE, "Ssid")
        settings.setdefault("connection", dbus.Dictionary(signature="sv"))["id"] = bytes(ssid).decode()
        settings["connection"]["type"] = "802-11-wireless"
        settings.setdefault("802-11-wireless", dbus.Dictionary(signature="sv"))["ssid"] = ssid
    profile = add_profile(settings, device)
    dbusmock.get_object(profile).is_volatile = options.get("persist") == "volatile"
    return (
        dbus.ObjectPath(profile),
        activate(manager, profile, device, point),
        dbus.Dictionary(signature="sv"),
    )


def activate(manager: Any, profile: str, device: str, point: str) -> str:
    """Ends what is active on the device and begins to activate a profile; the rest follows as signals."""
    if profile not in dbusmock.get_object(plain.SETTINGS_OBJ).ListConnections():
        raise dbus.exceptions.DBusException("gone", name=plain.MANAGER_IFACE + ".UnknownConnection")
    before = dbusmock.get_object(device).Get(plain.DEVICE_IFACE, "ActiveConnection")
    if before != "/":
        deactivate(manager, before, DROPPED_REASON)
    manager.activations = getattr(manager, "activations", 0) + 1
    path = manager.AddActiveConnection(
        [device], profile, point, f"a{manager.activations}", dbus.UInt32(ACTIVATING)
    )
    GLib.idle_add(finish, manager, device, path, manager.outcome)
    manager.outcome = "activated"
    return dbus.ObjectPath(path)


def finish(manager: Any, device: str, path: str, outcome: str) -> bool:
    """Lets an activation succeed or fail; always returns False, as GLib asks again otherwise."""
    if outcome == "quit":
        GLib.timeout_add(50, os._exit, 0)  # milliseconds: mostly after the state was read
    elif outcome == "activated":
        connection = dbusmock.get_object(path)
        connection.Set(plain.ACTIVE_CONNECTION_IFACE, "State", dbus.UInt32(ACTIVATED))
        connection.EmitSignal(plain.ACTIVE_CONNECTION_IFACE, "StateChanged", "uu", [ACTIVATED, 1])
    elif outcome.startswith("connection "):
        deactivate(manager, path, int(outcome.split()[1]))
    elif outcome != "silent":
        dbusmock.get_object(device).EmitSignal(
            plain.DEVICE_IFACE, "StateChanged", "uuu", [FAILED_DEVICE_STATE, 50, int(outcome)]
        )
        deactivate(manager, path, DROPPED_REASON)
    return False


def deactivate(manager: Any, path: str, reason: int) -> None:
    """Ends a connection, and forgets its profile if that is volatile."""
    connection = dbusmock.get_object(path)
    (device,) = connection.Get(plain.ACTIVE_CONNECTION_IFACE, "Devices")
    profile = connection.Get(plain.ACTIVE_CONNECTION_IFACE, "Connection")
    connection.EmitSignal(plain.ACTIVE_CONNECTION_IFACE, "StateChanged", "uu", [DEACTIVATED, reason])
    manager.RemoveActiveConnection(device, path)
    if dbusmock.get_object(profile).is_volatile:
        manager.RemoveWifiConnection(device, profile)
