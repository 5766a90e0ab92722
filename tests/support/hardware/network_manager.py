"""python-dbusmock's NetworkManager on a private bus."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, MatchRule, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from tests.support.program import TIMEOUT_SECONDS
from tests.support.required_programs import path_of_required_program

NAME = "org.freedesktop.NetworkManager"
MANAGER = "/org/freedesktop/NetworkManager"
RADIO = f"{MANAGER}/Devices/radio"
TEMPLATE = Path(__file__).with_name("network_manager_template.py")
DEBIANS_PYTHON = "/usr/bin/python3"
"""It has dbusmock and what dbusmock needs, which PyPI has only to build."""
DISCONNECTED, ACTIVATED = 30, 100
PSK, SAE, COMPANY_LOGIN = 0x100, 0x400, 0x200


class PrivateBus:
    """A message bus of its own at an address, and the NetworkManager on it."""

    def __init__(self, address: str, connection: DBusConnection) -> None:
        self.address = address
        self._connection = connection
        self._process: subprocess.Popen[bytes] | None = None

    def start_network_manager(self) -> None:
        """Starts a NetworkManager without devices, and waits until it answers."""
        rule = MatchRule(type="signal", sender="org.freedesktop.DBus", member="NameOwnerChanged")
        rule.add_arg_condition(0, NAME)
        self._call_bus("AddMatch", "s", rule.serialise())
        with self._connection.filter(rule) as changes:
            self._process = subprocess.Popen(
                [DEBIANS_PYTHON, "-m", "dbusmock", "--template", TEMPLATE],
                env={"DBUS_SYSTEM_BUS_ADDRESS": self.address},
                stdout=subprocess.DEVNULL,
            )
            self._connection.recv_until_filtered(changes, timeout=TIMEOUT_SECONDS)

    def stop_network_manager(self) -> None:
        """Ends NetworkManager, and waits until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def suspend_network_manager(self) -> None:
        """Lets NetworkManager answer nothing any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def call(self, path: str, interface: str, method: str, signature: str = "", *arguments: object) -> Any:
        """Calls a method of the mock; returns its only result, or a tuple."""
        address = DBusAddress(path, NAME, interface)
        message = new_method_call(address, method, signature or None, arguments)
        results = unwrap_msg(self._connection.send_and_get_reply(message, timeout=TIMEOUT_SECONDS))
        return results[0] if len(results) == 1 else results

    def mock(self, method: str, signature: str, *arguments: object) -> Any:
        """Calls a method of dbusmock's template or of ours."""
        return self.call(MANAGER, "org.freedesktop.DBus.Mock", method, signature, *arguments)

    def set_property(self, path: str, interface: str, name: str, value: tuple[str, object]) -> None:
        """Sets a property; `interface` is the last part of its name."""
        self.call(path, "org.freedesktop.DBus.Properties", "Set", "ssv", f"{NAME}{interface}", name, value)

    def get_property(self, path: str, interface: str, name: str) -> Any:
        """Returns a property; `interface` is the last part of its name."""
        address = f"{NAME}{interface}"
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", address, name)[1]

    def add_radio(self) -> None:
        """Adds a radio that isn't connected."""
        self.mock("AddWiFiDevice", "ssi", "radio", "wlan0", DISCONNECTED)

    def add_access_point(
        self, label: str, name: str, strength: int = 80, security: int = PSK, mode: int = 2
    ) -> str:
        """Adds an access point; `label` is the end of its path."""
        arguments = (RADIO, label, name, "00:23:F8:7E:12:BB", mode, 2425, 5400, strength, security)
        return str(self.mock("AddAccessPoint", "ssssuuuyu", *arguments))

    def add_saved_profile(self, name: str) -> str:
        """Adds the profile of a house network whose key the machine knows."""
        settings = {
            "connection": {"id": ("s", name), "type": ("s", "802-11-wireless")},
            "802-11-wireless": {"ssid": ("ay", name.encode())},
        }
        return str(self.mock("AddProfile", "a{sa{sv}}s", settings, RADIO))

    def connect(self, name: str) -> None:
        """Connects the machine to a house network that it knows."""
        self.call(MANAGER, NAME, "ActivateConnection", "ooo", self.add_saved_profile(name), RADIO, "/")

    def set_outcome(self, outcome: str | int) -> None:
        """Sets how the next activation ends, in the words of the template."""
        self.mock("SetOutcome", "s", str(outcome))

    def active_name(self) -> str:
        """Returns the name of the profile that is active on the radio, or an empty text."""
        path = self.get_property(RADIO, ".Device", "ActiveConnection")
        return "" if path == "/" else str(self.get_property(path, ".Connection.Active", "Id"))

    def profiles(self) -> Mapping[str, Any]:
        """Returns the settings of all profiles, by their names."""
        paths = self.call(f"{MANAGER}/Settings", f"{NAME}.Settings", "ListConnections")
        found = [self.call(path, f"{NAME}.Settings.Connection", "GetSettings") for path in paths]
        return {each["connection"]["id"][1]: each for each in found}

    def calls(self, method: str) -> list[list[Any]]:
        """Returns the arguments of each call of one of the manager's methods."""
        found = self.call(MANAGER, "org.freedesktop.DBus.Mock", "GetMethodCalls", "s", method)
        return [[value for _, value in arguments] for _, arguments in found]

    def _call_bus(self, method: str, signature: str, *arguments: object) -> None:
        address = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        message = new_method_call(address, method, signature, arguments)
        unwrap_msg(self._connection.send_and_get_reply(message, timeout=TIMEOUT_SECONDS))


@contextmanager
def private_bus() -> Iterator[PrivateBus]:
    """Runs a message bus; the NetworkManager on it ends with it."""
    command = [path_of_required_program("dbus-daemon"), "--session", "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        address = daemon.stdout.readline().strip()
        with open_dbus_connection(address) as connection:
            bus = PrivateBus(address, connection)
            try:
                yield bus
            finally:
                bus.stop_network_manager()
                daemon.terminate()
